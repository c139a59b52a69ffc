#pragma once

#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "character/footing.h"
#include "character/steering.h"
#include "shosa/character/character_data.h"
#include "shosa/character/commands.h"

namespace shosa::character {

/// Where the body is, for what decides where it goes.
struct Whereabouts {
  double time_s = 0.0;
  Vec3d hips_m = Vec3d::Zero();   ///< As the clips have them …
  Vec3d shown_m = Vec3d::Zero();  ///< … and held back by feet that are kept.
  double facing_rad = 0.0;        ///< Without the sway of a gait.
  double speed_mps = 0.0;
  double clip_speed_mps = 0.0;  ///< Of what the clips do of it.
  GroundMove world_from_plane;
  double turn_radps = 0.0;
  double drift_mps = 0.0;  ///< Beside what the clips do.
  const Footing* feet = nullptr;
  double most_mps = std::numeric_limits<double>::infinity();  ///< Of a gait that the ground ahead has room for.
};

/// Carries out the one command about going: tells the graph which state to become, and steering where to turn.
class Going {
 public:
  using Order = std::variant<std::monostate, GoState, GoDirection, GoPlace, GoPath, Stop, PlayOnce, Face, GoSteps>;
  struct Ended {
    bool ended = false;
    Status status = Status::active;
    Reason reason = Reason::none;
  };

  explicit Going(const CharacterData& data);
  void start(Handle handle, const Order& order, const Whereabouts& at, graph::Player& player);
  Handle handle() const { return handle_; }
  /// The state that was asked for last is kept to without a command: where the ground is too steep for it, it is left
  /// for a slower one.
  void release() {
    handle_ = kNoHandle, wish_ = {}, aims_ = {}, rate_to_ = 1.0;
    if (std::holds_alternative<GoState>(order_)) return;
    if (wanted_ >= 0)
      order_ = GoState{wanted_};
    else
      order_ = std::monostate{};
  }

  /// Before the graph's step.
  Ended step(const Whereabouts& at, graph::Player& player);
  /// At which share of their own speed clips pass in the next frame.
  double rate();
  const Steering::Wish& wish() const { return wish_; }
  /// Where a foot is to come down next, where a plan says so.
  const Footing::Landing& aim(int foot) const { return aims_[foot]; }
  /// The step of the plan that this foot takes next.
  std::optional<GoSteps::Step> step_for(int foot) const;
  /// A foot has left the ground.
  void lifted(int foot, double time_s);
  /// A foot has come down, so far from where it should; true where that was a step of the plan.
  bool landed(int foot, double off_m, double time_s);
  /// The speed that it was told to go at; 0 where none was said.
  double asked_mps() const {
    return std::visit(
        [](const auto& order) {
          if constexpr (requires { order.speed_mps; }) return order.speed_mps;
          return 0.0;
        },
        order_);
  }
  bool by_steps() const { return std::holds_alternative<GoSteps>(order_); }
  int steps_met() const { return next_point_; }
  void visit_state(StateBytes& bytes);
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
  /// Tells the graph to come to nodes of a state, round other states that are not passed.
  bool tell(std::span<const graph::NodeIndex> targets, int state, int hurry, graph::Player& player);
  bool become(int state, int hurry, graph::Player& player);
  Ended go_to(const Point& place, std::optional<double> heading_rad, double speed_mps, bool last, const Whereabouts& at,
              graph::Player& player);
  Ended act(const PlayOnce& order, const Whereabouts& at, graph::Player& player);
  Ended go_steps(const GoSteps& order, const Whereabouts& at, graph::Player& player);
  /// Where it would stand, seen from its hips, if it were told to now.
  Vec3d stops_at(const Whereabouts& at, const graph::Player& player) const;
  /// Wishes the body shifted by what its place lacks, no faster than small steps follow.
  void drift_to(const Vec3d& error_m, double within_s);
  /// The gait, or a slower one where the ground is too steep for it.
  int on_ground(int gait, const Whereabouts& at) const;
  /// Who has slowed down for the ground comes back to a faster gait only where what is left has room for it.
  void keep_room(double left_m);
  void pace(int state, double speed_mps);
  /// Goes along `path_rad` facing elsewhere; false where that is too far aside.
  bool face_aside(double path_rad, const Facing& facing, const Whereabouts& at);
  /// A standing body steps at a speed over the ground and faces elsewhere.
  void shuffle(const Vec3d& velocity_mps, const Facing& facing, const Whereabouts& at, graph::Player& player);

  const CharacterData* data_;
  graph::Command command_;  ///< Kept so that commands allocate nothing.
  Order order_;
  Handle handle_ = kNoHandle;
  Phase phase_ = Phase::going;
  int wanted_ = -1;  ///< State the graph was told to become.
  int gait_ = -1;    ///< State to go to a place in.
  int before_ = -1;  ///< Lasting state to come back to after an action.
  double since_s_ = 0.0;
  Vec3d stop_ends_m_ = Vec3d::Zero();  ///< Where the stop under way would end by itself, in the plane of the clips …
  double stopped_s_ = 0.0;             ///< … and when.
  double stood_s_ = 0.0;               ///< Since it settles, and where it stood and faced since then, in that plane.
  Vec3d stands_m_ = Vec3d::Zero();
  double faces_rad_ = 0.0;
  int next_point_ = 0;  ///< Of a path or a footstep plan.
  std::array<Footing::Landing, kMostFeet> aims_;
  static constexpr double kNotYet_s = std::numeric_limits<double>::infinity();
  double lifted_s_ = kNotYet_s;  ///< When the foot whose step is next left the ground for it.
  double rate_ = 1.0, rate_to_ = 1.0;
  bool missed_ = false;  ///< A step came down elsewhere.
  Steering::Wish wish_;
  bool core_reached_ = false;
};

}  // namespace shosa::character
