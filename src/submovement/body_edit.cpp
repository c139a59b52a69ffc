#include <cmath>

#include "shosa/core/clip_edit.h"
#include "shosa/core/mirror.h"
#include "shosa/submovement/body.h"

namespace shosa::submovement {

namespace {

Result<void> check_partners(const Skeleton& skeleton, std::span<const JointIndex> partner) {
  const int joints = skeleton.joint_count();
  bool good = static_cast<int>(partner.size()) == joints && partner[0] == 0;
  for (JointIndex j = 1; good && j < joints; ++j) {
    const JointIndex other = partner[j];
    good = other > 0 && other < joints && partner[other] == j && partner[skeleton.parent(j)] == skeleton.parent(other);
    if (!good)
      return fail(ErrorCode::not_possible, "mirror: the limb of '{}' has no other that hangs as it does",
                  skeleton.name(j));
  }
  if (good) return {};
  return fail(ErrorCode::invalid_argument, "mirror: {} partners for {} joints, expected one each, the root its own",
              partner.size(), joints);
}

}  // namespace

// The partner's local rotation L = start exp(r_1) exp(r_2) ... becomes A L B with constant rotations A and B: another
// product, of start A start B and turns B' r.
Result<BodyDecomposition> mirror(const BodyDecomposition& body, std::span<const JointIndex> partner) {
  const Skeleton& skeleton = *body.skeleton;
  if (const auto ok = check_partners(skeleton, partner); !ok) return std::unexpected(ok.error());
  const auto mirrors = joint_mirrors(skeleton, partner, spread_postures(recompose(body)));
  if (!mirrors) return std::unexpected(mirrors.error());
  BodyDecomposition seen = body;
  seen.translated.clear();
  seen.translations.clear();
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    RotationModel& model = seen.rotations[j];
    model = body.rotations[partner[j]];
    model.start = mirrors->rotation(skeleton, j, model.start);
    for (auto& s : model.submovements) s.rotation_rad = mirrors->turn[j].conjugate() * s.rotation_rad;

    // A translation varies in the mirror image where it varies in the partner.
    const auto found = std::find(body.translated.begin(), body.translated.end(), partner[j]);
    if (found == body.translated.end()) continue;
    PositionModel path = body.translations[found - body.translated.begin()];
    path.start_m = mirrors->translation_m(skeleton, j, path.start_m);
    for (auto& s : path.submovements) s.displacement_m = mirrors->translation_m(skeleton, j, s.displacement_m);
    seen.translated.push_back(j);
    seen.translations.push_back(std::move(path));
  }

  for (StandingFoot& foot : seen.feet) {
    foot.joint = partner[foot.joint];
    for (FootStance& stance : foot.stances) {
      if (stance.ball_m) stance.ball_m = mirror_point(*stance.ball_m);
      if (stance.heel_m) stance.heel_m = mirror_point(*stance.heel_m);
      if (stance.rotation) stance.rotation = mirrors->world_rotation(foot.joint, *stance.rotation);
    }
  }
  return seen;
}

Result<void> retime(BodyDecomposition& body, double factor, double later_s) {
  const double last = std::round((factor * (body.frame_count - 1) * body.frame_time_s + later_s) / body.frame_time_s);
  const double most =
      std::min<double>(kMaxFrames, static_cast<double>(kMaxSampleBytes) / 32.0 / body.skeleton->joint_count()) - 1.0;
  if (!(factor > 0.0) || !(last >= 0.0 && last <= most))
    return fail(ErrorCode::invalid_argument,
                "times {} as long and {} s later the motion would last {:.4g} frames, expected 1 to {:.4g}", factor,
                later_s, last + 1.0, most + 1.0);
  const auto move = [&](double& time_s) { time_s = factor * time_s + later_s; };
  const auto move_all = [&](auto& models) {
    for (auto& model : models)
      for (auto& s : model.submovements) move(s.t0_s), move(s.tf_s);
  };
  move_all(body.rotations);
  move_all(body.translations);
  for (StandingFoot& foot : body.feet)
    for (FootStance& stance : foot.stances) move(stance.time.begin_s), move(stance.time.end_s);
  body.frame_count = static_cast<int>(last) + 1;
  return {};
}

}  // namespace shosa::submovement
