#pragma once

#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/note.h"

namespace shosa::documents {

/// True where no bone differs by more than a millimetre.
bool on_body_of(const Clip& clip, const Clip& first);

struct MovedClip {
  analysis::StudiedClip studied;  ///< Where it was retargeted, with the contacts of the body that did it.
  bool retargeted = false;
  Notes warnings;  ///< Where it was retargeted; each begins with the clip's name.
};
/// A clip on the body of the first of several: as it is where it is on it, else retargeted. The names are for messages.
/// Fails as `retarget_motion` does.
Result<MovedClip> onto_body(const analysis::StudiedClip& studied, const std::string& name,
                            const analysis::StudiedClip& first, const std::string& first_name);

}  // namespace shosa::documents
