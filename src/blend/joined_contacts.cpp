#include "blend/joined_contacts.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/intervals.h"

namespace shosa::blend {

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

// A heel or toe of a foot that stands on while it is handed over: in contact where it is so in both motions. The next
// motion's foot is as at `next_from` before that.
void append_handed_over(std::vector<TimeInterval>& list, const std::vector<TimeInterval>& previous,
                        double previous_at_s, const std::vector<TimeInterval>& next, double next_at_s,
                        const FootPass& pass, double frame_time_s) {
  const double begin_s = pass.begin * frame_time_s, end_s = pass.end * frame_time_s;
  std::vector<TimeInterval> ours, theirs;
  append(ours, previous, previous_at_s, begin_s, end_s, 0.0);
  append(theirs, next, next_at_s, pass.change() * frame_time_s, end_s, 0.0);
  if (!theirs.empty() && theirs.front().begin_s <= pass.change() * frame_time_s) theirs.front().begin_s = begin_s;
  append(list, analysis::interval_intersection(ours, theirs), 0.0, begin_s, end_s, 1.5 * frame_time_s);
}

}  // namespace

analysis::FootContacts joined_contacts(const std::vector<PlayedMotion>& played, double frame_time_s) {
  analysis::FootContacts joined = played.front().motion->contacts();
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
      const analysis::FootContactTrack& own = motion.motion->contacts().feet[k];
      const double shift_s = motion.at * frame_time_s;
      const FootPass* before = motion.feet != nullptr ? &(*motion.feet)[k] : nullptr;
      const FootPass* after = i + 1 < played.size() ? &(*played[i + 1].feet)[k] : nullptr;
      double whole_from_s = from_s, whole_to_s = to_s;
      if (before != nullptr && before->kind == PassKind::stand) {
        whole_from_s = before->end * frame_time_s;
        const analysis::FootContactTrack& earlier = played[i - 1].motion->contacts().feet[k];
        const double earlier_s = played[i - 1].at * frame_time_s;
        append_handed_over(foot.heel, earlier.heel, earlier_s, own.heel, shift_s, *before, frame_time_s);
        append_handed_over(foot.toe, earlier.toe, earlier_s, own.toe, shift_s, *before, frame_time_s);
      }
      if (after != nullptr && after->kind == PassKind::stand) whole_to_s = after->begin * frame_time_s;
      append(foot.heel, own.heel, shift_s, whole_from_s, whole_to_s, touch_s);
      append(foot.toe, own.toe, shift_s, whole_from_s, whole_to_s, touch_s);
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

}  // namespace shosa::blend
