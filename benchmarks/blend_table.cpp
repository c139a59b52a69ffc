// Composes captured clips by every technique and prints the comparisons of docs/methods/optimal_blending.md.
//
//   blend_table            all ordered pairs: slide, acceleration, jerk
//   blend_table --misses   the same, and the pairs of ours that miss a bound
//   blend_table --truth    steps cut out of continuous takes and made again: distance from what the performer did
//   blend_table --places   the same, where the second side stays at its true place

#include <cstring>
#include <map>

#include "blend_pairs.h"

namespace {

using namespace shosa;
using namespace shosa::bench;
using blend::Technique;

constexpr Technique kAll[] = {Technique::optimal, Technique::constraint, Technique::pose, Technique::inertial,
                              Technique::dead};

struct Figures {
  std::vector<double> slide, above, acceleration, ratio, duration, jerk;
};

int compare_pairs(const std::filesystem::path& folder, bool misses) {
  auto target = io::read_motion(folder / "cmu-bvh" / (kPairClips.front() + ".bvh"), {.drop_tpose = true});
  if (!target) {
    fmt::print(stderr, "blend_table: {}\n", target.error().message);
    return 1;
  }
  std::vector<Captured> clips;
  for (const std::string& name : kPairClips) {
    if (auto clip = load_captured(folder, name, &*target)) clips.push_back(std::move(*clip));
  }
  std::map<Technique, Figures> figures;
  std::map<std::string, int> methods;
  int over_slide = 0, over_acceleration = 0, pairs = 0;
  for (const Captured& a : clips) {
    for (const Captured& b : clips) {
      ++pairs;
      const std::vector<blend::ScoreMotion> score = {{a.motion, 0.0}, {b.motion, std::nullopt}};
      double until_s = 0.0;
      for (const Technique technique : kAll) {
        const auto made = blend::compose(score, {.technique = technique});
        if (!made || !made->joins.front().report.executed) {
          fmt::print(stderr, "{} -> {}: {}\n", a.name, b.name,
                     made ? made->joins.front().report.reason : made.error().message);
          continue;
        }
        const auto& report = made->joins.front().report;
        if (technique == Technique::optimal) {
          until_s = last_blend_s(*made);
          ++methods[std::string(method_name(report.method))];
        }
        const auto join = measure_join(*made, a, b, report.at_s, until_s);
        if (!join) continue;
        const double own_slide = join->own_slide_mps, own_peak = join->own_peak_mps2;
        Figures& f = figures[technique];
        f.slide.push_back(join->slide_mps);
        f.above.push_back(join->slide_mps - own_slide);
        f.acceleration.push_back(join->acceleration_mps2);
        f.ratio.push_back(join->acceleration_mps2 / own_peak);
        f.duration.push_back(join->duration_s);
        f.jerk.push_back(join->jerk_mps3);
        if (technique != Technique::optimal) continue;
        const bool slides = join->slide_mps > own_slide + 0.01, jumps = join->acceleration_mps2 > 1.5 * own_peak;
        over_slide += slides;
        over_acceleration += jumps;
        if (misses && (slides || jumps)) {
          fmt::print(
              "{:>6} -> {:<6} {}{} {:24} slide {:.3f} (own {:.3f})  peak {:.0f} (own {:.0f})  core to core {:.2f} s\n",
              a.name, b.name, slides ? 'S' : '-', jumps ? 'A' : '-', method_name(report.method), join->slide_mps,
              own_slide, join->acceleration_mps2, own_peak, join->duration_s);
        }
      }
    }
  }
  fmt::print("{} clips, {} ordered pairs:", clips.size(), pairs);
  for (const auto& [name, count] : methods) fmt::print(" {} {}", count, name);
  fmt::print(
      "\n\n| technique | slide, median | 95 % | above the source, 95 % | peak acceleration, median | ratio to the "
      "source's, "
      "median | 95 % | mean jerk, median | core to core, median |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& [technique, f] : figures) {
    fmt::print("| {} | {:.4f} | {:.3f} | {:.3f} | {:.0f} | {:.2f} | {:.2f} | {:.0f} | {:.2f} |\n",
               technique_name(technique), median(f.slide), quantile(f.slide, 0.95), quantile(f.above, 0.95),
               median(f.acceleration), median(f.ratio), quantile(f.ratio, 0.95), median(f.jerk), median(f.duration));
  }
  fmt::print(
      "\noptimal: {} of {} pairs slide more than 1 cm/s above their source, {} exceed 1.5 times its peak "
      "acceleration\n",
      over_slide, pairs, over_acceleration);
  return 0;
}

// A step is cut out of a take, and the two sides are composed at their true times.
int compare_with_truth(const std::filesystem::path& folder, bool keep_place) {
  // Ours bridges the gap; the way of the contacts is shown as well.
  struct Way {
    std::string name;
    blend::ComposeParams params;
  };
  std::vector<Way> ways;
  for (const Technique technique : kAll)
    ways.push_back({std::string(technique_name(technique)), {.technique = technique}});
  ways.insert(ways.begin() + 1, {"optimal, by contacts", {.plan = {.bridge = false}}});
  constexpr double kMargin_s = 0.1, kAround_s = 0.2;
  struct Errors {
    std::vector<double> l2p, l2q, npss, slide;
  };
  std::map<std::pair<double, std::size_t>, Errors> errors;
  std::map<double, int> cuts;
  std::map<double, std::vector<double>> performer;
  for (const std::string& name : kPairClips) {
    const auto whole = load_captured(folder, name, nullptr);
    if (!whole) continue;
    const Clip& clip = whole->motion->clip();
    const double dt = clip.frame_time_s();
    for (const double gap_s : {0.3, 0.6, 1.0}) {
      int taken = 0;
      for (const auto& foot : whole->motion->feet) {
        for (const blend::FrameInterval& move : foot.moving) {
          const double middle_s = 0.5 * (move.begin + move.end) * dt;
          const double t0 = middle_s - 0.5 * gap_s, t1 = middle_s + 0.5 * gap_s;
          if (move.begin <= 0 || t0 < 0.7 || t1 > clip.last_time_s() - 0.7 || ++taken > 6) continue;
          const auto one = cut(clip, 0.0, t0), other = cut(clip, t1, clip.last_time_s());
          if (!one || !other) continue;
          const auto a = blend::prepare_motion(analysis::study(*one, whole->motion->map()),
                                               {.core = TimeInterval{0.0, one->last_time_s() - kMargin_s}});
          const auto b = blend::prepare_motion(analysis::study(*other, whole->motion->map()),
                                               {.core = TimeInterval{kMargin_s, other->last_time_s()}});
          if (!a || !b) continue;
          const double at_s = clip.nearest_frame(t1) * dt;
          ++cuts[gap_s];
          const FoundFeet performed{whole->motion->studied};
          performer[gap_s].push_back(
              join_slide(performed, performed, performed, dt, t0 - kAround_s, t1 + kAround_s).slide_mps);
          for (std::size_t way = 0; way < ways.size(); ++way) {
            const auto made =
                blend::compose(std::vector<blend::ScoreMotion>{{*a, 0.0}, {*b, at_s, keep_place}}, ways[way].params);
            if (!made || !made->joins.front().report.executed) continue;
            const auto ours = cut(made->clip, t0 - kAround_s, t1 + kAround_s);
            const auto truth = cut(clip, t0 - kAround_s, t1 + kAround_s);
            if (!ours || !truth) continue;
            const auto error = analysis::compare_with_reference(*ours, *truth);
            if (!error) continue;
            const int at = static_cast<int>(std::lround(at_s / dt));
            const JoinSlide slide = join_slide({analysis::study(made->clip, whole->motion->map())}, {(*a)->studied},
                                               {(*b)->studied, at}, dt, t0 - kAround_s, t1 + kAround_s);
            Errors& e = errors[{gap_s, way}];
            e.l2p.push_back(error->l2p_m);
            e.l2q.push_back(error->l2q);
            e.npss.push_back(error->npss);
            e.slide.push_back(slide.slide_mps);
          }
        }
      }
    }
  }
  fmt::print("| cut out | steps | technique | l2p, m | l2q | npss | slide, m/s |\n|---|---|---|---|---|---|---|\n");
  for (const auto& [key, e] : errors) {
    fmt::print("| {} s | {} | {} | {:.3f} | {:.3f} | {:.4f} | {:.4f} |\n", key.first, cuts[key.first],
               ways[key.second].name, median(e.l2p), median(e.l2q), median(e.npss), median(e.slide));
  }
  for (const auto& [gap_s, slides] : performer) {
    fmt::print("| {} s | {} | the performer | 0 | 0 | 0 | {:.4f} |\n", gap_s, slides.size(), median(slides));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const std::filesystem::path folder = SHOSA_REAL_DATA;
  if (what == "--truth" || what == "--places") return compare_with_truth(folder, what == "--places");
  return compare_pairs(folder, what == "--misses");
}
