// A moment of a pose script, pulled at by an editor.

#include "c/objects.h"
#include "shosa/c/pin_drag.h"
#include "shosa/core/angles.h"
#include "shosa/documents/pose_script.h"
#include "shosa/shosa.h"

using namespace shosa;
using namespace shosa::c;

namespace {

/// The script's own goals as they are at one time.
std::unique_ptr<PoseMomentObject> moment_of(Call& c, documents::PoseScript script, const FolderObject& folder,
                                            double time_s, const PoseMomentObject* like) {
  const auto opened = c.take(folder.open(script.clip));
  if (!opened) return nullptr;
  const std::vector<documents::ClipReference> prior_clips = script.prior;
  const bool same_body =
      like != nullptr && like->skeleton == opened->motion.skeleton && like->prior_clips == prior_clips;
  const bool known = script.use_prior && same_body && like->prior;
  script.use_prior = script.use_prior && !known;
  script.layers.clear();
  auto job = c.take(documents::stage(script, folder, usual_postures()));
  if (!job) return nullptr;
  posing::MotionEditParams& edit = job->layers.front();
  if (known) edit.prior = like->prior;
  auto moment = c.take(posing::MomentEdit::create(job->reference, edit, time_s));
  if (!moment) return nullptr;
  auto object = std::make_unique<PoseMomentObject>(job->motion, std::move(*moment));
  object->skeleton = opened->motion.skeleton;
  object->prior = edit.prior || !same_body ? edit.prior : like->prior;
  object->prior_clips = prior_clips;
  return object;
}

}  // namespace

shosa_status shosa_pose_moment_create(shosa_context* context, shosa_folder folder, const char* name, const char* script,
                                      double time_s, shosa_pose_moment like, uint32_t poses, shosa_pose_moment* out) {
  return call(context, "shosa_pose_moment_create", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<FolderObject>(folder);
    const auto* before = like == 0 ? nullptr : c.find<PoseMomentObject>(like);
    const std::string called = c.text(name, "name"), text = c.text(script, "script");
    c.number(time_s, "time_s", 0.0, 1e6);
    c.index(poses, "poses", 4);
    if (c.failed()) return;
    const auto parsed = c.take(documents::parse_pose_script(text, called));
    if (!parsed) return;
    auto made = moment_of(c, *parsed, *object, time_s, before);
    if (made == nullptr) return;
    if (!made->arrays.create(context->allocator, made->skeleton->joint_count(), poses))
      return c.fail_plainly(SHOSA_OUT_OF_MEMORY, "no memory for a posture");
    c.give(out, std::move(made));
  });
}

shosa_status shosa_pose_moment_pull(shosa_context* context, shosa_pose_moment moment, uint32_t joint,
                                    const double position_m[3], const double orientation[4], uint32_t steps,
                                    uint32_t* rests, shosa_step_report* report) {
  return call(context, "shosa_pose_moment_pull", [&](Call& c) {
    auto* object = c.find<PoseMomentObject>(moment);
    if (object == nullptr) return;
    const auto joints = static_cast<std::uint64_t>(object->skeleton->joint_count());
    const JointIndex j = c.index(joint, "joint", joints);
    c.number(steps, "steps", 1.0, 1000.0);
    c.clear_if_given(rests);
    shosa_step_report made = SHOSA_STEP_REPORT_INIT;
    if (report != nullptr) c.write(report, made, "shosa_step_report");
    if (position_m != nullptr) {
      const double values[3] = {position_m[0], position_m[1], position_m[2]};
      const Vec3d place = c.point(values, "position_m");
      if (!c.failed()) c.take(object->moment.lead(j, place));
    }
    if (orientation != nullptr) {
      const Quatd turn = unit_rotation(c, orientation, "orientation");
      if (!c.failed()) c.take(object->moment.turn(j, turn));
    }
    if (c.failed()) return;
    const auto settled = c.take(object->moment.settle(static_cast<int>(steps)));
    if (!settled) return;
    object->arrays.set(*object->skeleton, settled->clip.frame(0));
    if (rests != nullptr) *rests = object->moment.rests() ? 1 : 0;
    if (report == nullptr) return;
    made.max_drag_error_m = settled->max_drag_error_m;
    made.max_pin_error_m = settled->max_pin_error_m;
    made.max_range_violation_rad = settled->max_range_violation_deg * kRadPerDeg;
    made.balance_error_m = settled->max_balance_error_m;
    made.shortened = 1.0;
    c.write(report, made, "shosa_step_report");
  });
}

shosa_status shosa_pose_moment_get_pose(shosa_context* context, shosa_pose_moment moment, shosa_pose* out) {
  return call(context, "shosa_pose_moment_get_pose", [&](Call& c) {
    const auto* object = c.find<PoseMomentObject>(moment);
    if (object != nullptr) c.write(out, object->arrays.view(), "shosa_pose");
  });
}
