// What loops do to knees, feet and level, against `fix` on the same clip: prints the figures of
// docs/methods/segment_editing.md.
//
//   loop_table [clips of the real data …]      without a name: every clip in which a cycle is found

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "shosa/analysis/metrics.h"
#include "shosa/core/angles.h"
#include "shosa/feet/clean_captured.h"
#include "shosa/feet/place_feet.h"
#include "shosa/io/motion_file.h"
#include "shosa/segment/loop.h"

namespace {

using namespace shosa;

constexpr int kCycles = 4;

/// The angle between two links of a leg: hip, knee, ankle bend the knee; ankle, ball, tip the ball.
std::vector<double> bend_deg(const ClipPositions& p, int upper, int middle, int end) {
  std::vector<double> out;
  for (int f = 0; f < p.frame_count(); ++f) {
    const Vec3d a = p.point(f, middle) - p.point(f, upper), b = p.point(f, end) - p.point(f, middle);
    out.push_back(angle_between(a, b) * kDegPerRad);
  }
  return out;
}

struct Figures {
  double change_deg = 0.0;  ///< Largest change of a knee.
  double mean_deg = 0.0;    ///< Mean change of a knee.
  double kink_deg = 0.0;    ///< Largest second difference of a knee over 1/60 s beyond the capture's in that frame.
  double ball_deg = 0.0;    ///< Largest bend of the ball of a foot beyond the capture's largest.
};

/// Frame f of `after` is frame `of(f)` of `before`.
template <class Of>
Figures compare(const ClipPositions& before, const ClipPositions& after, const analysis::FootContacts& contacts,
                double dt, const Of& of) {
  const int step = std::max(1, static_cast<int>(std::lround(1.0 / 60.0 / dt)));
  const double per_step = 1.0 / 60.0 / (step * dt);
  Figures out;
  int count = 0;
  for (const auto& foot : contacts.feet) {
    const auto& points = foot.points;
    if (points.limb == kNoJoint) continue;
    const auto a = bend_deg(before, points.limb, points.knee, points.joint),
               b = bend_deg(after, points.limb, points.knee, points.joint);
    for (int f = 0; f < after.frame_count(); ++f) {
      const int g = of(f);
      out.change_deg = std::max(out.change_deg, std::abs(b[f] - a[g]));
      out.mean_deg += std::abs(b[f] - a[g]);
      ++count;
      if (f < step || f + step >= after.frame_count() || g < step || g + step >= before.frame_count()) continue;
      const double own = std::abs(a[g + step] - 2.0 * a[g] + a[g - step]),
                   now = std::abs(b[f + step] - 2.0 * b[f] + b[f - step]);
      out.kink_deg = std::max(out.kink_deg, per_step * per_step * (now - own));
    }
    if (points.tip < 0 || points.toe < 0 || points.tip == points.toe) continue;
    const auto ball_before = bend_deg(before, points.joint, points.toe, points.tip),
               ball_after = bend_deg(after, points.joint, points.toe, points.tip);
    out.ball_deg = std::max(out.ball_deg, std::ranges::max(ball_after) - std::ranges::max(ball_before));
  }
  out.mean_deg /= std::max(count, 1);
  return out;
}

struct Row {
  std::string name;
  bool kept_aside = false;
  Figures fix, loop;
  double slide_mps = 0.0, penetration_m = 0.0, climb_m = 0.0, seam_m = 0.0, seam_mps = 0.0;
};

std::optional<Row> measure(const std::filesystem::path& path) {
  const auto file = io::read_motion(path, {.drop_tpose = true});
  if (!file || file->clips.empty()) return {};
  const analysis::StudiedClip raw = analysis::study(file->clips[0], file->body_map);
  if (!raw.needs_feet()) return {};
  const double dt = raw.clip().frame_time_s();
  const auto loop = segment::make_loop(feet::clean_captured(raw.clip(), raw.map()).studied, {.cycles = kCycles});
  if (!loop) return {};
  const auto plan = feet::captured_stances(raw.clip(), raw.positions(), raw.contacts());
  const auto fixed = plan ? feet::place_feet(raw.clip(), raw.map(), *plan) : std::unexpected(plan.error());
  if (!fixed) return {};
  Row row{.name = path.stem().string()};
  int sum = 0;
  for (const char c : path.filename().string()) sum += static_cast<unsigned char>(c);
  row.kept_aside = sum % 2 == 1;
  row.fix = compare(raw.positions(), clip_positions(fixed->clip), raw.contacts(), dt, [](int f) { return f; });
  row.loop = compare(raw.positions(), clip_positions(loop->clip), raw.contacts(), dt,
                     [&](int f) { return loop->first + f % loop->frames_per_cycle; });
  const auto quality = analysis::measure_quality(analysis::study(loop->clip, raw.map()));
  row.slide_mps = quality.foot_skate_mps;
  row.penetration_m = quality.penetration_m;
  row.climb_m = loop->per_cycle.shift_m.y();
  row.seam_m = loop->seam_position_m;
  row.seam_mps = loop->seam_velocity_mps;
  return row;
}

void summary(const char* title, const std::vector<Row>& rows) {
  const auto line = [&](const char* what, const auto& value) {
    std::vector<double> list;
    for (const Row& row : rows) list.push_back(value(row));
    if (list.empty()) return;
    std::ranges::sort(list);
    const auto at = [&](double share) {
      return list[static_cast<std::size_t>(share * static_cast<double>(list.size() - 1) + 0.5)];
    };
    fmt::print("  {:<34} {:8.2f} {:8.2f} {:8.2f}\n", what, at(0.5), at(0.95), at(1.0));
  };
  fmt::print("{}: {} clips                       median     95 %    worst\n", title, rows.size());
  line("knee change, fix, deg", [](const Row& r) { return r.fix.change_deg; });
  line("knee change, loop, deg", [](const Row& r) { return r.loop.change_deg; });
  line("knee change on the mean, fix, deg", [](const Row& r) { return r.fix.mean_deg; });
  line("knee change on the mean, loop, deg", [](const Row& r) { return r.loop.mean_deg; });
  line("kink, fix, deg", [](const Row& r) { return r.fix.kink_deg; });
  line("kink, loop, deg", [](const Row& r) { return r.loop.kink_deg; });
  line("ball beyond the capture, fix, deg", [](const Row& r) { return r.fix.ball_deg; });
  line("ball beyond the capture, loop, deg", [](const Row& r) { return r.loop.ball_deg; });
  line("slide found in the loop, mm/s", [](const Row& r) { return 1e3 * r.slide_mps; });
  line("penetration, mm", [](const Row& r) { return 1e3 * r.penetration_m; });
  line("climb a cycle, cm", [](const Row& r) { return 100.0 * std::abs(r.climb_m); });
  line("seam, mm", [](const Row& r) { return 1e3 * r.seam_m; });
  line("seam, mm/s", [](const Row& r) { return 1e3 * r.seam_mps; });
  const auto count = [&](const auto& is) { return std::ranges::count_if(rows, is); };
  fmt::print("  knee change of loop > fix: {}; kink > 10: {}; climbs > 1 mm: {}\n",
             count([](const Row& r) { return r.loop.change_deg > r.fix.change_deg; }),
             count([](const Row& r) { return r.loop.kink_deg > 10.0; }),
             count([](const Row& r) { return std::abs(r.climb_m) > 1e-3; }));
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"cmu-bvh", "quality", "bandai-NC", "other-exporters"}) {
    const auto from = std::filesystem::path(SHOSA_REAL_DATA) / folder;
    if (!std::filesystem::exists(from)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(from)) {
      const std::string stem = entry.path().stem().string();
      const bool wanted =
          count < 2 || std::any_of(arguments + 1, arguments + count, [&](const char* a) { return stem == a; });
      if (entry.path().extension() == ".bvh" && wanted) paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  std::vector<Row> used, aside;
  fmt::print(
      "clip | knee change fix, loop | kink fix, loop | ball fix, loop | slide mm/s | pen mm | climb cm | seam\n");
  for (const auto& path : paths) {
    const auto row = measure(path);
    if (!row) continue;
    fmt::print(
        "{} | {:.1f}, {:.1f} | {:.1f}, {:.1f} | {:.1f}, {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.4f} mm {:.2f} mm/s\n",
        row->name, row->fix.change_deg, row->loop.change_deg, row->fix.kink_deg, row->loop.kink_deg, row->fix.ball_deg,
        row->loop.ball_deg, 1e3 * row->slide_mps, 1e3 * row->penetration_m, 100.0 * row->climb_m, 1e3 * row->seam_m,
        1e3 * row->seam_mps);
    std::fflush(stdout);
    (row->kept_aside ? aside : used).push_back(*row);
  }
  summary("looked at", used);
  summary("kept aside", aside);
  return 0;
}
