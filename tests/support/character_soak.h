#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "scenes/allocations.h"
#include "shosa/character/character.h"
#include "shosa/character/height_field.h"
#include "shosa/core/forward_kinematics.h"

// Characters under random commands of every kind on random ground: for a short test and a long program.

namespace shosa::test {

using namespace shosa::character;

/// One frame that was worse than others.
struct BadFrame {
  double size = 0.0;
  unsigned character = 0;
  double time_s = 0.0;
  std::string joint, told;
};

/// How often a figure was how large, to half a thousandth: a run of any length takes the same memory.
class Tally {
 public:
  void add(double value) {
    most_ = std::max(most_, value);
    ++counts_[static_cast<std::size_t>(std::clamp(value / kWidth, 0.0, kBins - 1.0))], ++sum_;
  }
  void add(const Tally& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    sum_ += other.sum_, most_ = std::max(most_, other.most_);
  }
  /// What this part of them is not above.
  double share(double part) const {
    long left = static_cast<long>(part * static_cast<double>(sum_));
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if ((left -= counts_[i]) <= 0) return std::min(most_, kWidth * static_cast<double>(i + 1));
    return most_;
  }
  double most() const { return most_; }
  long sum() const { return sum_; }

 private:
  static constexpr double kWidth = 0.0005, kBins = 4096.0;
  std::vector<long> counts_ = std::vector<long>(static_cast<std::size_t>(kBins));
  long sum_ = 0;
  double most_ = 0.0;
};

struct SoakSeen {
  Tally slide_mps, depth_m, step_m;
  long far_steps = 0;
  BadFrame step, slide, depth;
  long frames = 0, not_finite = 0, allocations = 0;
  std::uint64_t hash = 1469598103934665603ull;
};

inline Command random_soak_command(std::mt19937& random, const CharacterData& data, const analysis::GroundPlace& here) {
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const auto near = [&] { return Vec3d(here.x_m + number(-0.8, 0.8), number(0.3, 1.8), here.z_m + number(-0.8, 0.8)); };
  const Point place{number(-8.0, 8.0), number(-8.0, 8.0)};
  const int states = static_cast<int>(data.states().size());
  const body::Role hands[] = {body::Role::left_hand, body::Role::right_hand};
  switch (pick(17)) {
    case 0:
      return GoState{pick(states), pick(101)};
    case 1:
      return GoDirection{number(-3.0, 3.0), number(0.0, 4.0)};
    case 2:
      return GoPlace{place, number(-3.0, 3.0), number(0.8, 3.0)};
    case 3:
      return GoPath{{{place, {0.0, 0.0}, {place.z_m, place.x_m}}}, 3};
    case 4:
      return Stop{};
    case 5:
      return Stop{number(0.5, 3.0)};
    case 6:
      return PlayOnce{pick(states)};
    case 7:
      return Face{place};
    case 8:
      return Reach{data.set().body_map.joint(hands[pick(2)]), near()};
    case 9:
      return Drag{data.set().body_map.joint(body::Role::head), near()};
    case 10:
      return Pin{data.set().body_map.joint(hands[pick(2)])};
    case 11:
      return LookAt{near()};
    case 12:
      return Push{{number(-0.8, 0.8), 0.0, number(-0.8, 0.8)}};
    case 13:
      return GoDirection{number(-3.0, 3.0), number(0.2, 2.0), Facing{place}};
    case 14:
      return Layer{.clip = pick(static_cast<int>(data.set().clips.size())),
                   .part = static_cast<Layer::Part>(pick(4)),
                   .once = pick(2) == 0,
                   .heading_rad = pick(2) == 0 ? std::optional<double>() : number(-3.0, 3.0)};
    case 15: {
      GoSteps steps{.count = 6};
      for (int i = 0; i < steps.count; ++i) {
        const double ahead = 0.3 + 0.6 * i, side = i % 2 == 0 ? 0.1 : -0.1;
        const double c = std::cos(here.heading_rad), s = std::sin(here.heading_rad);
        steps.steps[i] = {i % 2, {here.x_m + s * ahead + c * side, here.z_m + c * ahead - s * side}, {}};
      }
      return steps;
    }
    default:
      return Reach{data.set().body_map.joint(hands[0]),
                   {0.0, number(0.7, 1.4), number(0.3, 0.5)},
                   0.0,
                   Frame::body,
                   data.set().body_map.joint(hands[1]),
                   number(0.1, 0.5)};
  }
}

inline constexpr const char* kCommandNames[] = {"state", "direction", "place", "path", "stop", "once",  "face",
                                                "reach", "drag",      "pin",   "look", "push", "steps", "layer"};

/// Hills of up to 30 cm with bumps on them.
class SoakGround {
 public:
  explicit SoakGround(unsigned seed) {
    std::mt19937 random(seed);
    for (int j = 0; j < kSide; ++j) {
      for (int i = 0; i < kSide; ++i) {
        heights_[static_cast<std::size_t>(j * kSide + i)] =
            static_cast<float>(0.15 * std::sin(0.2 * i) * std::cos(0.17 * j) +
                               0.02 * std::uniform_real_distribution<double>(-1.0, 1.0)(random));
      }
    }
  }
  HeightField field() const { return {heights_.data(), kSide, kSide, 0.5, -32.0, -32.0}; }

