// Toes, heels and the left hand are pinned; the right hand is dragged down and up within 4 s: picking something up.

#include "sample_tools.h"

int main() {
  using namespace shosa;

  const Clip start = sample::held(scenes::stand().clip, 4.0);
  const Skeleton& skeleton = start.skeleton();
  const body::BodyMap map = body::guess_body_map(skeleton);
  const WorldPose world = forward_kinematics(skeleton, start.frame(0));
  const Vec3d hand = world.positions[std::size_t(skeleton.find("right_hand"))];

  posing::MotionEditParams edit;
  edit.stiffness = posing::human_stiffness(skeleton, map);
  edit.desired_weight = 3.0;  // The body stands up again once the hand lets it.
  edit.pins = sample::foot_pins(skeleton);
  edit.pins.push_back(sample::pin(skeleton, "left_hand"));
  edit.drags = {{.joint = skeleton.find("right_hand"),
                 .keys = {{0.0, hand}, {1.9, Vec3d(-0.12, 0.12, 0.42)}, {2.1, Vec3d(-0.12, 0.12, 0.42)}, {4.0, hand}}}};
  const auto ranges = posing::human_ranges(skeleton, map);
  if (!ranges) return sample::failure(ranges.error());
  edit.ranges = *ranges;
  if (const auto kept = posing::keep_knees(start, map, edit); !kept) return sample::failure(kept.error());
  const auto result = posing::edit_motion(start, edit);
  if (!result) return sample::failure(result.error());
  fmt::print("drag error {:.3f} mm, pin error {:.3f} mm, at most {:.1f} deg out of range; {} steps for {} frames\n",
             1e3 * result->max_drag_error_m, 1e3 * result->max_pin_error_m, result->max_range_violation_deg,
             result->steps, result->clip.frame_count());

  draw::StripParams strip;
  strip.views = {draw::ViewName::three_quarter};
  strip.layout = draw::StripLayout::cells;
  strip.count = 7;
  strip.width_px = 1000.0;
  strip.title = "Right hand dragged down and up; feet and left hand pinned";
  const auto drawn = draw::draw_strip(result->clip, map, strip);
  if (!drawn) return sample::failure(drawn.error());
  const bool good = result->max_drag_error_m < 1e-3 && result->max_pin_error_m < 2e-3;
  return sample::save(drawn->canvas, "pick_up.png") && sample::save(result->clip, "pick_up.bvh") && good ? 0 : 1;
}
