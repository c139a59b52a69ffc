#include "blend/joined_contacts.h"

#include <algorithm>
#include <cmath>

namespace shosa::blending {

namespace {

// Appends what lies between two times, joined to the last where they touch.
void append(std::vector<TimeInterval>& list, const std::vector<TimeInterval>& source, double shift_s, double from_s,
            double to_s, double touch_s) {
  for (const TimeInterval& interval : source) {
    const TimeInterval cut{std::max(interval.begin_s + shift_s, from_s), std::min(interval.end_s + shift_s, to_s)};
    if (cut.end_s < cut.begin_s) continue;
    if (!list.empty() && cut.begin_s <= list.back().end_s + touch_s) {
      list.back().end_s = std::max(list.back().end_s, cut.end_s);
    } else {
      list.push_back(cut);
    }
  }
}

}  // namespace

analysis::FootContacts joined_contacts(const std::vector<PlayedMotion>& played, double frame_time_s) {
  analysis::FootContacts joined = played.front().motion->contacts;
  const double touch_s = 1.5 * frame_time_s;
  for (std::size_t k = 0; k < joined.feet.size(); ++k) {
    analysis::FootContactTrack& foot = joined.feet[k];
    foot.heel.clear();
    foot.toe.clear();
    foot.joined.clear();
    foot.stances.clear();
    for (std::size_t i = 0; i < played.size(); ++i) {
      const PlayedMotion& motion = played[i];
      double from_s = -INFINITY, to_s = INFINITY;
      if (motion.feet != nullptr) {
        const FootPass& pass = (*motion.feet)[k];
        from_s = (pass.kind == PassKind::stand ? pass.change() : pass.end) * frame_time_s;
      }
      if (i + 1 < played.size()) {
        const FootPass& pass = (*played[i + 1].feet)[k];
        to_s = (pass.kind == PassKind::stand ? pass.change() : pass.begin) * frame_time_s;
      }
      const analysis::FootContactTrack& own = motion.motion->contacts.feet[k];
      const double shift_s = motion.at * frame_time_s;
      append(foot.heel, own.heel, shift_s, from_s, to_s, touch_s);
      append(foot.toe, own.toe, shift_s, from_s, to_s, touch_s);
      append(foot.joined, own.joined, shift_s, from_s, to_s, touch_s);
      for (const analysis::FootContact& stance : own.stances) {
        const TimeInterval cut{std::max(stance.time.begin_s + shift_s, from_s),
                               std::min(stance.time.end_s + shift_s, to_s)};
        if (cut.end_s >= cut.begin_s) foot.stances.push_back({cut, stance.ground_m + motion.place.shift_m.y()});
      }
    }
  }
  return joined;
}

}  // namespace shosa::blending
