// Characters under random commands of every kind on random ground, for as long as asked: what the eye would see, and
// one hash of all postures, which depends neither on the number of threads nor on whether each was put into bytes and
// into another character half-way. Memory that commands and frames take is counted. The worst frames are listed, with
// what was told last. A long run may be cut into slices: character N of a seed does the same in each of them.
//
//     character_soak [CHARACTERS] [SECONDS] [SEED] [--first N] [--restore] [--trace FROM_S UNTIL_S] [--write OUT.bvh]
//
// `--trace` prints what each foot and the fastest joint do in every frame of the first character, `--write` keeps these
// frames as a clip.

#include "tests/support/character_soak.h"

#include <fmt/core.h>

#include <chrono>
#include <string_view>

#include "shosa/core/parallel.h"
#include "shosa/io/motion_file.h"
#include "tests/support/shipped_gaits.h"

namespace {

using namespace shosa;
using namespace shosa::test;

struct Options {
  int characters = 20;
  SoakOptions soak;
  unsigned first = 0;
  double trace_from_s = 0.0, trace_until_s = -1.0;
  std::string write;
  bool quiet = false;  ///< Frames are kept, not printed.
};

void print_frame(const SoakFrame& at) {
  const auto& [time_s, character, world, last, ground, told] = at;
  const CharacterData& data = character.data();
  if (!told.empty()) fmt::print("{:.3f} {}\n", time_s, told);
  std::size_t fastest = 0;
  const auto way_m = [&](std::size_t point) { return (world.positions[point] - last.positions[point]).norm(); };
  for (std::size_t j = 0; j < world.positions.size(); ++j)
    if (way_m(j) > way_m(fastest)) fastest = j;
  const Vec3d& hips = world.positions[0];
  fmt::print("{:.3f} hips {:.3f} {:.3f} {:.3f}; {} {:.3f} m;", time_s, hips.x(), hips.y(), hips.z(),
             data.skeleton().name(static_cast<JointIndex>(fastest)), way_m(fastest));
  for (std::size_t k = 0; k < data.set().feet.size(); ++k) {
    const auto toe = static_cast<std::size_t>(data.set().feet[k].toe);
    const Vec3d &ball = world.positions[toe], way = ball - last.positions[toe];
    fmt::print(" {}{} over ground {:.1f} mm, {:.3f} m/s, knee {:.3f} m;", data.set().feet[k].name,
               (character.contacts() >> k & 1u) != 0 ? " stands" : "",
               1000.0 * (ball.y() - (ground != nullptr ? (*ground)(ball.x(), ball.z()).height_m : 0.0)),
               std::hypot(way.x(), way.z()) * 60.0, way_m(static_cast<std::size_t>(data.set().feet[k].knee)));
  }
  fmt::print(" {} {:.2f} m/s\n", character.state() < 0 ? "" : data.states()[character.state()].name,
             character.speed_mps());
}

void write_frames(const std::string& path, const CharacterData& data, const std::vector<Pose>& poses) {
  Clip clip(data.set().skeleton, static_cast<int>(poses.size()), 1.0 / 60.0);
  for (int f = 0; f < clip.frame_count(); ++f) clip.set_frame(f, poses[static_cast<std::size_t>(f)]);
  io::MotionFile file{.format = "bvh", .skeleton = data.set().skeleton};
  file.clips.push_back(std::move(clip));
  if (const auto written = io::write_motion(path, file); !written) fmt::print("{}\n", written.error().message);
}

Options read(int argc, char** argv) {
  Options options;
  int places = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto next = [&] { return i + 1 < argc ? argv[++i] : "0"; };
    if (word == "--first") {
      options.first = static_cast<unsigned>(std::atoi(next()));
    } else if (word == "--restore") {
      options.soak.restore = true;
    } else if (word == "--trace") {
      options.trace_from_s = std::atof(next()), options.trace_until_s = std::atof(next());
    } else if (word == "--write") {
      options.write = next();
    } else if (++places == 1) {
      options.characters = std::atoi(argv[i]);
    } else if (places == 2) {
      options.soak.seconds = std::atof(argv[i]);
    } else {
      options.soak.seed = static_cast<unsigned>(std::atoi(argv[i]));
    }
  }
  // Without a stretch, all frames are written.
  if (!options.write.empty() && options.trace_until_s < 0.0)
    options.trace_until_s = options.soak.seconds, options.quiet = true;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read(argc, argv);
  const auto data = test::shipped_gaits({"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"});

