// Loops, strides, stairs and curves of captured clips: prints the figures of docs/methods/segment_editing.md and
// docs/methods/footsteps.md.
//
//   segment_table [loops|strides|stairs|curves]      all of them without a word

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "shosa/core/clip_edit.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/segment/curve_clip.h"
#include "shosa/segment/footsteps.h"
#include "shosa/segment/loop.h"

namespace {

using namespace shosa;

constexpr const char* kWalks[] = {"02_01", "07_01", "07_04", "07_12", "08_07",
                                  "16_15", "16_21", "35_01", "82_10", "82_12"};
constexpr double kDegPerRad = 57.29577951308232;

Result<io::MotionFile> read(const std::string& name) {
  return io::read_motion(std::filesystem::path(SHOSA_REAL_DATA) / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
}

/// Largest change of any joint's velocity from frame to frame: at seams, and inside the cycles (largest and median).
struct Bends {
  double seam_mps = 0.0, inside_mps = 0.0, typical_mps = 0.0;
};
Bends bends_of(const segment::Loop& loop) {
  const ClipPositions p = clip_positions(loop.clip);
  Bends out;
  std::vector<double> inside;
  for (int f = 1; f + 1 < p.frame_count(); ++f) {
    double most = 0.0;
    for (JointIndex j = 0; j < p.joint_count(); ++j) {
      most = std::max(most, (p.joint(f + 1, j) - 2.0 * p.joint(f, j) + p.joint(f - 1, j)).norm());
    }
    most /= loop.clip.frame_time_s();
    if (f % loop.frames_per_cycle == 0) {
      out.seam_mps = std::max(out.seam_mps, most);
    } else {
      inside.push_back(most);
    }
  }
  std::ranges::sort(inside);
  out.inside_mps = inside.back();
  out.typical_mps = inside[inside.size() / 2];
  return out;
}

/// How far knees (0) and ankles (1) leave human ranges, degrees.
std::array<double, 2> outside_deg(const Clip& clip, const body::BodyMap& map) {
  std::array<double, 2> out{};
  const auto ranges = posing::human_ranges(clip.skeleton(), map);
  if (!ranges) return out;
  for (const auto& range : *ranges) {
    const auto role = map.role_of(range.joint);
    const bool knee = role == body::Role::left_lower_leg || role == body::Role::right_lower_leg;
    if (!knee && role != body::Role::left_foot && role != body::Role::right_foot) continue;
    for (int f = 0; f < clip.frame_count(); ++f) {
      const double off = range.range.nearest(clip.rotation(f, range.joint).cast<double>()).correction_rad.norm();
      out[knee ? 0 : 1] = std::max(out[knee ? 0 : 1], kDegPerRad * off);
    }
  }
  return out;
}

double lowest_hips_m(const Clip& clip, const body::BodyMap& map) {
  const ClipPositions p = clip_positions(clip);
  double low = 1e9;
  for (int f = 0; f < clip.frame_count(); ++f) low = std::min(low, p.joint(f, map.joint(body::Role::hips)).y());
  return low;
}

struct Worst {
  double error_m = 0.0, slide_mps = 0.0, float_m = 0.0;
};
Worst worst_of(const segment::Footsteps& made) {
  Worst out;
  for (const auto& step : made.steps) {
    out.error_m = std::max(out.error_m, step.error_m);
    out.slide_mps = std::max(out.slide_mps, step.slide_mps);
    out.float_m = std::max(out.float_m, step.float_m);
  }
  return out;
}

void loops(const std::string& name, const analysis::StudiedClip& walk) {
  fmt::print("| {} |", name);
  for (const auto method : {segment::EditMethod::two_step, segment::EditMethod::linear}) {
    const auto loop = segment::make_loop(walk, {.cycles = 10, .method = method});
    if (!loop) return fmt::print(" {} |\n", loop.error().message);
    const Bends bends = bends_of(*loop);
    fmt::print(" {:.4f} mm, {:.4f} m/s | {:.2f}, {:.2f}, {:.2f} |", 1e3 * loop->seam_position_m,
               loop->seam_velocity_mps, bends.seam_mps, bends.typical_mps, bends.inside_mps);
  }
  fmt::print("\n");
}

void strides(const std::string& name, const analysis::StudiedClip& walk) {
  const auto source = segment::footstep_source(walk);
  if (!source) return fmt::print("{}\n", source.error().message);
  const auto own = outside_deg(walk.clip(), walk.map());
  for (const int percent : {40, 70, 100, 130}) {
    const auto plan = segment::stride_plan(*source, std::array{percent / 100.0});
    if (!plan) return fmt::print("{}\n", plan.error().message);
    const auto made = segment::walk_footsteps(*plan);
    if (!made) return fmt::print("{}\n", made.error().message);
    const Worst worst = worst_of(*made);
    const auto now = outside_deg(made->clip, walk.map());
    const double sink = lowest_hips_m(walk.clip(), walk.map()) - lowest_hips_m(made->clip, walk.map());
    fmt::print("| {} | {} % | {:.3f} | {:.4f} | {:.1f} ({:.1f}) | {:.1f} ({:.1f}) | {:.1f} |\n", name, percent,
               1e3 * worst.error_m, worst.slide_mps, now[0], own[0], now[1], own[1], 100.0 * sink);
  }
}

void stairs(const std::string& name, const analysis::StudiedClip& walk) {
  const auto source = segment::footstep_source(walk);
  if (!source) return fmt::print("{}\n", source.error().message);
  Worst worst;
  double depth = 0.0;
  for (const double rise : {0.1, 0.15, 0.2, -0.1, -0.15, -0.2}) {
    const auto plan = segment::stairs_plan(*source, {.rise_m = rise});
    if (!plan) return fmt::print("{}\n", plan.error().message);
    const auto made = segment::walk_footsteps(*plan);
    if (!made) return fmt::print("{}\n", made.error().message);
    const Worst now = worst_of(*made);
    worst.error_m = std::max(worst.error_m, now.error_m);
    worst.slide_mps = std::max(worst.slide_mps, now.slide_mps);
    worst.float_m = std::max(worst.float_m, now.float_m);
    depth = std::max(depth, made->max_penetration_m);
  }
  fmt::print("| {} | {:.3f} | {:.4f} | {:.2f} | {:.1f} |\n", name, 1e3 * worst.error_m, worst.slide_mps,
             1e3 * worst.float_m, 1e3 * depth);
}

void curves(const std::string& name) {
  const auto file = read(name);
  if (!file) return fmt::print("{}\n", file.error().message);
  const auto clip = resample(file->clips[0], 60.0);
  if (!clip) return fmt::print("{}\n", clip.error().message);
  const auto fit = segment::fit_curves(*clip, {.max_error_m = 0.0012});
  if (!fit) return fmt::print("{}\n", fit.error().message);
  const double per_10_s = 0.01 / clip->duration_s();
  fmt::print("| {} | {:.1f} kB | {:.1f} kB | {:.2f} mm |\n", name, per_10_s * static_cast<double>(fit->raw_bytes),
             per_10_s * static_cast<double>(fit->curves.curve_bytes()), 1e3 * fit->max_error_m);
}

}  // namespace

int main(int count, char** arguments) {
  const auto wanted = [&](const char* what) { return count < 2 || std::strcmp(arguments[1], what) == 0; };
  for (const auto& [what, head, print] :
       {std::tuple{"loops",
                   "| clip | seam, two_step | bend at the seam, typical, largest inside | seam, linear | bend |",
                   &loops},
        std::tuple{"strides",
                   "| clip | stride | landing mm | slide m/s | knee deg (own) | ankle deg (own) | sinks cm |",
                   &strides},
        std::tuple{"stairs", "| clip | landing mm | slide m/s | float mm | sole in the ground mm |", &stairs}}) {
    if (!wanted(what)) continue;
    fmt::print("{}\n", head);
    for (const char* name : kWalks) {
      const auto file = read(name);
      if (!file) {
        fmt::print(stderr, "segment_table: {}\n", file.error().message);
        return 1;
      }
      print(name, analysis::study(file->clips[0], file->body_map));
    }
  }
  if (!wanted("curves")) return 0;
  fmt::print("| clip, 10 s at 60 Hz, 31 joints | raw samples | curves | largest error |\n");
  for (const char* name : {"13_35", "61_10", "60_10"}) curves(name);
  return 0;
}
