#include <chrono>
#include <map>
#include <memory>
#include <numbers>

#include "demo/submovement_plot.h"
#include "input.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/atomic_file.h"
#include "shosa/posing/motion_edit.h"
#include "shosa/submovement/edit.h"
#include "shosa/submovement/file.h"
#include "verb.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
/// Weight of every joint's own turn in an edited motion: enough for the body to be itself again half a second after.
constexpr double kOwnTurns = 3.0;

struct DecomposeOptions {
  std::string file, out, joint, picture;
  std::string kind = "position", space = "world";
  std::string solver = "fast";
  std::optional<double> max_error, max_error_deg;
  int count = 0;
  bool all = false, shared_timings = false;
  std::vector<double> move_goal;
  InputOptions input;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

nlohmann::ordered_json vector_json(const Vec3d& v) {
  return {v.x(), v.y(), v.z()};
}

std::string label_of(std::size_t index, const Vec3d& move, const char* unit) {
  return fmt::format("{}: {:.2f} {}", index, move.norm(), unit);
}

void warn(Report& report, std::string text) {
  report.json["warnings"].push_back(std::move(text));
}

// The bound is a wish where the motion changes faster than submovements may.
void warn_of_missed_bound(Report& report, double rms, double bound, const char* unit) {
  if (rms > 1.0001 * bound)
    warn(report,
         fmt::format("the error is {:.4g} {} rms, more than the {:.4g} {} that are allowed", rms, unit, bound, unit));
}

std::string table_row(std::size_t index, double t0, double tf, const Vec3d& move) {
  return fmt::format("  {:3}  {:8.3f} {:8.3f}   {:9.4f} {:9.4f} {:9.4f}\n", index, t0, tf, move.x(), move.y(),
                     move.z());
}

// Of a foot from its pin or a joint from its goal: what is told.
constexpr double kNoticed_m = 0.01;

struct EditedMotion {
  submovement::PositionModel model;
  Clip clip;
};
// A goal of the hand moved, and the body made to follow: the change of the path drags the joint, the feet stay, and
// every joint goes back to its own turn as the change fades.
Result<EditedMotion> edited_motion(const DecomposeOptions& options, const ChosenClip& opened, JointIndex joint,
                                   const submovement::PositionModel& model, Report& report) {
  const Clip& clip = opened.clip();
  submovement::PositionModel edited = model;
  const double wanted = options.move_goal[0];
  const auto index = static_cast<std::size_t>(std::max(wanted, 0.0));
  const Vec3d goal(options.move_goal[1], options.move_goal[2], options.move_goal[3]);
  if (wanted < 0.0 || wanted != std::floor(wanted))
    return fail(ErrorCode::invalid_argument, "--move-goal: submovement {} is not there: the model has {}", wanted,
                model.submovements.size());
  if (const auto ok = submovement::move_goal(edited, index, goal); !ok) return std::unexpected(ok.error());

  const auto before = submovement::sample_positions(model, clip.frame_count(), clip.frame_time_s());
  const auto after = submovement::sample_positions(edited, clip.frame_count(), clip.frame_time_s());
  posing::MotionEditParams params;
  posing::DragLayer drag{.joint = joint, .relative = true};
  for (std::size_t i = 0; i < after.size(); ++i)
    drag.keys.push_back({static_cast<double>(i) * clip.frame_time_s(), after[i] - before[i]});
  params.drags.push_back(std::move(drag));
  const BodyMap& map = opened.motion.body_map;
  for (const Role role : {Role::left_foot, Role::right_foot, Role::left_toes, Role::right_toes})
    if (map.has(role) && map.joint(role) != joint) params.pins.push_back({.joint = map.joint(role)});
  params.stiffness = posing::human_stiffness(clip.skeleton(), map);
  params.desired_weight = kOwnTurns;
  auto made = posing::edit_motion(clip, params);
  if (!made) return std::unexpected(made.error());
  if (!std::isfinite(made->max_drag_error_m) || !std::isfinite(made->max_pin_error_m))
    return fail(ErrorCode::not_possible,
                "--move-goal: ({:.4g}, {:.4g}, {:.4g}) m is too far for the body to be led there", goal.x(), goal.y(),
                goal.z());
  report.json["edited"] = {{"submovement", index},
                           {"goal", vector_json(goal)},
                           {"max_drag_error_m", made->max_drag_error_m},
                           {"max_pin_error_m", made->max_pin_error_m}};
  report.text += fmt::format("{}: goal {} moved; the body follows to {:.1f} mm, the feet stay to {:.1f} mm\n",
                             options.out, index, 1e3 * made->max_drag_error_m, 1e3 * made->max_pin_error_m);
  if (made->max_drag_error_m > kNoticed_m)
    warn(report,
         fmt::format("the goal is out of reach: {} stays up to {:.3f} m away", options.joint, made->max_drag_error_m));
  if (made->max_pin_error_m > kNoticed_m)
    warn(report, fmt::format("the goal pulls the feet off their places by up to {:.3f} m", made->max_pin_error_m));
  return EditedMotion{std::move(edited), std::move(made->clip)};
}

Result<Report> decompose_joint(const DecomposeOptions& options, ChosenClip& opened) {
  const Clip& clip = opened.clip();
  const auto joint = resolve_joint(clip.skeleton(), opened.motion.body_map, options.joint);
  if (!joint) return std::unexpected(joint.error());
  const bool rotation = options.kind == "rotation";
  submovement::DecomposeParams params;
  params.solver = options.solver == "fast" ? submovement::Solver::fast : submovement::Solver::cma_es;
  params.count = options.count;
  if (options.max_error) {
    if (rotation)
      params.max_error_rad = *options.max_error / kDegrees;
    else
      params.max_error_m = *options.max_error;
  }

  std::vector<Vec3d> points;
  std::vector<Quatd> turns;
  Pose pose;
  WorldPose world;
  for (int i = 0; i < clip.frame_count(); ++i) {
    clip.get_frame(i, pose);
    if (options.space == "parent") {
      points.push_back(clip.translation(i, *joint).cast<double>());
      turns.push_back(clip.rotation(i, *joint).cast<double>());
      continue;
    }
    forward_kinematics(clip.skeleton(), pose, world);
    points.push_back(world.positions[static_cast<std::size_t>(*joint)]);
    turns.push_back(world.rotations[static_cast<std::size_t>(*joint)]);
  }

  nlohmann::ordered_json list = nlohmann::ordered_json::array(), start;
  std::string rows;
  demo::SubmovementPlot plot{.unit = rotation ? "deg" : "m", .frame_time_s = clip.frame_time_s()};
  double rmse = 0.0, worst = 0.0, noise = 0.0;
  long evaluations = 0;
  submovement::PositionModel position_model;
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0.0;
  if (rotation) {
    const auto found = submovement::decompose_rotations(turns, clip.frame_time_s(), params);
    if (!found) return fail(found.error().code, "{}: {}", options.file, found.error().message);
    seconds = seconds_since(begin);
    rmse = found->rms_rad * kDegrees, worst = found->max_error_rad * kDegrees, noise = found->noise_rad * kDegrees;
    evaluations = found->evaluations;
    const Quatd& first = found->model.start;
    start = {first.x(), first.y(), first.z(), first.w()};
    for (const auto& s : found->model.submovements) {
      const Vec3d degrees = s.rotation_rad * kDegrees;
      plot.labels.push_back(label_of(list.size(), degrees, "deg"));
      rows += table_row(list.size(), s.t0_s, s.tf_s, degrees);
      list.push_back({{"t0", s.t0_s}, {"tf", s.tf_s}, {"rotation_deg", vector_json(degrees)}});
      plot.submovements.push_back({s.t0_s, s.tf_s});
    }
    const auto made = submovement::sample_rotations(found->model, clip.frame_count(), clip.frame_time_s());
    for (std::size_t i = 0; i < made.size(); ++i) {
      plot.original.push_back(kDegrees * submovement::log_rotation(turns[0].conjugate() * turns[i]));
      plot.model.push_back(kDegrees * submovement::log_rotation(turns[0].conjugate() * made[i]));
    }
  } else {
    const auto found = submovement::decompose_positions(points, clip.frame_time_s(), params);
    if (!found) return fail(found.error().code, "{}: {}", options.file, found.error().message);
    seconds = seconds_since(begin);
    rmse = found->rms_m, worst = found->max_error_m, noise = found->noise_m;
    evaluations = found->evaluations;
    position_model = found->model;
    start = vector_json(found->model.start_m);
    for (std::size_t k = 0; k < found->model.submovements.size(); ++k) {
      const auto& s = found->model.submovements[k];
      rows += table_row(k, s.t0_s, s.tf_s, s.displacement_m);
      list.push_back({{"t0", s.t0_s},
                      {"tf", s.tf_s},
                      {"displacement", vector_json(s.displacement_m)},
                      {"goal", vector_json(goal_m(found->model, k))}});
      plot.submovements.push_back({s.t0_s, s.tf_s});
      plot.labels.push_back(label_of(k, s.displacement_m, "m"));
    }
    plot.original = points;
    plot.model = submovement::sample_positions(found->model, clip.frame_count(), clip.frame_time_s());
  }
  const std::string& name = clip.skeleton().name(*joint);
  Report report;
  report.json = {{"joint", name},
                 {"kind", options.kind},
                 {"space", options.space},
                 {"start", start},
                 {"submovements", list},
                 {"rmse", rmse},
                 {"max_error", worst},
                 {"noise", noise},
                 {"seconds", seconds},
                 {"solver", options.solver},
                 {"evaluations", evaluations},
                 {"warnings", opened.motion.warnings}};
  report.text = fmt::format(
      "{}: {} of {}, {} submovement{}, error {:.4g} {} rms, {:.4g} {} at most, {:.1f} ms\n{}{}", options.file,
      options.kind, name, list.size(), list.size() == 1 ? "" : "s", rmse, plot.unit, worst, plot.unit, 1e3 * seconds,
      fmt::format("    k     t0 (s)   tf (s)   {} x, y, z ({})\n", rotation ? "rotation" : "displacement", plot.unit),
      rows);
  warn_of_missed_bound(report, rmse, rotation ? params.max_error_rad * kDegrees : params.max_error_m,
                       plot.unit.c_str());
  plot.title = fmt::format("{} of {}: {} submovement{}, {:.3g} {} rms", options.kind, name, list.size(),
                           list.size() == 1 ? "" : "s", rmse, plot.unit);
  if (!options.move_goal.empty()) {
    auto edited = edited_motion(options, opened, *joint, position_model, report);
    if (!edited) return std::unexpected(edited.error());
    plot.title += fmt::format("; goal {} moved", options.move_goal[0]);
    plot.edited = submovement::sample_positions(edited->model, clip.frame_count(), clip.frame_time_s());
    io::MotionFile motion = opened.motion;
    motion.clips = {std::move(edited->clip)};
    if (const auto ok = io::write_motion(options.out, motion); !ok) return std::unexpected(ok.error());
  }
  if (!options.picture.empty()) {
    const auto drawn = demo::draw_submovements(plot);
    if (!drawn) return std::unexpected(drawn.error());
    if (const auto ok = write_picture(options.picture, *drawn); !ok) return std::unexpected(ok.error());
  }
  return report;
}

Result<Report> decompose_all(const DecomposeOptions& options, const ChosenClip& opened) {
  const Clip& clip = opened.clip();
  submovement::BodyParams params;
  if (options.max_error) params.channel.max_error_m = *options.max_error;
  if (options.max_error_deg) params.channel.max_error_rad = *options.max_error_deg / kDegrees;
  if (options.shared_timings) params.groups = submovement::limb_groups(clip.skeleton(), opened.motion.body_map);
  const auto begin = std::chrono::steady_clock::now();
  const auto made = submovement::decompose_body(clip, params);
  if (!made) return fail(made.error().code, "{}: {}", options.file, made.error().message);
  const double seconds = seconds_since(begin);
  const std::string bytes = submovement::encode(made->body);
  if (const auto ok = io::write_file_atomically(options.out, bytes); !ok) return std::unexpected(ok.error());

  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const auto add = [&](JointIndex joint, const char* kind, double t0, double tf, const char* key, const Vec3d& move) {
    list.push_back(
        {{"joint", clip.skeleton().name(joint)}, {"kind", kind}, {"t0", t0}, {"tf", tf}, {key, vector_json(move)}});
  };
  for (std::size_t k = 0; k < made->body.translated.size(); ++k)
    for (const auto& s : made->body.translations[k].submovements)
      add(made->body.translated[k], "position", s.t0_s, s.tf_s, "displacement", s.displacement_m);
  for (JointIndex j = 0; j < clip.joint_count(); ++j)
    for (const auto& s : made->body.rotations[static_cast<std::size_t>(j)].submovements)
      add(j, "rotation", s.t0_s, s.tf_s, "rotation_deg", s.rotation_rad * kDegrees);
  Report report;
  report.json = {{"submovements", list},
                 {"rmse", made->position_rms_m},
                 {"max_error", made->position_max_m},
                 {"worst_rotation_rms_deg", made->worst_rotation_rms_rad * kDegrees},
                 {"worst_joint", clip.skeleton().name(std::max(made->worst_rotation, 0))},
                 {"bytes", bytes.size()},
                 {"sample_bytes", clip.sample_bytes()},
                 {"seconds", seconds},
                 {"solver", "fast"},
                 {"evaluations", made->evaluations},
                 {"warnings", opened.motion.warnings}};
  warn_of_missed_bound(report, made->worst_rotation_rms_rad * kDegrees, params.channel.max_error_rad * kDegrees, "deg");
  report.text = fmt::format(
      "{}: {} submovements, {} bytes (samples: {}), joints within {:.1f} mm rms, {:.1f} mm at most, {:.0f} ms for "
      "{:.1f} s\n",
      options.out, list.size(), bytes.size(), clip.sample_bytes(), 1e3 * made->position_rms_m,
      1e3 * made->position_max_m, 1e3 * seconds, clip.duration_s());
  return report;
}

Result<Report> decompose(const DecomposeOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  auto report = options.all ? decompose_all(options, *opened) : decompose_joint(options, *opened);
  if (!report) return report;
  for (const auto& warning : report->json["warnings"])
    report->text += fmt::format("warning: {}\n", warning.get<std::string>());
  return report;
}

// Options that would have no effect are a slip, and so is a submovement file that is called a motion.
void check_usage(const CLI::App& verb, const DecomposeOptions& options) {
  const auto wrong = [](const std::string& what) { throw CLI::ValidationError("decompose", what); };
  const auto refuse = [&](std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names) {
      if (verb.count(name) > 0) wrong(fmt::format("{} {}", name, why));
    }
  };
  if (options.all == !options.joint.empty()) wrong("give either --joint or --all");
  if (options.all) {
    if (options.out.empty()) wrong("--all needs -o FILE");
    if (options.solver != "fast") wrong("--all needs --solver fast");
    refuse({"--kind", "--space", "--count", "--move-goal", "--picture"}, "is for a single --joint");
    for (const char* other : {".bvh", ".glb", ".gltf", ".vrma", ".fbx", ".amc", ".asf", ".csv", ".png", ".svg"}) {
      if (options.out.ends_with(other))
        wrong(fmt::format("-o {}: would be a submovement file, expected another ending than {}", options.out, other));
    }
    return;
  }
  refuse({"--shared-timings", "--max-error-deg"}, "is for --all");
  if (options.solver == "fast") refuse({"--count"}, "is for --solver cma_es");
  if (options.out.empty() != options.move_goal.empty()) wrong("--move-goal and -o OUT go together");
  if (!options.move_goal.empty() && (options.kind != "position" || options.space != "world"))
    wrong("--move-goal moves a position in the world");
}

}  // namespace

