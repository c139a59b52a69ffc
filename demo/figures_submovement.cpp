// Figures 1 to 3 of seed 003: a hand brought beside the face as a sum of minimum-jerk submovements.

#include <Eigen/Cholesky>
#include <cmath>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "demo/submovement_tools.h"
#include "shosa/core/angles.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"
#include "shosa/draw/plot.h"
#include "shosa/solve/levenberg_marquardt.h"
#include "shosa/submovement/decompose.h"
#include "shosa/submovement/edit.h"

namespace shosa::demo {

namespace {

/// The hand's way up: from attention to beside the face, without the way back.
Result<FigureClip> raised_hand(const Cast& cast, const Workshop& shop, Figure& figure, const std::string& name) {
  const auto source = cast.find("raise_hand");
  if (!source) return std::unexpected(source.error());
  const FigureClip whole{"", "", (*source)->clip(), (*source)->body_map()};
  const auto path = role_path(whole, kHand).places;
  std::size_t top = 0;
  for (std::size_t f = 0; f < path.size(); ++f) {
    if (path[f].y() > path[top].y()) top = f;
  }
  const auto up = cut((*source)->clip(), 0.0, static_cast<double>(top) * (*source)->clip().frame_time_s());
  if (!up) return std::unexpected(up.error());
  return shop.add_clip(figure, name, fmt::format("{}, up to the top", (*source)->from), *up, (*source)->body_map());
}

}  // namespace

Result<Figure> hand_position_figure(const Cast& cast, const Workshop& shop) {
  Figure figure;
  const auto shown = raised_hand(cast, shop, figure, "003-fig-1");
  if (!shown) return std::unexpected(shown.error());
  const auto path = role_path(*shown, kHand).places;
  const double dt = shown->clip.frame_time_s();
  const auto ours = submovement::decompose_positions(path, dt);
  if (!ours) return std::unexpected(ours.error());
  const auto count = ours->model.submovements.size();
  const auto seeds = submovement::decompose_positions(
      path, dt, {.solver = submovement::Solver::cma_es, .count = static_cast<int>(count), .max_evaluations = 20000});
  if (!seeds) return std::unexpected(seeds.error());

  // A goal higher and further out: the motion follows, all else stays.
  submovement::PositionModel edited = ours->model;
  const Vec3d further(-0.1, 0.08, 0.05);
  const Vec3d goal = submovement::goal_m(edited, count - 1) + further;
  if (const auto moved = submovement::move_goal(edited, count - 1, goal); !moved) return std::unexpected(moved.error());
  const auto led = lead_hand(shown->clip, shown->body_map, kHand, ours->model, edited);
  if (!led) return std::unexpected(led.error());
  const auto reach = shop.add_clip(figure, "003-fig-1-edited", "The last goal moved by 14 cm", *led, shown->body_map);
  if (!reach) return std::unexpected(reach.error());

  figure.text = fmt::format(
      "The hand's way from attention to beside the face is {} minimum-jerk submovements. The seed's method (CMA-ES) "
      "fits {:.1f} mm with {} evaluations, ours {:.1f} mm with {}.",
      count, 1e3 * position_misfit_m(path, dt, seeds->model), seeds->evaluations,
      1e3 * position_misfit_m(path, dt, ours->model), ours->evaluations);
  const double misfit = position_misfit_m(path, dt, ours->model);
  at_most(figure, "misfit of the submovements", misfit, 0.005, "m");
  at_most(figure, "submovements", static_cast<double>(count), cast.captured ? 10.0 : 3.0, "");
  at_least(figure, "submovements", static_cast<double>(count), 2.0, "");
  at_most(figure, "misfit against the seed's method", misfit, position_misfit_m(path, dt, seeds->model) + 1e-4, "m");
  const Vec3d moved = place_at(*reach, kHand, 1e9) - place_at(*shown, kHand, 1e9);
  at_most(figure, "hand at the end against the goal's move", (moved - further).norm(), 0.005, "m");
  const body::Role feet[] = {body::Role::left_foot, body::Role::right_foot};
  at_most(figure, "feet moved by the edit", largest_distance_m(*shown, *reach, feet), 0.001, "m");
  const auto plot = draw::draw_submovements(position_plot(path, dt, ours->model));
  if (!plot) return std::unexpected(plot.error());
  if (const auto added = shop.add_picture(figure, "003-fig-1", "Hand position per axis, original and model", *plot);
      !added)
    return std::unexpected(added.error());
  const auto strip = add_strip(shop, figure, "003-fig-1-edited", "The edited goal; faint, as it was", *reach,
                               {.views = {draw::ViewName::front},
                                .layout = draw::StripLayout::cells,
                                .count = 6,
                                .ghost = {.clip = &shown->clip, .body_map = &shown->body_map}});
  if (!strip) return std::unexpected(strip.error());
  return figure;
}

Result<Figure> hand_rotation_figure(const Cast& cast, const Workshop& shop) {
  Figure figure;
  const auto shown = raised_hand(cast, shop, figure, "003-fig-2");
  if (!shown) return std::unexpected(shown.error());
  const auto turns = role_path(*shown, kHand).turns;
  const double dt = shown->clip.frame_time_s();
  const auto ours = submovement::decompose_rotations(turns, dt);
  if (!ours) return std::unexpected(ours.error());
  const auto count = ours->model.submovements.size();
  figure.text = fmt::format("The turning of the same hand is {} submovements, each about an axis of its own.", count);
  at_most(figure, "misfit of the submovements", kDegPerRad * rotation_misfit_rad(turns, dt, ours->model), 2.0, "deg");
  at_most(figure, "submovements", static_cast<double>(count), cast.captured ? 10.0 : 3.0, "");
  at_least(figure, "submovements", static_cast<double>(count), 2.0, "");
  const auto plot = draw::draw_submovements(rotation_plot(turns, dt, ours->model));
  if (!plot) return std::unexpected(plot.error());
  if (const auto added =
          shop.add_picture(figure, "003-fig-2", "Hand rotation as a rotation vector, original and model", *plot);
      !added)
    return std::unexpected(added.error());
  return figure;
}

namespace {

/// Rotation vectors for given timings by least squares: the seed's second stage.
class GivenTimings {
 public:
  GivenTimings(const std::vector<Quatd>& turns, double dt, submovement::RotationModel model)
      : turns_(turns), dt_(dt), model_(std::move(model)) {}

