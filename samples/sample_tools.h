#pragma once

// What the samples of pin-and-drag and retargeting share: pins by name, and pictures and clips written to files.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenes/scenes.h"
#include "shosa/draw/strip.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::sample {

inline posing::MotionPin pin(const Skeleton& skeleton, const char* joint) {
  return {.joint = skeleton.find(joint)};
}

/// Feet and toes, where the reference has them.
inline std::vector<posing::MotionPin> foot_pins(const Skeleton& skeleton) {
  return {pin(skeleton, "left_foot"), pin(skeleton, "left_toes"), pin(skeleton, "right_foot"),
          pin(skeleton, "right_toes")};
}

/// One posture, held.
inline Clip held(const Clip& clip, double seconds) {
  Clip still(clip.skeleton_ptr(), static_cast<int>(seconds * 60.0) + 1, 1.0 / 60.0, clip.translated());
  for (int f = 0; f < still.frame_count(); ++f) still.set_frame(f, clip.frame(0));
  return still;
}

inline bool complain(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return false;
}

/// Prints the error; the exit status of a sample that ends with it.
inline int failure(const Error& error) {
  complain(error);
  return 1;
}

inline bool save(const draw::Canvas& canvas, const std::string& file) {
  const auto bytes = draw::encode(canvas);
  if (!bytes) return complain(bytes.error());
  const auto written = io::write_file_atomically(file, *bytes);
  return written || complain(written.error());
}

inline bool save(const Clip& clip, const std::string& file) {
  io::MotionFile motion;
  motion.skeleton = clip.skeleton_ptr();
  motion.clips = {clip};
  motion.body_map = body::guess_body_map(clip.skeleton());
  const auto written = io::write_motion(file, motion);
  return written || complain(written.error());
}

}  // namespace shosa::sample
