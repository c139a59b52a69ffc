#pragma once

#include <vector>

#include "shosa/blend/player.h"

namespace shosa::blend {

/// What the choice looks at: one motion on the common grid.
struct MotionTimes {
  int begin = 0;                ///< First frame.
  int end = 0;                  ///< Last frame.
  FrameInterval core;           ///< For the previous motion only its end counts, for the next one only its begin.
  std::vector<FootTimes> feet;  ///< One entry per foot; both motions have the same feet.
};
/// `motion` with its first frame at `at`.
MotionTimes times_at(const Motion& motion, int at);

struct MethodChoice {
  JoinMethod method = JoinMethod::adaptation_without_step;
  int foot = -1;                ///< Which foot's move is used; -1: none.
  FrameInterval previous_move;  ///< P0, what of it lies after the core. transition, connection.
  FrameInterval next_move;      ///< P1: before the core (transition), or the one in which the stance is left
                                ///< (adaptation_with_step).
};

/// The highest method that applies. Of several moves the one nearest the core is taken, of equally near ones that of
/// the first foot.
///
/// Only what lies outside the cores can be blended: a move that is under way at the end of core 0 counts from there on,
/// one under way at the begin of core 1 up to there, where at least `min_move` frames (>= 1) remain. Moves happen at
/// the same time when they share at least two frames, and last at least `min_move` from lift to landing. A move that
/// leaves less than `min_move` frames before core 1 cannot land. In an adaptation the stance is left in the first move
/// of which at least `min_move` frames lie after the begin of core 1; where there is none, or where the same foot moves
/// earlier, in the first one that begins at least `min_move` frames after core 0.
MethodChoice choose_method(const MotionTimes& previous, const MotionTimes& next, int min_move);

/// The moves of one foot after a frame, cut off there; at least `min_move` frames long.
std::vector<FrameInterval> moves_after(const FootTimes& foot, int frame, int min_move);
/// The move of which `part` was cut.
FrameInterval whole_move(const FootTimes& foot, const FrameInterval& part);
/// The moves of one foot before a frame, cut off there; at least `min_move` frames long.
std::vector<FrameInterval> moves_before(const FootTimes& foot, int frame, int min_move);

}  // namespace shosa::blend
