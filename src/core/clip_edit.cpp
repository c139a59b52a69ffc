#include "shosa/core/clip_edit.h"

#include <cmath>

#include "shosa/core/frames_at.h"
#include "shosa/core/sampling.h"

namespace shosa {

Result<Clip> resample(const Clip& clip, double fps) {
  if (!std::isfinite(fps) || fps <= 0.0) {
    return fail(ErrorCode::invalid_argument, "resample: {} frames per second, expected a positive number", fps);
  }
  const double wanted = frames_at(clip.last_time_s(), fps);
  if (wanted > kMaxFrames) {
    return fail(ErrorCode::invalid_argument,
                "resample: {} frames per second would need {:.0f} frames, expected at most {}", fps, wanted,
                kMaxFrames);
  }
  const int frames = static_cast<int>(wanted);
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

}  // namespace shosa
