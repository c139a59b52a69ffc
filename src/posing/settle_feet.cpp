#include "shosa/posing/settle_feet.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shosa/analysis/metrics.h"
#include "shosa/core/clip_edit.h"
#include "shosa/posing/keep_feet.h"

namespace shosa::posing {
namespace {

// The share of the slide asked for up to which less is no better, so that what plays the clip has some left; and how
// dear more is.
constexpr double kFree = 0.6;
constexpr double kDear = 4.0;
// Over which a step is measured.
constexpr double kSolved_s = 1.0 / 60.0;

int frames_per_step(const Clip& clip) {
  return std::max(1, static_cast<int>(std::lround(kSolved_s / clip.frame_time_s())));
}

/// Of each joint: the longest step, and half of the largest change from one step to the next. The first frame may be an
/// added T-pose, from which every joint jumps.
struct Steps {
  std::vector<double> step_m, half_change_m;
};
Steps longest_steps(const ClipPositions& positions, int step) {
  const auto joints = static_cast<std::size_t>(positions.joint_count());
  Steps longest{std::vector<double>(joints, 0.0), std::vector<double>(joints, 0.0)};
  for (int f = 2 * step + 1; f < positions.frame_count(); ++f) {
    for (std::size_t i = 0; i < joints; ++i) {
      const auto j = static_cast<JointIndex>(i);
      const Vec3d now = positions.joint(f, j) - positions.joint(f - step, j),
                  before = positions.joint(f - step, j) - positions.joint(f - 2 * step, j);
      longest.step_m[i] = std::max(longest.step_m[i], now.norm());
      longest.half_change_m[i] = std::max(longest.half_change_m[i], 0.5 * (now - before).norm());
    }
  }
  return longest;
}

class Settler {
 public:
  Settler(const analysis::StudiedClip& studied, const SettleFeetParams& params)
      : studied_(studied), params_(params), best_{studied.clip()} {
    own_ = longest_steps(studied.positions(), frames_per_step(studied.clip()));
    best_.slide_mps = best_.slide_before_mps = slide_mps(studied);
  }

  Result<SettledFeet> settle() {
    if (best_.slide_before_mps <= params_.slide_mps) return std::move(best_);
    KeepFeetParams eased, whole;
    eased.ease_share = 0.07;
    for (const KeepFeetParams& keep : {eased, whole}) {
      if (const auto tried = try_rounds(keep); !tried) return std::unexpected(tried.error());
      if (cost(best_) == 0.0) break;
    }
    return std::move(best_);
  }

 private:
  double cost(const SettledFeet& result) const {
    return kDear * std::max(0.0, result.slide_mps / params_.slide_mps - kFree) +
           std::max(0.0, result.haste_m / params_.haste_m - 1.0);
  }

  Result<void> try_rounds(const KeepFeetParams& keep) {
    analysis::FootContacts contacts = studied_.contacts();
    for (int round = 1; round <= params_.max_rounds && cost(best_) > 0.0; ++round) {
      auto kept = keep_feet(studied_.clip(), studied_.map(), contacts, keep);
      if (!kept) return std::unexpected(kept.error());
      const analysis::StudiedClip found = analysis::study(std::move(kept->clip), studied_.map());
      SettledFeet result{found.clip()};
      result.slide_before_mps = best_.slide_before_mps;
      result.slide_mps = slide_mps(found);
      result.haste_m = haste_m(found.positions());
      result.rounds = round;
      contacts = found.contacts();
      if (cost(result) < cost(best_)) best_ = std::move(result);
    }
    return {};
  }

  // Where contacts begin and end depends on the rate at which one looks: what is seen at the clip's own or at 60 Hz.
  static double slide_mps(const analysis::StudiedClip& seen) {
    const double own = analysis::measure_quality(seen).foot_skate_mps;
    if (frames_per_step(seen.clip()) == 1) return own;
    const auto slower = resample(seen.clip(), 1.0 / kSolved_s);
    if (!slower) return own;
    return std::max(own, analysis::measure_quality(analysis::study(*slower, seen.map())).foot_skate_mps);
  }

  double haste_m(const ClipPositions& positions) const {
    const Steps longest = longest_steps(positions, frames_per_step(studied_.clip()));
    double most = 0.0;
    for (std::size_t j = 0; j < longest.step_m.size(); ++j) {
      most = std::max({most, longest.step_m[j] - own_.step_m[j], longest.half_change_m[j] - own_.half_change_m[j]});
    }
    return most;
  }

  const analysis::StudiedClip& studied_;  // the capture
  const SettleFeetParams& params_;
  Steps own_;
  SettledFeet best_;
};

}  // namespace

Result<SettledFeet> settle_feet(const analysis::StudiedClip& studied, const SettleFeetParams& params) {
  if (!(params.slide_mps > 0.0) || !(params.haste_m > 0.0) || params.max_rounds < 1) {
    return fail(ErrorCode::invalid_argument,
                "settle_feet: slide_mps {}, haste_m {} and {} rounds, expected > 0, > 0 and >= 1", params.slide_mps,
                params.haste_m, params.max_rounds);
  }
  if (const auto feet = studied.needs_feet(); !feet) return std::unexpected(feet.error());
  return Settler(studied, params).settle();
}

}  // namespace shosa::posing
