#include "shosa/c/clip.h"

#include "c/objects.h"
#include "motions/motions.h"
#include "shosa/core/clip_edit.h"
#include "shosa/documents/reports.h"
#include "shosa/io/atomic_file.h"

namespace shosa::c {

const analysis::StudiedClip& ClipObject::studied() {
  if (!studied_) studied_ = chosen.study();
  return *studied_;
}

io::MotionFile ClipObject::alone() const {
  io::MotionFile motion = chosen.motion;
  motion.clips = {clip()};
  return motion;
}

std::unique_ptr<ClipObject> clip_object(io::MotionFile motion, std::size_t index, bool as_captured) {
  auto object = std::make_unique<ClipObject>();
  object->has_motion = !motion.clips.empty();
  if (motion.clips.empty()) motion.clips.emplace_back(motion.skeleton, 1, 1.0 / 60.0);
  object->chosen = {std::move(motion), index, as_captured};
  return object;
}

namespace {

/// Of the file; in `asf` the skeleton is a text or a path.
struct Reading {
  io::ReadOptions read;
  documents::ClipOptions choose;
  const char* asf = nullptr;
  const char* body_map = nullptr;
};

Reading reading(Call& c, const shosa_read_options* given) {
  const shosa_read_options options = c.read(given, shosa_read_options SHOSA_READ_OPTIONS_INIT, "shosa_read_options");
  Reading reading{.asf = options.asf, .body_map = options.body_map};
  c.index(options.up, "up", 3);
  if (options.up != SHOSA_UP_AUTO) reading.read.up = options.up == SHOSA_UP_Z ? io::UpAxis::z : io::UpAxis::y;
  if (options.unit_m != 0.0) reading.read.unit_m = c.number(options.unit_m, "unit_m", 1e-9, 1e9);
  if (options.fps_is != 0.0) reading.read.fps_is = c.number(options.fps_is, "fps_is", 1e-3, 1e6);
  if (options.sample_fps != 0.0) reading.read.sample_fps = c.number(options.sample_fps, "sample_fps", 1e-3, 1e6);
  reading.choose.as_captured = options.as_captured != 0;
  reading.read.drop_tpose = options.as_captured == 0 && options.keep_tpose == 0;
  if (options.take != nullptr) reading.choose.take = options.take;
  return reading;
}

void give_file(Call& c, Result<io::MotionFile> file, const std::string& name, const Reading& reading, shosa_clip* out) {
  auto motion = c.take(std::move(file));
  if (!motion) return;
  if (reading.body_map != nullptr && !c.take(documents::apply_body_map(*motion, reading.body_map, name + ": body_map")))
    return;
  std::size_t index = 0;
  if (!motion->clips.empty() || reading.choose.take) {
    const auto chosen = c.take(documents::choose_clip(*motion, name, reading.choose));
    if (!chosen) return;
    index = *chosen;
  }
  c.say(motion->warnings);
  c.give(out, clip_object(std::move(*motion), index, *reading.choose.as_captured));
}

/// What somebody said of a clip.
struct Said {
  analysis::GivenContacts contacts;
  std::optional<TimeInterval> core;
};

void give_edited(Call& c, const ClipObject& from, Result<Clip> edited, Said said, shosa_clip* out) {
  auto clip = c.take(std::move(edited));
  if (!clip) return;
  clip->set_name(from.clip().name());
  io::MotionFile motion = from.alone();
  motion.clips = {std::move(*clip)};
  auto object = clip_object(std::move(motion), 0, from.chosen.as_captured);
  object->chosen.contacts = std::move(said.contacts);
  object->chosen.core = said.core;
  c.give(out, std::move(object));
}

Said mirrored(const documents::ChosenClip& chosen) {
  Said said{{}, chosen.core};
  for (const auto& [foot, intervals] : chosen.contacts) {
    std::string other = foot;
    if (const auto left = foot.find("left"); left != std::string::npos)
      other.replace(left, 4, "right");
    else if (const auto right = foot.find("right"); right != std::string::npos)
      other.replace(right, 5, "left");
    said.contacts[other] = intervals;
  }
  return said;
}

}  // namespace

void give_made(Call& c, io::MotionFile motion, const std::string& report, shosa_clip* out, shosa_buffer* report_out) {
  c.say(motion.warnings);
  if (report_out != nullptr) c.give_bytes(report_out, documents::with_notes(report, motion.warnings));
  if (out == nullptr) return;
  if (c.failed() || c.give(out, clip_object(std::move(motion)))) return;
  if (report_out != nullptr && *report_out != 0) c.context().handles.remove(std::exchange(*report_out, 0));
}

}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

