// Characters under random commands of every kind on random ground, for as long as asked: what the eye would see, and
// one hash of all postures, which depends neither on the number of threads nor on whether each was put into bytes and
// into another character half-way. Memory that commands and frames take is counted. The worst frames are listed, with
// what was told last.
//
//     character_soak [CHARACTERS] [SECONDS] [SEED] [restore]

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>

#include "scenes/allocations.h"
#include "shosa/character/character.h"
#include "shosa/character/height_field.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/parallel.h"
#include "tests/support/shipped_gaits.h"

namespace {

using namespace shosa;
using namespace shosa::character;

/// One frame that was worse than others.
struct Bad {
  float size = 0.0f;
  unsigned seed = 0;
  double time_s = 0.0;
  std::string joint, told;
};

struct Seen {
  std::vector<float> slide_mps, depth_m, step_m;
  Bad step, slide, depth;
  long frames = 0, not_finite = 0, allocations = 0;
  std::uint64_t hash = 1469598103934665603ull;
};

Command random_command(std::mt19937& random, const CharacterData& data, const analysis::GroundPlace& here) {
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

constexpr const char* kNames[] = {"state", "direction", "place", "path", "stop", "once",  "face",
                                  "reach", "drag",      "pin",   "look", "push", "steps", "layer"};

Seen soak(const std::shared_ptr<const CharacterData>& data, const HeightField& field, unsigned seed, double seconds,
          bool restore) {
  Seen seen;
  std::mt19937 random(seed);
  auto character = Character::create(data);
  const bool rough = seed % 2 == 1;
  if (rough) character->set_ground(field);
  std::vector<Handle> handles;
  std::string told;
  WorldPose world, last;
  const auto& feet = data->set().feet;
  std::vector<bool> down(feet.size(), false);
  const int frames = static_cast<int>(seconds * 60.0);
  for (int f = 0; f < frames; ++f, ++seen.frames) {
    if (random() % 90 == 0) {
      const Command command = random_command(random, *data, character->place());
      const long before = scenes::allocations();
      const auto handle = character->command(command);
      seen.allocations += scenes::allocations() - before;
      handles.push_back(handle.value());
      told = fmt::format("{}{} {:.2f} s", told.size() > 100 ? "" : told + ", ", kNames[command.index()], f / 60.0);
    }
    if (restore && f == frames / 2) {
      const auto bytes = character->snapshot();
      character = Character::create(data);
      if (rough) character->set_ground(field);
      if (!character->restore(bytes)) std::abort();
    }
    const long before = scenes::allocations();
    if (!handles.empty() && random() % 120 == 0) character->release(handles[random() % handles.size()]);
    character->update(1.0 / 60.0);
    seen.allocations += scenes::allocations() - before;
    forward_kinematics(data->skeleton(), character->pose(), world);
    float step = 0.0f;
    for (std::size_t j = 0; j < world.positions.size(); ++j) {
      seen.not_finite += !world.positions[j].allFinite();
      const auto way = f > 0 ? static_cast<float>((world.positions[j] - last.positions[j]).norm()) : 0.0f;
      if (way > seen.step.size)
        seen.step = {way, seed, f / 60.0, data->skeleton().name(static_cast<JointIndex>(j)), told};
      step = std::max(step, way);
    }
    seen.step_m.push_back(step);
    for (std::size_t k = 0; k < feet.size(); ++k) {
      const Vec3d& ball = world.positions[feet[k].toe];
      const double height = ball.y() - (rough ? field(ball.x(), ball.z()).height_m : 0.0);
      const bool is_down = (character->contacts() >> k & 1u) != 0 && height < 0.02;
      if (is_down) seen.depth_m.push_back(static_cast<float>(-height));
      if (is_down && -height > seen.depth.size)
        seen.depth = {static_cast<float>(-height), seed, f / 60.0, feet[k].name, told};
      if (is_down && down[k]) {
        const Vec3d way = ball - last.positions[feet[k].toe];
        seen.slide_mps.push_back(static_cast<float>(std::hypot(way.x(), way.z()) * 60.0));
        if (seen.slide_mps.back() > seen.slide.size)
          seen.slide = {seen.slide_mps.back(), seed, f / 60.0, feet[k].name, told};
      }
      down[k] = is_down;
    }
    for (const float lane : character->pose().rotation_lanes()) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &lane, sizeof bits);
      seen.hash = (seen.hash ^ bits) * 1099511628211ull;
    }
    std::swap(last, world);
  }
  return seen;
}

