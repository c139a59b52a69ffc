#pragma once

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

/// The same motion, carried by joint 0 where hips below it carry it in `clip`.
///
/// Some skeletons have joints above their hips that stay at the origin while the hips go. What turns or shifts the body
/// at joint 0 then swings it about a place metres away. Here joint 0 faces where the body faces and brings the hips
/// where they were, those between rest, and every joint at, below or beside the hips is where it was in the world.
/// A clip whose hips are joint 0 comes back as it is.
Clip carried_by_root(const Clip& clip, const body::BodyMap& map);
/// The same, studied, with the contacts that are known.
StudiedClip carried_by_root(const StudiedClip& studied);

}  // namespace shosa::analysis