  const SoakGround ground(options.soak.seed);
  const double limit_m = 1.5 * clip_step_m(*data);
  std::vector<SoakSeen> all(static_cast<std::size_t>(options.characters));
  std::vector<Pose> kept;
  const auto look = [&](const SoakFrame& at) {
    if (at.time_s < options.trace_from_s || at.time_s > options.trace_until_s) return;
    if (!options.quiet) print_frame(at);
    kept.push_back(at.character.pose());
  };
  const auto start = std::chrono::steady_clock::now();
  parallel_for(all.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      SoakOptions one = options.soak;
      one.character = options.first + static_cast<unsigned>(c), one.limit_m = limit_m;
      const bool traced = c == 0 && options.trace_until_s >= 0.0;
      all[c] = soak(data, ground, one, traced ? look : std::function<void(const SoakFrame&)>());
    }
  });
  const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  SoakSeen sum;
  for (const SoakSeen& one : all) {
    sum.frames += one.frames, sum.not_finite += one.not_finite, sum.allocations += one.allocations;
    sum.far_steps += one.far_steps;
    sum.hash = (sum.hash ^ one.hash) * 1099511628211ull;
    sum.slide_mps.add(one.slide_mps), sum.depth_m.add(one.depth_m), sum.step_m.add(one.step_m);
  }
  fmt::print(
      "{} characters from {} on, {} s each: {} frames in {:.1f} s ({:.1f} us each), not finite {}, "
      "allocations {}\n",
      options.characters, options.first, options.soak.seconds, sum.frames, took_s,
      1e6 * took_s / static_cast<double>(sum.frames), sum.not_finite, sum.allocations);
  fmt::print("slide of standing feet, m/s: 50 % {:.4f}, 95 % {:.4f}, 99 % {:.4f}, most {:.3f}\n",
             sum.slide_mps.share(0.5), sum.slide_mps.share(0.95), sum.slide_mps.share(0.99), sum.slide_mps.most());
  fmt::print("balls in the ground, mm: 95 % {:.1f}, 99.9 % {:.1f}, most {:.1f}\n", 1000.0 * sum.depth_m.share(0.95),
             1000.0 * sum.depth_m.share(0.999), 1000.0 * sum.depth_m.most());
  fmt::print("farthest joint in a frame, m: 99 % {:.4f}, 99.99 % {:.4f}, most {:.3f}; {} frames over {:.3f}\n",
             sum.step_m.share(0.99), sum.step_m.share(0.9999), sum.step_m.most(), sum.far_steps, limit_m);
  if (!options.write.empty() && !kept.empty()) write_frames(options.write, *data, kept);
  for (const auto& [what, of] : {std::pair{"step, m", &SoakSeen::step}, std::pair{"slide, m/s", &SoakSeen::slide},
                                 std::pair{"depth, m", &SoakSeen::depth}}) {
    std::ranges::sort(all, [&](const SoakSeen& a, const SoakSeen& b) { return (a.*of).size > (b.*of).size; });
    for (std::size_t i = 0; i < std::min<std::size_t>(6, all.size()); ++i) {
      const BadFrame& bad = all[i].*of;
      if (bad.size == 0.0) break;
      fmt::print("worst {}: {:.3f}, character {}, at {:.2f} s, {}; told: {}\n", what, bad.size, bad.character,
                 bad.time_s, bad.joint, bad.told);
    }
  }
  fmt::print("hash {:016x}\n", sum.hash);
  return sum.not_finite > 0 ? 1 : 0;
}
