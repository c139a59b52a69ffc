#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::documents {

/// The first of several motions, whose body does all of them.
struct LeadingMotion {
  const Clip& clip;
  const body::BodyMap& map;
  const std::string& name;  ///< For messages.
};

/// True where no bone differs by more than a millimetre.
bool on_body_of(const Clip& clip, const Clip& first);

struct MovedClip {
  Clip clip;
  body::BodyMap map;
  std::optional<analysis::FootContacts> contacts;  ///< Where it was retargeted.
  std::vector<std::string> warnings;               ///< Where it was retargeted; each begins with the clip's name.
};
/// A clip on the body of the first: as it is where it is on it, else retargeted. Fails as `retarget_motion` does.
Result<MovedClip> onto_body(const Clip& clip, const body::BodyMap& map, const std::string& name,
                            const LeadingMotion& first);

}  // namespace shosa::documents
