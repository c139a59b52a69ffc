#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

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

inline JointIndex right_hand() {
  return shipped_data()->set().body_map.joint(body::Role::right_hand);
}
inline bool same_pose(const Character& a, const Character& b) {
  return std::ranges::equal(a.pose().rotation_lanes(), b.pose().rotation_lanes()) &&
         std::ranges::equal(a.pose().translation_lanes(), b.pose().translation_lanes());
}

/// Any command, with targets near the origin.
inline Command random_command(std::mt19937& random) {
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto near = [&] { return Vec3d(number(-2.0, 2.0), number(0.0, 2.0), number(-2.0, 2.0)); };
  const auto joint = [&] {
    return static_cast<JointIndex>(number(0.0, shipped_data()->skeleton().joint_count() - 0.01));
  };
  switch (static_cast<int>(number(0.0, 14.99))) {
    case 0:
      return GoState{static_cast<int>(number(0.0, 5.99)), static_cast<int>(number(-1.0, 100.0))};
    case 1:
      return GoDirection{number(-3.0, 3.0), number(0.0, 5.0)};
    case 2:
      return GoPlace{{number(-5.0, 5.0), number(-5.0, 5.0)}, number(-3.0, 3.0), number(0.5, 4.0)};
    case 3:
      return GoPath{{{{number(-5.0, 5.0), 1.0}, {2.0, number(-5.0, 5.0)}}}, 2, number(0.5, 4.0)};
    case 4:
      return Stop{};
    case 5:
      return Stop{number(0.2, 3.0)};
    case 6:
      return PlayOnce{static_cast<int>(number(0.0, 5.99))};
    case 7:
      return Face{Point{number(-5.0, 5.0), number(-5.0, 5.0)}};
    case 8:
      return Reach{joint(), near()};
    case 9:
      return Pin{joint(), number(0.0, 1.0) < 0.5};
    case 10:
      return LookAt{near()};
    case 11:
      return GoDirection{number(-3.0, 3.0), number(0.2, 2.0), Facing{std::nullopt, number(-3.0, 3.0)}};
    case 12:
      return Layer{.clip = static_cast<int>(number(0.0, 5.99)),
                   .part = static_cast<Layer::Part>(number(0.0, 3.99)),
                   .once = number(0.0, 1.0) < 0.5,
                   .heading_rad = number(-3.0, 3.0)};
    case 13: {
      GoSteps steps{.count = 4};
      for (int i = 0; i < 4; ++i) steps.steps[i] = {i % 2, {i % 2 == 0 ? 0.1 : -0.1, 0.5 * i}, {}};
      return steps;
    }
    default:
      return Push{{number(-1.0, 1.0), 0.0, number(-1.0, 1.0)}};
  }
}

/// Up along +Z.
struct Stairs {
  double rise_m = 0.17, run_m = 0.28, from_m = 2.0;
  int count = 6;
  feet::GroundPoint operator()(double, double z) const {
    return {rise_m * std::clamp(std::floor((z - from_m) / run_m) + 1.0, 0.0, static_cast<double>(count))};
  }
};

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
