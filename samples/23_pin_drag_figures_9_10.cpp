// A walk, edited while it plays: first the head ducks, then, over that, the left hand is moved; the steps stay.

#include <algorithm>

#include "sample_tools.h"

int main() {
  using namespace shosa;

  const Clip walk = scenes::walk().clip;
  const Skeleton& skeleton = walk.skeleton();
  const body::BodyMap map = body::guess_body_map(skeleton);
  posing::MotionEditParams edit;
  edit.stiffness = posing::human_stiffness(skeleton, map);
  edit.pins = sample::foot_pins(skeleton);
  edit.desired_weight = 1.0;
  const auto ranges = posing::human_ranges(skeleton, map);
  if (!ranges) return sample::failure(ranges.error());
  edit.ranges = *ranges;
  if (const auto kept = posing::keep_knees(walk, map, edit); !kept) return sample::failure(kept.error());

  // Two layers, one after the other, each over the baked result of the one before.
  const posing::DragLayer duck{
      .joint = skeleton.find("head"),
      .keys = {{1.0, Vec3d::Zero()}, {1.7, {-0.1, -0.25, 0.0}}, {2.1, {-0.1, -0.25, 0.0}}, {2.8, Vec3d::Zero()}},
      .relative = true};
  const posing::DragLayer guard{
      .joint = skeleton.find("left_hand"),
      .keys = {{1.0, Vec3d::Zero()}, {1.7, {0.0, 0.25, 0.35}}, {2.1, {0.0, 0.25, 0.35}}, {2.8, Vec3d::Zero()}},
      .relative = true};
  Clip edited = walk;
  for (const auto& layer : {duck, guard}) {
    edit.drags = {layer};
    if (layer.joint != duck.joint) edit.pins.push_back(sample::pin(skeleton, "head"));
    auto result = posing::edit_motion(edited, edit);
    if (!result) return sample::failure(result.error());
    fmt::print("{:10} drag error {:.3f} mm, pin error {:.3f} mm\n", skeleton.name(layer.joint),
               1e3 * result->max_drag_error_m, 1e3 * result->max_pin_error_m);
    edited = std::move(result->clip);
  }

  // Against the walk itself, by plain forward kinematics.
  const ClipPositions before = clip_positions(walk), after = clip_positions(edited);
  double feet_m = 0.0, head_m = 0.0;
  for (int f = 0; f < walk.frame_count(); ++f) {
    for (const auto& pin : sample::foot_pins(skeleton)) {
      feet_m = std::max(feet_m, (after.joint(f, pin.joint) - before.joint(f, pin.joint)).norm());
    }
    head_m = std::max(head_m, (after.joint(f, duck.joint) - before.joint(f, duck.joint)).norm());
  }
  fmt::print("feet at most {:.3f} mm from where the walk had them; head moved by {:.2f} m\n", 1e3 * feet_m, head_m);

  draw::StripParams strip;
  strip.views = {draw::ViewName::side};
  strip.count = 8;
  strip.width_px = 1000.0;
  strip.from_s = 0.8;
  strip.to_s = 3.0;
  strip.ghost = {.clip = &walk, .body_map = &map, .label = "the walk as it was"};
  strip.title = "A walk ducks: head, then left hand dragged; the steps stay";
  const auto drawn = draw::draw_strip(edited, map, strip);
  if (!drawn) return sample::failure(drawn.error());
  return sample::save(drawn->canvas, "duck.png") && sample::save(edited, "duck.bvh") && feet_m < 1e-3 ? 0 : 1;
}
