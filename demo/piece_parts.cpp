// The parts of the joint piece that are made for it: the graph's, the reach and the dodge.

#include "demo/piece_parts.h"

#include <algorithm>
#include <cmath>

#include "demo/gait_graph.h"
#include "demo/measure.h"
#include "demo/posing_tools.h"
#include "demo/submovement_tools.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/sampling.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/submovement/decompose.h"
#include "shosa/submovement/edit.h"

namespace shosa::demo {

namespace {

constexpr int kRunHurry = 60, kCalm = 30;

}  // namespace

Result<Clip> run_part(const Cast& cast, const RunTimes& times) {
  const auto gaits = make_gait_graph(cast);
  if (!gaits) return std::unexpected(gaits.error());
  const graph::MotionGraph& net = (*gaits)->gaits.graph;
  auto player = graph::Player::create(net, (*gaits)->set, 0);
  if (!player) return std::unexpected(player.error());
  Clip played((*gaits)->set.skeleton, static_cast<int>(60.0 * times.end_s) + 1, 1.0 / 60.0);
  Pose pose;
  for (int f = 0; f < played.frame_count(); ++f) {
    for (const auto& [at_s, to, hurry] :
         {std::tuple{times.run_s, "run_fast", kRunHurry}, std::tuple{times.walk_s, "walk_normal", kCalm},
          std::tuple{times.stand_s, "idle", kCalm}}) {
      if (f != static_cast<int>(std::lround(60.0 * at_s))) continue;
      const auto taken = player->command({.targets = net.nodes_named(to), .hurry = hurry});
      if (!taken) return std::unexpected(taken.error());
    }
    player->step(pose);
    played.set_frame(f, pose);
  }
  raise(played, (*gaits)->raise_m);
  return played;
}

Result<Reach> reach_part(const SourceMotion& raise) {
  const FigureClip whole{"", "", raise.clip(), raise.body_map()};
  const auto path = role_path(whole, kHand).places;
  const double dt = raise.clip().frame_time_s();
  const auto found = submovement::decompose_positions(path, dt);
  if (!found) return std::unexpected(found.error());
  // The submovement whose goal is highest brings the hand beside the face.
  std::size_t top = 0;
  for (std::size_t k = 0; k < found->model.submovements.size(); ++k) {
    if (submovement::goal_m(found->model, k).y() > submovement::goal_m(found->model, top).y()) top = k;
  }
  submovement::PositionModel edited = found->model;
  const Vec3d further(-0.12, 0.08, 0.08);
  if (const auto moved = submovement::move_goal(edited, top, submovement::goal_m(edited, top) + further); !moved)
    return std::unexpected(moved.error());
  auto led = lead_hand(raise.clip(), raise.body_map(), kHand, found->model, edited);
  if (!led) return std::unexpected(led.error());
  // Where the edit moves the hand most.
  Reach reach{std::move(*led)};
  double most = -1.0;
  for (std::size_t f = 0; f < path.size(); ++f) {
    const double t = static_cast<double>(f) * dt;
    const Vec3d by = submovement::position_at(edited, t) - submovement::position_at(found->model, t);
    if (by.norm() <= most) continue;
    most = by.norm();
    reach.time_s = t;
    reach.goal_m = path[f] + by;
  }
  return reach;
}

Result<Clip> with_dodge(const Clip& clip, const body::BodyMap& map, const Dodge& dodge) {
  auto edit = human_edit(clip, map);
  if (!edit) return std::unexpected(edit.error());
  edit->desired_weight = 3.0;
  edit->pins = pins_on(map, kFeet);
  edit->drags = {
      {.joint = map.joint(body::Role::head),
       .keys = {{dodge.t0, Vec3d::Zero()}, {dodge.t1, dodge.by_m}, {dodge.t2, dodge.by_m}, {dodge.t3, Vec3d::Zero()}},
       .relative = true,
       .fade_in_s = 0.3,
       .fade_out_s = 0.3}};
  const double begin_s = dodge.t0 - 0.4, end_s = dodge.t3 + 0.4;
  const auto stretch = cut(clip, begin_s, end_s);
  if (!stretch) return std::unexpected(stretch.error());
  for (posing::DragKey& key : edit->drags[0].keys) key.time_s -= begin_s;
  const auto made = posing::edit_motion(*stretch, *edit);
  if (!made) return std::unexpected(made.error());
  Clip whole = clip;
  const int first = clip.nearest_frame(begin_s);
  // In and out over the first and last tenth of a second, in which nothing is dragged yet.
  const int last = made->clip.frame_count() - 1, fade = 6;
  Pose own, edited;
  for (int f = 0; f <= last; ++f) {
    const double share = std::min({1.0, f / double(fade), (last - f) / double(fade)});
    clip.get_frame(first + f, own);
    made->clip.get_frame(f, edited);
    mix_poses(own, edited, static_cast<float>(cubic_step(share)), edited);
    whole.set_frame(first + f, edited);
  }
  return whole;
}

}  // namespace shosa::demo
