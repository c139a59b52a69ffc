#include "shosa/blend/motion.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "blend/constants.h"
#include "shosa/analysis/carried_by_root.h"
#include "shosa/analysis/core_interval.h"
#include "shosa/analysis/cycle.h"

namespace shosa::blend {

namespace {

// What a suggested core leaves free at both ends of its clip: about a step.
constexpr double kCoreMargin_s = 0.5;
constexpr double kCoreMarginShare = 0.25;
constexpr int kRegister = 4;       // floats; Eigen's packets on the plain x86-64 the library is built for
constexpr double kFloor_m = 0.08;  // captured floors are that uneven; what is higher is a stair

Result<FrameInterval> core_frames(const analysis::StudiedClip& studied, const MotionParams& params) {
  const Clip& clip = studied.clip();
  const double dt = clip.frame_time_s();
  if (params.core) {
    const TimeInterval core = *params.core;
    const double slack_s = 0.5 * dt;
    if (!(core.begin_s <= core.end_s) || core.begin_s < -slack_s || core.end_s > clip.duration_s() + slack_s) {
      return fail(ErrorCode::invalid_argument, "core from {} s to {} s, expected an interval within 0 s to {:.4f} s",
                  core.begin_s, core.end_s, clip.last_time_s());
    }
    return FrameInterval{clip.nearest_frame(core.begin_s), clip.nearest_frame(core.end_s)};
  }
  const auto cycle = analysis::find_cycle(studied);
  if (!cycle) return std::unexpected(cycle.error());
  const auto core = analysis::suggest_core(studied, *cycle);
  if (!core) return std::unexpected(core.error());
  // A motion without preparation or recovery leaves nothing to blend with. A core at the very end of its clip gives up
  // half of itself at most.
  const double margin_s = std::min(kCoreMargin_s, kCoreMarginShare * clip.last_time_s());
  const double middle_s = 0.5 * (core->time.begin_s + core->time.end_s);
  return FrameInterval{
      clip.nearest_frame(std::min(std::max(core->time.begin_s, margin_s), middle_s)),
      clip.nearest_frame(std::max(std::min(core->time.end_s, clip.last_time_s() - margin_s), middle_s))};
}

// The mean of thigh x shank, so that well bent frames decide; a leg that never bends does so toward its heel.
Vec3d knee_axis(const analysis::StudiedClip& studied, const body::FootPoints& foot) {
  const Clip& clip = studied.clip();
  const ClipPositions& positions = studied.positions();
  if (foot.limb == kNoJoint || foot.knee == kNoJoint) return Vec3d::UnitX();
  Vec3d sum = Vec3d::Zero(), ahead_sum = Vec3d::Zero();
  WorldPose world;
  Pose pose;
  const int step = std::max(1, clip.frame_count() / 200);
  for (int f = 0; f < clip.frame_count(); f += step) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d& knee = positions.joint(f, foot.knee);
    const Vec3d thigh = knee - positions.joint(f, foot.limb), shank = positions.joint(f, foot.joint) - knee;
    const Quatd knee_from_world = world.rotations[foot.knee].conjugate();
    const double scale = std::max(thigh.norm() * shank.norm(), 1e-9);
    sum += knee_from_world * (thigh.cross(shank) / scale);
    if (foot.toe >= 0) {
      Vec3d ahead = positions.point(f, foot.toe) - positions.joint(f, foot.joint);
      ahead.y() = 0.0;
      ahead_sum += knee_from_world * Vec3d::UnitY().cross(ahead);
    }
  }
  const int frames = (clip.frame_count() + step - 1) / step;
  if (sum.norm() > 0.02 * frames) return sum.normalized();
  return ahead_sum.norm() > 1e-9 ? Vec3d(ahead_sum.normalized()) : Vec3d(Vec3d::UnitX());
}

double floor_of(const analysis::FootContacts& contacts) {
  double sum = 0.0, time_s = 0.0;
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    for (const analysis::FootContact& stance : foot.stances) {
      if (stance.ground_m > contacts.ground_m + kFloor_m) continue;
      sum += stance.ground_m * stance.time.length_s();
      time_s += stance.time.length_s();
    }
  }
  return time_s > 0.0 ? sum / time_s : contacts.ground_m;
}

