#pragma once

#include "shosa/analysis/studied_clip.h"
#include "shosa/draw/strip.h"

namespace shosa::draw {

/// `draw_strip` of a studied clip, with what is known of it where `params` leaves it open: contacts; the floor under
/// the drawn feet while one stands (of the whole clip where none stands in the shown time), so that hands below them
/// do not lower it; and where the body goes, else where it faces while its trunk is upright, of the whole clip where
/// it is bent all the time.
Result<Strip> draw_strip(const analysis::StudiedClip& studied, StripParams params = {});

}  // namespace shosa::draw
