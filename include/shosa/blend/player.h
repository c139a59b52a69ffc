#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "shosa/blend/transition.h"

namespace shosa::blend {

/// What became of one motion that was added.
struct AddReport {
  bool executed = false;
  std::string reason;       ///< Why not, for people.
  double at_s = 0.0;        ///< Where its first frame is.
  double earliest_s = 0.0;  ///< The earliest time at which it could have been put.
  TransitionPlan plan;      ///< Frames of the player's grid.
};

struct AddParams {
  std::optional<double> at_s;  ///< Rounded to the grid; as early as possible when empty.
  double now_s = -1.0;         ///< What was played: nothing up to here changes (equation 17).
  bool keep_place = false;  ///< Both clips are in one world: the motion stays where its clip has it, seen from the one
                            ///< before, and what lies between is made to fit. Otherwise its feet say where it goes.
  bool interrupt = false;   ///< The playing motion's core ends now, and the next one need not wait for it.
};

/// Plays motions one after another, and takes new ones while it plays.
///
/// Motions are on one skeleton and one frame time (`mismatch`). Time is the player's own: the first motion begins at
/// its `at`. A frame that was played never changes by what is added later, where `now_s` says truly what was played.
/// `frame` allocates nothing; `add` searches and allocates. Cores keep their joint rotations to the bit, but for the
/// root's placement and for legs whose stance is deformed. Method, figures and failure cases:
/// docs/methods/optimal_blending.md
///
/// Not thread-safe: `frame` uses buffers of the player.
class Player {
 public:
  /// Fails when a rule of `params` is broken, or `first` is null.
  static Result<Player> create(std::shared_ptr<const Motion> first, const PlanParams& params = {},
                               double first_at_s = 0.0);
  ~Player();
  Player(Player&&) noexcept;
  Player& operator=(Player&&) noexcept;

  /// Joins a motion to the last one. A motion whose core overlaps what must survive is not executed (the report says
  /// why and when it could be). Fails when it does not fit the first one's skeleton or frame time.
  Result<AddReport> add(std::shared_ptr<const Motion> motion, const AddParams& params = {});

  /// The posture at a time; before the first motion its first frame, after the last motion its last.
  void frame(double time_s, Pose& pose);

  double frame_time_s() const;
  double begin_s() const;
  /// Time of the last motion's last frame.
  double end_s() const;
  int motion_count() const;
  /// When the feet of the joined motion stand, on the player's time; grounds and resting heights of the motions.
  analysis::FootContacts contacts() const;
  /// Forgets motions that end before a time: they cannot be asked for any more.
  void forget_before(double time_s);

 private:
  struct State;
  explicit Player(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace shosa::blend
