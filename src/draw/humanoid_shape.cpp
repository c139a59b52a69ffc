#include <algorithm>
#include <utility>

#include "draw/shape_builder.h"

namespace shosa::draw {
namespace {

// Radii as parts of stature, for a slender figure whose joints stay visible.
constexpr double kHip = 0.046, kKnee = 0.030, kAnkle = 0.020;
constexpr double kShoulder = 0.030, kElbow = 0.0225, kWrist = 0.0155;
constexpr double kHeel = 0.021, kBall = 0.018, kToe = 0.0145;
constexpr double kNeck = 0.028, kSkull = 0.051, kJaw = 0.040;

struct Arm {
  body::Role shoulder, upper, lower, hand;
};
struct Leg {
  body::Role upper, lower, foot, toes;
};
constexpr Arm kArms[] = {
    {body::Role::left_shoulder, body::Role::left_upper_arm, body::Role::left_lower_arm, body::Role::left_hand},
    {body::Role::right_shoulder, body::Role::right_upper_arm, body::Role::right_lower_arm, body::Role::right_hand}};
constexpr Leg kLegs[] = {
    {body::Role::left_upper_leg, body::Role::left_lower_leg, body::Role::left_foot, body::Role::left_toes},
    {body::Role::right_upper_leg, body::Role::right_lower_leg, body::Role::right_foot, body::Role::right_toes}};

/// Drillis & Contini (1966): thigh 0.245 and shank 0.246 of stature; 0.36 is hips to skull base on the same figure.
double stature_m(const ShapeBuilder& body) {
  double leg_m = 0.0;
  for (const Leg& leg : kLegs) {
    if (body.has_all({leg.upper, leg.lower, leg.foot})) {
      leg_m = std::max(
          leg_m, (body.at(leg.upper) - body.at(leg.lower)).norm() + (body.at(leg.lower) - body.at(leg.foot)).norm());
    }
  }
  if (leg_m > 0.0) {
    return leg_m / 0.491;
  }
  return body.has_all({body::Role::hips, body::Role::head})
             ? body.chain_length_m(body.map().joint(body::Role::hips), body.map().joint(body::Role::head)) / 0.36
             : body.shape.size_m;
}

/// The point of the chain at a part of its length, carried by the joint before it.
Ball along(const ShapeBuilder& body, const std::vector<JointIndex>& chain, double part, double radius_m) {
  double left_m = part * body.chain_length_m(chain.front(), chain.back());
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const Vec3d bone = body.at(chain[i]) - body.at(chain[i - 1]);
    if (left_m <= bone.norm() || i + 1 == chain.size()) {
      const double share = bone.norm() > 0.0 ? std::min(1.0, left_m / bone.norm()) : 0.0;
      return body.at_reference(chain[i - 1], body.at(chain[i - 1]) + share * bone, radius_m);
    }
    left_m -= bone.norm();
  }
  return body.on_joint(chain.front(), radius_m);
}

void add_torso(ShapeBuilder& body, double stature) {
  const body::BodyMap& map = body.map();
  const JointIndex hips = map.joint(body::Role::hips);
  const JointIndex top = map.joint(body.has(body::Role::neck) ? body::Role::neck : body::Role::head);
  const std::vector<JointIndex> spine = body.chain(hips, top);
  if (spine.size() < 2) {
    return;
  }
  // Balls left and right of the spine make waist and chest broader than deep.
  const Vec3d across = (body.at(body::Role::left_upper_leg) - body.at(body::Role::right_upper_leg)).normalized();
  const auto pair_at = [&](double part, double half_m, double radius_m, std::vector<Ball>& balls) {
    const Ball middle = along(body, spine, part, radius_m);
    const Vec3d at = body.at(middle.joint) + body.reference_rotation(middle.joint) * middle.offset_m;
    balls.push_back(body.at_reference(middle.joint, at + half_m * across, radius_m));
    balls.push_back(body.at_reference(middle.joint, at - half_m * across, radius_m));
  };

  std::vector<Ball> pelvis = {along(body, spine, 0.36, 0.054 * stature)};
  pair_at(0.36, 0.022 * stature, 0.054 * stature, pelvis);
  for (const Leg& leg : kLegs) {
    const JointIndex joint = map.joint(leg.upper);
    const Vec3d inwards = 0.10 * (body.at(hips) - body.at(joint));
    pelvis.push_back(body.at_reference(hips, body.at(joint) + inwards, 0.050 * stature));
    body.cover_chain(hips, joint);
  }
  body.add(hips, std::move(pelvis), kTrunk);

  // The shoulders ride on the collar bones, just short of the arms, which then cover them.
  std::vector<Ball> ribs = {along(body, spine, 0.36, 0.054 * stature), along(body, spine, 0.70, 0.062 * stature)};
  pair_at(0.36, 0.022 * stature, 0.054 * stature, ribs);
  const JointIndex carrier = spine[spine.size() - 2];
  const Vec3d middle = 0.5 * (body.at(body::Role::left_upper_arm) + body.at(body::Role::right_upper_arm));
  std::vector<Ball> collar = {body.at_reference(carrier, 0.4 * middle + 0.6 * body.at(top), 0.029 * stature)};
  for (const Arm& arm : kArms) {
    const JointIndex collar_bone = body.skeleton().parent(map.joint(arm.upper));
    const Vec3d shoulder = body.at(arm.upper);
    ribs.push_back(body.at_reference(collar_bone, shoulder + 0.22 * (middle - shoulder), 0.038 * stature));
    collar.push_back(body.at_reference(collar_bone, shoulder + 0.10 * (middle - shoulder), 0.026 * stature));
    body.cover_chain(hips, map.joint(arm.upper));
  }
  body.add(carrier, std::move(collar), kTrunk);
  body.add(carrier, std::move(ribs), kTrunk);
  body.cover_chain(hips, top);
}

void add_head(ShapeBuilder& body, double stature) {
  if (!body.has(body::Role::head)) {
    return;
  }
  const JointIndex head = body.map().joint(body::Role::head);
  if (body.has(body::Role::neck)) {
    body.add_chain(body.map().joint(body::Role::neck), head, (kNeck + 0.006) * stature, kNeck * stature, kTrunk);
  }
  const Vec3d base = body.upright_at(head);
  const Vec3d up = Vec3d::UnitY();
  const Vec3d forward = body.upright_forward();
  const Vec3d skull = base + stature * (0.062 * up + 0.008 * forward);
  const Vec3d jaw = base + stature * (0.018 * up + 0.024 * forward);
  const Vec3d nose = base + stature * (0.040 * up + 0.064 * forward);
  body.add(head, {body.at_upright(head, skull, kSkull * stature), body.at_upright(head, jaw, kJaw * stature)}, kHead);
  body.add(head,
           {body.at_upright(head, nose, 0.009 * stature),
            body.at_upright(head, nose + stature * (0.018 * up - 0.006 * forward), 0.006 * stature)},
           kHead);

  // Eyes, jaw, ears and hair would be thin bones through the face.
  const Skeleton& skeleton = body.skeleton();
  std::vector<bool> below(static_cast<std::size_t>(skeleton.joint_count()), false);
  below[head] = true;
  body.cover_end_sites(head);
  for (JointIndex j = head + 1; j < skeleton.joint_count(); ++j) {
    if (below[skeleton.parent(j)]) {
      below[j] = true;
      body.cover(j);
      body.cover_end_sites(j);
    }
  }
}

void add_foot(ShapeBuilder& body, const Leg& leg, double stature) {
  const JointIndex foot = body.map().joint(leg.foot);
  const JointIndex toes = body.map().joint(leg.toes);
  std::optional<Ball> ball =
      toes != kNoJoint ? std::optional(body.on_joint(toes, kBall * stature)) : body.far_end(foot, kBall * stature);
  const Ball ankle = body.on_joint(foot, kAnkle * stature);
  if (!ball) {
    const Vec3d tip = body.upright_at(foot) + stature * (0.085 * body.upright_forward() - 0.025 * Vec3d::UnitY());
    ball = body.at_upright(foot, tip, kBall * stature);
  }

  // The sole is level in the upright pose: the heel lies as low as the ball of the foot, a little behind the ankle.
  const Vec3d ankle_m = body.upright_at(foot);
  const Vec3d ball_m = ball->centre(body.upright());
  Vec3d forward(ball_m.x() - ankle_m.x(), 0.0, ball_m.z() - ankle_m.z());
  const double length_m = (ball_m - ankle_m).norm();
  if (forward.norm() > 0.3 * length_m && ball_m.y() < ankle_m.y()) {
    const double low = std::max(ball_m.y() - ball->radius_m + kHeel * stature, ankle_m.y() - 0.045 * stature);
    const Vec3d heel(ankle_m.x(), low, ankle_m.z());
    const Vec3d back = forward.normalized() * 0.016 * stature;
    body.add(foot, {body.at_upright(foot, heel - back, kHeel * stature), ankle, *ball});
  } else {
    body.add(foot, {ankle, *ball});
  }
  if (toes == kNoJoint) {
    body.cover_end_sites(foot);
    for (const JointIndex child : body.skeleton().children(foot)) {
      body.cover(child);
    }
    return;
  }
  body.cover_chain(foot, toes);
  std::optional<Ball> tip = body.far_end(toes, kToe * stature);
  if (!tip) {
    tip = body.at_upright(toes, ball_m + stature * 0.032 * body.upright_forward(), kToe * stature);
  }
  body.add(toes, {*ball, *tip});
  body.cover_end_sites(toes);
  for (const JointIndex child : body.skeleton().children(toes)) {
    body.cover(child);
  }
}

void add_hand(ShapeBuilder& body, const Arm& arm, double stature) {
  const JointIndex hand = body.map().joint(arm.hand);
  std::vector<Ball> palm = {body.on_joint(hand, 0.0165 * stature)};
  for (const JointIndex child : body.skeleton().children(hand)) {
    const double length_m = (body.at(child) - body.at(hand)).norm();
    if (length_m > 1e-3 * stature && length_m < 0.12 * stature) {
      palm.push_back(body.on_joint(child, 0.0095 * stature));
      body.cover(child);
    }
  }
  if (palm.size() == 1) {
    const std::optional<Ball> tip = body.far_end(hand, 0.0115 * stature);
    const Vec3d along = body.at(hand) - body.at(arm.lower);
    const Vec3d ahead = along.norm() > 0.0 ? Vec3d(0.05 * stature * along.normalized()) : Vec3d::Zero();
    palm.push_back(tip ? *tip : body.at_reference(hand, body.at(hand) + ahead, 0.0135 * stature));
    body.cover_end_sites(hand);
  }
  body.add(hand, std::move(palm), arm.hand == body::Role::left_hand ? kLeftHand : kRightHand);
}

}  // namespace

