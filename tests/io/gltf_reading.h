#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "io/gltf.h"
#include "support/gltf_files.h"

namespace shosa::test {

inline io::ReadOptions at_rate(double fps) {
  io::ReadOptions options;
  options.sample_fps = fps;
  return options;
}

inline Result<io::MotionFile> parse(const GltfMaker& maker, const io::ReadOptions& options = {}) {
  return io::parse_gltf(maker.glb(), "made.glb", {}, options);
}

inline std::string error_of(const GltfMaker& maker) {
  const auto motion = parse(maker);
  return motion ? "no error" : motion.error().message;
}

inline const std::vector<float> kQuarterTurnZ = {0, 0, 0, 1, 0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};

/// hips - knee, the knee turning a quarter about Z over `length_s`.
inline GltfMaker bending_leg(float length_s = 1.0f, const std::string& interpolation = "LINEAR") {
  GltfMaker maker;
  const int hips = maker.node("hips", {{"translation", {0, 1, 0}}});
  const int knee = maker.node("knee", {{"translation", {0, -0.5, 0}}}, hips);
  maker.node("ankle", {{"translation", {0, -0.5, 0}}}, knee);
  maker.channel(knee, "rotation", maker.floats({0, length_s}, "SCALAR"), maker.floats(kQuarterTurnZ, "VEC4"),
                interpolation);
  return maker;
}

}  // namespace shosa::test
