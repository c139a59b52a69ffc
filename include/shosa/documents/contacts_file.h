#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shosa/analysis/given_contacts.h"

namespace shosa::documents {

/// When feet stand, by somebody's word: `{"left": [[0, 0.6], [1.1, 1.7]], "left_heel": [[1.1, 1.4]]}`.
///
/// Keys are feet and their parts as `shosa analyze` lists them. `"core": [0.4, 1.2]` says which part must survive when
/// the clip is joined to others. `take` says which clip of a file with several is meant; left out, it is the first.
struct ContactsFile {
  std::string file;  ///< For messages.
  std::optional<std::string> take;
  analysis::GivenContacts contacts;
  std::optional<TimeInterval> core;
};
Result<ContactsFile> parse_contacts(std::string_view text, const std::string& file);

/// Contacts that were found, as `parse_contacts` reads them: to be edited by hand.
std::string format_contacts(const analysis::FootContacts& contacts);

/// The name of the file beside a clip that every verb reads: "walk.contacts.json" for "takes/walk.bvh".
std::string contacts_beside(const std::string& clip_path);

}  // namespace shosa::documents
