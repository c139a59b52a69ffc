#include "shosa/documents/footstep_plan.h"

#include "documents/terrain_reader.h"
#include "shosa/core/angles.h"

namespace shosa::documents {

namespace {

constexpr double kMostStride_percent = 300.0;

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
  place.only({"rise_m", "tread_m", "count", "before", "after", "at", "heading_deg"});
  segment::StairsPlanParams stairs;
  place.read("rise_m", stairs.rise_m, -kFarthestStep_m, kFarthestStep_m);
  place.read("tread_m", stairs.tread_m, kAboveZero, kFarthestStep_m);
  place.read("count", stairs.count, 0, kMostSteps);
  place.read("before", stairs.before, 0, kMostSteps);
  place.read("after", stairs.after, 0, kMostSteps);
  if (place.has("at")) {
    const auto [x, z] = read_at(place.at("at"));
    stairs.at_m = Vec3d(x, 0.0, z);
  }
  if (place.has("heading_deg")) stairs.heading_rad = read_heading_rad(place);
  return stairs;
}

RoughPlan read_rough(const Place& place) {
  const segment::TerrainBumps bumps = read_bumps(place);
  return {bumps.amplitude_m, bumps.wavelength_m, static_cast<int>(bumps.seed)};
}

ListedSteps read_steps(const Place& root) {
  ListedSteps out;
  for (const Place& place : root.at("steps").list(1)) out.steps.push_back(read_step(place));
  if (root.has("terrain")) out.terrain = read_terrain(root.at("terrain"));
  root.read("cycles", out.cycles, 0, kMostSteps);
  if (!root.has("start")) return out;
  const Place start = root.at("start");
  start.only({"at", "turn_deg"});
  out.start.shift_m = start.at("at").point();
  double turn_deg = 0.0;
  start.read("turn_deg", turn_deg, -kMostTurn_deg, kMostTurn_deg);
  out.start.yaw_rad = turn_deg * kRadPerDeg;
  return out;
}

/// Makes the steps of a plan from a clip's own landings.
struct StepMaker {
  std::shared_ptr<const segment::FootstepSource> source;