 private:
  static constexpr int kSide = 128;
  std::vector<float> heights_ = std::vector<float>(kSide * kSide);
};

struct SoakOptions {
  unsigned seed = 1;       ///< Of the run …
  unsigned character = 0;  ///< … and which of it: every second one goes over the hills.
  double seconds = 30.0;
  bool restore = false;  ///< Put into bytes and into another character half-way.
  double limit_m = 1e9;  ///< `SoakSeen::far_steps` counts what is farther.
};
/// What happened in a frame, for those who want to look on.
struct SoakFrame {
  double time_s = 0.0;
  const Character& character;
  const WorldPose &world, &last;
  const HeightField* ground = nullptr;  ///< Null: level.
  std::string told;                     ///< In this frame; empty for nothing.
};

/// The farthest way of a joint of a clip in a frame.
inline double clip_step_m(const CharacterData& data) {
  double most_m = 0.0;
  for (const graph::SetClip& clip : data.set().clips) {
    for (int f = 1; f < clip.clip().frame_count(); ++f) {
      for (JointIndex j = 0; j < data.skeleton().joint_count(); ++j) {
        const Vec3d way = clip.positions().joint(f, j) - clip.positions().joint(f - 1, j);
        most_m = std::max(most_m, way.norm() / (60.0 * clip.clip().frame_time_s()));
      }
    }
  }
  return most_m;
}

inline SoakSeen soak(const std::shared_ptr<const CharacterData>& data, const SoakGround& ground,
                     const SoakOptions& options, const std::function<void(const SoakFrame&)>& look = {}) {
  SoakSeen seen;
  const unsigned seed = options.seed * 7919 + options.character;
  std::mt19937 random(seed);
  const HeightField field = ground.field();
  auto character = Character::create(data);
  const bool rough = seed % 2 == 1;
  if (rough) character->set_ground(field);
  std::vector<Handle> handles;
  std::string told;
  WorldPose world, last;
  const auto& feet = data->set().feet;
  std::vector<bool> down(feet.size(), false);
  const int frames = static_cast<int>(options.seconds * 60.0);
  for (int f = 0; f < frames; ++f, ++seen.frames) {
    const double time_s = f / 60.0;
    std::string news;
    if (random() % 90 == 0) {
      const Command command = random_soak_command(random, *data, character->place());
      const long before = scenes::allocations();
      const auto handle = character->command(command);
      seen.allocations += scenes::allocations() - before;
      handles.push_back(handle.value());
      told = fmt::format("{}{} {:.2f} s", told.size() > 100 ? "" : told + ", ", kCommandNames[command.index()], time_s);
      if (look) news = fmt::format("told {} (handle {})", kCommandNames[command.index()], handle.value());
    }
    if (options.restore && f == frames / 2) {
      const auto bytes = character->snapshot();
      character = Character::create(data);
      if (rough) character->set_ground(field);
      if (!character->restore(bytes)) std::abort();
    }
    const long before = scenes::allocations();
    if (!handles.empty() && random() % 120 == 0) {
      const Handle handle = handles[random() % handles.size()];
      character->release(handle);
      if (look) news += fmt::format("{}released {}", news.empty() ? "" : ", ", handle);
    }
    character->update(1.0 / 60.0);
    seen.allocations += scenes::allocations() - before;
    forward_kinematics(data->skeleton(), character->pose(), world);
    if (f == 0) last = world;
    double step_m = 0.0;
    for (std::size_t j = 0; j < world.positions.size(); ++j) {
      seen.not_finite += !world.positions[j].allFinite();
      const double way_m = (world.positions[j] - last.positions[j]).norm();
      if (way_m > seen.step.size)
        seen.step = {way_m, options.character, time_s, data->skeleton().name(static_cast<JointIndex>(j)), told};
      step_m = std::max(step_m, way_m);
    }
    seen.step_m.add(step_m);
    seen.far_steps += step_m > options.limit_m;
    for (std::size_t k = 0; k < feet.size(); ++k) {
      const Vec3d& ball = world.positions[static_cast<std::size_t>(feet[k].toe)];
      const double height = ball.y() - (rough ? field(ball.x(), ball.z()).height_m : 0.0);
      const bool is_down = (character->contacts() >> k & 1u) != 0 && height < 0.02;
      if (is_down) seen.depth_m.add(-height);
      if (is_down && -height > seen.depth.size) seen.depth = {-height, options.character, time_s, feet[k].name, told};
      if (is_down && down[k]) {
        const Vec3d way = ball - last.positions[static_cast<std::size_t>(feet[k].toe)];
        const double slide_mps = std::hypot(way.x(), way.z()) * 60.0;
        seen.slide_mps.add(slide_mps);
        if (slide_mps > seen.slide.size) seen.slide = {slide_mps, options.character, time_s, feet[k].name, told};
      }
      down[k] = is_down;
    }
    if (look) look({time_s, *character, world, last, rough ? &field : nullptr, news});
    for (const auto lanes : {character->pose().rotation_lanes(), character->pose().translation_lanes()}) {
      for (const float lane : lanes) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &lane, sizeof bits);
        seen.hash = (seen.hash ^ bits) * 1099511628211ull;
      }
    }
    std::swap(last, world);
  }
  return seen;
}

}  // namespace shosa::test