shosa_status shosa_clip_parse(shosa_context* context, const void* bytes, size_t size, const char* name,
                              const shosa_read_options* options, shosa_clip* out) {
  return call(context, "shosa_clip_parse", [&](Call& c) {
    c.clear(out);
    c.present(bytes, "bytes");
    const std::string called = c.text(name, "name");
    Reading how = reading(c, options);
    if (c.failed()) return;
    if (how.asf != nullptr) how.read.asf_text = how.asf;
    auto parsed = io::parse_motion({static_cast<const char*>(bytes), size}, called, how.read);
    give_file(c, std::move(parsed), called, how, out);
  });
}

shosa_status shosa_clip_read(shosa_context* context, const char* path, const shosa_read_options* options,
                             shosa_clip* out) {
  return call(context, "shosa_clip_read", [&](Call& c) {
    c.clear(out);
    const std::string file = c.text(path, "path");
    Reading how = reading(c, options);
    if (c.failed()) return;
    if (how.asf != nullptr) how.read.asf = how.asf;
    give_file(c, io::read_motion(file, how.read), file, how, out);
  });
}

shosa_status shosa_clip_make(shosa_context* context, const char* name, shosa_clip* out) {
  return call(context, "shosa_clip_make", [&](Call& c) {
    c.clear(out);
    const std::string wanted = c.text(name, "name");
    if (c.failed()) return;
    auto made = c.take(motions::make(wanted));
    if (!made) return;
    io::MotionFile motion;
    motion.skeleton = made->clip.skeleton_ptr();
    motion.body_map = std::move(made->body_map);
    motion.clips.push_back(std::move(made->clip));
    c.give(out, clip_object(std::move(motion), 0, true));  // made clean: nothing is to be taken out of it
  });
}

shosa_status shosa_motion_names(shosa_context* context, shosa_buffer* out) {
  return call(context, "shosa_motion_names", [&](Call& c) {
    if (c.clear(out)) c.give_bytes(out, fmt::format("[\"{}\"]", fmt::join(motions::names(), "\", \"")));
  });
}

shosa_status shosa_clip_format(shosa_context* context, shosa_clip clip, const char* name, shosa_buffer* out) {
  return call(context, "shosa_clip_format", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    const std::string called = c.text(name, "name");
    if (c.failed()) return;
    if (const auto bytes = c.take(io::format_motion(object->alone(), called))) c.give_bytes(out, *bytes);
  });
}

shosa_status shosa_clip_write(shosa_context* context, shosa_clip clip, const char* path) {
  return call(context, "shosa_clip_write", [&](Call& c) {
    const auto* object = c.find<ClipObject>(clip);
    const std::string file = c.text(path, "path");
    if (!c.failed()) c.take(io::write_motion(file, object->alone()));
  });
}

shosa_status shosa_clip_get_info(shosa_context* context, shosa_clip clip, shosa_clip_info* out) {
  return call(context, "shosa_clip_get_info", [&](Call& c) {
    const auto* object = c.find<ClipObject>(clip);
    if (c.failed()) return;
    const io::MotionFile& motion = object->chosen.motion;
    const Clip& own = object->clip();
    shosa_clip_info info = SHOSA_CLIP_INFO_INIT;
    info.joint_count = static_cast<std::uint32_t>(own.joint_count());
    info.end_site_count = static_cast<std::uint32_t>(own.skeleton().end_sites().size());
    info.frame_count = static_cast<std::uint32_t>(own.frame_count());
    info.has_motion = object->has_motion ? 1 : 0;
    info.body_kind = static_cast<std::uint32_t>(motion.body_map.kind);
    info.take_count = object->has_motion ? static_cast<std::uint32_t>(motion.clips.size()) : 0;
    info.take = static_cast<std::uint32_t>(object->chosen.index);
    info.frame_time_s = own.frame_time_s();
    info.duration_s = own.duration_s();
    info.unit_m = motion.unit_m;
    info.name = own.name().c_str();
    info.format = motion.format.c_str();
    c.write(out, info, "shosa_clip_info");
  });
}

