#pragma once

#include <optional>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"

namespace shosa::segment {

/// When the feet of a clip stand, by frame. A body without feet never stands.
class PlantedFeet {
 public:
  PlantedFeet(const Clip& clip, const body::BodyMap& map);

  const std::optional<analysis::FootContacts>& contacts() const { return contacts_; }

  /// One flag per frame `first`..`last` for a foot or its toes; frames beyond the clip repeat its last. Empty where the
  /// joint is no foot.
  std::vector<char> flags(JointIndex joint, int first, int last) const;

 private:
  const Clip& clip_;
  std::optional<analysis::FootContacts> contacts_;
};

}  // namespace shosa::segment
