#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "motions/motions.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::test {

/// Each motion is made once for the whole program.
inline const motions::Motion& shipped(const std::string& name) {
  static std::map<std::string, motions::Motion> made;
  auto found = made.find(name);
  if (found == made.end()) {
    auto motion = motions::make(name);
    EXPECT_TRUE(motion.has_value()) << motion.error().message;
    found = made.emplace(name, std::move(*motion)).first;
  }
  return found->second;
}

inline bool is_dog(const motions::Motion& motion) {
  return motion.body_map.kind == body::BodyKind::quadruped;
}

inline analysis::FootContacts contacts_of(const motions::Motion& motion) {
  const auto studied = analysis::study(motion.clip, motion.body_map);
  EXPECT_TRUE(studied.needs_feet().has_value());
  return studied.contacts();
}

inline bool slides(const motions::Motion& motion) {
  return motion.name.starts_with("noh_");
}

/// The contacts that were found, with the times that were planned.
inline analysis::FootContacts planned_contacts(const motions::Motion& motion) {
  analysis::FootContacts contacts = contacts_of(motion);
  for (auto& track : contacts.feet) {
    for (const auto& plan : motion.feet) {
      if (motion.clip.skeleton().find(plan.foot) != track.points.joint) continue;
      track.heel = plan.heel;
      track.toe = plan.toes;
      track.joined = plan.standing;
      track.stances.clear();
      for (const auto& time : plan.standing) track.stances.push_back({time, contacts.ground_m});
    }
  }
  return contacts;
}

/// Frames of the core.
inline std::pair<int, int> core_frames(const motions::Motion& motion) {
  return {motion.clip.nearest_frame(motion.core.begin_s), motion.clip.nearest_frame(motion.core.end_s)};
}

/// Peak to peak of the centre of mass's height over the core.
inline double com_excursion_m(const motions::Motion& motion) {
  const auto com = analysis::center_of_mass(analysis::study(motion.clip, motion.body_map));
  const auto [first, last] = core_frames(motion);
  double low = 1e9, high = -1e9;
  for (int f = first; f <= last; ++f) {
    low = std::min(low, com[f].y());
    high = std::max(high, com[f].y());
  }
  return high - low;
}

/// Beginnings of stances of a foot inside the clip, as the contact finder sees them.
inline std::vector<double> strikes_of(const analysis::FootContacts& contacts, const std::string& foot) {
  std::vector<double> times;
  for (const auto& stance : contacts.find(foot)->joined) {
    if (stance.begin_s > 0.05) times.push_back(stance.begin_s);
  }
  return times;
}

}  // namespace shosa::test
