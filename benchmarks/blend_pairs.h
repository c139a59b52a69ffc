#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"
#include "shosa/core/clip_edit.h"
#include "shosa/io/motion_file.h"
#include "shosa/retarget/retarget.h"

namespace shosa::bench {

/// A captured clip on the common skeleton.
struct Captured {
  std::string name;
  std::shared_ptr<const blending::Motion> motion;
  analysis::MotionQuality quality;
};

/// Fights, dances, walks and runs of the captured set.
inline const std::vector<std::string> kPairClips = {
    "02_01", "07_01", "07_12", "16_15",  "16_17",  "35_01",  "104_11",  // walks
    "02_03", "09_01", "16_35", "16_41",  "35_17",  "127_03",            // runs
    "02_05", "74_03", "79_08", "135_07", "76_01",                       // fights
    "05_11", "05_16", "49_18", "60_10",  "111_05",                      // dances
};

inline std::optional<Captured> load_captured(const std::filesystem::path& folder, const std::string& name,
                                             const io::MotionFile* target) {
  auto file = io::read_motion(folder / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
  if (!file || file->clips.empty()) return std::nullopt;
  Clip clip = file->clips.front();
  BodyMap map = file->body_map;
  blending::MotionParams params;
  if (target != nullptr && !same_skeleton(*target->skeleton, clip.skeleton(), 1e-3)) {
    auto moved = retarget::retarget_motion(clip, map, target->skeleton, target->body_map);
    if (!moved) return std::nullopt;
    clip = std::move(moved->clip);
    map = target->body_map;
  }
  auto motion = blending::prepare_motion(clip, map, params);
  if (!motion) return std::nullopt;
  const auto quality = analysis::measure_quality(clip, clip_positions(clip), &(*motion)->contacts);
  return Captured{name, *motion, quality};
}

/// Figures of one join, taken between the end of core 0 and the begin of core 1 or where the last blend ends.
struct JoinFigures {
  double slide_mps = 0.0;
  double acceleration_mps2 = 0.0;
  double duration_s = 0.0;  ///< From core to core.
  double jerk_mps3 = 0.0;
  double own_peak_mps2 = 0.0;  ///< Of the sources.
  double own_slide_mps = 0.0;  ///< Of the sources, in the same frames of the same contacts.
};

inline analysis::FootContacts shifted(analysis::FootContacts contacts, double by_s) {
  for (auto& foot : contacts.feet) {
    for (auto* list : {&foot.heel, &foot.toe, &foot.joined}) {
      for (TimeInterval& interval : *list) interval = {interval.begin_s + by_s, interval.end_s + by_s};
    }
    for (auto& stance : foot.stances) stance.time = {stance.time.begin_s + by_s, stance.time.end_s + by_s};
  }
  return contacts;
}

/// Slide of the sources in the frames in which the joined motion stands: of the previous one while that stands, up to
/// `change_s` or until the next one does.
inline double own_slide_mps(const analysis::FootContacts& contacts, const blending::Motion& previous,
                            const blending::Motion& next, double at_s, double change_s, double from_s, double to_s) {
  const double dt = previous.clip.frame_time_s();
  const ClipPositions before = clip_positions(previous.clip), after = clip_positions(next.clip);
  const auto stands = [&](const std::vector<TimeInterval>& list, double time_s) {
    return std::ranges::any_of(list,
                               [&](const TimeInterval& c) { return c.contains(time_s) && c.contains(time_s + dt); });
  };
  const int at = static_cast<int>(std::lround(at_s / dt));
  double sum = 0.0;
  int count = 0;
  for (int f = static_cast<int>(from_s / dt); f < static_cast<int>(to_s / dt); ++f) {
    for (std::size_t k = 0; k < contacts.feet.size(); ++k) {
      const auto &foot = contacts.feet[k], &ours = previous.contacts.feet[k], &theirs = next.contacts.feet[k];
      for (const bool heel : {true, false}) {
        const int point = heel ? foot.points.heel : foot.points.toe;
        if (point < 0 || !stands(heel ? foot.heel : foot.toe, f * dt)) continue;
        const bool in_previous = stands(heel ? ours.heel : ours.toe, f * dt);
        const bool in_next = stands(heel ? theirs.heel : theirs.toe, f * dt - at_s);
        if (!in_previous && !in_next) continue;
        const bool is_next = in_next && (!in_previous || f * dt >= change_s);
        const ClipPositions& positions = is_next ? after : before;
        const int local = f - (is_next ? at : 0);
        if (local < 0 || local + 1 >= positions.frame_count()) continue;
        Vec3d step = positions.point(local + 1, point) - positions.point(local, point);
        step.y() = 0.0;
        sum += step.norm() / dt;
        ++count;
      }
    }
  }
  return count > 0 ? sum / count : 0.0;
}

inline std::optional<JoinFigures> measure_join(const blending::Composition& made, const blending::Motion& previous,
                                               const blending::Motion& next, double at_s, double until_s,
                                               double change_s) {
  const double dt = made.clip.frame_time_s();
  const double begin_s = previous.core.end * dt;
  const double end_s = std::min(std::max(at_s + next.core.begin * dt, until_s) + 0.1, made.clip.last_time_s());
  const auto part = cut(made.clip, std::max(0.0, begin_s - 0.05), end_s);
  if (!part) return std::nullopt;
  const auto contacts = shifted(made.contacts, -std::max(0.0, begin_s - 0.05));
  const auto quality = analysis::measure_quality(*part, clip_positions(*part), &contacts);
  return JoinFigures{quality.foot_skate_mps,
                     quality.peak_acceleration_mps2,
                     at_s + next.core.begin * dt - begin_s,
                     quality.mean_jerk_mps3,
                     0.0,
                     own_slide_mps(made.contacts, previous, next, at_s, change_s, begin_s - 0.05, end_s)};
}

/// The same for the only join of a pair composed by ours; `own_` figures are the larger of both sources', as a whole
/// and in the same frames.
inline std::optional<JoinFigures> measure_plan(const blending::Composition& made, const Captured& a,
                                               const Captured& b) {
  const blending::TransitionPlan& plan = made.joins.front().report.plan;
  const double dt = made.clip.frame_time_s();
  int until = std::max(plan.lower.frames.end, plan.upper.frames.end);
  if (plan.step) until = std::max(until, plan.step->frames.end);
  auto figures = measure_join(made, *a.motion, *b.motion, made.joins.front().report.at_s, until * dt,
                              0.5 * (plan.lower.frames.begin + plan.lower.frames.end) * dt);
  if (!figures) return std::nullopt;
  figures->own_slide_mps = std::max({figures->own_slide_mps, a.quality.foot_skate_mps, b.quality.foot_skate_mps});
  figures->own_peak_mps2 = std::max(a.quality.peak_acceleration_mps2, b.quality.peak_acceleration_mps2);
  return figures;
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace shosa::bench
