// Hands and feet are pinned; pelvis, head and left shoulder are dragged in turn, and the whole body follows.

#include "sample_tools.h"

int main() {
  using namespace shosa;

  const Clip start = sample::held(scenes::stand().clip, 1.5);
  const Skeleton& skeleton = start.skeleton();
  const body::BodyMap map = body::guess_body_map(skeleton);

  const auto ranges = posing::human_ranges(skeleton, map);
  if (!ranges) return sample::failure(ranges.error());

  const auto masses = posing::human_masses(skeleton, map);
  if (!masses) return sample::failure(masses.error());
  posing::Balance balance;
  balance.masses = *masses;
  balance.support = posing::human_support(skeleton, map);

  // Four postures for the picture: the first as it was.
  Clip postures(start.skeleton_ptr(), 4, 1.0, start.translated());
  postures.set_frame(0, start.frame(0));

  struct Drag {
    const char* joint;
    Vec3d by_m;
  };
  bool good = true;
  int frame = 1;
  for (const Drag& drag : {Drag{"hips", {0.08, -0.15, 0.0}}, Drag{"head", {0.0, -0.12, 0.22}},
                           Drag{"left_upper_arm", {0.1, -0.14, 0.14}}}) {
    posing::MotionEditParams edit;
    edit.stiffness = posing::human_stiffness(skeleton, map);
    edit.ranges = *ranges;
    edit.balance = balance;
    edit.desired_weight = 3.0;  // Near the posture it began with.
    edit.pins = sample::foot_pins(skeleton);
    for (const char* hand : {"left_hand", "right_hand"}) edit.pins.push_back(sample::pin(skeleton, hand));
    edit.drags = {{.joint = skeleton.find(drag.joint),
                   .keys = {{0.0, Vec3d::Zero()}, {1.0, drag.by_m}},
                   .relative = true,
                   .hold_last = true}};
    const auto result = posing::edit_motion(start, edit);
    if (!result) return sample::failure(result.error());
    fmt::print("{:15} dragged by {:.2f} m: drag error {:.3f} mm, pin error {:.3f} mm\n", drag.joint, drag.by_m.norm(),
               1e3 * result->max_drag_error_m, 1e3 * result->max_pin_error_m);
    good = good && result->max_drag_error_m < 1e-4 && result->max_pin_error_m < 1e-3;
    postures.set_frame(frame++, result->clip.frame(result->clip.frame_count() - 1));
  }

  draw::StripParams strip;
  strip.views = {draw::ViewName::three_quarter};
  strip.layout = draw::StripLayout::cells;
  strip.times_s = {0.0, 1.0, 2.0, 3.0};
  strip.time_labels = false;
  strip.width_px = 900.0;
  strip.title = "Pelvis, head, left shoulder dragged; hands and feet pinned";
  const auto drawn = draw::draw_strip(postures, map, strip);
  if (!drawn) return sample::failure(drawn.error());
  good = sample::save(drawn->canvas, "figure_6.png") && sample::save(postures, "figure_6.bvh") && good;
  return good ? 0 : 1;
}
