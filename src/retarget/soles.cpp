#include "retarget/soles.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "shosa/analysis/intervals.h"

namespace shosa::retarget {
namespace {

// A wrist over the floor on which the hand stands, for a leg of 0.85 m.
constexpr double kMaxWrist_m = 0.18;

Vec3d point_of(const Skeleton& skeleton, const WorldPose& pose, int point) {
  if (point < skeleton.joint_count()) return pose.positions[point];
  return pose.end_site(skeleton.end_sites()[point - skeleton.joint_count()]);
}

// Contacts of a foot with heel and toe on one that has only one of the two, or the other way round.
void fit_points(analysis::FootContactTrack& track, bool source_has_heel, bool source_has_toe) {
  const bool has_heel = track.points.heel >= 0, has_toe = track.points.toe >= 0;
  if (source_has_heel && source_has_toe && has_heel && !has_toe) {
    // The ankle is still only while the foot is flat.
    track.heel = analysis::interval_intersection(track.heel, track.toe);
  } else {
    if (has_heel && !source_has_heel) track.heel = track.toe;
    if (has_toe && !source_has_toe) track.toe = track.heel;
  }
  if (!has_heel) {
    if (source_has_heel) track.toe = track.joined;
    track.heel.clear();
  }
  if (!has_toe) track.toe.clear();
}

}  // namespace

std::vector<Sole> find_soles(const Skeleton& skeleton, const Reference& reference,
                             const std::vector<body::FootPoints>& feet, const analysis::StudiedClip* motion) {
  std::vector<Sole> soles;
  for (const body::FootPoints& foot : feet) {
    Sole sole;
    const auto track = motion == nullptr ? nullptr : motion->contacts().find(foot.name);
    if (!reference.standing && track != nullptr && !track->stances.empty()) {
      sole = {track->heel_rest_m, track->toe_rest_m, motion->contacts().ground_m};
    } else if (reference.standing) {
      double lowest = std::numeric_limits<double>::infinity();
      for (const int point : {foot.heel, foot.toe, foot.tip}) {
        if (point >= 0) lowest = std::min(lowest, point_of(skeleton, reference.pose, point).y());
      }
      if (foot.heel >= 0) sole.heel_m = point_of(skeleton, reference.pose, foot.heel).y() - lowest;
      if (foot.toe >= 0) sole.toe_m = point_of(skeleton, reference.pose, foot.toe).y() - lowest;
      sole.ground_m = lowest;
    } else if (foot.heel >= 0 && foot.toe >= 0) {
      const Vec3d along = point_of(skeleton, reference.pose, foot.toe) - point_of(skeleton, reference.pose, foot.heel);
      sole.heel_m = kFootFall * along.norm();
    }
    soles.push_back(sole);
  }
  return soles;
}

double leg_reach_m(const Skeleton& skeleton, const body::BodyMap& map, const WorldPose& pose) {
  double sum = 0.0;
  int count = 0;
  const auto at = [&](body::Role role) { return pose.positions[map.joint(role)]; };
  for (const body::FootPoints& foot : body::find_foot_points(skeleton, map)) {
    if (foot.kind != body::FootKind::foot) continue;
    const bool left = foot.role == body::Role::left_foot;
    const body::Role upper = left ? body::Role::left_upper_leg : body::Role::right_upper_leg;
    const body::Role lower = left ? body::Role::left_lower_leg : body::Role::right_lower_leg;
    if (!map.has(upper) || !map.has(lower)) continue;
    double length = (at(upper) - at(lower)).norm() + (at(lower) - at(foot.role)).norm();
    if (map.kind == body::BodyKind::quadruped) {
      Vec3d end = at(foot.role);
      for (const int point : {foot.toe, foot.tip}) {
        if (point < 0) continue;
        const Vec3d next = point_of(skeleton, pose, point);
        length += (next - end).norm();
        end = next;
      }
    }
    sum += length;
    ++count;
  }
  return count == 0 ? 0.0 : sum / count;
}

analysis::FootContacts target_contacts(const analysis::FootContacts& source, const std::vector<body::FootPoints>& feet,
                                       const std::vector<Sole>& soles, const Standing& standing, double target_leg_m) {
  analysis::FootContacts out;
  out.ground_m = standing.target_ground_m;
  out.scale = target_leg_m / body::kHumanLegLength_m;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const analysis::FootContactTrack* from = source.find(feet[i].name);
    if (from == nullptr) continue;
    analysis::FootContactTrack track = *from;
    track.points = feet[i];
    fit_points(track, from->points.heel >= 0, from->points.toe >= 0);
    track.heel_rest_m = soles[i].heel_m;
    track.toe_rest_m = soles[i].toe_m;
    for (analysis::FootContact& stance : track.stances)
      stance.ground_m = standing.target_ground_m + standing.scale * (stance.ground_m - standing.source_ground_m);
    out.feet.push_back(std::move(track));
  }
  return out;
}

void add_hand_contacts(const analysis::StudiedClip& source, const WorkBody& body, const Standing& standing,
                       double source_leg_m, analysis::FootContacts& contacts) {
  const auto found = analysis::find_foot_contacts(source.clip(), source.positions(), source.map(), {.hands = true});
  if (!found) return;
  for (body::FootPoints hand : body::find_foot_points(*body.skeleton, body.map, {.hands = true})) {
    if (hand.kind != body::FootKind::hand || hand.limb == kNoJoint) continue;
    const analysis::FootContactTrack* from = found->find(hand.name);
    if (from == nullptr || from->stances.empty()) continue;
    hand.heel = hand.joint;
    hand.toe = hand.tip = -1;
    analysis::FootContactTrack track = *from;
    track.points = hand;
    track.toe.clear();
    track.heel_rest_m = track.toe_rest_m = 0.0;
    // Only what is near the floor; a hand that rests on a table stands on nothing that the target has.
    std::erase_if(track.stances, [&](analysis::FootContact& stance) {
      const double wrist_m = stance.ground_m + from->heel_rest_m - standing.source_ground_m;
      stance.ground_m = standing.target_ground_m + standing.scale * wrist_m;
      return wrist_m > kMaxWrist_m * source_leg_m / body::kHumanLegLength_m;
    });
    track.joined.clear();
    for (const analysis::FootContact& stance : track.stances) track.joined.push_back(stance.time);
    track.heel = track.joined;
    if (!track.stances.empty()) contacts.feet.push_back(std::move(track));
  }
}

}  // namespace shosa::retarget