  Result<segment::StepPlan> operator()(const ListedSteps& list) const {
    auto walker = list.cycles > 0 ? segment::looped_source(*source, list.cycles) : source;
    if (!walker) return std::unexpected(walker.error());
    return segment::StepPlan{
        .source = std::move(*walker), .steps = list.steps, .terrain = list.terrain, .start = list.start};
  }
  Result<segment::StepPlan> operator()(const segment::Terrain& terrain) const {
    return segment::terrain_plan(source, terrain);
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
  root.only({"steps", "stride_percent", "stairs", "slope_percent", "rough", "terrain", "start", "cycles"});
  const bool listed = root.has("steps");
  int kinds = 0;
  for (const char* kind : {"steps", "stride_percent", "stairs", "slope_percent", "rough"}) kinds += root.has(kind);
  if (!listed && root.has("terrain")) ++kinds;
  if (kinds != 1) {
    root.wrong(
        fmt::format("{} plans, expected one of steps, stride_percent, stairs, slope_percent, rough, terrain", kinds));
  }
  for (const char* key : {"start", "cycles"}) {
    if (!listed && root.has(key)) root.at(key).wrong("only a list of steps has it");
  }
  FootstepPlan plan{.file = file, .steps = {}};
  if (listed) plan.steps = read_steps(root);
  if (!listed && root.has("terrain")) plan.steps = read_terrain(root.at("terrain"));
  if (root.has("stride_percent")) plan.steps = read_stride(root.at("stride_percent"));
  if (root.has("stairs")) plan.steps = read_stairs(root.at("stairs"));
  if (root.has("slope_percent"))
    plan.steps = SlopePlan{root.at("slope_percent").number(-kMostSlope_percent, kMostSlope_percent)};
  if (root.has("rough")) plan.steps = read_rough(root.at("rough"));
  return reader.finish(std::move(plan));
}

Result<WalkedPlan> evaluate(const FootstepPlan& plan, const analysis::StudiedClip& walker, double clearance_m) {
  const auto source = segment::footstep_source(walker);
  if (!source) return fail(source.error().code, "the walk '{}': {}", walker.clip().name(), source.error().message);
  auto made = std::visit(StepMaker{*source}, plan.steps);
  if (!made) return std::unexpected(made.error());
  // What is walked is what is written: numbers that were turned into degrees and back are the same both times.
  std::string text = format_footstep_plan({made->steps, made->terrain, made->start, segment::cycles_of(*made->source)});
  auto again = parse_footstep_plan(text, plan.file);
  if (!again) return std::unexpected(again.error());
  auto& listed = std::get<ListedSteps>(again->steps);
  segment::StepPlan steps{.source = made->source,
                          .steps = std::move(listed.steps),
                          .terrain = std::move(listed.terrain),
                          .clearance_m = clearance_m,
                          .start = listed.start};
  auto walked = segment::walk_footsteps(steps);
  // What breaks a rule here was read from the plan.
  if (!walked) {
    const ErrorCode code = walked.error().code;
    return fail(code == ErrorCode::invalid_argument ? ErrorCode::bad_file : code, "{}: {}", plan.file,
                walked.error().message);
  }
  return WalkedPlan{std::move(steps), std::move(text), std::move(*walked)};
}

namespace {

std::string format_terrain(const segment::Terrain& terrain) {
  std::string text = fmt::format("{{\"level_m\": {}", terrain.level_m);
  const auto line = [](double x, double z, double heading_rad) {
    return fmt::format("\"at\": [{}, {}], \"heading_deg\": {}", x, z, heading_rad / kRadPerDeg);
  };
  for (std::size_t i = 0; i < terrain.edges.size(); ++i) {
    const segment::TerrainEdge& edge = terrain.edges[i];
    text += fmt::format("{}\n    {{{}, \"rise_m\": {}}}", i == 0 ? ", \"edges\": [" : ",",
                        line(edge.x_m, edge.z_m, edge.heading_rad), edge.rise_m);
  }
  if (!terrain.edges.empty()) text += "]";
  if (terrain.slope) {
    text += fmt::format(", \"slope\": {{{}, \"percent\": {}}}",
                        line(terrain.slope->x_m, terrain.slope->z_m, terrain.slope->heading_rad),
                        100.0 * terrain.slope->slope);
  }
  if (terrain.bumps) {
    text += fmt::format(", \"rough\": {{\"amplitude_m\": {}, \"wavelength_m\": {}, \"seed\": {}}}",
                        terrain.bumps->amplitude_m, terrain.bumps->wavelength_m, terrain.bumps->seed);
  }
  if (terrain.field) {
    const segment::TerrainField& field = *terrain.field;
    text += fmt::format(", \"heights\": {{\"at\": [{}, {}], \"spacing_m\": {}, \"rows\": [", field.x_m, field.z_m,
                        field.spacing_m);
    for (std::size_t i = 0; i < field.heights_m.size(); ++i) {
      const bool first = i % static_cast<std::size_t>(field.columns) == 0;
      text += fmt::format("{}{}", i == 0 ? "\n    [" : first ? "],\n    [" : ", ", field.heights_m[i]);
    }
    text += "]]}";
  }
  return text + "}";
}

}  // namespace

std::string format_footstep_plan(const ListedSteps& plan) {
  std::string text = "{\"steps\": [";
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const segment::Footstep& step = plan.steps[i];
    text += fmt::format("{}\n  {{\"foot\": {}, \"position\": [{}, {}, {}]", i == 0 ? "" : ",", json_quoted(step.foot),
                        step.position_m.x(), step.position_m.y(), step.position_m.z());
    if (step.heading_rad) text += fmt::format(", \"heading_deg\": {}", *step.heading_rad / kRadPerDeg);
    text += "}";
  }
  text += "\n]";
  if (plan.terrain) text += ",\n\"terrain\": " + format_terrain(*plan.terrain);
  if (!plan.start.is_identity()) {
    const Vec3d& at = plan.start.shift_m;
    text += fmt::format(",\n\"start\": {{\"at\": [{}, {}, {}], \"turn_deg\": {}}}", at.x(), at.y(), at.z(),
                        plan.start.yaw_rad / kRadPerDeg);
  }
  if (plan.cycles > 0) text += fmt::format(",\n\"cycles\": {}", plan.cycles);
  return text + "}\n";
}

}  // namespace shosa::documents