// Contacts without the short gaps in which the foot comes down where it was.
std::vector<TimeInterval> stances_of(const analysis::FootContactTrack& foot, const analysis::StudiedClip& studied,
                                     double min_move_s) {
  const Clip& clip = studied.clip();
  const ClipPositions& positions = studied.positions();
  std::vector<TimeInterval> stances;
  const int point = foot.points.toe >= 0 ? foot.points.toe : foot.points.heel;
  const auto place_m = [&](double time_s) {
    Vec3d place = point >= 0 ? positions.point(clip.nearest_frame(time_s), point)
                             : positions.joint(clip.nearest_frame(time_s), foot.points.joint);
    place.y() = 0.0;
    return place;
  };
  for (const TimeInterval& contact : foot.joined) {
    if (!stances.empty() && contact.begin_s - stances.back().end_s < min_move_s &&
        (place_m(contact.begin_s) - place_m(stances.back().end_s)).norm() < kSamePlace_m) {
      stances.back().end_s = std::max(stances.back().end_s, contact.end_s);
    } else {
      stances.push_back(contact);
    }
  }
  return stances;
}

}  // namespace

FootTimes foot_times(std::span<const TimeInterval> contacts, int frame_count, double frame_time_s, double min_move_s) {
  FootTimes times;
  const int last = frame_count - 1;
  const auto nearest = [&](double time_s) {
    return std::clamp(static_cast<int>(std::lround(time_s / frame_time_s)), 0, last);
  };
  const double min_move = min_move_s / frame_time_s;
  for (const TimeInterval& contact : contacts) {
    const FrameInterval next{nearest(contact.begin_s), nearest(contact.end_s)};
    if (!times.standing.empty() && next.begin - times.standing.back().end < std::max(min_move, 2.0)) {
      times.standing.back().end = std::max(times.standing.back().end, next.end);
    } else {
      times.standing.push_back(next);
    }
  }
  int from = 0;
  for (const FrameInterval& stance : times.standing) {
    if (stance.begin > from) times.moving.push_back({from, stance.begin});
    from = stance.end;
  }
  if (from < last) times.moving.push_back({from, last});
  return times;
}

PartTrack::PartTrack(const ClipPositions& aligned, std::span<const JointIndex> joints)
    : frame_count_(aligned.frame_count()),
      joint_count_(static_cast<int>(joints.size())),
      stride_((joint_count_ + kRegister - 1) / kRegister * kRegister),
      values_(static_cast<std::size_t>(frame_count_ * 3 * stride_), 0.0f) {
  for (int f = 0; f < frame_count_; ++f) {
    float* frame = values_.data() + static_cast<std::ptrdiff_t>(f) * 3 * stride_;
    for (int i = 0; i < joint_count_; ++i) {
      const Vec3d& p = aligned.joint(f, joints[i]);
      for (int axis = 0; axis < 3; ++axis) frame[axis * stride_ + i] = static_cast<float>(p[axis]);
    }
  }
}

const float* PartTrack::values(int frame) const {
  return values_.data() + static_cast<std::ptrdiff_t>(std::clamp(frame, 0, frame_count_ - 1)) * 3 * stride_;
}

float PartTrack::distance(const PartTrack& a, int frame_a, const PartTrack& b, int frame_b) {
  if (a.joint_count_ == 0 || a.stride_ != b.stride_) return 0.0f;
  const float* p = a.values(frame_a);
  const float* q = b.values(frame_b);
  using Packet = Eigen::Array<float, kRegister, 1>;
  const int stride = a.stride_;
  Packet sum = Packet::Zero();
  for (int i = 0; i < stride; i += kRegister) {
    const Packet x = Eigen::Map<const Packet>(p + i) - Eigen::Map<const Packet>(q + i);
    const Packet y = Eigen::Map<const Packet>(p + stride + i) - Eigen::Map<const Packet>(q + stride + i);
    const Packet z = Eigen::Map<const Packet>(p + 2 * stride + i) - Eigen::Map<const Packet>(q + 2 * stride + i);
    sum += (x * x + y * y + z * z).sqrt();
  }
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / static_cast<float>(a.joint_count_);
}

