#include <cmath>

#include "shosa/core/clip_edit.h"
#include "shosa/submovement/body.h"

namespace shosa::submovement {

namespace {

// Across the plane x = 0. Rotation vectors are axial: the sign of the other two changes.
Vec3d mirrored(const Vec3d& v) {
  return {-v.x(), v.y(), v.z()};
}
Vec3d mirrored_turn(const Vec3d& rotation_rad) {
  return {rotation_rad.x(), -rotation_rad.y(), -rotation_rad.z()};
}
Quatd mirrored(const Quatd& q) {
  return {q.w(), q.x(), -q.y(), -q.z()};
}

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

// A joint's turn away from its rest, in the world, is mirrored and laid on the partner's rest. Of the partner's local
// rotation L = start exp(r_1) exp(r_2) ... that makes A M(L) B, with M the mirror, A = rest_above' M(rest_other_above)
// and B = M(rest_other') rest: another product, of start A M(start) B and turns B' M(r).
Result<BodyDecomposition> mirror(const BodyDecomposition& body, std::span<const JointIndex> partner) {
  const Skeleton& skeleton = *body.skeleton;
  if (const auto ok = check_partners(skeleton, partner); !ok) return std::unexpected(ok.error());
  const auto rest = [&](JointIndex j) { return j == kNoJoint ? Quatd::Identity() : skeleton.rest_rotations()[j]; };
  const auto other_of = [&](JointIndex j) { return partner[j]; };
  BodyDecomposition seen = body;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const JointIndex other = other_of(j);
    const Quatd above = rest(skeleton.parent(j)).conjugate() * mirrored(rest(skeleton.parent(other)));
    const Quatd own = mirrored(rest(other).conjugate()) * rest(j);
    RotationModel& model = seen.rotations[j];
    model = body.rotations[other];
    model.start = (above * mirrored(model.start) * own).normalized();
    for (auto& s : model.submovements) s.rotation_rad = own.conjugate() * mirrored_turn(s.rotation_rad);
  }

  // A translation varies in the mirror image where it varies in the partner; the shift away from rest is mirrored.
  seen.translated.clear();
  seen.translations.clear();
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const JointIndex other = other_of(j);
    const auto found = std::find(body.translated.begin(), body.translated.end(), other);
    if (found == body.translated.end()) continue;
    PositionModel model = body.translations[found - body.translated.begin()];
    const auto move = [&](const Vec3d& shift) -> Vec3d {
      return rest(skeleton.parent(j)).conjugate() * mirrored(Vec3d(rest(skeleton.parent(other)) * shift));
    };
    const bool root = skeleton.parent(j) == kNoJoint;
    const auto rest_m = [&](JointIndex joint) -> Vec3d {
      if (root) return Vec3d::Zero();
      return skeleton.joint(joint).rest_translation_m.cast<double>();
    };
    model.start_m = rest_m(j) + move(model.start_m - rest_m(other));
    for (auto& s : model.submovements) s.displacement_m = move(s.displacement_m);
    seen.translated.push_back(j);
    seen.translations.push_back(std::move(model));
  }

  for (StandingFoot& foot : seen.feet) {
    const JointIndex other = foot.joint;
    foot.joint = other_of(other);
    for (FootStance& stance : foot.stances) {
      if (stance.ball_m) stance.ball_m = mirrored(*stance.ball_m);
      if (stance.heel_m) stance.heel_m = mirrored(*stance.heel_m);
      if (stance.rotation)
        stance.rotation = mirrored(Quatd(*stance.rotation * rest(other).conjugate())) * rest(foot.joint);
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
