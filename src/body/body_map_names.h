#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shosa::body::body_map_detail {

enum class Side {
  none,
  left,
  right
};

/// What a name says, before the tree has been asked. Some words mean two things (`shoulder` is a collar bone in one
/// vocabulary and the upper arm in another); they keep a label of their own until the chain decides.
enum class Part {
  unknown,
  ignored,  ///< Twist, end, target and prop joints: never a role by name.
  root,
  hips,
  hip_helper,  ///< Links between hips and thigh that move little (LHipJoint, lButtock, pelvis.L).
  spine,       ///< Any joint of the back: the order along the chain decides between spine, chest and upper chest.
  neck,
  head,
  eye,
  jaw,
  tail,
  side_hip,  ///< LeftHip: the thigh, unless the side has a thigh of its own.
  leg,       ///< LeftLeg: shin below an upper leg, any link in a numbered chain.
  upper_leg,
  lower_leg,
  ankle,
  foot,
  toes,
  clavicle,
  shoulder,
  arm,
  upper_arm,
  lower_arm,
  wrist,
  hand,
  palm,
  finger,  ///< Numbered fingers (Finger0, finger2-1).
  thumb,
  index,
  middle,
  ring,
  little,
};

struct NameLabel {
  Part part = Part::unknown;
  Side side = Side::none;
  bool animal = false;              ///< Speaks of an animal: front leg, paw, tail, dog.
  std::vector<int> numbers;         ///< In order of appearance, prefixes such as Bip01 left out.
  std::vector<std::string> digits;  ///< The same as written ("01" and "1" differ in Biped's fingers).
  std::string sideless;             ///< Lower case, without side, separators and namespace: equal for mirror partners.
};

NameLabel read_name(std::string_view name);

/// The part a whole key such as "upleg" stands for; `unknown` when it is in no vocabulary. Keys are lower case letters.
Part find_part(std::string_view key);

}  // namespace shosa::body::body_map_detail