void add_decompose(CLI::App& app, Job& job) {
  auto options = std::make_shared<DecomposeOptions>();
  CLI::App* verb = app.add_subcommand("decompose", "Split a motion into minimum-jerk submovements and their goals");
  verb->add_option("clip_file", options->file, "Motion to split")->required();
  verb->add_option("--joint", options->joint, "Joint or body role");
  verb->add_option("--kind", options->kind, "position or rotation")->check(CLI::IsMember({"position", "rotation"}));
  verb->add_option("--space", options->space, "world or parent")->check(CLI::IsMember({"world", "parent"}));
  verb->add_option("--solver", options->solver, "fast, or the reference cma_es")
      ->check(CLI::IsMember({"fast", "cma_es"}));
  verb->add_option("--max-error", options->max_error, "Allowed root mean square: metres; degrees with --kind rotation")
      ->check(positive_number());
  verb->add_option("--max-error-deg", options->max_error_deg, "With --all: of every joint's rotation (1)")
      ->check(positive_number());
  verb->add_option("--count", options->count, "cma_es: number of submovements (0: until within the error)")
      ->check(CLI::Range(0, 12));
  verb->add_flag("--all", options->all, "Every joint and the root, into the file -o");
  verb->add_flag("--shared-timings", options->shared_timings, "With --all: one set of timings for each limb");
  verb->add_option("--move-goal", options->move_goal,
                   "K,X,Y,Z: move the goal of submovement K; the body follows, written to -o")
      ->delimiter(',')
      ->expected(4);
  verb->add_option("--picture", options->picture, "Curves and submovements as .png or .svg")->check(picture_file());
  verb->add_option("-o,--output", options->out, "With --all: submovement file; with --move-goal: motion");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa decompose drink.bvh --joint right_hand --picture hand.png\n"
      "  shosa decompose drink.bvh --all -o drink.submove");
  verb->callback([options, verb, &job] {
    check_usage(*verb, *options);
    job = [options] { return decompose(*options); };
  });
}

}  // namespace shosa::cli
