#include "feet/feet_window.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shosa/body/two_bones.h"

namespace shosa::feet {

namespace {

void reserve(FootMotion& foot, std::size_t count) {
  for (auto* path : {&foot.hip_m, &foot.ankle_m, &foot.ball_m, &foot.heel_m}) path->reserve(count);
  for (auto* list : {&foot.thigh_m, &foot.shank_m, &foot.knee_rad}) list->reserve(count);
  foot.rotation.reserve(count);
}

void clear(FootMotion& foot) {
  for (auto* path : {&foot.hip_m, &foot.ankle_m, &foot.ball_m, &foot.heel_m}) path->clear();
  for (auto* list : {&foot.thigh_m, &foot.shank_m, &foot.knee_rad}) list->clear();
  foot.rotation.clear();
}

int knots_of(const FollowerParams& params) {
  return FeetPlan::kBefore + 1 + (params.most_samples - 1) / params.knot_samples;
}

// Third differences reach over this many knots more.
constexpr int kKnotsCoupled = 3;

}  // namespace

FeetWindow::Room::Room(std::shared_ptr<const FollowedBody> of)
    : body(std::move(of)),
      scales(scaled(body->params.scales, body->scale)),
      plan(*body),
      matrix(knots_of(body->params) * plan.per_frame(), (kKnotsCoupled + 1) * plan.per_frame()),
      factor(knots_of(body->params) * plan.per_frame(), (kKnotsCoupled + 1) * plan.per_frame()) {
  const auto knots_count = static_cast<std::size_t>(knots_of(body->params));
  const auto unknowns = static_cast<Eigen::Index>(knots_count) * plan.per_frame();
  for (const FollowedBody::Leg& leg : body->legs) {
    FootMotion foot;
    foot.bones = leg.changed.bones;
    foot.has_ball = leg.has_ball, foot.has_heel = leg.has_heel;
    foot.straightest_rad = leg.straightest_rad, foot.most_overstretched_rad = leg.most_overstretched_rad;
    motion.push_back(foot), knots.push_back(foot);
    reserve(motion.back(), static_cast<std::size_t>(body->params.most_samples));
    reserve(knots.back(), knots_count);
    ground_m.emplace_back(knots_count);
    heel_place_m.emplace_back(knots_count);
  }
  stances.resize(body->legs.size());
  stance_count.assign(body->legs.size(), 0);
  for (Eigen::VectorXd* vector : {&x, &trial, &step, &own, &gradient}) vector->resize(unknowns);
  variable.resize(static_cast<std::size_t>(unknowns));
  last.reserve(static_cast<std::size_t>(unknowns));
}

FeetWindow::FeetWindow(std::shared_ptr<const FollowedBody> body) : room_(std::make_unique<Room>(std::move(body))) {}
FeetWindow::~FeetWindow() = default;
FeetWindow::FeetWindow(FeetWindow&&) noexcept = default;
FeetWindow& FeetWindow::operator=(FeetWindow&&) noexcept = default;

void FeetWindow::clear() {
  room_->samples = 0;
  for (FootMotion& foot : room_->motion) feet::clear(foot);
  std::fill(room_->stance_count.begin(), room_->stance_count.end(), 0);
}

bool FeetWindow::is_full() const {
  return room_->samples >= room_->body->params.most_samples;
}

int FeetWindow::sample_count() const {
  return room_->samples;
}

void FeetWindow::add(const WorldPose& world) {
  if (is_full()) return;
  ++room_->samples;
  const Skeleton& skeleton = *room_->body->skeleton;
  for (std::size_t i = 0; i < room_->motion.size(); ++i) {
    const FollowedBody::Leg& leg = room_->body->legs[i];
    const body::TwoBones& bones = leg.changed.bones;
    FootMotion& foot = room_->motion[i];
    const Vec3d &hip = world.positions[bones.hip], &knee = world.positions[bones.knee],
                &ankle = world.positions[bones.ankle];
    foot.hip_m.push_back(hip);
    foot.ankle_m.push_back(ankle);
    foot.ball_m.push_back(leg.ball_m(skeleton, world));
    foot.rotation.push_back(world.rotations[bones.ankle]);
    foot.heel_m.push_back(ankle + foot.rotation.back() * leg.heel_in_foot_m);
    foot.thigh_m.push_back(std::max((knee - hip).norm(), 1e-6));
    foot.shank_m.push_back(std::max((ankle - knee).norm(), 1e-6));
    const double flexion =
        body::signed_flexion_rad(knee - hip, ankle - knee, world.rotations[bones.knee] * bones.flexion_axis);
    const double bend = body::knee_angle((ankle - hip).norm(), foot.thigh_m.back(), foot.shank_m.back()).rad;
    foot.knee_rad.push_back(flexion < -body::kOtherSide_rad ? -bend : bend);
  }
}

void FeetWindow::stand(int foot, const Stance& stance) {
  const auto i = static_cast<std::size_t>(foot);
  if (room_->stance_count[i] == FeetPlan::kMostStances) return;
  room_->stances[i][room_->stance_count[i]++] = stance;
}

const Vec3d& FeetWindow::ball_m(int foot, int sample) const {
  return room_->motion[foot].ball_m[sample];
}

const Quatd& FeetWindow::rotation(int foot, int sample) const {
  return room_->motion[foot].rotation[sample];
}

void FeetWindow::Room::fill(const FeetPlan& before) {
  fill_motion();
  fill_unknowns(before);
}

void FeetWindow::Room::fill_motion() {
  const int count = plan.knot_count();
  for (std::size_t i = 0; i < knots.size(); ++i) {
    FootMotion& foot = knots[i];
    const FootMotion& from = motion[i];
    feet::clear(foot);
    ground_m[i].assign(static_cast<std::size_t>(count), -std::numeric_limits<double>::infinity());
    heel_place_m[i].assign(static_cast<std::size_t>(count), std::nullopt);
    for (int k = 0; k < count; ++k) {
      // Before the window the motion goes on backwards: only what the change does there counts.
      const int sample = plan.sample_of(k);
      const auto at = static_cast<std::size_t>(std::max(sample, 0)),
                 next = static_cast<std::size_t>(std::min(1, samples - 1));
      const double back = std::min(sample, 0);
      const auto place = [&](const std::vector<Vec3d>& path) {
        return Vec3d(path[at] + back * (path[next] - path[0]));
      };
      foot.hip_m.push_back(place(from.hip_m));
      foot.ankle_m.push_back(place(from.ankle_m));
      foot.ball_m.push_back(place(from.ball_m));
      foot.heel_m.push_back(place(from.heel_m));
      foot.rotation.push_back(from.rotation[at]);
      foot.thigh_m.push_back(from.thigh_m[at]);
      foot.shank_m.push_back(from.shank_m[at]);
      const double bend =
          body::knee_angle((foot.ankle_m.back() - foot.hip_m.back()).norm(), from.thigh_m[at], from.shank_m[at]).rad;
      foot.knee_rad.push_back(from.knee_rad[at] < 0.0 ? -bend : bend);
      for (int s = 0; s < stance_count[i] && sample > 0; ++s) {
        const Stance& stance = stances[i][s];
        if (foot.has_heel && stance.heel_m && sample >= stance.first && sample <= stance.last) {
          heel_place_m[i][k] = stance.heel_m;
        }
      }
    }
  }
}

void FeetWindow::Room::fill_unknowns(const FeetPlan& before) {
  const int per_frame = plan.per_frame(), count = plan.knot_count();
  std::fill(variable.begin(), variable.begin() + static_cast<std::ptrdiff_t>(count) * per_frame, -1);
  x.setZero();
  for (const FeetPlan::Group& group : plan.groups()) {
    const std::size_t g = static_cast<std::size_t>(&group - plan.groups().data());
    for (int k = 0; k < count; ++k) {
      const int sample = plan.sample_of(k);
      const FeetPlan::Given* given = plan.given_at(group, sample);
      const bool free = sample > 0 && plan.is_free(group, k);
      Vec3d asked = Vec3d::Zero();
      if (given && sample > 0) {
        const auto at = static_cast<std::size_t>(sample), foot = static_cast<std::size_t>(group.foot);
        asked = FeetPlan::asked(group, *given, motion[foot].ball_m[at], motion[foot].rotation[at]);
      }
      const double time_s = plan.begin_s() + sample * body->params.step_s;
      const bool was_swinging =
          free && before.covers(time_s) && !before.given_at(before.groups()[g], before.sample_at(time_s));
      for (int axis = 0; axis < 3; ++axis) {
        if (!group.has[axis]) continue;
        const int unknown = k * per_frame + group.unknown + axis;
        if (sample <= 0) {
          const Rates& held = plan.held(group.unknown + axis);
          const double t = sample * body->params.step_s;
          x[unknown] = held.x + t * (held.v + 0.5 * t * held.a);
        } else if (given) {
          x[unknown] = asked[axis];
        } else {
          x[unknown] = was_swinging ? before.swung(before.groups()[g], axis, before.sample_at(time_s)).x
                                    : plan.base(group, axis, k);
          if (free) variable[unknown] = 0;
        }
      }
    }
  }
  int variables = 0;
  for (int i = 0; i < count * per_frame; ++i) {
    int& number = variable[i];
    if (number == 0) number = variables++;
  }
  // A column reaches the last variable three knots on.
  last.assign(static_cast<std::size_t>(variables), 0);
  int reached = -1, knot_reached = -1;
  for (int k = 0; k < count; ++k) {
    for (; knot_reached < std::min(k + kKnotsCoupled, count - 1); ++knot_reached) {
      for (int i = (knot_reached + 1) * per_frame; i < (knot_reached + 2) * per_frame; ++i) {
        reached = std::max(reached, variable[i]);
      }
    }
    for (int i = k * per_frame; i < (k + 1) * per_frame; ++i) {
      const int number = variable[i];
      if (number < 0) continue;
      last[number] = reached;
      const int place = i % per_frame;
      const double scale = place < 3             ? body->params.scales.root_m * body->scale
                           : (place - 3) % 6 < 3 ? scales.swing_m
                                                 : scales.turn_rad;
      own[number] = plan.knot_s() / (scale * scale);
    }
  }
  matrix.reset(last);
}

}  // namespace shosa::feet
