#include "shosa/documents/submovement_play.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/local_ground.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/frames_at.h"
#include "shosa/feet/place_feet.h"

namespace shosa::documents {

namespace {

using submovement::BodyDecomposition;
using submovement::FootStance;
using submovement::StandingFoot;

// Joints times frames that memory can bear: three hours of a person at 120 Hz.
constexpr double kMaxSamples = 4e7;
// Of a foot from its place, and of hips and legs from where their submovements lead them: what is told.
constexpr double kNoticed_m = 0.005, kNoticedHips_m = 0.1, kNoticedLeg_m = 0.3;
// The hips are where their submovements lead them to some mm, edited ones too. Knees bend as hips and feet ask for: 16
// degrees.
constexpr double kHips_m = 0.005, kKnees_rad = 0.28;

std::optional<int> first_frame_out_of_range(const Clip& clip) {
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      if (!pose.translation(j).allFinite() || !pose.rotation(j).coeffs().allFinite()) return f;
    }
  }
  return std::nullopt;
}

Result<void> set_rate(BodyDecomposition& body, double fps) {
  const double frames = frames_at((body.frame_count - 1) * body.frame_time_s, fps);
  const double most = std::min<double>(kMaxFrames, std::floor(kMaxSamples / body.skeleton->joint_count()));
  if (!(fps > 0.0) || !(frames <= most))
    return fail(ErrorCode::invalid_argument, "{} frames a second: {} frames of {} joints, at most {}", fps, frames,
                body.skeleton->joint_count(), most);
  body.frame_count = static_cast<int>(frames);
  body.frame_time_s = 1.0 / fps;
  return {};
}

// The plan that the stances of a file are, at the rate of a clip. Feet that the body map does not name are left out.
feet::StancePlan plan_of(const std::vector<StandingFoot>& standing, const Clip& clip, const body::BodyMap& map) {
  feet::StancePlan plan;
  const double leg_m = body::leg_length_m(clip.skeleton(), map);
  if (leg_m > 0.0) plan.scale = leg_m / body::kHumanLegLength_m;
  const auto frame_of = [&](double time_s, auto&& round) {
    return static_cast<int>(std::clamp(round(time_s / clip.frame_time_s()), -1.0, clip.frame_count() + 0.0));
  };
  for (const body::FootPoints& points : body::find_foot_points(clip.skeleton(), map)) {
    const auto found =
        std::ranges::find_if(standing, [&](const StandingFoot& foot) { return foot.joint == points.joint; });
    if (found == standing.end()) continue;
    feet::FootPlan& foot = plan.feet.emplace_back();
    foot.points = points;
    foot.heel_rest_m = found->heel_rest_m;
    analysis::FootContactTrack track;
    for (const FootStance& stance : found->stances) {
      // Times are single precision: a start or an end on a frame is on it.
      const int first = std::max(0, frame_of(stance.time.begin_s, [](double f) { return std::ceil(f - 1e-3); }));
      const int last =
          std::min(clip.frame_count() - 1, frame_of(stance.time.end_s, [](double f) { return std::floor(f + 1e-3); }));
      track.stances.push_back({stance.time, stance.ground_m});
      if (first <= last)
        foot.stances.push_back({first, last, stance.ball_m, stance.rises, stance.rotation, stance.heel_m});
    }
    std::ranges::sort(track.stances, {}, [](const analysis::FootContact& c) { return c.time.begin_s; });
    for (int f = 0; f < clip.frame_count(); ++f)
      foot.ground_m.push_back(analysis::local_ground_m(track, f * clip.frame_time_s(), -1e6));
  }
  return plan;
}

}  // namespace

Result<std::vector<StandingFoot>> stances_of(const analysis::StudiedClip& studied) {
  std::vector<StandingFoot> standing;
  if (studied.contacts().feet.empty()) return standing;
  const auto plan = feet::captured_stances(studied.clip(), studied.positions(), studied.contacts());
  if (!plan) return std::unexpected(plan.error());
  const double step_s = studied.clip().frame_time_s();
  for (const feet::FootPlan& foot : plan->feet) {
    StandingFoot& own = standing.emplace_back();
    own.joint = foot.points.joint;
    own.heel_rest_m = foot.heel_rest_m;
    for (const feet::Stance& s : foot.stances)
      own.stances.push_back({{s.first * step_s, s.last * step_s},
                             s.ball_m,
                             s.rises,
                             s.rotation,
                             s.heel_m,
                             foot.ground_m[(s.first + s.last) / 2]});
  }
  return standing;
}

Result<PlayedSubmovements> evaluate(const BodyDecomposition& body, const body::BodyMap& map,
                                    const PlaySubmovementsParams& params) {
  BodyDecomposition played = body;
  if (params.fps) {
    if (const auto ok = set_rate(played, *params.fps); !ok) return std::unexpected(ok.error());
  }
  PlayedSubmovements result{.clip = recompose(played)};
  if (const auto frame = first_frame_out_of_range(result.clip))
    return fail(ErrorCode::bad_file, "frame {} is not finite: the submovements sum up to more than a float holds",
                *frame);
  if (!params.keep_feet || played.feet.empty()) return result;

  const feet::StancePlan plan = plan_of(played.feet, result.clip, map);
  for (const feet::FootPlan& foot : plan.feet) result.kept_stances += static_cast<int>(foot.stances.size());
  if (result.kept_stances == 0) return result;
  feet::PlaceFeetParams place;
  place.scales.root_m = kHips_m;
  place.scales.knee_rad = kKnees_rad;
  auto placed = feet::place_feet(result.clip, map, plan, place);
  if (!placed) {
    result.kept_stances = 0;
    result.warnings.push_back(fmt::format("feet are not kept where they stood: {}", placed.error().message));
    return result;
  }
  result.max_foot_error_m = placed->max_foot_error_m;
  result.worst_s = placed->worst_frame * result.clip.frame_time_s();
  result.max_root_change_m = placed->max_root_change_m;
  result.max_joint_change_m = placed->max_joint_change_m;
  if (result.max_foot_error_m > kNoticed_m)
    result.warnings.push_back(
        fmt::format("at {:.3f} s a standing foot is {:.3f} m off its place", result.worst_s, result.max_foot_error_m));
  if (result.max_root_change_m > kNoticedHips_m)
    result.warnings.push_back(
        fmt::format("the standing feet hold the hips back by up to {:.3f} m", result.max_root_change_m));
  if (result.max_joint_change_m > kNoticedLeg_m)
    result.warnings.push_back(
        fmt::format("to keep the feet a leg leaves its submovements by up to {:.3f} m", result.max_joint_change_m));
  result.clip = std::move(placed->clip);
  return result;
}

}  // namespace shosa::documents