bool add_humanoid(ShapeBuilder& body) {
  const double stature = stature_m(body);
  if (!(stature > 1e-9)) {
    return false;
  }
  body.shape.size_m = stature;
  const body::BodyMap& map = body.map();
  if (body.has_all({body::Role::hips, body::Role::left_upper_leg, body::Role::right_upper_leg,
                    body::Role::left_upper_arm, body::Role::right_upper_arm}) &&
      (body.has(body::Role::neck) || body.has(body::Role::head))) {
    add_torso(body, stature);
  }
  add_head(body, stature);
  const auto bone = [&](body::Role from, body::Role to, double from_radius, double to_radius) {
    if (!body.has_all({from, to})) return false;
    body.add_chain(map.joint(from), map.joint(to), from_radius * stature, to_radius * stature);
    return true;
  };
  for (const Arm& arm : kArms) {
    bone(arm.upper, arm.lower, kShoulder, kElbow);
    if (bone(arm.lower, arm.hand, kElbow, kWrist)) add_hand(body, arm, stature);
  }
  for (const Leg& leg : kLegs) {
    bone(leg.upper, leg.lower, kHip, kKnee);
    if (bone(leg.lower, leg.foot, kKnee, kAnkle)) add_foot(body, leg, stature);
  }
  return true;
}

}  // namespace shosa::draw
