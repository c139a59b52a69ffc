#include "shosa/posing/settle_feet.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
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
  Settler(const Clip& clip, const body::BodyMap& map, const SettleFeetParams& params, analysis::FootContacts contacts)
      : clip_(clip), map_(map), params_(params), contacts_(std::move(contacts)), best_{clip} {
    const ClipPositions positions = clip_positions(clip);
    own_ = longest_steps(positions, frames_per_step(clip));
    best_.slide_mps = best_.slide_before_mps = slide_mps(clip, positions, contacts_);
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
    analysis::FootContacts contacts = contacts_;
    for (int round = 1; round <= params_.max_rounds && cost(best_) > 0.0; ++round) {
      auto kept = keep_feet(clip_, map_, contacts, keep);
      if (!kept) return std::unexpected(kept.error());
      const ClipPositions positions = clip_positions(kept->clip);
      auto found = analysis::find_foot_contacts(kept->clip, positions, map_);
      if (!found) return std::unexpected(found.error());
      SettledFeet result{std::move(kept->clip)};
      result.slide_before_mps = best_.slide_before_mps;
      result.slide_mps = slide_mps(result.clip, positions, *found);
      result.haste_m = haste_m(positions);
      result.rounds = round;
      contacts = std::move(*found);
      if (cost(result) < cost(best_)) best_ = std::move(result);
    }
    return {};
  }

  // Where contacts begin and end depends on the rate at which one looks: what is seen at the clip's own or at 60 Hz.
  double slide_mps(const Clip& clip, const ClipPositions& positions, const analysis::FootContacts& contacts) const {
    const double own = analysis::measure_quality(clip, positions, &contacts).foot_skate_mps;
    if (frames_per_step(clip) == 1) return own;
    const auto slower = resample(clip, 1.0 / kSolved_s);
    if (!slower) return own;
    const ClipPositions seen = clip_positions(*slower);
    const auto found = analysis::find_foot_contacts(*slower, seen, map_);
    return found ? std::max(own, analysis::measure_quality(*slower, seen, &*found).foot_skate_mps) : own;
  }

  double haste_m(const ClipPositions& positions) const {
    const Steps longest = longest_steps(positions, frames_per_step(clip_));
    double most = 0.0;
    for (std::size_t j = 0; j < longest.step_m.size(); ++j) {
      most = std::max({most, longest.step_m[j] - own_.step_m[j], longest.half_change_m[j] - own_.half_change_m[j]});
    }
    return most;
  }

  const Clip& clip_;
  const body::BodyMap& map_;
  const SettleFeetParams& params_;
  analysis::FootContacts contacts_;  // of the capture
  Steps own_;
  SettledFeet best_;
};

}  // namespace

Result<SettledFeet> settle_feet(const Clip& clip, const body::BodyMap& map, const SettleFeetParams& params) {
  if (!(params.slide_mps > 0.0) || !(params.haste_m > 0.0) || params.max_rounds < 1) {
    return fail(ErrorCode::invalid_argument,
                "settle_feet: slide_mps {}, haste_m {} and {} rounds, expected > 0, > 0 and >= 1", params.slide_mps,
                params.haste_m, params.max_rounds);
  }
  auto contacts = analysis::find_foot_contacts(clip, map);
  if (!contacts) return std::unexpected(contacts.error());
  return Settler(clip, map, params, std::move(*contacts)).settle();
}

}  // namespace shosa::posing