  double evaluate(const Eigen::VectorXd& x, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr) {
    const Eigen::VectorXd error = errors(x);
    Eigen::MatrixXd jacobian(error.size(), x.size());
    constexpr double kStep = 1e-6;
    for (Eigen::Index c = 0; c < x.size(); ++c) {
      Eigen::VectorXd moved = x;
      moved(c) += kStep;
      jacobian.col(c) = (errors(moved) - error) / kStep;
    }
    jtj = jacobian.transpose() * jacobian;
    jtr = jacobian.transpose() * error;
    return 0.5 * error.squaredNorm();
  }
  void project(Eigen::VectorXd&) const {}

  submovement::RotationModel with(const Eigen::VectorXd& x) const {
    submovement::RotationModel model = model_;
    for (std::size_t k = 0; k < model.submovements.size(); ++k)
      model.submovements[k].rotation_rad = x.segment<3>(static_cast<Eigen::Index>(3 * k));
    return model;
  }

 private:
  Eigen::VectorXd errors(const Eigen::VectorXd& x) const {
    const auto made = submovement::sample_rotations(with(x), static_cast<int>(turns_.size()), dt_);
    Eigen::VectorXd error(static_cast<Eigen::Index>(3 * turns_.size()));
    for (std::size_t i = 0; i < turns_.size(); ++i)
      error.segment<3>(static_cast<Eigen::Index>(3 * i)) = log_rotation(turns_[i].conjugate() * made[i]);
    return error;
  }

