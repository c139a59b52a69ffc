#include "shosa/retarget/retarget.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "retarget/soles.h"
#include "retarget/touches.h"
#include "retarget/transfer.h"
#include "shosa/body/kind_name.h"
#include "shosa/feet/place_feet.h"

namespace shosa::retarget {
namespace {

constexpr double kAnywhere_m = 1e3;
// Hands on the floor may cost a foot this much of its place, for a leg of 0.85 m.
constexpr double kMaxFootError_m = 0.005;

Result<void> check_body(const body::BodyMap& map, const char* which) {
  if (map.kind == body::BodyKind::unknown) {
    return fail(ErrorCode::not_possible, "retarget: the {} is no body that is known: neither humanoid nor quadruped",
                which);
  }
  std::string missing;
  for (const body::Role role :
       {body::Role::hips, body::Role::left_upper_leg, body::Role::left_lower_leg, body::Role::left_foot,
        body::Role::right_upper_leg, body::Role::right_lower_leg, body::Role::right_foot}) {
    if (!map.has(role)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", role_name(role));
  }
  if (missing.empty()) return {};
  return fail(ErrorCode::not_possible, "retarget: the {} lacks {}; a body map can name the joints", which, missing);
}

Result<void> check(const analysis::StudiedClip& source, const Skeleton& target, const body::BodyMap& target_map,
                   const RetargetParams& params) {
  const body::BodyMap& map = source.map();
  if (map.kind != target_map.kind && map.kind != body::BodyKind::unknown &&
      target_map.kind != body::BodyKind::unknown) {
    return fail(ErrorCode::not_possible, "retarget: the motion is that of a {}, the target is a {}; both must be alike",
                kind_name(map.kind), kind_name(target_map.kind));
  }
  if (const auto ok = check_body(map, "source"); !ok) return ok;
  if (const auto ok = check_body(target_map, "target"); !ok) return ok;
  if (params.scale && !(*params.scale > 0.0 && std::isfinite(*params.scale)))
    return fail(ErrorCode::invalid_argument, "retarget: scale {}, expected a positive number", *params.scale);
  if (!(params.hand_touch_m >= 0.0) || !std::isfinite(params.hand_touch_m))
    return fail(ErrorCode::invalid_argument, "retarget: hand_touch_m {}, expected 0 or more", params.hand_touch_m);
  if (params.target_motion && !same_skeleton(params.target_motion->skeleton(), target))
    return fail(ErrorCode::invalid_argument, "retarget: target_motion is on another skeleton than the target");
  if (params.source_motion && !same_skeleton(params.source_motion->skeleton(), source.skeleton()))
    return fail(ErrorCode::invalid_argument, "retarget: source_motion is on another skeleton than the clip");
  for (int r = 0; r < body::kRoleCount; ++r) {
    const body::Role role = static_cast<body::Role>(r);
    if (target_map.joint(role) >= target.joint_count())
      return fail(ErrorCode::invalid_argument, "retarget: role {} names a joint that the skeleton has not",
                  role_name(role));
  }
  return {};
}

double mean_heel_m(const std::vector<Sole>& soles, const std::vector<body::FootPoints>& feet) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < soles.size(); ++i) {
    if (feet[i].kind != body::FootKind::foot) continue;
    sum += soles[i].heel_m;
    ++count;
  }
  return count == 0 ? 0.0 : sum / count;
}

/// The ground on which the target stands: the file's own where its rest pose stands near y = 0 or its motion tells.
double target_ground_m(const Reference& reference, const std::vector<Sole>& soles, double leg_m) {
  double ground = std::numeric_limits<double>::infinity();
  for (const Sole& sole : soles) ground = std::min(ground, sole.ground_m);
  if (!std::isfinite(ground)) return 0.0;
  const bool near = ground > -0.1 * leg_m && ground < 0.15 * leg_m;
  return !reference.standing || near ? ground : 0.0;
}

Standing find_standing(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body,
                       const std::vector<Sole>& soles, const std::vector<body::FootPoints>& feet,
                       const RetargetParams& params) {
  const Skeleton& skeleton = source.skeleton();
  const body::BodyMap& map = source.map();
  const double source_leg_m = leg_reach_m(skeleton, map, reference.pose);
  const double target_leg_m = leg_reach_m(*body.skeleton, body.map, body.reference.pose);
  Standing standing;
  standing.scale = params.scale.value_or(source_leg_m > 0.0 ? target_leg_m / source_leg_m : 1.0);
  const auto source_feet = body::find_foot_points(skeleton, map);
  standing.source_ground_m = source.contacts().ground_m;
  int tracks = 0;
  double heel_m = 0.0;
  for (const analysis::FootContactTrack& track : source.contacts().feet) {
    if (track.stances.empty() || track.points.kind != body::FootKind::foot) continue;
    heel_m += track.heel_rest_m;
    ++tracks;
  }
  if (tracks > 0) {
    standing.source_ankle_m = heel_m / tracks;
  } else {
    standing.source_ground_m = source.ground() ? source.ground()->height_m : 0.0;
    standing.source_ankle_m = mean_heel_m(find_soles(skeleton, reference, source_feet, &source), source_feet);
  }
  standing.target_ground_m = target_ground_m(body.reference, soles, target_leg_m);
  standing.target_ankle_m = mean_heel_m(soles, feet);
  return standing;
}

struct LegLengths {
  double source_m = 0.0, target_m = 0.0;
};

/// Step 3 for what stands on the floor. Hands join in, unless they would tear a foot from its place.
Result<Clip> hold_feet(const Clip& work, const analysis::StudiedClip& source, const WorkBody& body,
                       const Standing& standing, const LegLengths& legs, bool hands,
                       const analysis::FootContacts& contacts, RetargetResult& result) {
  const double size = legs.target_m / body::kHumanLegLength_m;
  const auto place = [&](const analysis::FootContacts& held) -> Result<feet::PlacedFeet> {
    // However far the turns brought a foot: where it stands is the source's word.
    const auto plan = feet::captured_stances(work, clip_positions(work), held, {.still_m = kAnywhere_m, .level = true});
    if (!plan) return std::unexpected(plan.error());
    return feet::place_feet(work, body.map, *plan);
  };
  for (const analysis::FootContactTrack& track : contacts.feet)
    result.held_stances += static_cast<int>(track.stances.size());
  if (result.held_stances == 0) {
    result.warnings.push_back("no foot stands in the source; feet go where the turns bring them");
    return work;
  }
  if (hands && source.map().kind == body::BodyKind::humanoid) {
    analysis::FootContacts all = contacts;
    add_hand_contacts(source, body, standing, legs.source_m, all);
    if (all.feet.size() > contacts.feet.size()) {
      auto kept = place(all);
      if (kept && kept->max_foot_error_m < kMaxFootError_m * size) {
        for (std::size_t i = contacts.feet.size(); i < all.feet.size(); ++i)
          result.held_stances += static_cast<int>(all.feet[i].stances.size());
        result.max_foot_error_m = kept->max_foot_error_m;
        return std::move(kept->clip);
      }
      result.warnings.push_back("hands on the floor are not held: not all hands and feet reach it together");
    }
  }
  auto kept = place(contacts);
  if (!kept) return fail(kept.error().code, "retarget: {}", kept.error().message);
  result.max_foot_error_m = kept->max_foot_error_m;
  return std::move(kept->clip);
}

}  // namespace

