// Figures 1, 2 and 5 of seed 001: elementary motions composed, the four methods, three techniques compared.

#include <algorithm>
#include <cmath>
#include <map>

#include "demo/composition_picture.h"
#include "demo/make_figures.h"
#include "demo/measure.h"
#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"
#include "shosa/core/angles.h"

namespace shosa::demo {

namespace {

using blend::Technique;

/// A core is what must survive; files round to less than this.
constexpr double kCore_deg = 0.05;

Result<blend::ScoreMotion> line(const SourceMotion& motion, std::optional<TimeInterval> core = {},
                                std::optional<double> at_s = {}) {
  auto prepared = blend::prepare_motion(motion.studied, {.core = core ? core : motion.core});
  if (!prepared) return std::unexpected(prepared.error());
  return blend::ScoreMotion{std::move(*prepared), at_s};
}

/// Largest turn between a joint of the upper body in a core and in its source, over all motions of a score.
double core_change_deg(const FigureClip& shown, std::span<const blend::ScoreMotion> score,
                       const blend::Composition& made) {
  double worst = 0.0;
  const auto compare = [&](std::size_t index, double at_s) {
    const blend::Motion& motion = *score[index].motion;
    const int at = shown.clip.nearest_frame(at_s);
    const auto lower = lower_body(motion.clip().skeleton(), motion.map());
    for (int f = motion.core.begin; f <= motion.core.end && at + f < shown.clip.frame_count(); ++f) {
      for (JointIndex j = 0; j < motion.clip().joint_count(); ++j) {
        if (lower[j]) continue;
        const JointIndex k = shown.clip.skeleton().find(motion.clip().skeleton().name(j));
        const double turn =
            motion.clip().rotation(f, j).cast<double>().angularDistance(shown.clip.rotation(at + f, k).cast<double>());
        worst = std::max(worst, turn * kDegPerRad);
      }
    }
  };
  compare(0, score[0].at_s.value_or(0.0));
  for (const blend::Join& join : made.joins) compare(static_cast<std::size_t>(join.to), join.report.at_s);
  return worst;
}

int executed(const blend::Composition& made) {
  return static_cast<int>(
      std::count_if(made.joins.begin(), made.joins.end(), [](const auto& join) { return join.report.executed; }));
}

/// How far the joined motion breaks its paths beyond what its motions do themselves.
Excess excess_over_sources(const FigureClip& shown, std::span<const blend::ScoreMotion> score) {
  Unevenness sources;
  for (const auto& entry : score) sources.take_worst(unevenness(entry.motion->clip()));
  return excess(unevenness(shown.clip), sources);
}

void check_joined(Figure& figure, const std::string& what, const FigureClip& shown,
                  std::span<const blend::ScoreMotion> score, const blend::Composition& made) {
  // When feet should stand is what the motions say, not what came out.
  const auto feet = analysis::measure_quality(*analysis::study(shown.clip, shown.body_map, made.contacts));
  // Captured feet slide and sink by more than made ones: what the sources do is not what joining did.
  FeetQuality own = kGoodFeet;
  for (const auto& entry : score) {
    const FeetQuality source = feet_quality({"", "", entry.motion->clip(), entry.motion->map()});
    own.slide_mps = std::max(own.slide_mps, source.slide_mps);
    own.penetration_m = std::max(own.penetration_m, source.penetration_m);
  }
  at_most(figure, what + "foot slide while standing", feet.foot_skate_mps, own.slide_mps, "m/s");
  at_most(figure, what + "foot under the ground", feet_quality(shown).penetration_m, own.penetration_m, "m");
  at_most(figure, what + "turn of a joint in a core against its source", core_change_deg(shown, score, made), kCore_deg,
          "deg");
  const Excess over = excess_over_sources(shown, score);
  at_most(figure, what + "jump between frames beyond the sources' own", over.step_m, 0.012, "m");
  at_most(figure, what + "turn between frames beyond the sources' own", over.turn_deg, 3.2, "deg");
}

}  // namespace

Result<Figure> composition_figure(const Cast& cast, const Workshop& shop) {
  const auto parts = find_all(cast, {"guard", "punch_left", "kick", "punch_right", "dodge", "punch_left", "guard"});
  if (!parts) return std::unexpected(parts.error());
  std::vector<blend::ScoreMotion> score;
  for (const SourceMotion* part : *parts) {
    auto entry = line(*part, score.empty() ? std::optional(TimeInterval{0.3, 1.2}) : std::nullopt);
    if (!entry) return std::unexpected(entry.error());
    score.push_back(std::move(*entry));
  }
  blend::ComposeParams params;
  params.plan.smoothness = 0.7;
  const auto made = blend::compose(score, params);
  if (!made) return std::unexpected(made.error());

  Figure figure;
  figure.text = fmt::format(
      "{} elementary motions of a fight go in, one continuous motion comes out. Times, methods and blends are found; "
      "what lies in a core is untouched.",
      score.size());
  const auto shown =
      shop.add_clip(figure, "001-fig-1", "A fight from seven motions", made->clip, (*parts)[0]->body_map());
  if (!shown) return std::unexpected(shown.error());
  at_least(figure, "motions joined", executed(*made), double(score.size() - 1), "");
  check_joined(figure, "", *shown, score, *made);
  // Where each motion's core is halfway, and between two motions.
  std::vector<double> times;
  for (const blend::Join& join : made->joins) {
    const blend::Motion& motion = *score[join.to].motion;
    const double dt = made->clip.frame_time_s();
    if (!join.report.executed) continue;
    times.push_back(join.report.blends[1].time.begin_s);
    times.push_back(join.report.at_s + 0.5 * (motion.core.begin + motion.core.end) * dt);
  }
  const auto drawn = add_strip(
      shop, figure, "001-fig-1", "The fight as postures", *shown,
      {.views = {draw::ViewName::three_quarter}, .layout = draw::StripLayout::cells, .times_s = std::move(times)});
  if (!drawn) return std::unexpected(drawn.error());
  const auto lanes = draw_composition(score, *made, params);
  if (!lanes) return std::unexpected(lanes.error());
  if (const auto added =
          shop.add_picture(figure, "001-fig-1-times", "Cores, blends and contacts over time; below, speeds", *lanes);
      !added)
    return std::unexpected(added.error());
  return figure;
}

namespace {

/// Twice what the made motions have at most (a kick, a landing).
constexpr double kHipsStep_mps = 0.35;

}  // namespace

Result<Figure> methods_figure(const Cast& cast, const Workshop& shop) {
  const auto parts = find_all(cast, {"walk_normal", "walk_fast", "kick", "guard", "punch_left"});
  if (!parts) return std::unexpected(parts.error());
  const SourceMotion &walk = *(*parts)[0], &faster = *(*parts)[1], &kick = *(*parts)[2], &guard = *(*parts)[3],
                     &punch = *(*parts)[4];
  struct Case {
    const char* name;
    const SourceMotion* first;
    std::optional<TimeInterval> first_core;
    const SourceMotion* second;
    std::optional<TimeInterval> second_core;
    blend::JoinMethod method;
  };
  // The kick's core ends while its foot is in the air, so that it moves a foot afterwards.
  const Case cases[] = {
      {"transition", &walk, {}, &faster, {}, blend::JoinMethod::transition},
      {"connection", &kick, TimeInterval{0.35, 0.95}, &guard, {}, blend::JoinMethod::connection},
      {"adaptation-with-step", &guard, {}, &kick, {}, blend::JoinMethod::adaptation_with_step},
      {"adaptation-without-step", &guard, {}, &punch, {}, blend::JoinMethod::adaptation_without_step}};

  Figure figure;
  figure.text = "The four ways to join two motions; which one is taken follows from what the feet do.";
  for (const Case& one : cases) {
    std::vector<blend::ScoreMotion> score;
    for (const auto& [motion, core] : {std::pair{one.first, one.first_core}, std::pair{one.second, one.second_core}}) {
      auto entry = line(*motion, core);
      if (!entry) return std::unexpected(entry.error());
      score.push_back(std::move(*entry));
    }
    const auto made = blend::compose(score);
    if (!made) return std::unexpected(made.error());
    const std::string name = std::string("001-fig-2-") + one.name;
    const auto shown = shop.add_clip(figure, name, fmt::format("{}, then {}", one.first->from, one.second->from),
                                     made->clip, one.first->body_map());
    if (!shown) return std::unexpected(shown.error());
    const auto& report = made->joins.front().report;
    at_least(figure, fmt::format("{}: this method is taken", one.name),
             report.executed && report.method == one.method ? 1.0 : 0.0, 1.0, "");
    check_joined(figure, one.name + std::string(": "), *shown, score, *made);
    double own_mps = kHipsStep_mps;
    for (const SourceMotion* source : {one.first, one.second})
      own_mps = std::max(own_mps, root_velocity_step_mps({"", "", source->clip(), source->body_map()}));
    at_most(figure, one.name + std::string(": change of the hips' velocity within a frame"),
            root_velocity_step_mps(*shown), own_mps, "m/s");
    const auto times = draw_composition(score, *made, {});
    if (!times) return std::unexpected(times.error());
    if (const auto added = shop.add_picture(figure, name, one.name, *times); !added)
      return std::unexpected(added.error());
  }
  return figure;
}

namespace {

/// Largest change of a part's mean speed from one frame to the next, over its time step.
double peak_speed_change(const ClipPositions& positions, std::span<const JointIndex> joints, const TimeInterval& within,
                         double dt) {
  double before = -1.0, worst = 0.0;
  for (int f = 1; f < positions.frame_count(); ++f) {
    if (!within.contains(f * dt)) continue;
    double speed = 0.0;
    for (const JointIndex j : joints) speed += (positions.joint(f, j) - positions.joint(f - 1, j)).norm() / dt;
    speed /= static_cast<double>(joints.size());
    if (before >= 0.0) worst = std::max(worst, std::abs(speed - before) / dt);
    before = speed;
  }
  return worst;
}

Result<void> add_comparison(Figure& figure, const Workshop& shop, const std::string& name, const SourceMotion& first,
                            const SourceMotion& second, double gap_s, double smoothness) {
  std::vector<blend::ScoreMotion> score;
  for (const SourceMotion* motion : {&first, &second}) {
    auto entry = line(*motion);
    if (!entry) return std::unexpected(entry.error());
    score.push_back(std::move(*entry));
  }
  // As in the seed, the second motion's time is given: `gap_s` from core to core.
  const double dt = first.clip().frame_time_s();
  score[0].at_s = 0.0;
  score[1].at_s = (score[0].motion->core.end - score[1].motion->core.begin) * dt + gap_s;
  std::map<Technique, double> slide, change;
  std::optional<blend::Composition> ours;
  TimeInterval around;
  for (const Technique technique : {Technique::optimal, Technique::constraint, Technique::pose}) {
    blend::ComposeParams params;
    params.technique = technique;
    params.plan.smoothness = smoothness;
    auto made = blend::compose(score, params);
    if (!made) return std::unexpected(made.error());
    const auto shown = shop.add_clip(figure, fmt::format("{}-{}", name, technique_name(technique)),
                                     fmt::format("{}, then {}, {}", first.from, second.from, technique_name(technique)),
                                     made->clip, first.body_map());
    if (!shown) return std::unexpected(shown.error());
    if (technique == Technique::optimal) {
      const auto& join = made->joins.front().report;
      const auto& motion = *score[0].motion;
      around = {motion.core.end * dt, join.at_s + score[1].motion->core.begin * dt};
      check_joined(figure, name + ": ", *shown, score, *made);
      ours = std::move(*made);
    }
    const auto studied = analysis::study(shown->clip, shown->body_map, ours->contacts);
    if (!studied) return std::unexpected(studied.error());
    slide[technique] = analysis::measure_quality(*studied).foot_skate_mps;
    std::vector<JointIndex> upper;
    for (const body::Role role :
         {body::Role::left_hand, body::Role::right_hand, body::Role::head, body::Role::upper_chest}) {
      if (shown->body_map.has(role)) upper.push_back(shown->body_map.joint(role));
    }
    change[technique] = peak_speed_change(studied->positions(), upper, {around.begin_s - 0.1, around.end_s + 0.1},
                                          shown->clip.frame_time_s());
  }
  at_least(figure, name + ": feet that should stand, pose-based against ours",
           slide[Technique::pose] / std::max(slide[Technique::optimal], 1e-6), 2.0, "times");
  at_least(figure, name + ": abrupt change of the upper body's speed, constraints alone against ours",
           change[Technique::constraint] / std::max(change[Technique::optimal], 1e-6), 1.5, "times");
  blend::ComposeParams params;
  params.plan.smoothness = smoothness;
  const auto times = draw_composition(score, *ours, params);
  if (!times) return std::unexpected(times.error());
  return shop.add_picture(figure, name, fmt::format("{}, then {}: speeds of three techniques", first.from, second.from),
                          *times);
}

}  // namespace

Result<Figure> techniques_figure(const Cast& cast, const Workshop& shop) {
  const auto parts = find_all(cast, {"hiphop_two_step", "hiphop_rock", "noh_point", "noh_open"});
  if (!parts) return std::unexpected(parts.error());
  Figure figure;
  figure.text =
      "Speed of the upper body (hands, chest, head) and of the lower body (feet, pelvis) where two motions of a dance "
      "are joined. The pose-based blend moves feet that should stand, constraints alone change speed at once; ours "
      "does neither.";
  if (const auto added = add_comparison(figure, shop, "001-fig-5-hiphop", *(*parts)[0], *(*parts)[1], 0.6, 0.5); !added)
    return std::unexpected(added.error());
  if (const auto added = add_comparison(figure, shop, "001-fig-5-noh", *(*parts)[2], *(*parts)[3], 1.2, 1.0); !added)
    return std::unexpected(added.error());
  return figure;
}

}  // namespace shosa::demo
