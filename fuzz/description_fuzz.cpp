// Any bytes as the text of a motion: an error that names the text, or a motion whose samples are finite.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "motions/dog.h"
#include "motions/motions.h"
#include "motions/parse.h"

namespace {

using namespace shosa;
using motions::Motion;

template <class Description>
bool short_enough(const Description& description) {
  // Only so that a run is quick: how long a motion is does not matter to what can go wrong.
  return description.duration_s <= 4.0 && description.keys.size() <= 6;
}

void check(const Motion& motion) {
  for (int frame = 0; frame < motion.clip.frame_count(); ++frame) {
    for (JointIndex joint = 0; joint < motion.clip.joint_count(); ++joint) {
      const float length = motion.clip.rotation(frame, joint).norm();
      if (!(length > 0.99f && length < 1.01f)) std::abort();
    }
    if (!motion.clip.translation(frame, 0).allFinite()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto refused = [](const Error& error) {
    if (!error.message.starts_with("fuzz.motion")) std::abort();
    return 0;
  };
  if (motions::is_dog_text(text)) {
    const auto dog = motions::parse_dog(text, "fuzz.motion");
    if (!dog) return refused(dog.error());
    if (!short_enough(*dog)) return 0;
  } else {
    const auto human = motions::parse_description(text, "fuzz.motion");
    if (!human) return refused(human.error());
    // Goals of the hands run the posing solver, which has tests and limits of its own, and takes a second under the
    // sanitizers.
    for (const auto& key : human->keys) {
      if (key.posture.hand_m[0] || key.posture.hand_m[1]) return 0;
    }
    if (!short_enough(*human) || !human->mirror_of.empty()) return 0;
  }
  if (const auto motion = motions::make_from_text("fuzz", text, "fuzz.motion")) check(*motion);
  return 0;
}