Result<RetargetResult> retarget_motion(const analysis::StudiedClip& source, std::shared_ptr<const Skeleton> target,
                                       const body::BodyMap& target_map, const RetargetParams& params) {
  if (const auto ok = check(source, *target, target_map, params); !ok) return std::unexpected(ok.error());

  const body::BodyMap& map = source.map();
  const Reference reference =
      make_reference(source.skeleton(), map, params.source_motion ? &*params.source_motion : &source, true);
  const analysis::StudiedClip* shown = params.target_motion ? &*params.target_motion : nullptr;
  const Reference target_reference = make_reference(*target, target_map, shown, false);
  const auto body = make_work_body(*target, target_map, target_reference);
  if (!body) return std::unexpected(body.error());

  const auto feet = body::find_foot_points(*body->skeleton, body->map);
  const std::vector<Sole> soles = find_soles(*body->skeleton, body->reference, feet, shown);
  const Standing standing = find_standing(source, reference, *body, soles, feet, params);
  Clip work = transfer(source, reference, *body, standing);
  const double leg_m = leg_reach_m(*body->skeleton, body->map, body->reference.pose);

  RetargetResult result{.clip = Clip(target, 1, source.clip().frame_time_s())};
  const double source_leg_m = leg_reach_m(source.skeleton(), map, reference.pose);
  if (params.keep_feet) {
    const auto contacts = target_contacts(source.contacts(), feet, soles, standing, leg_m);
    auto kept = hold_feet(work, source, *body, standing, {source_leg_m, leg_m}, params.keep_hands, contacts, result);
    if (!kept) return std::unexpected(kept.error());
    work = std::move(*kept);
  }
  if (params.keep_hands && params.hand_touch_m > 0.0) {
    const double touch_m = params.hand_touch_m * source_leg_m / body::kHumanLegLength_m;
    TouchResult kept = keep_touches(source, reference, *body, work, standing, touch_m);
    work = std::move(kept.clip);
    result.held_touches = kept.touches;
  }
  result.clip = on_target(work, *body, target);
  result.scale = standing.scale;
  const auto own_feet = body::find_foot_points(*target, target_map);
  result.contacts = target_contacts(source.contacts(), own_feet, find_soles(*target, target_reference, own_feet, shown),
                                    standing, leg_m);
  auto moved = analysis::study(result.clip, target_map, result.contacts);
  if (!moved) return std::unexpected(moved.error());
  result.quality = analysis::measure_quality(*moved);
  for (int r = 0; r < body::kRoleCount; ++r) {
    const body::Role role = static_cast<body::Role>(r);
    if (map.has(role) && target_map.has(role)) result.pairs.push_back({role, map.joint(role), target_map.joint(role)});
  }
  if (!target_reference.standing && !shown) {
    result.warnings.push_back(
        "the target's rest pose is no standing one and there is no motion on it; how its limbs are twisted is a guess");
  }
  return result;
}

}  // namespace shosa::retarget
