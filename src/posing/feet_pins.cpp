#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

namespace {

void add(std::vector<MotionPin>& pins, JointIndex joint, bool turn, const std::vector<analysis::FootContact>& stances,
         double swing_weight) {
  if (swing_weight > 0.0) pins.push_back({.joint = joint, .hold_orientation = turn, .weight = swing_weight});
  for (const analysis::FootContact& stance : stances) {
    pins.push_back({.joint = joint,
                    .hold_orientation = turn,
                    .weight = 1.0,
                    .from_s = stance.time.begin_s,
                    .to_s = stance.time.end_s,
                    .fade_s = kStanceFade_s});
  }
}

}  // namespace

std::vector<MotionPin> feet_pins(const analysis::FootContacts& contacts, double swing_weight) {
  std::vector<MotionPin> pins;
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    // The ankle's place and turn hold a toe joint too; a raised paw hangs on its toe alone.
    add(pins, foot.points.joint, foot.points.heel >= 0, foot.stances, swing_weight);
  }
  return pins;
}

std::vector<std::pair<JointIndex, TimeInterval>> carrying_stances(const analysis::FootContacts& contacts) {
  std::vector<std::pair<JointIndex, TimeInterval>> stances;
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    for (const TimeInterval& time : foot.joined) stances.emplace_back(foot.points.joint, time);
  }
  return stances;
}

}  // namespace shosa::posing
