#pragma once

#include <map>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

/// Contacts that somebody gives instead of those that are found, by foot ("left", as `FootPoints::name`) or by its part
/// ("left_heel", "left_toes"). Feet that are not named keep what was found.
///
/// A foot's own intervals say when it stands. Within them its parts stand as given, else as found; where no part does,
/// its ball does (its ankle, where it has no ball). A foot of which only parts are given stands while one of them does.
/// The ground under a stance is the median height of the foot's lowest point in it.
using GivenContacts = std::map<std::string, std::vector<TimeInterval>>;

/// Fails when the body has no such foot or part, or intervals are not in order, or not within the clip; the message
/// begins with the name.
Result<void> check_contacts(const GivenContacts& given, const Clip& clip, const body::BodyMap& map);

/// Those of `found` with what is given in place of it. `given` has been checked.
FootContacts with_contacts(FootContacts found, const GivenContacts& given, const ClipPositions& positions,
                           double frame_time_s);

/// The same as `study`, with what is given. `given` has been checked.
StudiedClip study_with_contacts(Clip clip, body::BodyMap map, const GivenContacts& given);

/// Those of a part of the clip: times count from `from_s`.
GivenContacts cut_contacts(const GivenContacts& given, double from_s, double to_s);

}  // namespace shosa::analysis
