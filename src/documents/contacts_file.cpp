#include "shosa/documents/contacts_file.h"

#include <filesystem>

#include "documents/contact_list.h"

namespace shosa::documents {

std::vector<TimeInterval> read_contacts(const Place& place) {
  std::vector<TimeInterval> contacts;
  for (const Place& part : place.list()) {
    const TimeInterval contact = part.interval();
    if (!contacts.empty() && contact.begin_s <= contacts.back().end_s) part.expected("a contact after the one before");
    contacts.push_back(contact);
  }
  return contacts;
}

Result<ContactsFile> parse_contacts(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  if (!root.is_object()) root.expected("{\"left\": [[begin, end], …], …}");
  ContactsFile document{.file = file, .take = {}, .contacts = {}, .core = {}};
  for (const Place& place : root.inside()) {
    if (place.key() == "take") {
      document.take = place.is_whole() ? std::to_string(place.whole(0, INT32_MAX)) : place.text("a clip's name");
    } else if (place.key() == "core") {
      document.core = place.interval();
    } else if (place.key() != kVersionKey) {
      document.contacts[std::string(place.key())] = read_contacts(place);
    }
  }
  return reader.finish(std::move(document));
}

std::string format_contacts(const analysis::GivenContacts& given, bool lines) {
  std::string text;
  for (const auto& [name, intervals] : given) {
    text += fmt::format("{}{}{}: [", text.empty() ? "" : lines ? ",\n" : ", ", lines ? "  " : "", json_quoted(name));
    for (std::size_t i = 0; i < intervals.size(); ++i)
      text += fmt::format("{}[{}, {}]", i > 0 ? ", " : "", intervals[i].begin_s, intervals[i].end_s);
    text += "]";
  }
  return lines ? "{\n" + text + "\n}\n" : "{" + text + "}";
}

std::string format_contacts(const analysis::FootContacts& contacts) {
  analysis::GivenContacts given;
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    given[foot.points.name] = foot.joined;
    if (foot.points.heel >= 0) given[foot.points.name + "_heel"] = foot.heel;
    if (foot.points.toe >= 0) given[foot.points.name + "_toes"] = foot.toe;
  }
  return format_contacts(given, true);
}

std::string contacts_beside(const std::string& clip_path) {
  return std::filesystem::path(clip_path).replace_extension(".contacts.json").string();
}

}  // namespace shosa::documents
