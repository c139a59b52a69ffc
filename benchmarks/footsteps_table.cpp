// Strides and stairs of captured walks, as the command line walks them: prints the figures of
// docs/methods/footsteps.md.
//
//   footsteps_table [clips of the real data …]      without a name: the straight walks

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "feet/foot_motion.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/angles.h"
#include "shosa/feet/clean_captured.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/segment/footsteps.h"

namespace {

using namespace shosa;

constexpr const char* kWalks[] = {"02_01", "07_01", "07_04", "07_12", "08_07",
                                  "16_15", "16_21", "35_01", "82_10", "82_12"};

/// Heel of the sole, ball and tip of one foot, seen on any clip of the body.
struct Sole {
  body::FootPoints points;
  Vec3d heel_in_foot = Vec3d::Zero();
  bool has_heel = false;

  template <class Visit>
  void visit(const WorldPose& world, const ClipPositions& p, int frame, const Visit& see) const {
    const auto foot = static_cast<std::size_t>(points.joint);
    if (has_heel) see(Vec3d(world.positions[foot] + world.rotations[foot] * heel_in_foot));
    for (const int point : {points.toe, points.tip}) {
      if (point >= 0) see(Vec3d(p.point(frame, point)));
    }
  }
};

std::vector<Sole> soles_of(const analysis::StudiedClip& walk) {
  std::vector<Sole> out;
  const auto plan = feet::captured_stances(walk.clip(), walk.positions(), walk.contacts());
  for (std::size_t i = 0; plan && i < plan->feet.size(); ++i) {
    const auto seen = feet::observe_foot(walk.clip(), walk.positions(), plan->feet[i], plan->scale);
    if (!seen) continue;
    out.push_back(
        {plan->feet[i].points, seen->rotation[0].conjugate() * (seen->heel_m[0] - seen->ankle_m[0]), seen->has_heel});
  }
  return out;
}

template <class Ground>
double deepest_m(const Clip& clip, const std::vector<Sole>& soles, const Ground& ground) {
  const ClipPositions p = clip_positions(clip);
  double deepest = 0.0;
  for (int f = 0; f < clip.frame_count(); ++f) {
    const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(f));
    for (const Sole& sole : soles) {
      sole.visit(world, p, f, [&](const Vec3d& at) { deepest = std::max(deepest, ground(at) - at.y()); });
    }
  }
  return deepest;
}

/// How far an ankle leaves its human range at worst, degrees.
double ankle_outside_deg(const Clip& clip, const body::BodyMap& map) {
  const auto ranges = posing::human_ranges(clip.skeleton(), map);
  double most = 0.0;
  for (std::size_t i = 0; ranges && i < ranges->size(); ++i) {
    const posing::HumanRange& range = (*ranges)[i];
    const auto role = map.role_of(range.joint);
    if (role != body::Role::left_foot && role != body::Role::right_foot) continue;
    for (int f = 0; f < clip.frame_count(); ++f) {
      const Quatd rotation = clip.rotation(f, range.joint).cast<double>();
      most = std::max(most, kDegPerRad * range.range.nearest(rotation).correction_rad.norm());
    }
  }
  return most;
}

/// What the eye sees, over frames 1/60 s apart: how fast hips rise or sink, how far knees bend and how sharply.
struct Seen {
  double hips_mps = 0.0, bend_deg = 0.0, kink_deg = 0.0;
};
Seen look_at(const Clip& clip, const analysis::StudiedClip& walk) {
  const ClipPositions p = clip_positions(clip);
  const double dt = clip.frame_time_s();
  const int h = std::max(1, static_cast<int>(std::lround(1.0 / 60.0 / dt)));
  const JointIndex hips = walk.map().joint(body::Role::hips);
  Seen out;
  for (int f = 0; f + h < p.frame_count(); ++f) {
    out.hips_mps = std::max(out.hips_mps, std::abs(p.joint(f + h, hips).y() - p.joint(f, hips).y()) / (h * dt));
  }
  for (const auto& foot : walk.contacts().feet) {
    std::vector<double> bend;
    for (int f = 0; f < p.frame_count(); ++f) {
      const Vec3d a = p.point(f, foot.points.knee) - p.point(f, foot.points.limb),
                  b = p.point(f, foot.points.joint) - p.point(f, foot.points.knee);
      bend.push_back(std::atan2(a.cross(b).norm(), a.dot(b)) * kDegPerRad);
    }
    out.bend_deg = std::max(out.bend_deg, std::ranges::max(bend));
    for (int f = h; f + h < p.frame_count(); ++f) {
      out.kink_deg = std::max(out.kink_deg, std::abs(bend[f + h] - 2.0 * bend[f] + bend[f - h]));
    }
  }
  return out;
}

/// Of one kind of plan over all clips, for the summary.
struct Row {
  double landing_m = 0.0, slide_mps = 0.0, found_mps = 0.0, depth_m = 0.0, ankle_deg = 0.0;
  Seen seen;
};

