#include "shosa/core/clip_edit.h"

#include <cmath>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"

namespace shosa {

Result<Clip> resample(const Clip& clip, double fps) {
  if (!std::isfinite(fps) || fps <= 0.0) {
    return fail(ErrorCode::invalid_argument, "resample: {} frames per second, expected a positive number", fps);
  }
  // The last sample is kept when it falls on the new grid within a thousandth of a step.
  const double last = clip.last_time_s() * fps + 1e-3;
  if (last + 1.0 > kMaxFrames) {
    return fail(ErrorCode::invalid_argument,
                "resample: {} frames per second would need {:.0f} frames, expected at most {}", fps, last + 1.0,
                kMaxFrames);
  }
  const int frames = static_cast<int>(last) + 1;
  const std::size_t frame_bytes = clip.sample_bytes() / static_cast<std::size_t>(clip.frame_count());
  if (static_cast<std::size_t>(frames) > kMaxSampleBytes / frame_bytes) {
    return fail(ErrorCode::invalid_argument,
                "resample: {} frames per second would need {} frames of {} bytes, expected at most {} GiB in all", fps,
                frames, frame_bytes, kMaxSampleBytes >> 30);
  }
  Clip result(clip.skeleton_ptr(), frames, 1.0 / fps, clip.translated());
  result.set_name(clip.name());
  Pose pose(clip.joint_count());
  for (int f = 0; f < frames; ++f) {
    sample(clip, f / fps, pose);
    result.set_frame(f, pose);
  }
  return result;
}

Result<Clip> cut_frames(const Clip& clip, int first, int count) {
  if (count < 1 || first < 0 || first > clip.frame_count() - count) {
    return fail(ErrorCode::invalid_argument, "cut: {} frames from frame {}, expected a part of the clip's {} frames",
                count, first, clip.frame_count());
  }
  Clip result(clip.skeleton_ptr(), count, clip.frame_time_s(), clip.translated());
  result.set_name(clip.name());
  Pose pose(clip.joint_count());
  for (int f = 0; f < count; ++f) {
    clip.get_frame(first + f, pose);
    result.set_frame(f, pose);
  }
  return result;
}

Result<Clip> cut(const Clip& clip, double begin_s, double end_s) {
  const double slack = 0.5 * clip.frame_time_s();
  const bool inside = begin_s >= -slack && end_s <= clip.duration_s() + slack;  // false for NaN too
  if (!inside || begin_s > end_s) {
    return fail(ErrorCode::invalid_argument, "cut: from {} s to {} s, expected an interval within 0 s to {} s", begin_s,
                end_s, clip.duration_s());
  }
  const int first = clip.nearest_frame(begin_s);
  return cut_frames(clip, first, clip.nearest_frame(end_s) - first + 1);
}

namespace {

Vec3d mirrored(const Vec3d& v) {
  return {-v.x(), v.y(), v.z()};
}
Quatd mirrored(const Quatd& q) {
  return {q.w(), q.x(), -q.y(), -q.z()};
}

}  // namespace

Result<Clip> mirror(const Clip& clip, std::span<const JointIndex> partner) {
  const Skeleton& skeleton = clip.skeleton();
  const int joints = skeleton.joint_count();
  if (static_cast<int>(partner.size()) != joints) {
    return fail(ErrorCode::invalid_argument, "mirror: {} partners, expected one for each of the {} joints",
                partner.size(), joints);
  }
  if (partner[0] != 0) {
    return fail(ErrorCode::invalid_argument, "mirror: the partner of the root '{}' is {}, expected itself",
                skeleton.name(0), partner[0]);
  }
  for (JointIndex j = 0; j < joints; ++j) {
    const JointIndex other = partner[j];
    if (other < 0 || other >= joints || partner[other] != j) {
      return fail(ErrorCode::invalid_argument,
                  "mirror: the partner of '{}' is {}, expected a joint whose partner is '{}'", skeleton.name(j), other,
                  skeleton.name(j));
    }
  }

  // A translation varies in the mirror image where it varies in the partner.
  std::vector<JointIndex> translated;
  for (JointIndex j = 0; j < joints; ++j) {
    if (clip.is_translated(partner[j])) translated.push_back(j);
  }
  Clip result(clip.skeleton_ptr(), clip.frame_count(), clip.frame_time_s(), translated);
  result.set_name(clip.name());

  const auto& rest = skeleton.rest_rotations();
  WorldPose world;
  Pose pose(joints);
  std::vector<Quatd> rotations(static_cast<std::size_t>(joints));
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(skeleton, pose, world);
    for (JointIndex j = 0; j < joints; ++j) {
      const auto index = static_cast<std::size_t>(j);
      const auto other = static_cast<std::size_t>(partner[index]);
      // Turn away from rest, in the world: world_from_joint * joint_from_world(rest).
      const Quatd turn = mirrored(Quatd(world.rotations[other] * rest[other].conjugate()));
      rotations[index] = turn * rest[index];
      const JointIndex parent = skeleton.parent(j);
      const Quatd parent_rotation = parent == kNoJoint ? Quatd::Identity() : rotations[parent];
      result.set_rotation(f, j, (parent_rotation.conjugate() * rotations[index]).normalized().cast<float>());
    }
    for (const JointIndex j : translated) {
      const auto other = partner[j];
      const Vec3d moved = clip.translation(f, other).cast<double>();
      if (skeleton.parent(j) == kNoJoint) {
        result.set_translation(f, j, mirrored(moved).cast<float>());
        continue;
      }
      // The shift away from rest, in the world at rest, mirrored and laid on the own rest.
      const auto above = static_cast<std::size_t>(skeleton.parent(j));
      const auto other_above = static_cast<std::size_t>(skeleton.parent(other));
      const Vec3d shift = moved - skeleton.joint(other).rest_translation_m.cast<double>();
      const Vec3d own = rest[above].conjugate() * mirrored(Vec3d(rest[other_above] * shift));
      result.set_translation(f, j, skeleton.joint(j).rest_translation_m + own.cast<float>());
    }
  }
  return result;
}

}  // namespace shosa