/// The farthest way of a joint of a clip in a frame.
double clip_step_m(const CharacterData& data) {
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

float share(std::vector<float>& values, double part) {
  if (values.empty()) return 0.0f;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

int main(int argc, char** argv) {
  const int characters = argc > 1 ? std::atoi(argv[1]) : 20;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 30.0;
  const unsigned seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
  const bool restore = argc > 4;
  const auto data = test::shipped_gaits({"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"});

  // Hills of up to 30 cm with bumps on them.
  constexpr int kSide = 128;
  std::vector<float> heights(kSide * kSide);
  std::mt19937 random(seed);
  for (int j = 0; j < kSide; ++j) {
    for (int i = 0; i < kSide; ++i) {
      heights[j * kSide + i] = static_cast<float>(0.15 * std::sin(0.2 * i) * std::cos(0.17 * j) +
                                                  0.02 * std::uniform_real_distribution<double>(-1.0, 1.0)(random));
    }
  }
  const HeightField field{heights.data(), kSide, kSide, 0.5, -32.0, -32.0};

  std::vector<Seen> all(static_cast<std::size_t>(characters));
  const auto start = std::chrono::steady_clock::now();
  parallel_for(all.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      all[c] = soak(data, field, seed * 7919 + static_cast<unsigned>(c), seconds, restore);
  });
  const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Seen sum;
  for (Seen& one : all) {
    sum.frames += one.frames, sum.not_finite += one.not_finite, sum.allocations += one.allocations;
    sum.hash = (sum.hash ^ one.hash) * 1099511628211ull;
    sum.slide_mps.insert(sum.slide_mps.end(), one.slide_mps.begin(), one.slide_mps.end());
    sum.depth_m.insert(sum.depth_m.end(), one.depth_m.begin(), one.depth_m.end());
    sum.step_m.insert(sum.step_m.end(), one.step_m.begin(), one.step_m.end());
  }
  fmt::print(
      "{} characters, {} s each: {} frames in {:.1f} s ({:.1f} us a frame and core), not finite {}, allocations {}\n",
      characters, seconds, sum.frames, took_s, 2e6 * took_s / static_cast<double>(sum.frames), sum.not_finite,
      sum.allocations);
  fmt::print("slide of standing feet, m/s: 50 % {:.3f}, 95 % {:.3f}, 99 % {:.3f}, most {:.3f}\n",
             share(sum.slide_mps, 0.5), share(sum.slide_mps, 0.95), share(sum.slide_mps, 0.99),
             share(sum.slide_mps, 1.0));
  fmt::print("balls in the ground, mm: 95 % {:.1f}, most {:.1f}\n", 1000.0 * share(sum.depth_m, 0.95),
             1000.0 * share(sum.depth_m, 1.0));
  const auto limit_m = static_cast<float>(1.5 * clip_step_m(*data));
  fmt::print("farthest joint in a frame, m: 99 % {:.3f}, 99.99 % {:.3f}, most {:.3f}; {} frames over {:.3f}\n",
             share(sum.step_m, 0.99), share(sum.step_m, 0.9999), share(sum.step_m, 1.0),
             std::ranges::count_if(sum.step_m, [&](float step_m) { return step_m > limit_m; }), limit_m);
  for (const auto& [what, of] : {std::pair{"step, m", &Seen::step}, std::pair{"slide, m/s", &Seen::slide},
                                 std::pair{"depth, m", &Seen::depth}}) {
    std::ranges::sort(all, [&](const Seen& a, const Seen& b) { return (a.*of).size > (b.*of).size; });
    for (std::size_t i = 0; i < std::min<std::size_t>(4, all.size()); ++i) {
      const Bad& bad = all[i].*of;
      fmt::print("worst {}: {:.3f}, seed {}, at {:.2f} s, {}; told: {}\n", what, bad.size, bad.seed, bad.time_s,
                 bad.joint, bad.told);
    }
  }
  fmt::print("hash {:016x}\n", sum.hash);
  return sum.not_finite > 0 ? 1 : 0;
}