namespace {

Eigen::Vector2d pace_mps(const analysis::StudiedClip& studied, int frame) {
  const analysis::RootMotion& root = studied.root();
  const int last = studied.clip().frame_count() - 1;
  const int h = std::max(1, static_cast<int>(std::lround(0.5 * kPace_s / root.frame_time_s)));
  const int from = std::max(0, frame - h), to = std::min(last, frame + h);
  if (to <= from) return Eigen::Vector2d::Zero();
  const auto &a = root.places[from], &b = root.places[to];
  const Eigen::Vector2d way(b.x_m - a.x_m, b.z_m - a.z_m);
  return Eigen::Rotation2Dd(studied.heading_rad(frame)) * way / ((to - from) * root.frame_time_s);
}

std::vector<std::optional<Eigen::Vector2d>> over_foot_m(const analysis::StudiedClip& studied, const FootTimes& foot,
                                                        int point) {
  std::vector<std::optional<Eigen::Vector2d>> out(static_cast<std::size_t>(studied.clip().frame_count()));
  const JointIndex hips = root_joint(studied.map());
  for (const FrameInterval& stance : foot.standing) {
    for (int f = stance.begin; f <= stance.end; ++f) {
      const Vec3d way = studied.positions().joint(f, hips) - studied.positions().point(f, point);
      out[f] = Eigen::Rotation2Dd(studied.heading_rad(f)) * Eigen::Vector2d(way.x(), way.z());
    }
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<const Motion>> prepare_motion(const analysis::StudiedClip& given, const MotionParams& params) {
  if (!(params.min_move_s >= 0.0)) {
    return fail(ErrorCode::invalid_argument, "min_move_s is {}, expected >= 0", params.min_move_s);
  }
  // Joints are mixed one by one: were hips and what carries them far apart, each would turn by the shorter way round.
  const analysis::StudiedClip studied = analysis::carried_by_root(given);
  const Clip& clip = studied.clip();
  if (!clip.is_translated(0)) {
    return fail(ErrorCode::not_possible, "the translation of '{}' does not vary in this clip, so it cannot be placed",
                clip.skeleton().name(0));
  }
  const auto core = core_frames(studied, params);
  if (!core) return std::unexpected(core.error());
  auto motion = std::make_shared<Motion>(Motion{.studied = studied, .core = *core});
  for (const auto& foot : studied.contacts().feet) {
    motion->feet.push_back(
        foot_times(stances_of(foot, studied, params.min_move_s), clip.frame_count(), clip.frame_time_s(), 0.0));
    motion->knee_axes.push_back(knee_axis(studied, foot.points));
  }
  motion->floor_m = floor_of(studied.contacts());
  const ClipPositions aligned = analysis::pelvis_aligned(studied);
  motion->upper = PartTrack(aligned, part_joints(clip.skeleton(), studied.map(), analysis::BodyPart::upper));
  motion->lower = PartTrack(aligned, part_joints(clip.skeleton(), studied.map(), analysis::BodyPart::lower));
  for (int f = 0; f < clip.frame_count(); ++f) motion->pace_mps.push_back(pace_mps(studied, f));
  for (std::size_t k = 0; k < motion->feet.size(); ++k) {
    const body::FootPoints& points = studied.contacts().feet[k].points;
    motion->over_foot_m.push_back(over_foot_m(studied, motion->feet[k], points.toe >= 0 ? points.toe : points.joint));
  }
  motion->body = analysis::measure_body(studied);
  motion->quality = analysis::measure_quality(studied);
  return std::shared_ptr<const Motion>(std::move(motion));
}

std::optional<std::string> mismatch(const Motion& a, const Motion& b) {
  const Skeleton &one = a.clip().skeleton(), &other = b.clip().skeleton();
  if (one.joint_count() != other.joint_count()) {
    return fmt::format("its skeleton has {} joints, expected {}", other.joint_count(), one.joint_count());
  }
  for (JointIndex j = 0; j < one.joint_count(); ++j) {
    if (one.name(j) != other.name(j) || one.parent(j) != other.parent(j)) {
      return fmt::format("joint {} of its skeleton is '{}', expected '{}'", j, other.name(j), one.name(j));
    }
    const double off_m = (one.joint(j).rest_translation_m - other.joint(j).rest_translation_m).norm();
    if (off_m > 1e-3 && j > 0) {
      return fmt::format("joint '{}' of its skeleton lies {:.1f} mm elsewhere at rest, expected the same bones",
                         one.name(j), 1000.0 * off_m);
    }
    if (one.joint(j).rest_rotation.angularDistance(other.joint(j).rest_rotation) > 1e-3f) {
      return fmt::format("joint '{}' of its skeleton is turned otherwise at rest", one.name(j));
    }
  }
  if (std::abs(a.clip().frame_time_s() / b.clip().frame_time_s() - 1.0) > 1e-6) {
    return fmt::format("its frame time is {} s, expected {} s", b.clip().frame_time_s(), a.clip().frame_time_s());
  }
  if (a.contacts().feet.size() != b.contacts().feet.size()) {
    return fmt::format("it has {} feet, expected {}", b.contacts().feet.size(), a.contacts().feet.size());
  }
  return std::nullopt;
}

}  // namespace shosa::blend
