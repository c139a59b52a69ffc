#include "decompose_joint.h"

#include "decompose_edit.h"
#include "outputs.h"
#include "shosa/core/angles.h"
#include "shosa/core/joint_track.h"
#include "shosa/core/rotations.h"
#include "shosa/draw/submovement_plot.h"
#include "shosa/submovement/decompose.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

std::string label_of(std::size_t index, const Vec3d& move, const char* unit) {
  return fmt::format("{}: {:.2f} {}", index, move.norm(), unit);
}

}  // namespace

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void warn_of_missed_bound(Report& report, double rms, double bound, const char* unit) {
  if (rms > 1.0001 * bound)
    warn(report,
         fmt::format("the error is {:.4g} {} rms, more than the {:.4g} {} that are allowed", rms, unit, bound, unit));
}

Result<Report> decompose_joint(const DecomposeOptions& options, ChosenClip& opened) {
  const Clip& clip = opened.clip();
  const auto joint = resolve_joint(clip.skeleton(), opened.motion.body_map, options.joint);
  if (!joint) return std::unexpected(joint.error());
  const bool rotation = options.kind == "rotation";
  submovement::DecomposeParams params;
  params.solver = options.solver == "fast" ? submovement::Solver::fast : submovement::Solver::cma_es;
  params.count = options.count;
  if (options.min_duration_s) {
    params.min_duration_s = *options.min_duration_s;
    params.max_duration_s = std::max(params.max_duration_s, 2.0 * params.min_duration_s);
    params.max_turn_s = std::max(params.max_turn_s, 2.0 * params.min_duration_s);
  }
  params.min_gap_s = options.min_gap_s.value_or(0.0);
  if (options.max_error) {
    if (rotation)
      params.max_error_rad = *options.max_error / kDegPerRad;
    else
      params.max_error_m = *options.max_error;
  }

  const auto [points, turns] =
      joint_track(clip, *joint, options.space == "parent" ? JointSpace::parent : JointSpace::world);

  nlohmann::ordered_json start;
  GoalList goals;
  draw::SubmovementPlot plot{.unit = rotation ? "deg" : "m", .frame_time_s = clip.frame_time_s()};
  double rmse = 0.0, worst = 0.0, noise = 0.0;
  long evaluations = 0;
  submovement::PositionModel position_model;
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0.0;
  if (rotation) {
    const auto found = submovement::decompose_rotations(turns, clip.frame_time_s(), params);
    if (!found) return fail(found.error().code, "{}: {}", options.file, found.error().message);
    seconds = seconds_since(begin);
    rmse = found->rms_rad * kDegPerRad, worst = found->max_error_rad * kDegPerRad,
    noise = found->noise_rad * kDegPerRad;
    evaluations = found->evaluations;
    const Quatd& first = found->model.start;
    start = {first.x(), first.y(), first.z(), first.w()};
    goals = goal_list(found->model);
    const auto made = submovement::sample_rotations(found->model, clip.frame_count(), clip.frame_time_s());
    for (std::size_t i = 0; i < made.size(); ++i) {
      plot.original.push_back(kDegPerRad * log_rotation(turns[0].conjugate() * turns[i]));
      plot.model.push_back(kDegPerRad * log_rotation(turns[0].conjugate() * made[i]));
    }
  } else {
    const auto found = submovement::decompose_positions(points, clip.frame_time_s(), params);
    if (!found) return fail(found.error().code, "{}: {}", options.file, found.error().message);
    seconds = seconds_since(begin);
    rmse = found->rms_m, worst = found->max_error_m, noise = found->noise_m;
    evaluations = found->evaluations;
    position_model = found->model;
    start = vector_json(found->model.start_m);
    goals = goal_list(found->model);
    plot.original = points;
    plot.model = submovement::sample_positions(found->model, clip.frame_count(), clip.frame_time_s());
  }
  auto list = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < goals.rows.size(); ++k) {
    list.push_back(goal_json(goals, k));
    plot.submovements.push_back({goals.rows[k].t0_s, goals.rows[k].tf_s});
    plot.labels.push_back(label_of(k, goals.rows[k].move, plot.unit.c_str()));
  }
  const std::string& name = clip.skeleton().name(*joint);
  Report report;
  report.json = {{"joint", name},      {"kind", options.kind},     {"space", options.space},
                 {"start", start},     {"submovements", list},     {"statistics", statistics_json(goals)},
                 {"rmse", rmse},       {"max_error", worst},       {"noise", noise},
                 {"seconds", seconds}, {"solver", options.solver}, {"evaluations", evaluations}};
  report.notes = opened.motion.warnings;
  report.text = fmt::format("{}: {} of {}, {} submovement{}, error {:.4g} {} rms, {:.4g} {} at most, {:.1f} ms\n{}",
                            options.file, options.kind, name, list.size(), list.size() == 1 ? "" : "s", rmse, plot.unit,
                            worst, plot.unit, 1e3 * seconds, goal_table(goals));
  warn_of_missed_bound(report, rmse, rotation ? params.max_error_rad * kDegPerRad : params.max_error_m,
                       plot.unit.c_str());
  plot.title = fmt::format("{} of {}: {} submovement{}, {:.3g} {} rms", options.kind, name, list.size(),
                           list.size() == 1 ? "" : "s", rmse, plot.unit);
  std::vector<Output> outputs;
  if (!options.edits.empty()) {
    auto edited = edited_motion(options, opened, *joint, position_model, report);
    if (!edited) return std::unexpected(edited.error());
    plot.title += "; " + edited->what;
    plot.edited = submovement::sample_positions(edited->model, clip.frame_count(), clip.frame_time_s());
    io::MotionFile motion = opened.motion;
    motion.clips = {std::move(edited->clip)};
    outputs.push_back(
        {options.out, [&options, motion = std::move(motion)] { return io::write_motion(options.out, motion); }});
  }
  if (!options.picture.empty()) {
    auto drawn = draw::draw_submovements(plot);
    if (!drawn) return std::unexpected(drawn.error());
    outputs.push_back(
        {options.picture, [&options, canvas = std::move(*drawn)] { return write_picture(options.picture, canvas); }});
  }
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace shosa::cli
