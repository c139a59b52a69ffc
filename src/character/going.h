#pragma once

#include <optional>
#include <variant>

#include "character/steering.h"
#include "shosa/character/character_data.h"
#include "shosa/character/commands.h"

namespace shosa::character {

/// Where the body is, for what decides where it goes.
struct Whereabouts {
  double time_s = 0.0;
  Vec3d hips_m = Vec3d::Zero();
  double facing_rad = 0.0;  ///< Without the sway of a gait.
  double speed_mps = 0.0;
};

/// Carries out the one command about going: tells the graph which state to become, and steering where to turn.
class Going {
 public:
  using Order = std::variant<std::monostate, GoState, GoDirection, GoPlace, GoPath, Stop, PlayOnce, Face>;
  struct Ended {
    bool ended = false;
    Status status = Status::active;
    Reason reason = Reason::none;
  };

  explicit Going(const CharacterData& data);
  void start(Handle handle, const Order& order, const Whereabouts& at, graph::Player& player);
  Handle handle() const { return handle_; }
  void release() { handle_ = kNoHandle, order_ = std::monostate{}, wish_ = {}; }

  /// Before the graph's step.
  Ended step(const Whereabouts& at, graph::Player& player);
  const Steering::Wish& wish() const { return wish_; }
  bool core_reached() const { return core_reached_; }

 private:
  enum class Phase {
    going,
    turning,  ///< On the spot, before it goes.
    stopping,
    settling,  ///< Stands: small steps to the very place.
    acting,    ///< An action plays.
    returning
  };
  bool become(int state, int hurry, graph::Player& player);
  bool is_in(int state, const graph::Player& player) const;
  Ended go_to(const Point& place, std::optional<double> heading_rad, double speed_mps, bool last, const Whereabouts& at,
              graph::Player& player);
  Ended act(const PlayOnce& order, const Whereabouts& at, graph::Player& player);
  void pace(int state, double speed_mps, graph::Player& player);
  void turn_phase(Phase phase) { phase_ = phase; }

  const CharacterData* data_;
  graph::Command command_;  ///< Kept so that commands allocate nothing.
  Order order_;
  Handle handle_ = kNoHandle;
  Phase phase_ = Phase::going;
  int wanted_ = -1;  ///< State the graph was told to become.
  int before_ = -1;  ///< Lasting state to come back to after an action.
  double since_s_ = 0.0;
  int next_point_ = 0;
  Steering::Wish wish_;
  bool core_reached_ = false;
};

}  // namespace shosa::character
