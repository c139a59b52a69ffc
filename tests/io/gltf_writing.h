#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "io/gltf.h"
#include "shosa/core/forward_kinematics.h"
#include "support/gltf_files.h"

namespace shosa::test {

inline io::MotionFile file_of(Clip clip) {
  io::MotionFile motion;
  motion.format = "bvh";
  motion.skeleton = clip.skeleton_ptr();
  motion.clips.push_back(std::move(clip));
  return motion;
}

inline io::MotionFile write_and_read(const io::MotionFile& motion, const std::string& name = "out.glb") {
  GltfFolder folder;
  const auto path = folder.path() / name;
  const auto written = io::write_gltf(path, motion);
  EXPECT_TRUE(written) << (written ? "" : written.error().message);
  auto back = io::read_gltf(path);
  EXPECT_TRUE(back) << (back ? "" : back.error().message);
  return back ? std::move(*back) : io::MotionFile{};
}

/// Largest distance of any joint or end site at any frame.
inline double largest_distance(const Clip& a, const Clip& b) {
  const ClipPositions p = clip_positions(a), q = clip_positions(b);
  if (p.frame_count() != q.frame_count() || p.point_count() != q.point_count()) return INFINITY;
  double largest = 0.0;
  for (int frame = 0; frame < p.frame_count(); ++frame) {
    for (int i = 0; i < p.point_count(); ++i) {
      largest = std::max(largest, (p.point(frame, i) - q.point(frame, i)).norm());
    }
  }
  return largest;
}

}  // namespace shosa::test
