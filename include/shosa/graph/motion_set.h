#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shosa/analysis/given_contacts.h"
#include "shosa/core/note.h"

namespace shosa::graph {

/// One clip of a set, with what is known about it.
struct SetClip {
  std::string name;
  analysis::StudiedClip studied;
  std::vector<double> speed_mps;      ///< Of the hips' path, per frame, low-passed so that sway does not count.
  std::vector<std::uint8_t> contact;  ///< Per frame: bit f is set while foot f of `MotionSet::feet` stands.
  const Clip& clip() const { return studied.clip(); }
  const ClipPositions& positions() const { return studied.positions(); }
  const analysis::RootMotion& root() const { return studied.root(); }
};

/// The clips that a graph plays, all on one skeleton and at one rate.
///
/// The first clip gives skeleton and rate. Others must have the same joints by name and parent; where their bones are
/// longer or shorter their rotations are kept and the root's path is scaled by the ratio of leg lengths. Other rates
/// are resampled. Where the body has feet, every clip is lifted or lowered so that its ground lies at 0.
struct MotionSet {
  std::shared_ptr<const Skeleton> skeleton;
  body::BodyMap body_map;
  std::vector<body::FootPoints> feet;
  double frame_time_s = 0.0;
  std::vector<SetClip> clips;
  Notes warnings;

  int frame_count() const;
  /// The clip of a name; -1 when there is none.
  int find(const std::string& name) const;
};

struct NamedClip {
  std::string name;
  Clip clip;
  bool as_captured = false;          ///< Not cleaned, whatever the parameters say.
  analysis::GivenContacts contacts;  ///< Somebody's word on when its feet stand; checked.
};

struct MotionSetParams {
  bool clean = false;  ///< Clips are captured, and cleaned once they are on the common skeleton, rate and ground
                       ///< (`feet::clean_captured`); what was done is a warning each.
  bool ready = false;  ///< Clips are those of a set that was made before, and are taken as they are.
};
/// Each clip is studied once. Fails when there is no clip, two share a name, or joints differ (the error names the
/// first that does).
Result<MotionSet> make_motion_set(std::vector<NamedClip> clips, const body::BodyMap& body_map,
                                  const MotionSetParams& params = {});

}  // namespace shosa::graph
