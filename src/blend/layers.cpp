#include "shosa/blend/layers.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "shosa/core/sampling.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

Quatf mean(const Quatf& a, const Quatf& b, float weight) {
  Quatf to = b;
  if (a.dot(to) < 0.0f) to.coeffs() = -to.coeffs();
  Quatf q;
  q.coeffs() = a.coeffs() + (to.coeffs() - a.coeffs()) * weight;
  return q.normalized();
}

BodyMask part_mask(const Skeleton& skeleton, const body::BodyMap& map, bool lower) {
  BodyMask mask;
  for (const bool is_lower : lower_body(skeleton, map)) mask.push_back(is_lower == lower ? 1.0f : 0.0f);
  return mask;
}

double fade(const ClipLayer& layer, double time_s) {
  const double length_s = layer.clip->last_time_s() / layer.speed;
  if (time_s < 0.0 || time_s > length_s) return 0.0;
  double share = 1.0;
  if (layer.fade_in_s > 0.0) share = std::min(share, cubic_step(time_s / layer.fade_in_s));
  if (layer.fade_out_s > 0.0) share = std::min(share, cubic_step((length_s - time_s) / layer.fade_out_s));
  return layer.weight * share;
}

Result<void> check(const ClipLayer& layer, std::size_t index, const Clip& base) {
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorCode::invalid_argument, "layer {}: {}", index, what);
  };
  if (layer.clip == nullptr) return wrong("no clip");
  if (layer.clip->joint_count() != base.joint_count()) {
    return wrong(fmt::format("{} joints, expected {}", layer.clip->joint_count(), base.joint_count()));
  }
  if (!layer.mask.empty() && layer.mask.size() != static_cast<std::size_t>(base.joint_count())) {
    return wrong(fmt::format("a mask of {} joints, expected {}", layer.mask.size(), base.joint_count()));
  }
  const auto outside = [](float m) { return !(m >= 0.0f && m <= 1.0f); };
  if (std::ranges::any_of(layer.mask, outside) || !(layer.weight >= 0.0 && layer.weight <= 1.0)) {
    return wrong("a weight outside 0 to 1");
  }
  if (!(layer.speed > 0.0) || !(layer.fade_in_s >= 0.0) || !(layer.fade_out_s >= 0.0) || !std::isfinite(layer.at_s)) {
    return wrong(fmt::format("speed {}, fades {} s and {} s, at {} s; expected a positive speed and no negative times",
                             layer.speed, layer.fade_in_s, layer.fade_out_s, layer.at_s));
  }
  if (layer.reference && layer.reference->joint_count() != base.joint_count()) {
    return wrong(
        fmt::format("a reference of {} joints, expected {}", layer.reference->joint_count(), base.joint_count()));
  }
  return {};
}

}  // namespace

Result<BodyMask> mask_below(const Skeleton& skeleton, const body::BodyMap& map, std::span<const body::Role> roles) {
  BodyMask mask(static_cast<std::size_t>(skeleton.joint_count()), 0.0f);
  bool any = false;
  for (const body::Role role : roles) {
    if (!map.has(role)) continue;
    mask[map.joint(role)] = 1.0f;
    any = true;
  }
  if (!any) return fail(ErrorCode::not_possible, "the body has none of the roles of the mask");
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    float& own = mask[j];
    own = std::max(own, mask[skeleton.parent(j)]);
  }
  return mask;
}

BodyMask upper_body_mask(const Skeleton& skeleton, const body::BodyMap& map) {
  return part_mask(skeleton, map, false);
}

BodyMask lower_body_mask(const Skeleton& skeleton, const body::BodyMap& map) {
  return part_mask(skeleton, map, true);
}

void override_layer(const Pose& layer, std::span<const float> mask, float weight, Pose& pose) {
  assert(layer.joint_count() == pose.joint_count() && mask.size() == static_cast<std::size_t>(pose.joint_count()));
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const float w = weight * mask[j];
    if (w <= 0.0f) continue;
    if (w >= 1.0f) {
      pose.set_rotation(j, layer.rotation(j));
      pose.set_translation(j, layer.translation(j));
      continue;
    }
    pose.set_rotation(j, mean(pose.rotation(j), layer.rotation(j), w));
    const Vec3f own = pose.translation(j);
    pose.set_translation(j, own + (layer.translation(j) - own) * w);
  }
}

void additive_layer(const Pose& layer, const Pose& reference, std::span<const float> mask, float weight, Pose& pose) {
  assert(layer.joint_count() == pose.joint_count() && reference.joint_count() == pose.joint_count() &&
         mask.size() == static_cast<std::size_t>(pose.joint_count()));
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const float w = weight * mask[j];
    if (w <= 0.0f) continue;
    const Quatf added = reference.rotation(j).conjugate() * layer.rotation(j);
    pose.set_rotation(j, (pose.rotation(j) * Quatf::Identity().slerp(w, added)).normalized());
    pose.set_translation(j, pose.translation(j) + (layer.translation(j) - reference.translation(j)) * w);
  }
}

Result<Clip> apply_layers(const Clip& base, std::span<const ClipLayer> layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (const auto checked = check(layers[i], i, base); !checked) return std::unexpected(checked.error());
  }
  Clip made = base;
  Pose pose, over;
  for (const ClipLayer& layer : layers) {
    const BodyMask mask =
        layer.mask.empty() ? BodyMask(static_cast<std::size_t>(base.joint_count()), 1.0f) : layer.mask;
    const Pose reference = layer.reference ? *layer.reference : layer.clip->frame(0);
    for (int f = 0; f < made.frame_count(); ++f) {
      const double time_s = f * made.frame_time_s() - layer.at_s;
      const auto weight = static_cast<float>(fade(layer, time_s));
      if (weight <= 0.0f) continue;
      made.get_frame(f, pose);
      sample(*layer.clip, time_s * layer.speed, over);
      if (layer.kind == LayerKind::override) {
        override_layer(over, mask, weight, pose);
      } else {
        additive_layer(over, reference, mask, weight, pose);
      }
      made.set_frame(f, pose);
    }
  }
  return made;
}

}  // namespace shosa::blend
