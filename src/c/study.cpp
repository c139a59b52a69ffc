// What is known of a clip.

#include "c/objects.h"
#include "shosa/body/foot_points.h"
#include "shosa/c/clip.h"
#include "shosa/documents/reports.h"

using namespace shosa;
using namespace shosa::c;

shosa_status shosa_clip_analyze(shosa_context* context, shosa_clip clip, shosa_buffer* out) {
  return call(context, "shosa_clip_analyze", [&](Call& c) {
    c.clear(out);
    auto* object = c.find<ClipObject>(clip);
    if (c.failed()) return;
    const auto found = c.take(documents::analyze(object->studied(), object->chosen.core));
    if (!found) return;
    c.say(found->warnings);
    c.give_bytes(out, documents::with_notes(documents::analysis_report(object->studied(), *found), found->warnings));
  });
}

shosa_status shosa_clip_measure(shosa_context* context, shosa_clip clip, shosa_clip reference, shosa_buffer* out) {
  return call(context, "shosa_clip_measure", [&](Call& c) {
    c.clear(out);
    auto* object = c.find<ClipObject>(clip);
    auto* truth = reference == 0 ? nullptr : c.find<ClipObject>(reference);
    if (c.failed()) return;
    const auto measured = c.take(documents::measure(object->studied(), truth == nullptr ? nullptr : &truth->studied()));
    if (!measured) return;
    c.say(measured->warnings);
    c.give_bytes(out, documents::with_notes(documents::measures_report(*measured), measured->warnings));
  });
}

shosa_status shosa_clip_contacts(shosa_context* context, shosa_clip clip, uint8_t* out, uint32_t frame_count) {
  return call(context, "shosa_clip_contacts", [&](Call& c) {
    auto* object = c.find<ClipObject>(clip);
    c.present(out, "out");
    if (c.failed()) return;
    const analysis::StudiedClip& studied = object->studied();
    c.same_count(frame_count, "frame_count", static_cast<std::uint64_t>(studied.clip().frame_count()));
    if (c.failed()) return;
    std::fill_n(out, frame_count, std::uint8_t{0});
    const Clip& own = studied.clip();
    const auto feet = body::find_foot_points(own.skeleton(), studied.map());
    for (std::size_t foot = 0; foot < std::min<std::size_t>(8, feet.size()); ++foot) {
      const auto* track = studied.contacts().find(feet[foot].name);
      if (track == nullptr) continue;
      for (const TimeInterval& stance : track->joined) {
        const int last = own.nearest_frame(stance.end_s);
        for (int f = own.nearest_frame(stance.begin_s); f <= last; ++f)
          out[f] = static_cast<std::uint8_t>(out[f] | 1U << foot);
      }
    }
  });
}

shosa_status shosa_clip_root_motion(shosa_context* context, shosa_clip clip, double* out, uint32_t frame_count) {
  return call(context, "shosa_clip_root_motion", [&](Call& c) {
    auto* object = c.find<ClipObject>(clip);
    c.present(out, "out");
    if (c.failed()) return;
    const auto& places = object->studied().root().places;
    c.same_count(frame_count, "frame_count", places.size());
    if (c.failed()) return;
    for (const analysis::GroundPlace& place : places) {
      *out++ = place.x_m;
      *out++ = place.z_m;
      *out++ = place.heading_rad;
    }
  });
}
