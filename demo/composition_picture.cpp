#include "demo/composition_picture.h"

#include <algorithm>

#include "shosa/core/forward_kinematics.h"
#include "shosa/draw/palette.h"
#include "shosa/draw/timeline.h"

namespace shosa::demo {

namespace {

using blend::Technique;

constexpr double kWidth_px = 1100.0;
constexpr double kLeft_px = 110.0;

draw::TimelineParams timeline(std::span<const blend::ScoreMotion> score, const blend::Composition& made) {
  const double dt = made.clip.frame_time_s();
  // As many lanes as keep motions that overlap from covering each other.
  std::vector<draw::Lane> motions;
  draw::Lane cores{.label = "cores"};
  draw::Lane upper{.label = "upper body"}, lower{.label = "lower body"};
  const auto add_motion = [&](int index, double at_s) {
    const blend::Motion& motion = *score[index].motion;
    const std::string name = motion.clip().name().empty() ? fmt::format("{}", index) : motion.clip().name();
    const std::size_t number = cores.bars.size() + 1;
    const auto free =
        std::ranges::find_if(motions, [&](const draw::Lane& one) { return one.bars.back().interval.end_s <= at_s; });
    draw::Lane& lane =
        free != motions.end() ? *free : motions.emplace_back(draw::Lane{.label = motions.empty() ? "motions" : ""});
    lane.bars.push_back({{at_s, at_s + motion.clip().last_time_s()}, name});
    lane.bars.back().colour = draw::mixed(draw::kPaper, draw::series_colour(number), 0.35);
    cores.bars.push_back({{at_s + motion.core.begin * dt, at_s + motion.core.end * dt}, "core"});
    cores.bars.back().colour = draw::series_colour(cores.bars.size());
  };
  draw::TimelineParams params;
  const int first = made.joins.empty() ? 0 : made.joins.front().from;
  add_motion(first, score[first].at_s.value_or(0.0));
  for (const blend::Join& join : made.joins) {
    if (!join.report.executed) continue;
    add_motion(join.to, join.report.at_s);
    std::string name(method_name(join.report.method));
    std::ranges::replace(name, '_', ' ');
    params.markers.push_back({join.report.blends.front().time.begin_s, name});
    for (const blend::BlendSpan& span : join.report.blends) {
      draw::Lane& lane = span.part == blend::Part::upper ? upper : lower;
      lane.bars.push_back({span.time, std::string(kind_name(span.kind))});
      if (span.kind == blend::BlendKind::hold) lane.bars.back().colour = draw::kFrame;
    }
  }
  upper.colour = draw::series_colour(3);
  lower.colour = draw::series_colour(1);
  params.lanes = std::move(motions);
  params.lanes.insert(params.lanes.end(), {cores, upper, lower});
  for (const auto& foot : made.contacts.feet) {
    draw::Lane lane{.label = foot.points.name + " foot", .colour = draw::kContact};
    for (const TimeInterval& contact : foot.joined) {
      lane.bars.push_back({{std::max(0.0, contact.begin_s), std::min(contact.end_s, made.clip.last_time_s())}, ""});
      if (lane.bars.back().interval.begin_s > lane.bars.back().interval.end_s) lane.bars.pop_back();
    }
    params.lanes.push_back(std::move(lane));
  }
  params.range = TimeInterval{0.0, std::max(made.clip.last_time_s(), dt)};
  params.width_px = kWidth_px;
  params.left_px = kLeft_px;
  return params;
}

std::vector<double> mean_speed(const ClipPositions& positions, std::span<const JointIndex> joints, double dt) {
  std::vector<double> speed;
  const int last = positions.frame_count() - 1;
  for (int f = 0; f <= last; ++f) {
    const int before = std::max(f - 1, 0), after = std::min(f + 1, last);
    double sum = 0.0;
    for (const JointIndex j : joints) sum += (positions.joint(after, j) - positions.joint(before, j)).norm();
    speed.push_back(sum /
                    (std::max(after - before, 1) * dt * std::max<double>(1.0, static_cast<double>(joints.size()))));
  }
  return speed;
}

std::vector<JointIndex> joints_of(const body::BodyMap& map, std::initializer_list<body::Role> roles) {
  std::vector<JointIndex> joints;
  for (const body::Role role : roles) {
    if (map.has(role)) joints.push_back(map.joint(role));
  }
  return joints;
}

}  // namespace

Result<draw::Canvas> draw_composition(std::span<const blend::ScoreMotion> score, const blend::Composition& made,
                                      const blend::ComposeParams& params) {
  const auto line = draw::draw_timeline(timeline(score, made));
  if (!line) return std::unexpected(line.error());

  // Figure 5 of the seed: the parts whose speed it shows.
  const body::BodyMap& map = score.front().motion->map();
  const JointIndex chest =
      map.has(body::Role::upper_chest) ? map.joint(body::Role::upper_chest) : map.joint(body::Role::chest);
  std::vector<JointIndex> upper = joints_of(map, {body::Role::left_hand, body::Role::right_hand, body::Role::head});
  if (chest != kNoJoint) upper.push_back(chest);
  const std::vector<JointIndex> lower =
      joints_of(map, {body::Role::left_foot, body::Role::right_foot, body::Role::hips});
  draw::PlotParams plot;
  plot.panels.resize(2);
  plot.panels[0].title = "upper body: hands, chest, head";
  plot.panels[1].title = "lower body: feet, pelvis";
  for (draw::Panel& panel : plot.panels) panel.unit = "m/s";
  for (const Technique technique : {Technique::pose, Technique::constraint, Technique::optimal}) {
    blend::ComposeParams other = params;
    other.technique = technique;
    const auto again = blend::compose(score, other);
    if (!again) return std::unexpected(again.error());
    const ClipPositions positions = clip_positions(again->clip);
    const double dt = again->clip.frame_time_s();
    std::vector<double> times;
    for (int f = 0; f < positions.frame_count(); ++f) times.push_back(f * dt);
    for (std::size_t i = 0; i < 2; ++i) {
      plot.panels[i].series.push_back({.name = std::string(technique_name(technique)),
                                       .times_s = times,
                                       .values = mean_speed(positions, i == 0 ? upper : lower, dt),
                                       .dashed = technique != Technique::optimal});
    }
  }
  for (const blend::Join& join : made.joins) {
    if (!join.report.executed) continue;
    for (const blend::BlendSpan& span : join.report.blends) {
      if (span.kind == blend::BlendKind::hold) continue;
      plot.panels[span.part == blend::Part::upper ? 0 : 1].bands.push_back(
          {.interval = span.time, .colour = draw::with_alpha(draw::kContact, 0.12)});
    }
  }
  plot.range = line->range;
  plot.width_px = kWidth_px;
  plot.left_px = kLeft_px;
  const auto curves = draw::draw_plot(plot);
  if (!curves) return std::unexpected(curves.error());

  const draw::Canvas sheets[] = {line->canvas, curves->canvas};
  return draw::stacked(sheets, 4.0);
}

}  // namespace shosa::demo
