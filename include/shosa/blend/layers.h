#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::blend {

/// How much of a layer each joint takes, in [0, 1]; one entry per joint. Joints with 0 are not touched at all.
using BodyMask = std::vector<float>;

/// 1 for the joints of these roles and everything that hangs on them, 0 elsewhere. Fails when the body has none of the
/// roles.
Result<BodyMask> mask_below(const Skeleton& skeleton, const body::BodyMap& map, std::span<const body::Role> roles);
/// 1 for the upper body (everything that is not `lower_body`), 0 elsewhere; and the other way round.
BodyMask upper_body_mask(const Skeleton& skeleton, const body::BodyMap& map);
BodyMask lower_body_mask(const Skeleton& skeleton, const body::BodyMap& map);

/// pose = pose * (1 - w) + layer * w per joint, w = weight * mask: rotations along the shorter arc, translations
/// linearly. Joints with w = 0 keep their bits, joints with w = 1 take the layer's. Allocates nothing. Rules (assert):
/// same joint counts, `weight` and the mask within [0, 1].
void override_layer(const Pose& layer, std::span<const float> mask, float weight, Pose& pose);

/// Adds what `layer` does beyond `reference`: q = q (reference^-1 layer)^w per joint; translations gain
/// w (layer - reference). Same rules.
void additive_layer(const Pose& layer, const Pose& reference, std::span<const float> mask, float weight, Pose& pose);

enum class LayerKind {
  override,
  additive
};

/// A clip over another, with its own timing.
struct ClipLayer {
  const Clip* clip = nullptr;  ///< On the same skeleton (joint count). Required.
  LayerKind kind = LayerKind::override;
  BodyMask mask;                  ///< Empty: the whole body.
  double at_s = 0.0;              ///< Where its first frame is on the base's time.
  double speed = 1.0;             ///< Layer seconds per base second; > 0.
  double weight = 1.0;            ///< In [0, 1].
  double fade_in_s = 0.2;         ///< From its first frame on; >= 0. Smooth (C1).
  double fade_out_s = 0.2;        ///< To its last frame; >= 0.
  std::optional<Pose> reference;  ///< additive: what counts as nothing; the layer's first frame when empty.
};

/// The base with its layers, lowest first. The root's place is the base's where the mask leaves it alone. Joints
/// outside every mask keep their bits. Fails when a rule above is broken; the error names the layer.
Result<Clip> apply_layers(const Clip& base, std::span<const ClipLayer> layers);

}  // namespace shosa::blend
