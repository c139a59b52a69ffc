// Composes captured clips by every technique and prints the comparisons of docs/methods/optimal_blending.md.
//
//   blend_table            all ordered pairs: slide, acceleration, jerk
//   blend_table --misses N the same of every N-th pair, and the pairs of ours that miss a bound
//   blend_table --truth    steps cut out of continuous takes and made again: distance from what the performer did
//   blend_table --places   the same, where the second side stays at its true place
//   blend_table --body N   N random pairs of each half of all captures: centre of mass and knees

#include <cstring>
#include <map>

#include "blend_body.h"

namespace {

using namespace shosa;
using namespace shosa::bench;
using blend::Technique;

constexpr Technique kAll[] = {Technique::optimal, Technique::constraint, Technique::pose, Technique::inertial,
                              Technique::dead};

struct Figures {
  std::vector<double> slide, above, acceleration, ratio, duration, jerk;
};

int compare_pairs(const std::filesystem::path& folder, bool misses, int every) {
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
  int over_slide = 0, over_acceleration = 0, pairs = 0, seen = 0;
  for (const Captured& a : clips) {
    for (const Captured& b : clips) {
      if (seen++ % every != 0) continue;
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

// Two captures on the body of the first.
struct Pair {
  std::shared_ptr<const blend::Motion> a, b;
  analysis::BodyFigures own;  // of both sources
};

std::optional<Pair> load_pair(const std::filesystem::path& first, const std::filesystem::path& second) {
  const auto study = [](const std::filesystem::path& path) -> std::optional<analysis::StudiedClip> {
    auto file = io::read_motion(path, {.drop_tpose = true});
    if (!file || file->clips.empty()) return std::nullopt;
    Clip clip = file->clips.front();
    feet::repair_ends(clip);
    return analysis::study(std::move(clip), file->body_map);
  };
  const auto a = study(first), b = study(second);
  // A core of a clip this short is a posture.
  constexpr double kShortest_s = 1.5;
  if (!a || !b || a->clip().duration_s() < kShortest_s || b->clip().duration_s() < kShortest_s) return std::nullopt;
  Clip clip = b->clip();
  if (!same_skeleton(a->skeleton(), b->skeleton(), 1e-3)) {
    auto moved = retarget::retarget_motion(*b, a->clip().skeleton_ptr(), a->map());
    if (!moved) return std::nullopt;
    clip = std::move(moved->clip);
  }
  if (std::abs(clip.frame_time_s() / a->clip().frame_time_s() - 1.0) > 1e-3) return std::nullopt;
  clip.set_frame_time_s(a->clip().frame_time_s());
  const auto one = blend::prepare_motion(*a), other = blend::prepare_motion(analysis::study(std::move(clip), a->map()));
  if (!one || !other) return std::nullopt;
  Pair pair{*one, *other, {.com_acceleration_mps2 = 8.0, .com_fall_mps2 = 9.81}};
  for (const auto& motion : {pair.a, pair.b}) {
    const analysis::BodyFigures own = analysis::measure_body(motion->studied);
    pair.own.com_acceleration_mps2 = std::max(pair.own.com_acceleration_mps2, own.com_acceleration_mps2);
    pair.own.com_fall_mps2 = std::max(pair.own.com_fall_mps2, own.com_fall_mps2);
    pair.own.knee_kink_rad = std::max(pair.own.knee_kink_rad, own.knee_kink_rad);
  }
  return pair;
}

int compare_bodies(const std::filesystem::path& folder, int count) {
  constexpr double kTwoG_mps2 = 19.62, kDegrees = 57.29578;
  std::vector<std::pair<std::string, blend::ComposeParams>> ways = {
      {"optimal", {}}, {"without momentum", {.plan = {.momentum = false}}}};
  for (const Technique technique : kAll) {
    if (technique != Technique::optimal)
      ways.push_back({std::string(technique_name(technique)), {.plan = {}, .technique = technique}});
  }
  for (const bool aside : {false, true}) {
    struct Seen {
      std::vector<double> push, ratio, fall, kink, slide;
    };
    std::vector<Seen> figures(ways.size());
    int pairs = 0, best = 0;
    for (const auto& [first, second] : random_pairs(folder, aside, count)) {
      const auto pair = load_pair(first, second);
      if (!pair) continue;
      ++pairs;
      for (std::size_t way = 0; way < ways.size(); ++way) {
        const auto made =
            blend::compose(std::vector<blend::ScoreMotion>{{pair->a, 0.0}, {pair->b, std::nullopt}}, ways[way].second);
        if (!made || !made->joins.front().report.executed) continue;
        const blend::AddReport& report = made->joins.front().report;
        const double dt = made->clip.frame_time_s(), from_s = pair->a->core.end * dt,
                     to_s = report.at_s + pair->b->core.begin * dt;
        const analysis::StudiedClip joined = analysis::study(made->clip, pair->a->map());
        const analysis::BodyFigures body =
            analysis::measure_body(analysis::observe_body(joined), static_cast<int>(std::lround(from_s / dt)),
                                   static_cast<int>(std::lround((to_s + 0.1) / dt)));
        const JoinSlide slide = join_slide({joined}, {pair->a->studied},
                                           {pair->b->studied, static_cast<int>(std::lround(report.at_s / dt))}, dt,
                                           from_s - 0.05, to_s + 0.5);
        Seen& f = figures[way];
        f.push.push_back(body.com_acceleration_mps2);
        f.ratio.push_back(body.com_acceleration_mps2 / pair->own.com_acceleration_mps2);
        f.fall.push_back(body.com_fall_mps2 / pair->own.com_fall_mps2);
        f.kink.push_back(kDegrees * (body.knee_kink_rad - pair->own.knee_kink_rad));
        f.slide.push_back(slide.slide_mps - slide.own_mps);
        if (way == 0 && (body.com_acceleration_mps2 > kTwoG_mps2 || f.fall.back() > 1.5)) {
          fmt::print("{} -> {}: {} {:.2f} s, push {:.1f} (own {:.1f}), fall {:.1f}, kink {:.0f}\n",
                     first.stem().string(), second.stem().string(), method_name(report.method), to_s - from_s,
                     body.com_acceleration_mps2, pair->own.com_acceleration_mps2, body.com_fall_mps2,
                     kDegrees * body.knee_kink_rad);
        }
      }
      bool is_best = true;
      for (std::size_t way = 2; way < ways.size(); ++way) {
        is_best = is_best && figures[0].push.back() <= figures[way].push.back();
      }
      best += is_best;
    }
    fmt::print(
        "\n{} pairs{}; optimal pushes least of all techniques in {}\n\n| technique | push, median | 90 % | of the "
        "sources' or 8 m/s2, median | 90 % | above 2 g | fall of the sources' or g, 95 % | kink beyond, median | "
        "90 % | slide above, 90 % |\n|---|---|---|---|---|---|---|---|---|---|\n",
        pairs, aside ? ", held aside" : "", best);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const Seen& f = figures[way];
      fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {} | {:.2f} | {:.1f} | {:.1f} | {:.3f} |\n",
                 ways[way].first, median(f.push), quantile(f.push, 0.9), median(f.ratio), quantile(f.ratio, 0.9),
                 std::ranges::count_if(f.push, [](double push) { return push > kTwoG_mps2; }), quantile(f.fall, 0.95),
                 median(f.kink), quantile(f.kink, 0.9), quantile(f.slide, 0.9));
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const std::filesystem::path folder = SHOSA_REAL_DATA;
  if (what == "--truth" || what == "--places") return compare_with_truth(folder, what == "--places");
  if (what == "--body") return compare_bodies(folder, argc > 2 ? std::atoi(argv[2]) : 50);
  return compare_pairs(folder, what == "--misses", argc > 2 ? std::max(1, std::atoi(argv[2])) : 1);
}
