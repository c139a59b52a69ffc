// Postures of clips out and in, and clips made from arrays.

#include "c/objects.h"
#include "shosa/c/clip.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"

using namespace shosa;
using namespace shosa::c;

namespace {

std::uint64_t joints_of(const ClipObject* object) {
  return object == nullptr ? 0 : static_cast<std::uint64_t>(object->clip().joint_count());
}
std::uint64_t frames_of(const ClipObject* object) {
  return object == nullptr ? 0 : static_cast<std::uint64_t>(object->clip().frame_count());
}

constexpr std::uint32_t kMostJoints = 100000;

}  // namespace

shosa_status shosa_clip_sample(shosa_context* context, shosa_clip clip, double time_s, float* rotations,
                               float* translations_m, uint32_t joint_count) {
  return call(context, "shosa_clip_sample", [&](Call& c) {
    const auto* object = c.find<ClipObject>(clip);
    c.number(time_s, "time_s", -1e9, 1e9);
    c.same_count(joint_count, "joint_count", joints_of(object));
    if (c.failed()) return;
    Pose pose;
    sample(object->clip(), time_s, pose);
    write_pose(pose, rotations, translations_m);
  });
}

shosa_status shosa_clip_frames(shosa_context* context, shosa_clip clip, uint32_t first, uint32_t count,
                               float* rotations, float* translations_m, uint32_t joint_count) {
  return call(context, "shosa_clip_frames", [&](Call& c) {
    const auto* object = c.find<ClipObject>(clip);
    c.range(first, count, frames_of(object));
    c.same_count(joint_count, "joint_count", joints_of(object));
    if (c.failed()) return;
    Pose pose;
    const std::size_t joints = joint_count;
    for (std::size_t i = 0; i < count; ++i) {
      object->clip().get_frame(static_cast<int>(first + i), pose);
      write_pose(pose, rotations == nullptr ? nullptr : rotations + 4 * joints * i,
                 translations_m == nullptr ? nullptr : translations_m + 3 * joints * i);
    }
  });
}

shosa_status shosa_clip_matrices(shosa_context* context, shosa_clip clip, double time_s, float* matrices,
                                 uint32_t joint_count) {
  return call(context, "shosa_clip_matrices", [&](Call& c) {
    const auto* object = c.find<ClipObject>(clip);
    c.number(time_s, "time_s", -1e9, 1e9);
    c.same_count(joint_count, "joint_count", joints_of(object));
    c.present(matrices, "matrices");
    if (c.failed()) return;
    Pose pose;
    sample(object->clip(), time_s, pose);
    std::vector<Eigen::Matrix4f> world(joint_count);  // the caller's array may be aligned otherwise
    world_matrices(object->clip().skeleton(), pose, world);
    std::memcpy(matrices, world.data()->data(), world.size() * sizeof(Eigen::Matrix4f));
  });
}

shosa_status shosa_clip_positions(shosa_context* context, shosa_clip clip, uint32_t first, uint32_t count,
                                  float* positions_m, uint32_t point_count) {
  return call(context, "shosa_clip_positions", [&](Call& c) {
    const auto* object = c.find<ClipObject>(clip);
    c.range(first, count, frames_of(object));
    c.present(positions_m, "positions_m");
    if (c.failed()) return;
    const Skeleton& skeleton = object->clip().skeleton();
    c.same_count(point_count, "point_count", joints_of(object) + skeleton.end_sites().size());
    if (c.failed()) return;
    Pose pose;
    WorldPose world;
    for (std::uint32_t i = 0; i < count; ++i) {
      object->clip().get_frame(static_cast<int>(first + i), pose);
      forward_kinematics(skeleton, pose, world);
      const auto put = [&](const Vec3d& point) {
        for (int axis = 0; axis < 3; ++axis) *positions_m++ = static_cast<float>(point[axis]);
      };
      for (const Vec3d& position : world.positions) put(position);
      for (const EndSite& site : skeleton.end_sites()) put(world.end_site(site));
    }
  });
}

shosa_status shosa_clip_create(shosa_context* context, uint32_t joint_count, const char* const* names,
                               const int32_t* parents, const float* rest_translations_m, const float* rest_rotations,
                               uint32_t frame_count, double frame_time_s, shosa_clip* out) {
  return call(context, "shosa_clip_create", [&](Call& c) {
    c.clear(out);
    c.number(joint_count, "joint_count", 1, kMostJoints);
    c.number(frame_count, "frame_count", 1, kMaxFrames);
    c.number(frame_time_s, "frame_time_s", 1e-6, 1e3);
    c.present(static_cast<const void*>(names), "names");
    c.present(parents, "parents");
    c.present(rest_translations_m, "rest_translations_m");
    const double sample_bytes = 16.0 * (joint_count + 8.0) * frame_count;
    if (sample_bytes > static_cast<double>(kMaxSampleBytes) || sample_bytes > static_cast<double>(kMostBytes))
      c.fail(SHOSA_OUT_OF_MEMORY, "{} frames of {} joints, expected fewer", frame_count, joint_count);
    if (c.failed()) return;
    std::vector<Joint> joints(joint_count);
    for (std::size_t j = 0; j < joint_count; ++j) {
      joints[j].name = c.text(names[j], "a name");
      joints[j].parent = parents[j];
      joints[j].rest_translation_m = Vec3f(rest_translations_m + 3 * j);
      if (rest_rotations != nullptr) joints[j].rest_rotation = Quatf(rest_rotations + 4 * j);
    }
    if (c.failed()) return;
    auto skeleton = c.take(Skeleton::create(std::move(joints)));
    if (!skeleton) return;
    io::MotionFile motion;
    motion.skeleton = std::make_shared<const Skeleton>(std::move(*skeleton));
    motion.body_map = body::guess_body_map(*motion.skeleton);
    motion.clips.emplace_back(motion.skeleton, static_cast<int>(frame_count), frame_time_s);
    c.give(out, clip_object(std::move(motion)));
  });
}

shosa_status shosa_clip_set_frames(shosa_context* context, shosa_clip clip, uint32_t first, uint32_t count,
                                   const float* rotations, const float* translations_m, uint32_t joint_count) {
  return call(context, "shosa_clip_set_frames", [&](Call& c) {
    auto* object = c.find<ClipObject>(clip);
    c.range(first, count, frames_of(object));
    c.same_count(joint_count, "joint_count", joints_of(object));
    if (c.failed()) return;
    // All is read before anything is changed.
    std::vector<Pose> poses;
    const std::size_t joints = joint_count;
    for (std::size_t i = 0; i < count && !c.failed(); ++i) {
      poses.push_back(object->clip().frame(static_cast<int>(first + i)));
      read_pose(c, rotations == nullptr ? nullptr : rotations + 4 * joints * i,
                translations_m == nullptr ? nullptr : translations_m + 3 * joints * i, poses.back());
    }
    if (c.failed()) return;
    Clip& own = object->chosen.motion.clips[object->chosen.index];
    for (std::size_t i = 0; i < count; ++i) own.set_frame(static_cast<int>(first + i), poses[i]);
    object->has_motion = true;
    object->changed();
  });
}