shosa_status shosa_clip_describe(shosa_context* context, shosa_clip clip, shosa_buffer* out) {
  return call(context, "shosa_clip_describe", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    if (c.failed()) return;
    Notes notes = object->chosen.motion.warnings;
    notes.insert(notes.end(), object->map().warnings.begin(), object->map().warnings.end());
    c.give_bytes(out,
                 documents::with_notes(documents::info_report(object->chosen.motion, object->chosen.index), notes));
  });
}

shosa_status shosa_clip_copy(shosa_context* context, shosa_clip clip, shosa_clip* out) {
  return call(context, "shosa_clip_copy", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    if (!c.failed()) c.give(out, std::make_unique<ClipObject>(*object));
  });
}

shosa_status shosa_clip_take(shosa_context* context, shosa_clip clip, uint32_t take, shosa_clip* out) {
  return call(context, "shosa_clip_take", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    if (c.failed()) return;
    c.index(take, "take", object->chosen.motion.clips.size());
    if (!c.failed()) c.give(out, clip_object(object->chosen.motion, take, object->chosen.as_captured));
  });
}

shosa_status shosa_clip_set_name(shosa_context* context, shosa_clip clip, const char* name) {
  return call(context, "shosa_clip_set_name", [&](Call& c) {
    auto* object = c.find<ClipObject>(clip);
    const std::string called = c.text(name, "name");
    if (c.failed()) return;
    object->chosen.motion.clips[object->chosen.index].set_name(called);
    object->changed();
  });
}

shosa_status shosa_clip_set_body_map(shosa_context* context, shosa_clip clip, const char* json) {
  return call(context, "shosa_clip_set_body_map", [&](Call& c) {
    auto* object = c.find<ClipObject>(clip);
    const std::string text = c.text(json, "json");
    if (!c.failed() && c.take(documents::apply_body_map(object->chosen.motion, text, "body_map"))) object->changed();
  });
}

shosa_status shosa_clip_set_contacts(shosa_context* context, shosa_clip clip, const char* json) {
  return call(context, "shosa_clip_set_contacts", [&](Call& c) {
    auto* object = c.find<ClipObject>(clip);
    const std::string text = c.text(json, "json");
    if (!c.failed() && c.take(documents::apply_contacts(object->chosen, text, "contacts", true))) object->changed();
  });
}

shosa_status shosa_clip_cut(shosa_context* context, shosa_clip clip, double begin_s, double end_s, shosa_clip* out) {
  return call(context, "shosa_clip_cut", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    c.number(begin_s, "begin_s", -1e9, 1e9);
    c.number(end_s, "end_s", -1e9, 1e9);
    if (c.failed()) return;
    documents::ChosenClip part = object->chosen;
    Said said;
    if (documents::cut_clip(part, "clip", {.from_s = begin_s, .to_s = end_s})) said = {part.contacts, part.core};
    give_edited(c, *object, cut(object->clip(), begin_s, end_s), std::move(said), out);
  });
}

shosa_status shosa_clip_resample(shosa_context* context, shosa_clip clip, double fps, shosa_clip* out) {
  return call(context, "shosa_clip_resample", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    c.number(fps, "fps", 1e-3, 1e6);
    if (!c.failed())
      give_edited(c, *object, resample(object->clip(), fps), {object->chosen.contacts, object->chosen.core}, out);
  });
}

shosa_status shosa_clip_mirror(shosa_context* context, shosa_clip clip, shosa_clip* out) {
  return call(context, "shosa_clip_mirror", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<ClipObject>(clip);
    if (c.failed()) return;
    const auto partners = body::mirror_partners(object->clip().skeleton(), object->map());
    give_edited(c, *object, mirror(object->clip(), partners), mirrored(object->chosen), out);
  });
}
