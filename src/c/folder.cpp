#include <algorithm>

#include "c/objects.h"
#include "shosa/c/methods.h"

namespace shosa::c {

const FolderObject::Entry* FolderObject::find_clip(const std::string& name) const {
  const auto found = std::ranges::find(clips, name, &Entry::name);
  return found == clips.end() ? nullptr : &*found;
}

bool FolderObject::has_text(const std::string& name) const {
  return std::ranges::find(texts, name) != texts.end();
}

std::vector<documents::ClipReference> FolderObject::references() const {
  std::vector<documents::ClipReference> list;
  for (const Entry& entry : clips) list.emplace_back().clip = entry.name;
  return list;
}

Result<documents::ChosenClip> FolderObject::open(const documents::ClipReference& reference) const {
  const Entry* entry = find_clip(reference.clip);
  if (entry == nullptr && files) return files->open(reference);
  documents::ClipReference own = reference;
  if (!own.as_captured && entry != nullptr) own.as_captured = entry->as_captured;
  return memory.open(own);
}

Result<std::string> FolderObject::text(const std::string& name) const {
  return files && !has_text(name) ? files->text(name) : memory.text(name);
}

// A clip in memory has no file that could change.
Result<std::string> FolderObject::hash_of(const documents::ClipReference& reference) const {
  return files && find_clip(reference.clip) == nullptr ? files->hash_of(reference) : Result<std::string>("");
}

std::string FolderObject::path(const std::string& name) const {
  return files && !has_text(name) && find_clip(name) == nullptr ? files->path(name) : name;
}

}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

shosa_status shosa_folder_create(shosa_context* context, shosa_folder* out) {
  return call(context, "shosa_folder_create", [&](Call& c) {
    if (c.clear(out)) c.give(out, std::make_unique<FolderObject>());
  });
}

shosa_status shosa_folder_open(shosa_context* context, const char* path, shosa_folder* out) {
  return call(context, "shosa_folder_open", [&](Call& c) {
    c.clear(out);
    const std::string folder = c.text(path, "path");
    if (c.failed()) return;
    auto object = std::make_unique<FolderObject>();
    object->files.emplace(std::filesystem::path(folder) / "document");
    c.give(out, std::move(object));
  });
}

shosa_status shosa_folder_add_clip(shosa_context* context, shosa_folder folder, const char* name, shosa_clip clip) {
  return call(context, "shosa_folder_add_clip", [&](Call& c) {
    auto* object = c.find<FolderObject>(folder);
    const auto* added = c.find<ClipObject>(clip);
    const std::string called = c.text(name, "name");
    if (c.failed()) return;
    const FolderObject::Entry entry{called, added->chosen.as_captured};
    object->memory.add(called, added->alone(), added->chosen.contacts, added->chosen.core);
    const auto found = std::ranges::find(object->clips, called, &FolderObject::Entry::name);
    if (found != object->clips.end()) {
      *found = entry;
    } else {
      object->clips.push_back(entry);
    }
  });
}

shosa_status shosa_folder_add_text(shosa_context* context, shosa_folder folder, const char* name, const void* text,
                                   size_t size) {
  return call(context, "shosa_folder_add_text", [&](Call& c) {
    auto* object = c.find<FolderObject>(folder);
    const std::string called = c.text(name, "name");
    if (size > 0) c.present(text, "text");
    if (c.failed()) return;
    object->memory.add_text(called, size == 0 ? std::string() : std::string(static_cast<const char*>(text), size));
    if (!object->has_text(called)) object->texts.push_back(called);
  });
}

shosa_status shosa_folder_format(shosa_context* context, shosa_folder folder, const char* name, shosa_buffer* out) {
  return call(context, "shosa_folder_format", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<FolderObject>(folder);
    const std::string called = c.text(name, "name");
    if (c.failed()) return;
    io::MotionFile all;
    for (const documents::ClipReference& reference : object->references()) {
      auto opened = c.take(object->open(reference));
      if (!opened) return;
      Clip clip = opened->clip();
      clip.set_name(reference.clip);
      if (all.clips.empty()) all = std::move(opened->motion), all.clips.clear();
      all.clips.push_back(std::move(clip));
    }
    if (all.clips.empty()) return c.fail(SHOSA_BAD_ARGUMENT, "folder holds no clip, expected one or more");
    if (const auto bytes = c.take(io::format_motion(all, called))) c.give_bytes(out, *bytes);
  });
}
