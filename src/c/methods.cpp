// Methods on clips in one call.

#include "shosa/c/methods.h"

#include "c/objects.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/documents/submovement_play.h"
#include "shosa/shosa.h"

using namespace shosa;
using namespace shosa::c;

namespace {

/// As the front door takes it.
MotionClip alone_of(const ClipObject& object) {
  return {object.alone(), 0, object.chosen.as_captured, object.chosen.contacts, object.chosen.core};
}

}  // namespace

shosa_status shosa_clip_fix(shosa_context* context, shosa_clip clip, const shosa_fix_params* params, shosa_clip* out,
                            shosa_buffer* report) {
  return make_from<ClipObject>(context, "shosa_clip_fix", clip, out, report, [&](Call& c, const auto* object) {
    const auto own = c.read(params, shosa_fix_params SHOSA_FIX_PARAMS_INIT, "shosa_fix_params");
    if (c.failed()) return;
    auto fixed = c.take(fix_clip(alone_of(*object), {.level = own.level != 0}));
    if (!fixed) return;
    const auto& [placed, before, after] = fixed->report;
    give_made(c, std::move(fixed->motion), documents::fix_report(placed, before, after), out, report);
  });
}

shosa_status shosa_clip_loop(shosa_context* context, shosa_clip clip, const shosa_loop_params* params, shosa_clip* out,
                             shosa_buffer* report) {
  return make_from<ClipObject>(context, "shosa_clip_loop", clip, out, report, [&](Call& c, const auto* object) {
    const auto own = c.read(params, shosa_loop_params SHOSA_LOOP_PARAMS_INIT, "shosa_loop_params");
    segment::LoopParams loop;
    loop.cycles = static_cast<int>(c.number(own.cycles, "cycles", 1, 1e6));
    c.number(own.from_s, "from_s", 0.0, 1e9);
    c.number(own.to_s, "to_s", 0.0, 1e9);
    if (own.from_s != 0.0 || own.to_s != 0.0) loop.from_s = own.from_s, loop.to_s = own.to_s;
    loop.straight = own.straight != 0;
    loop.in_place = own.in_place != 0;
    loop.still_feet = own.keep_slide == 0;
    loop.rise = static_cast<segment::LoopRise>(c.index(own.rise, "rise", 3));
    if (c.failed()) return;
    auto looped = c.take(loop_clip(alone_of(*object), loop));
    if (looped) give_made(c, std::move(looped->motion), documents::loop_report(looped->report), out, report);
  });
}

shosa_status shosa_clip_retarget(shosa_context* context, shosa_clip clip, shosa_clip onto,
                                 const shosa_retarget_params* params, shosa_clip* out, shosa_buffer* report) {
  return make_from<ClipObject>(context, "shosa_clip_retarget", clip, out, report, [&](Call& c, const auto* object) {
    const auto* body = c.find<ClipObject>(onto);
    const auto own = c.read(params, shosa_retarget_params SHOSA_RETARGET_PARAMS_INIT, "shosa_retarget_params");
    retarget::RetargetParams how{.keep_feet = own.loose_feet == 0, .keep_hands = own.loose_hands == 0};
    if (own.scale != 0.0) how.scale = c.number(own.scale, "scale", 1e-3, 1e3);
    if (c.failed()) return;
    io::MotionFile target = body->alone();
    if (!body->has_motion) target.clips.clear();
    target.warnings.clear();
    auto put = c.take(retarget_clip(alone_of(*object), std::move(target), how));
    if (!put) return;
    const std::string text = documents::retarget_report(put->report, object->clip().skeleton(), *put->motion.skeleton);
    give_made(c, std::move(put->motion), text, out, report);
  });
}

shosa_status shosa_clip_drag(shosa_context* context, shosa_clip clip, const char* joint, const double* keys,
                             uint32_t key_count, shosa_clip* out, shosa_buffer* report) {
  return make_from<ClipObject>(context, "shosa_clip_drag", clip, out, report, [&](Call& c, const auto* object) {
    const std::string name = c.text(joint, "joint");
    c.present(keys, "keys");
    c.number(key_count, "key_count", 1, 1e6);
    std::vector<posing::DragKey> path;
    for (std::size_t k = 0; k < key_count && !c.failed(); ++k) {
      const double* key = keys + 4 * k;
      c.number(key[0], "time of a key", -1e9, 1e9);
      const double place[3] = {key[1], key[2], key[3]};
      path.push_back({key[0], c.point(place, "place of a key")});
    }
    if (c.failed()) return;
    auto dragged = c.take(drag_joint(alone_of(*object), name, std::move(path)));
    if (dragged) give_made(c, std::move(dragged->motion), documents::pose_report(dragged->report), out, report);
  });
}

shosa_status shosa_folder_join(shosa_context* context, shosa_folder folder, double smoothness, shosa_clip* out,
                               shosa_buffer* report) {
  return make_from<FolderObject>(context, "shosa_folder_join", folder, out, report, [&](Call& c, const auto* object) {
    documents::Score score;
    score.smoothness = c.number(smoothness, "smoothness", 0.0, 1.0);
    if (c.failed()) return;
    for (const documents::ClipReference& reference : object->references())
      static_cast<documents::ClipReference&>(score.motions.emplace_back()) = reference;
    auto made = c.take(documents::evaluate(score, *object));
    if (!made) return;
    made->motion.warnings = made->warnings;
    const std::string text = documents::compose_report(*made);
    give_made(c, std::move(made->motion), text, out, report);
  });
}

shosa_status shosa_clip_decompose(shosa_context* context, shosa_clip clip, const shosa_decompose_params* params,
                                  shosa_buffer* out, shosa_buffer* report) {
  return make_from<ClipObject>(context, "shosa_clip_decompose", clip, out, report, [&](Call& c, const auto* object) {
    const auto own = c.read(params, shosa_decompose_params SHOSA_DECOMPOSE_PARAMS_INIT, "shosa_decompose_params");
    submovement::BodyParams how;
    if (own.max_error_m != 0.0) how.channel.max_error_m = c.number(own.max_error_m, "max_error_m", 1e-6, 10.0);
    if (own.max_error_rad != 0.0) how.channel.max_error_rad = c.number(own.max_error_rad, "max_error_rad", 1e-6, 3.0);
    if (own.min_duration_s != 0.0)
      how.channel.min_duration_s = c.number(own.min_duration_s, "min_duration_s", 0.02, 2.0);
    if (c.failed()) return;
    MotionClip source = alone_of(*object);
    const analysis::StudiedClip studied = source.study_standing();
    if (own.shared_timings != 0) how.groups = body::limb_groups(studied.skeleton(), source.motion.body_map);
    auto made = c.take(submovement::decompose_body(studied.clip(), how));
    if (!made) return;
    auto feet = c.take(documents::stances_of(studied));
    if (!feet) return;
    made->body.feet = std::move(*feet);
    c.say(source.motion.warnings);
    c.give_bytes(out, documents::format_submovements(made->body));
    if (report != nullptr)
      c.give_bytes(report, documents::with_notes(documents::decompose_report(*made), source.motion.warnings));
  });
}
