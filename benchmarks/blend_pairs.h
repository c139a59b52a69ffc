#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "blend_slide.h"
#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"
#include "shosa/core/clip_edit.h"
#include "shosa/feet/repair_samples.h"
#include "shosa/io/motion_file.h"
#include "shosa/retarget/retarget.h"

namespace shosa::bench {

/// A captured clip on the common skeleton.
struct Captured {
  std::string name;
  std::shared_ptr<const blend::Motion> motion;
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
  body::BodyMap map = file->body_map;
  if (target != nullptr && !same_skeleton(*target->skeleton, clip.skeleton(), 1e-3)) {
    auto moved = retarget::retarget_motion(analysis::study(clip, map), target->skeleton, target->body_map);
    if (!moved) return std::nullopt;
    clip = std::move(moved->clip);
    map = target->body_map;
  }
  feet::repair_ends(clip);
  const auto motion = blend::prepare_motion(analysis::study(std::move(clip), std::move(map)));
  if (!motion) return std::nullopt;
  return Captured{name, *motion, analysis::measure_quality((*motion)->studied)};
}

/// Figures of one join, taken between the end of core 0 and the begin of core 1 or where the last blend ends.
struct JoinFigures {
  double slide_mps = 0.0;
  double acceleration_mps2 = 0.0;
  double duration_s = 0.0;  ///< From core to core.
  double jerk_mps3 = 0.0;
  double own_peak_mps2 = 0.0;  ///< Of the sources.
  double own_slide_mps = 0.0;  ///< Of the sources: in the same frames, or of a whole source where that is more.
};

inline std::optional<JoinFigures> measure_join(const blend::Composition& made, const Captured& a, const Captured& b,
                                               double at_s, double until_s) {
  const double dt = made.clip.frame_time_s();
  const double begin_s = a.motion->core.end * dt, from_s = std::max(0.0, begin_s - 0.05);
  const double next_s = at_s + b.motion->core.begin * dt;
  const double end_s = std::min(std::max(next_s, until_s) + 0.1, made.clip.last_time_s());
  const analysis::StudiedClip joined = analysis::study(made.clip, a.motion->map());
  const auto part = cut(made.clip, from_s, end_s);
  if (!part) return std::nullopt;
  const auto quality = analysis::measure_quality(analysis::study(*part, {}));
  const int at = static_cast<int>(std::lround(at_s / dt));
  const JoinSlide slide = join_slide({joined}, {a.motion->studied}, {b.motion->studied, at}, dt, from_s, end_s);
  return JoinFigures{slide.slide_mps,
                     quality.peak_acceleration_mps2,
                     next_s - begin_s,
                     quality.mean_jerk_mps3,
                     std::max(a.quality.peak_acceleration_mps2, b.quality.peak_acceleration_mps2),
                     std::max({slide.own_mps, a.quality.foot_skate_mps, b.quality.foot_skate_mps})};
}

/// Where the last blend of ours ends.
inline double last_blend_s(const blend::Composition& made) {
  double until_s = 0.0;
  for (const blend::BlendSpan& span : made.joins.front().report.blends) {
    if (span.kind != blend::BlendKind::hold) until_s = std::max(until_s, span.time.end_s);
  }
  return until_s;
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