  const std::vector<Quatd>& turns_;
  double dt_;
  submovement::RotationModel model_;
};

}  // namespace

Result<Figure> timing_figure(const Cast& cast, const Workshop& shop) {
  const auto stand = cast.find("idle");
  if (!stand) return std::unexpected(stand.error());
  // A hand that turns about three axes, each at its own time: together they give one even swell of angular speed.
  const submovement::RotationModel truth{
      .start = Quatd::Identity(),
      .submovements = {{0.2, 1.1, {1.0, 0.0, 0.0}}, {0.55, 1.45, {0.0, 0.9, 0.0}}, {0.9, 1.8, {0.0, 0.0, -1.0}}}};
  const body::BodyMap& map = (*stand)->body_map();
  Clip clip((*stand)->clip().skeleton_ptr(), 121, 1.0 / 60.0, (*stand)->clip().translated());
  const JointIndex hand = map.joint(kHand);
  for (int f = 0; f < clip.frame_count(); ++f) {
    Pose pose = (*stand)->clip().frame(0);
    const Quatd turn = submovement::rotation_at(truth, f * clip.frame_time_s());
    pose.set_rotation(hand, pose.rotation(hand) * turn.cast<float>());
    clip.set_frame(f, pose);
  }
  Figure figure;
  const auto shown = shop.add_clip(figure, "003-fig-3", "A hand that turns about three axes in turn", clip, map);
  if (!shown) return std::unexpected(shown.error());
  const auto turns = role_path(*shown, kHand).turns;
  const double dt = shown->clip.frame_time_s();

  // The seed's try: timings from the angular speed, which is all one number, then rotation vectors for these timings.
  std::vector<Vec3d> angle(turns.size(), Vec3d::Zero());
  for (std::size_t i = 1; i < turns.size(); ++i)
    angle[i].x() = angle[i - 1].x() + turns[i - 1].angularDistance(turns[i]);
  const auto timing = submovement::decompose_positions(angle, dt, {.max_error_m = 0.02});
  if (!timing) return std::unexpected(timing.error());
  submovement::RotationModel guess{turns[0], {}};
  for (const auto& s : timing->model.submovements) guess.submovements.push_back({s.t0_s, s.tf_s, Vec3d::Zero()});
  GivenTimings problem(turns, dt, guess);
  const auto unknowns = static_cast<Eigen::Index>(3 * guess.submovements.size());
  Eigen::VectorXd x = Eigen::VectorXd::Constant(unknowns, 0.05), jtr(unknowns);
  Eigen::MatrixXd jtj(unknowns, unknowns);
  solve::levenberg_marquardt(problem, x, jtj, jtr);
  const auto from_speed = problem.with(x);
  const auto ours = submovement::decompose_rotations(turns, dt);
  if (!ours) return std::unexpected(ours.error());

  const double speed_deg = kDegPerRad * rotation_misfit_rad(turns, dt, from_speed);
  const double ours_deg = kDegPerRad * rotation_misfit_rad(turns, dt, ours->model);
  figure.text = fmt::format(
      "Timings read from the angular speed fit that speed, but not the rotation: {:.1f} degrees off with {} "
      "submovements. Found from the rotation itself, {} submovements are {:.2f} degrees off.",
      speed_deg, from_speed.submovements.size(), ours->model.submovements.size(), ours_deg);
  const double span = angle.back().x();
  at_most(figure, "angular speed: misfit of its integral, share of the whole turn",
          position_misfit_m(angle, dt, timing->model) / span, 0.02, "");
  at_least(figure, "rotation with these timings, misfit", speed_deg, 4.0, "deg");
  at_most(figure, "rotation by ours, misfit", ours_deg, 2.0, "deg");
  at_least(figure, "misfit with timings from the speed against ours", speed_deg / std::max(ours_deg, 1e-6), 3.0,
           "times");

  draw::Panel speed{.title = "angular speed", .unit = "deg/s", .series = {}};
  draw::Series measured{.name = "measured", .times_s = {}, .values = {}},
      fitted{.name = "timings' fit", .times_s = {}, .values = {}, .colour = {}, .dashed = true};
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const double t = static_cast<double>(i) * dt;
    double before = 0.0, after = 0.0;
    for (const auto& s : timing->model.submovements) {
      before += s.displacement_m.x() * minimum_jerk_step(s.t0_s, s.tf_s, t - dt);
      after += s.displacement_m.x() * minimum_jerk_step(s.t0_s, s.tf_s, t);
    }
    measured.times_s.push_back(t);
    measured.values.push_back(kDegPerRad * (angle[i].x() - angle[i - 1].x()) / dt);
    fitted.times_s.push_back(t);
    fitted.values.push_back(kDegPerRad * (after - before) / dt);
  }
  speed.series = {measured, fitted};
  const auto left = draw::draw_plot({.panels = {speed}, .left_px = 108.0});
  auto bad_plot = rotation_plot(turns, dt, from_speed), good_plot = rotation_plot(turns, dt, ours->model);
  bad_plot.title = "timings from the angular speed";
  good_plot.title = "ours";
  const auto bad = draw::draw_submovements(bad_plot), good = draw::draw_submovements(good_plot);
  if (!left || !bad || !good) return fail(ErrorCode::not_possible, "the curves cannot be drawn");
  const draw::Canvas sheets[] = {left->canvas, *bad, *good};
  if (const auto added =
          shop.add_picture(figure, "003-fig-3", "Angular speed; rotation with timings from it; rotation by ours",
                           draw::stacked(sheets, 10.0));
      !added)
    return std::unexpected(added.error());
  return figure;
}

}  // namespace shosa::demo
