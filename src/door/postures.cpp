#include "motions/motions.h"
#include "shosa/shosa.h"

namespace shosa {

const std::vector<analysis::StudiedClip>& usual_postures() {
  // Bending, reaching, sitting, stepping: what people do on their feet. Gaits add nothing but time.
  static const std::vector<analysis::StudiedClip> postures = [] {
    std::vector<analysis::StudiedClip> made;
    for (const char* name : {"idle", "guard", "step_up", "step_down", "sit_down", "pick_up", "raise_hand", "wave",
                             "bow", "punch_left", "kick", "jump", "dodge"}) {
      if (auto motion = motions::make(name)) made.push_back(analysis::study(motion->clip, motion->body_map));
    }
    return made;
  }();
  return postures;
}

}  // namespace shosa
