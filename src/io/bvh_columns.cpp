#include "io/bvh_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "io/bvh_sample.h"
#include "io/euler.h"
#include "shosa/core/parallel.h"

namespace shosa::io {
namespace {

/// Local transforms restated in joint frames that have the world's axes at rest, in file units.
///
/// With G the rest rotation world_from_joint: q' = G_parent q G^-1, t' = G_parent t.
class RestAlignedClip {
 public:
  RestAlignedClip(const Clip& clip, double unit_m) : clip_(clip), per_m_(1.0 / unit_m) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      if (!clip.skeleton().joint(j).rest_rotation.isApprox(Quatf::Identity(), 1e-7f)) aligned_ = false;
    }
  }

  Quatd rotation(int frame, JointIndex joint) const {
    const Quatd local = clip_.rotation(frame, joint).cast<double>().normalized();
    if (aligned_) return local;
    return parent_turn(joint) * local * clip_.skeleton().rest_rotations()[joint].conjugate();
  }
  Vec3d translation(int frame, JointIndex joint) const { return in_parent(joint, clip_.translation(frame, joint)); }
  Vec3d rest_translation(JointIndex joint) const {
    return in_parent(joint, clip_.skeleton().joint(joint).rest_translation_m);
  }
  Vec3d end_site_offset(const EndSite& site) const {
    const Vec3d offset = site.offset_m.cast<double>() * per_m_;
    return aligned_ ? offset : Vec3d(clip_.skeleton().rest_rotations()[site.parent] * offset);
  }

 private:
  Quatd parent_turn(JointIndex joint) const {
    const JointIndex parent = clip_.skeleton().parent(joint);
    return parent == kNoJoint ? Quatd::Identity() : clip_.skeleton().rest_rotations()[parent];
  }
  Vec3d in_parent(JointIndex joint, const Vec3f& translation_m) const {
    const Vec3d translation = translation_m.cast<double>() * per_m_;
    return aligned_ ? translation : Vec3d(parent_turn(joint) * translation);
  }

  const Clip& clip_;
  double per_m_;
  bool aligned_ = true;
};

/// Turns about these axes, completed to all three; the last `3 - own` angles must come out as zero.
struct RotationPlan {
  EulerOrder order = {2, 1, 0};
  int own = 3;
};

/// Empty when an axis occurs twice: such orders are not written.
std::optional<RotationPlan> rotation_plan(const std::vector<BvhChannel>& channels) {
  RotationPlan plan{.order = {}, .own = 0};
  std::array<bool, 3> used = {false, false, false};
  for (const BvhChannel channel : channels) {
    if (is_position(channel)) continue;
    const auto axis = static_cast<std::size_t>(axis_of(channel));
    if (used[axis]) return std::nullopt;
    used[axis] = true;
    plan.order[plan.own++] = static_cast<int>(axis);
  }
  std::size_t next = static_cast<std::size_t>(plan.own);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!used[axis]) plan.order[next++] = static_cast<int>(axis);
  }
  return plan;
}

bool has_position(const std::vector<BvhChannel>& channels) {
  return std::ranges::any_of(channels, is_position);
}

std::vector<BvhChannel> default_channels(bool with_position) {
  using enum BvhChannel;
  if (with_position) return {x_position, y_position, z_position, z_rotation, y_rotation, x_rotation};
  return {z_rotation, y_rotation, x_rotation};
}

/// Angles of one joint over all frames, continuous.
std::vector<Vec3d> angles_deg(const RestAlignedClip& source, int frame_count, JointIndex joint,
                              const EulerOrder& order) {
  std::vector<Vec3d> angles(static_cast<std::size_t>(frame_count));
  Vec3d previous = Vec3d::Zero();
  for (int frame = 0; frame < frame_count; ++frame) {
    previous = euler_deg(source.rotation(frame, joint), order, previous);
    angles[frame] = previous;
  }
  return angles;
}

/// The channels a joint is written with: the layout's where they can hold the motion.
std::vector<BvhChannel> choose_channels(const Clip& clip, const RestAlignedClip& source, JointIndex joint,
                                        const std::vector<BvhChannel>* wanted) {
  if (wanted == nullptr) return default_channels(joint == 0 || clip.is_translated(joint));
  std::vector<BvhChannel> channels = *wanted;

  // Positions: every axis that leaves the rest needs its channel.
  if (clip.is_translated(joint)) {
    std::array<bool, 3> held = {false, false, false};
    for (const BvhChannel channel : channels) {
      if (is_position(channel)) held[axis_of(channel)] = true;
    }
    const Vec3d rest = source.rest_translation(joint);
    bool fits = true;
    for (int frame = 0; fits && frame < clip.frame_count(); ++frame) {
      const Vec3d away = source.translation(frame, joint) - rest;
      for (int axis = 0; axis < 3; ++axis) {
        if (!held[axis] && away[axis] != 0.0) fits = false;
      }
    }
    if (!fits) {
      std::erase_if(channels, is_position);
      channels.insert(channels.begin(), {BvhChannel::x_position, BvhChannel::y_position, BvhChannel::z_position});
    }
  }

  // Rotations: the axes left out must not be needed.
  const std::optional<RotationPlan> plan = rotation_plan(channels);
  bool fits = plan.has_value();
  if (fits && plan->own < 3) {
    for (const Vec3d& angles : angles_deg(source, clip.frame_count(), joint, plan->order)) {
      for (int i = plan->own; i < 3; ++i) fits = fits && std::abs(angles[i]) < 1e-5;
    }
  }
  if (!fits) {
    std::erase_if(channels, [](BvhChannel channel) { return !is_position(channel); });
    channels.insert(channels.end(), {BvhChannel::z_rotation, BvhChannel::y_rotation, BvhChannel::x_rotation});
  }
  return channels;
}

