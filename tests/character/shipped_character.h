#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "shosa/character/character.h"
#include "shosa/core/forward_kinematics.h"
#include "tests/support/shipped_gaits.h"

namespace shosa::character {

/// Standing, three walks and two runs of the motions that ship. Made once.
inline std::shared_ptr<const CharacterData> shipped_data() {
  static const auto data =
      test::shipped_gaits({"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"});
  return data;
}

inline Character shipped_character(const CharacterParams& params = {}) {
  return std::move(*Character::create(shipped_data(), params));
}

/// Plays and keeps what the eye would see.
class Watcher {
 public:
  explicit Watcher(Character& character, feet::GroundView ground = {}) : character_(character), ground_(ground) {}

  void play(double seconds) {
    const int frames = static_cast<int>(std::lround(seconds * 60.0));
    for (int f = 0; f < frames; ++f) {
      character_.update(1.0 / 60.0);
      look();
    }
  }
  /// The speed over the ground that this share of the balls that are down stays below.
  double slide_mps(double share) {
    if (slides_mps_.empty()) return 0.0;
    std::ranges::sort(slides_mps_);
    return slides_mps_[static_cast<std::size_t>(share * static_cast<double>(slides_mps_.size() - 1))];
  }
  double largest_step_m = 0.0;  ///< Of any joint in a frame.
  double deepest_m = 0.0;       ///< Of a ball in the ground.
  bool finite = true;

 private:
  void look() {
    const CharacterData& data = character_.data();
    forward_kinematics(data.skeleton(), character_.pose(), world_);
    for (std::size_t j = 0; j < world_.positions.size(); ++j) {
      finite = finite && world_.positions[j].allFinite() && world_.rotations[j].coeffs().allFinite();
      if (seen_) largest_step_m = std::max(largest_step_m, (world_.positions[j] - last_.positions[j]).norm());
    }
    for (std::size_t f = 0; f < data.set().feet.size(); ++f) {
      const JointIndex ball = data.set().feet[f].toe;
      const Vec3d now = world_.positions[ball];
      const double height = now.y() - ground_(now.x(), now.z()).height_m;
      deepest_m = std::max(deepest_m, -height);
      const bool down = (character_.contacts() >> f & 1u) != 0 && height < 0.02;
      if (seen_ && down && (down_ >> f & 1u) != 0) {
        const Vec3d way = now - last_.positions[ball];
        slides_mps_.push_back(std::hypot(way.x(), way.z()) * 60.0);
      }
      down_ = static_cast<std::uint8_t>(down ? down_ | (1u << f) : down_ & ~(1u << f));
    }
    std::swap(last_, world_);
    seen_ = true;
  }

  Character& character_;
  feet::GroundView ground_;
  std::vector<double> slides_mps_;
  WorldPose world_, last_;
  std::uint8_t down_ = 0;
  bool seen_ = false;
};

}  // namespace shosa::character