Result<Row> row_of(const analysis::StudiedClip& walk, const Result<segment::StepPlan>& plan) {
  if (!plan) return std::unexpected(plan.error());
  const auto made = segment::walk_footsteps(*plan);
  if (!made) return std::unexpected(made.error());
  Row row{.ankle_deg = ankle_outside_deg(made->clip, walk.map()), .seen = look_at(made->clip, walk)};
  for (const auto& step : made->steps) {
    row.landing_m = std::max(row.landing_m, step.error_m);
    row.slide_mps = std::max(row.slide_mps, step.slide_mps);
  }
  row.found_mps = analysis::measure_quality(analysis::study(made->clip, walk.map())).foot_skate_mps;
  const double level = walk.contacts().ground_m;
  const std::vector<Sole> soles = soles_of(walk);
  row.depth_m = deepest_m(made->clip, soles, [&](const Vec3d& at) {
    return plan->terrain ? plan->terrain->height_m(at.x(), at.z()) : level;
  });
  return row;
}

void print(const std::string& name, const std::string& what, const Row& row) {
  fmt::print("| {} | {} | {:.2f} | {:.4f} | {:.3f} | {:.1f} | {:.1f} | {:.2f} | {:.0f} | {:.1f} |\n", name, what,
             1e3 * row.landing_m, row.slide_mps, row.found_mps, 1e3 * row.depth_m, row.ankle_deg, row.seen.hips_mps,
             row.seen.bend_deg, row.seen.kink_deg);
}

void summarise(const std::string& what, const std::vector<Row>& rows, std::size_t rank, const char* name) {
  const auto ranked = [&](auto of) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(of(row));
    std::ranges::sort(values);
    return values[std::min(rank, values.size() - 1)];
  };
  Row out;
  out.landing_m = ranked([](const Row& r) { return r.landing_m; });
  out.slide_mps = ranked([](const Row& r) { return r.slide_mps; });
  out.found_mps = ranked([](const Row& r) { return r.found_mps; });
  out.depth_m = ranked([](const Row& r) { return r.depth_m; });
  out.ankle_deg = ranked([](const Row& r) { return r.ankle_deg; });
  out.seen = {ranked([](const Row& r) { return r.seen.hips_mps; }),
              ranked([](const Row& r) { return r.seen.bend_deg; }),
              ranked([](const Row& r) { return r.seen.kink_deg; })};
  print(name, what, out);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> names(arguments + 1, arguments + count);
  if (names.empty()) names.assign(std::begin(kWalks), std::end(kWalks));
  std::map<std::string, std::vector<Row>> all;
  std::vector<std::string> order;
  fmt::print(
      "| clip | plan | landing mm | slide m/s | found slide m/s | soles in ground mm | ankle out deg | "
      "hips m/s | knee deg | kink deg |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& name : names) {
    auto path = std::filesystem::path(SHOSA_REAL_DATA) / "cmu-bvh" / (name + ".bvh");
    if (!std::filesystem::exists(path)) path = std::filesystem::path(SHOSA_REAL_DATA) / "quality" / (name + ".bvh");
    auto file = io::read_motion(path, {.drop_tpose = true});
    if (!file) {
      fmt::print(stderr, "footsteps_table: {}\n", file.error().message);
      return 1;
    }
    const analysis::StudiedClip walk = feet::clean_captured(file->clips[0], file->body_map).studied;
    const auto source = segment::footstep_source(walk);
    if (!source) {
      fmt::print("| {} | {} |\n", name, source.error().message);
      continue;
    }
    const double level_m = walk.contacts().ground_m;
    print(name, "own",
          {.found_mps = analysis::measure_quality(walk).foot_skate_mps,
           .depth_m = deepest_m(walk.clip(), soles_of(walk), [&](const Vec3d&) { return level_m; }),
           .ankle_deg = ankle_outside_deg(walk.clip(), walk.map()),
           .seen = look_at(walk.clip(), walk)});
    const auto add = [&](const std::string& what, const Result<segment::StepPlan>& plan) {
      const auto row = row_of(walk, plan);
      if (!row) return fmt::print("| {} | {} | {} |\n", name, what, row.error().message);
      print(name, what, *row);
      if (!all.contains(what)) order.push_back(what);
      all[what].push_back(*row);
    };
    for (const int percent : {40, 70, 100, 130}) {
      add(fmt::format("{} %", percent), segment::stride_plan(*source, std::array{percent / 100.0}));
    }
    for (const double rise : {0.1, 0.2, -0.1, -0.2}) {
      add(fmt::format("{:+.0f} cm", 100.0 * rise), segment::stairs_plan(*source, {.rise_m = rise}));
    }
    const segment::Footstep first = segment::own_steps(**source).front();
    for (const double slope : {0.15, -0.15}) {
      add(fmt::format("{:+.0f} %", 100.0 * slope),
          segment::terrain_plan(*source, segment::slope_terrain(first.position_m, *first.heading_rad, slope)));
    }
    add("rough", segment::terrain_plan(*source, segment::rough_terrain(first.position_m.y(), 0.05, 1.5, 1)));
    std::fflush(stdout);
  }
  for (const std::string& what : order) {
    summarise(what, all[what], all[what].size() / 2, "median");
    summarise(what, all[what], all[what].size() - 1, "worst");
  }
  return 0;
}
