#include "shosa/documents/footstep_plan.h"

#include <cmath>
#include <numbers>

#include "documents/json_reader.h"

namespace shosa::documents {

namespace {

constexpr double kRadPerDeg = std::numbers::pi / 180.0;
constexpr double kFarthestStep_m = 1e5, kMostSlope_percent = 200.0, kMostStride_percent = 300.0;
constexpr int kMostSteps = 10000;

segment::Footstep read_step(const Place& place) {
  place.only({"foot", "position", "heading_deg"});
  segment::Footstep step{.foot = place.at("foot").text("\"left\" or \"right\""), .heading_rad = {}};
  step.position_m = place.at("position").point();
  if (!(step.position_m.cwiseAbs().maxCoeff() <= kFarthestStep_m)) {
    place.at("position").expected(fmt::format("[x, y, z] within {} km", kFarthestStep_m / 1000.0));
  }
  place.read("heading_deg", step.heading_rad);
  if (step.heading_rad) *step.heading_rad *= kRadPerDeg;
  return step;
}

StridePlan read_stride(const Place& place) {
  StridePlan stride;
  const auto add = [&](const Place& part) { stride.percent.push_back(part.number(kAboveZero, kMostStride_percent)); };
  if (!place.is_list()) {
    add(place);
  } else {
    for (const Place& part : place.list(1)) add(part);
  }
  return stride;
}

segment::StairsPlanParams read_stairs(const Place& place) {
  place.only({"rise_m", "tread_m", "count", "before", "after"});
  segment::StairsPlanParams stairs;
  place.read("rise_m", stairs.rise_m, -kFarthestStep_m, kFarthestStep_m);
  place.read("tread_m", stairs.tread_m, kAboveZero, kFarthestStep_m);
  place.read("count", stairs.count, 0, kMostSteps);
  place.read("before", stairs.before, 0, kMostSteps);
  place.read("after", stairs.after, 0, kMostSteps);
  return stairs;
}

RoughPlan read_rough(const Place& place) {
  place.only({"amplitude_m", "wavelength_m", "seed"});
  RoughPlan rough;
  place.read("amplitude_m", rough.amplitude_m, 0.0, kFarthestStep_m);
  place.read("wavelength_m", rough.wavelength_m, kAboveZero);
  place.read("seed", rough.seed, 0, kMostSteps);
  return rough;
}

/// Makes the steps of a plan from a clip's own landings.
struct StepMaker {
  std::shared_ptr<const segment::FootstepSource> source;

  Result<segment::StepPlan> operator()(const std::vector<segment::Footstep>& steps) const {
    return segment::StepPlan{.source = source, .steps = steps, .terrain = {}};
  }
  Result<segment::StepPlan> operator()(const StridePlan& stride) const {
    std::vector<double> shares;
    for (const double percent : stride.percent) shares.push_back(percent / 100.0);
    return segment::stride_plan(source, shares);
  }
  Result<segment::StepPlan> operator()(const segment::StairsPlanParams& stairs) const {
    return segment::stairs_plan(source, stairs);
  }
  Result<segment::StepPlan> operator()(const SlopePlan& slope) const {
    const segment::Footstep first = segment::own_steps(*source).front();
    return segment::terrain_plan(source,
                                 segment::slope_terrain(first.position_m, *first.heading_rad, slope.percent / 100.0));
  }
  Result<segment::StepPlan> operator()(const RoughPlan& rough) const {
    const double level_m = segment::own_steps(*source).front().position_m.y();
    return segment::terrain_plan(source, segment::rough_terrain(level_m, rough.amplitude_m, rough.wavelength_m,
                                                                static_cast<unsigned>(rough.seed)));
  }
};

}  // namespace

Result<FootstepPlan> parse_footstep_plan(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  root.only({"steps", "stride_percent", "stairs", "slope_percent", "rough"});
  if (root.inside().size() != 1)
    root.wrong(fmt::format("{} keys, expected one of steps, stride_percent, stairs, slope_percent, rough",
                           root.inside().size()));
  FootstepPlan plan{.file = file, .steps = {}};
  if (root.has("steps")) {
    std::vector<segment::Footstep> steps;
    for (const Place& place : root.at("steps").list(1)) steps.push_back(read_step(place));
    plan.steps = std::move(steps);
  }
  if (root.has("stride_percent")) plan.steps = read_stride(root.at("stride_percent"));
  if (root.has("stairs")) plan.steps = read_stairs(root.at("stairs"));
  if (root.has("slope_percent"))
    plan.steps = SlopePlan{root.at("slope_percent").number(-kMostSlope_percent, kMostSlope_percent)};
  if (root.has("rough")) plan.steps = read_rough(root.at("rough"));
  return reader.finish(std::move(plan));
}

Result<WalkedPlan> evaluate(const FootstepPlan& plan, const analysis::StudiedClip& walker, double clearance_m) {
  const auto source = segment::footstep_source(walker);
  if (!source) return std::unexpected(source.error());
  auto steps = std::visit(StepMaker{*source}, plan.steps);
  if (!steps) return std::unexpected(steps.error());
  steps->clearance_m = clearance_m;
  auto walked = segment::walk_footsteps(*steps);
  // What breaks a rule here was read from the plan.
  if (!walked) {
    const ErrorCode code = walked.error().code;
    return fail(code == ErrorCode::invalid_argument ? ErrorCode::bad_file : code, "{}: {}", plan.file,
                walked.error().message);
  }
  return WalkedPlan{std::move(*steps), std::move(*walked)};
}

std::string format_footstep_plan(const std::vector<segment::Footstep>& steps) {
  std::string text = "{\"steps\": [";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const segment::Footstep& step = steps[i];
    text += fmt::format("{}\n  {{\"foot\": {}, \"position\": [{}, {}, {}]", i == 0 ? "" : ",", json_quoted(step.foot),
                        step.position_m.x(), step.position_m.y(), step.position_m.z());
    if (step.heading_rad) text += fmt::format(", \"heading_deg\": {}", *step.heading_rad / kRadPerDeg);
    text += "}";
  }
  return text + "\n]}\n";
}

}  // namespace shosa::documents