bool layout_fits(const BvhLayout& layout, const Skeleton& skeleton) {
  if (layout.joints.size() != static_cast<std::size_t>(skeleton.joint_count())) return false;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    if (layout.joints[j].name != skeleton.name(j)) return false;
  }
  return true;
}

/// The order in which a BVH file names joints and lists their columns.
std::vector<JointIndex> depth_first(const Skeleton& skeleton) {
  std::vector<JointIndex> order;
  std::vector<JointIndex> waiting = {0};
  while (!waiting.empty()) {
    order.push_back(waiting.back());
    waiting.pop_back();
    const auto children = skeleton.children(order.back());
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return order;
}

BvhHeader make_header(const Clip& clip, const RestAlignedClip& source, const BvhLayout* layout) {
  const Skeleton& skeleton = clip.skeleton();
  if (layout != nullptr && !layout_fits(*layout, skeleton)) layout = nullptr;
  BvhHeader header;
  header.joints.resize(static_cast<std::size_t>(skeleton.joint_count()));
  parallel_for(header.joints.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto j = static_cast<JointIndex>(i);
      header.joints[i] = {
          .name = skeleton.name(j),
          .parent = skeleton.parent(j),
          .offset = source.rest_translation(j),
          .channels = choose_channels(clip, source, j, layout == nullptr ? nullptr : &layout->joints[i].channels)};
    }
  });
  for (const JointIndex j : depth_first(skeleton)) {
    BvhHeader::Joint& joint = header.joints[j];
    joint.first_channel = header.channel_count;
    header.channel_count += static_cast<int>(joint.channels.size());
  }
  for (const EndSite& site : skeleton.end_sites()) {
    header.end_sites.push_back({.parent = site.parent, .offset = source.end_site_offset(site)});
  }
  return header;
}

/// All frame lines as numbers, row by row.
std::vector<double> frame_values(const Clip& clip, const RestAlignedClip& source, const BvhHeader& header) {
  const auto columns = static_cast<std::size_t>(header.channel_count);
  std::vector<double> values(static_cast<std::size_t>(clip.frame_count()) * columns);
  parallel_for(header.joints.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const BvhHeader::Joint& joint = header.joints[i];
      const auto j = static_cast<JointIndex>(i);
      const RotationPlan plan = *rotation_plan(joint.channels);
      std::vector<Vec3d> angles;
      if (plan.own > 0) angles = angles_deg(source, clip.frame_count(), j, plan.order);
      const bool translates = has_position(joint.channels);
      for (int frame = 0; frame < clip.frame_count(); ++frame) {
        double* value = values.data() + static_cast<std::size_t>(frame) * columns + joint.first_channel;
        const Vec3d translation = translates ? source.translation(frame, j) : Vec3d::Zero();
        int turn = 0;
        for (const BvhChannel channel : joint.channels) {
          *value++ = is_position(channel) ? translation[axis_of(channel)] : angles[frame][turn++];
        }
      }
    }
  });
  return values;
}

/// Changes offsets where a reader, which must guess, would take our positions for ones that are added to them.
void make_convention_plain(const std::vector<double>& values, int frame_count, BvhHeader& header) {
  BvhSample sample{.frames = sample_frames(static_cast<std::size_t>(frame_count), header.joints.size()), .values = {}};
  const auto columns = static_cast<std::ptrdiff_t>(header.channel_count);
  for (const std::size_t frame : sample.frames) {
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(frame) * columns;
    sample.values.emplace_back(row, row + columns);
  }
  constexpr auto kReplaces = PositionConvention::replaces_offset;
  if (find_others_convention(header, sample) != kReplaces) {
    for (std::size_t j = 1; j < header.joints.size(); ++j) {
      header.joints[j].offset = translation_of(header.joints[j], sample.values.front().data(), kReplaces);
    }
  }
  const auto postures = sample_postures(header, sample, kReplaces, kReplaces);
  if (find_root_convention(header, sample, postures, UpAxis::y) != kReplaces) {
    for (const BvhChannel channel : header.joints.front().channels) {
      if (is_position(channel)) header.joints.front().offset[axis_of(channel)] = 0.0;
    }
  }
}

}  // namespace

BvhColumns bvh_columns(const Clip& clip, const BvhLayout* layout, double unit_m) {
  const RestAlignedClip source(clip, unit_m);
  BvhColumns columns;
  columns.header = make_header(clip, source, layout);
  columns.values = frame_values(clip, source, columns.header);
  make_convention_plain(columns.values, clip.frame_count(), columns.header);
  return columns;
}

}  // namespace shosa::io
