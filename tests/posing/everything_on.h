#pragma once

#include <gtest/gtest.h>

#include "shosa/analysis/studied_clip.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// Feet kept, and with `rules` human ranges, knees that are hinges, and balance.
inline MotionEditParams everything_on(const Clip& clip, const body::BodyMap& map, bool rules = true) {
  MotionEditParams edit = body_edit(clip.skeleton(), map);
  const analysis::StudiedClip studied = analysis::study(clip, map);
  edit.pins = feet_pins(studied.contacts());
  if (!rules) return edit;
  edit.ranges = *human_ranges(clip.skeleton(), map);
  EXPECT_TRUE(keep_knees(clip, map, edit).has_value());
  edit.balance.emplace();
  edit.balance->masses = *human_masses(clip.skeleton(), map);
  edit.balance->support = human_support(clip.skeleton(), map);
  edit.stances = carrying_stances(studied.contacts());
  return edit;
}

}  // namespace shosa::posing
