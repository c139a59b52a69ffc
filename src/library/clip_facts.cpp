#include "shosa/library/clip_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "shosa/analysis/core_interval.h"
#include "shosa/analysis/cycle.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/metrics.h"
#include "shosa/analysis/on_the_spot.h"
#include "shosa/core/angles.h"

namespace shosa::library {

using body::Role;

const std::array<Role, kStripPoints> kStripRoles = {Role::head,
                                                    Role::neck,
                                                    Role::hips,
                                                    Role::left_upper_arm,
                                                    Role::left_lower_arm,
                                                    Role::left_hand,
                                                    Role::right_upper_arm,
                                                    Role::right_lower_arm,
                                                    Role::right_hand,
                                                    Role::left_upper_leg,
                                                    Role::left_lower_leg,
                                                    Role::left_foot,
                                                    Role::left_toes,
                                                    Role::right_upper_leg,
                                                    Role::right_lower_leg,
                                                    Role::right_foot,
                                                    Role::right_toes};

namespace {

constexpr double kStripUnit_m = 0.02;

std::vector<std::int8_t> strip_of(const analysis::StudiedClip& studied) {
  const Clip& clip = studied.clip();
  const body::BodyMap& map = studied.map();
  const JointIndex root = body::root_joint(map);
  const double ground = studied.contacts().ground_m, scale = studied.contacts().scale;
  std::vector<std::int8_t> strip;
  for (int posture = 0; posture < kStripPostures; ++posture) {
    const int frame = static_cast<int>(std::lround(posture * (clip.frame_count() - 1.0) / (kStripPostures - 1)));
    const Vec3d& hips = studied.positions().joint(frame, root);
    const double heading = studied.heading_rad(frame);
    const Vec3d forward = toward(heading);
    for (const Role role : kStripRoles) {
      const JointIndex joint = map.has(role) ? map.joint(role) : root;
      const Vec3d& point = studied.positions().joint(frame, joint);
      for (const double value : {(point - hips).dot(forward), point.y() - ground})
        strip.push_back(static_cast<std::int8_t>(std::lround(std::clamp(value / scale / kStripUnit_m, -127.0, 127.0))));
    }
  }
  return strip;
}

}  // namespace

double ClipFacts::flight_s() const {
  return analysis::total_length_s(flights);
}

ClipFacts facts_of(const analysis::StudiedClip& studied) {
  const Clip& clip = studied.clip();
  const analysis::FootContacts& contacts = studied.contacts();
  ClipFacts facts;
  facts.name = clip.name();
  facts.kind = studied.map().kind;
  facts.joints = clip.joint_count();
  facts.frames = clip.frame_count();
  facts.fps = clip.fps();
  facts.duration_s = clip.duration_s();
  facts.scale = contacts.scale;
  facts.root_speed_mps = analysis::root_speed_mps(studied.root());
  const double turned_rad = studied.heading_rad(clip.frame_count() - 1) - studied.heading_rad(0);
  facts.turn_deg = turned_rad * kDegPerRad;
  for (const auto& foot : contacts.feet) facts.contacts.push_back({foot.points.name, foot.joined});
  if (!contacts.feet.empty()) {
    facts.flights = analysis::flight_intervals(contacts, {0.0, clip.last_time_s()}, 1.5 * clip.frame_time_s());
    const auto fall = analysis::check_free_fall(studied);
    if (fall.rate_is_suspect) facts.warnings.push_back(fall.warning);
    if (analysis::moves_on_the_spot(studied)) facts.warnings.push_back("the body steps on the spot");
  }
  if (const auto cycle = analysis::find_cycle(studied)) {
    if (cycle->found) facts.cycle = {cycle->begin_s, cycle->end_s};
    if (const auto core = analysis::suggest_core(studied, *cycle)) facts.core = core->time;
  }
  const analysis::MotionQuality quality = analysis::measure_quality(studied);
  facts.foot_skate_mps = quality.foot_skate_mps;
  facts.penetration_m = quality.penetration_m;
  facts.mean_jerk_mps3 = quality.mean_jerk_mps3;
  facts.peak_acceleration_mps2 = quality.peak_acceleration_mps2;
  facts.features = features_of(studied);
  facts.strip = strip_of(studied);
  return facts;
}

std::optional<body::BodyKind> find_kind(std::string_view name) {
  static const std::map<std::string_view, body::BodyKind> kNames = {
      {"humanoid", body::BodyKind::humanoid}, {"human", body::BodyKind::humanoid},
      {"person", body::BodyKind::humanoid},   {"quadruped", body::BodyKind::quadruped},
      {"dog", body::BodyKind::quadruped},     {"animal", body::BodyKind::quadruped},
      {"unknown", body::BodyKind::unknown},
  };
  const auto found = kNames.find(name);
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

}  // namespace shosa::library
