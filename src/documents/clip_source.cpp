#include "shosa/documents/clip_source.h"

#include "documents/contact_list.h"
#include "shosa/documents/contacts_file.h"
#include "shosa/io/content_hash.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {

Result<void> give_contacts(ChosenClip& chosen, const ClipReference& reference) {
  if (reference.given.empty()) return {};
  if (const auto fits = analysis::check_contacts(reference.given, chosen.clip(), chosen.motion.body_map); !fits)
    return fail(fits.error().code, "contacts/{}", fits.error().message);
  chosen.contacts = reference.given;
  return {};
}

ClipOptions FilesBeside::options_of(const ClipReference& reference) const {
  ClipOptions own = reference;
  if (own.body_map) own.body_map = path(*own.body_map);
  if (own.asf) own.asf = path(*own.asf);
  if (own.contacts) own.contacts = path(*own.contacts);
  return own.over(usual_);
}

Result<ChosenClip> FilesBeside::open(const ClipReference& reference) const {
  auto opened = open_clip(path(reference.clip), options_of(reference));
  if (opened)
    if (const auto ok = give_contacts(*opened, reference); !ok) return std::unexpected(ok.error());
  return opened;
}

Result<std::string> FilesBeside::hash_of(const ClipReference& reference) const {
  const ClipOptions options = options_of(reference);
  const bool as_captured = options.as_captured.value_or(false);
  io::ContentHash hash;
  hash.add(fmt::format("{} {} {} {} {} {}", options.take.value_or(""), options.unit.value_or("auto"),
                       options.up.value_or("auto"), options.fps_is.value_or(0.0), as_captured,
                       options.drop_tpose.value_or(!as_captured)));
  if (options.from_s || options.to_s)
    hash.add(fmt::format("{} {}", options.from_s.value_or(0.0), options.to_s.value_or(-1.0)));
  // Contacts and roles beside the clip count without being named.
  std::optional<std::string> contacts = options.contacts;
  if (const std::string beside = contacts_beside(path(reference.clip)); !contacts && io::is_plain_file(beside))
    contacts = beside;
  std::optional<std::string> body_map = options.body_map;
  if (const std::string beside = body_map_beside(path(reference.clip)); !body_map && io::is_plain_file(beside))
    body_map = beside;
  if (!reference.given.empty()) hash.add(format_contacts(reference.given));
  for (const auto& file : {std::optional(path(reference.clip)), options.asf, body_map, contacts}) {
    const auto bytes = file ? io::read_text(*file) : Result<std::string>("");
    if (!bytes) return std::unexpected(bytes.error());
    hash.add(*bytes);
  }
  return hash.text();
}

Result<std::string> FilesBeside::text(const std::string& name) const {
  return io::read_text(path(name));
}

Result<ChosenClip> ClipsInMemory::open(const ClipReference& reference) const {
  const auto found = motions_.find(reference.clip);
  if (found == motions_.end()) return fail(ErrorCode::cannot_read, "{}: no such motion in memory", reference.clip);
  io::MotionFile motion = found->second.motion;
  if (reference.body_map) {
    const auto json = text(*reference.body_map);
    if (!json) return std::unexpected(json.error());
    if (const auto applied = apply_body_map(motion, *json, *reference.body_map); !applied)
      return std::unexpected(applied.error());
  }
  const auto index = choose_clip(motion, reference.clip, reference);
  if (!index) return std::unexpected(index.error());
  ChosenClip chosen{std::move(motion), *index, reference.as_captured.value_or(false), found->second.contacts,
                    found->second.core};
  if (reference.contacts) {
    const auto json = text(*reference.contacts);
    if (!json) return std::unexpected(json.error());
    if (const auto ok = apply_contacts(chosen, *json, *reference.contacts, true); !ok)
      return std::unexpected(ok.error());
  }
  if (const auto ok = cut_clip(chosen, reference.clip, reference); !ok) return std::unexpected(ok.error());
  if (const auto ok = give_contacts(chosen, reference); !ok) return std::unexpected(ok.error());
  return chosen;
}

Result<std::string> ClipsInMemory::text(const std::string& name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) return fail(ErrorCode::cannot_read, "{}: no such text in memory", name);
  return found->second;
}

}  // namespace shosa::documents
