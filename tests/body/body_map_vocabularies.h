#pragma once

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "shosa/body/body_map.h"
#include "support/paths.h"

namespace shosa::test {

/// One way of naming a body. A line is `name ; parent ; place ; role`: the place is a role or helper of the standard
/// body below or `x,y,z`; the role is the place where it is left out and `-` for none. `{S} {s} {C} {c}` stand for Left
/// left L l and make a right twin.
struct Vocabulary {
  std::string name;
  std::string lines;
  body::BodyKind kind = body::BodyKind::humanoid;
};

/// All of vocabularies.txt: `= name` or `= name quadruped`, then its lines.
inline std::vector<Vocabulary> all_vocabularies() {
  std::vector<Vocabulary> all;
  std::ifstream file(source_dir() / "tests/body/vocabularies.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("= ")) {
      std::istringstream words(line.substr(2));
      std::string kind;
      words >> all.emplace_back().name >> kind;
      if (kind == "quadruped") all.back().kind = body::BodyKind::quadruped;
    } else if (!line.empty()) {
      all.back().lines += line + "\n";
    }
  }
  return all;
}

inline void PrintTo(const Vocabulary& vocabulary, std::ostream* out) {
  *out << vocabulary.name;
}

struct NamedSkeleton {
  Skeleton skeleton;
  body::BodyMap expected;
  std::vector<JointIndex> twins;  ///< The other side's joint; itself in the middle.
};

/// A body 1.8 m tall in T-pose, Y up, facing +z, its left at +x.
inline Vec3f standard_place(const std::string& place) {
  static const std::map<std::string, Vec3f> kPlaces = {{"root", {0, 0, 0}},
                                                       {"hips", {0, 1, 0}},
                                                       {"waist", {0, 1.02f, 0}},
                                                       {"spine", {0, 1.1f, 0}},
                                                       {"chest", {0, 1.22f, 0}},
                                                       {"mid_chest", {0, 1.28f, 0}},
                                                       {"upper_chest", {0, 1.36f, 0}},
                                                       {"neck", {0, 1.48f, 0}},
                                                       {"mid_neck", {0, 1.53f, 0.01f}},
                                                       {"head", {0, 1.58f, 0.02f}},
                                                       {"crown", {0, 1.8f, 0.02f}},
                                                       {"jaw", {0, 1.6f, 0.06f}},
                                                       {"left_eye", {0.03f, 1.66f, 0.09f}},
                                                       {"left_hip_helper", {0.08f, 0.96f, 0.03f}},
                                                       {"left_upper_leg", {0.1f, 0.93f, 0}},
                                                       {"left_thigh_twist", {0.1f, 0.72f, 0.005f}},
                                                       {"left_lower_leg", {0.1f, 0.5f, 0.01f}},
                                                       {"left_shin_twist", {0.1f, 0.3f, -0.004f}},
                                                       {"left_foot", {0.1f, 0.08f, -0.02f}},
                                                       {"left_toes", {0.1f, 0.02f, 0.12f}},
                                                       {"left_toe_tip", {0.1f, 0.02f, 0.2f}},
                                                       {"left_shoulder", {0.03f, 1.42f, 0}},
                                                       {"left_shoulder_helper", {0.12f, 1.45f, 0}},
                                                       {"left_upper_arm", {0.18f, 1.43f, 0}},
                                                       {"left_upper_arm_twist", {0.3f, 1.43f, -0.004f}},
                                                       {"left_lower_arm", {0.46f, 1.43f, -0.01f}},
                                                       {"left_lower_arm_twist", {0.58f, 1.43f, -0.005f}},
                                                       {"left_hand", {0.71f, 1.43f, 0}},
                                                       {"left_palm", {0.75f, 1.43f, 0}},
                                                       {"left_thumb_metacarpal", {0.73f, 1.42f, 0.03f}},
                                                       {"left_thumb_proximal", {0.76f, 1.41f, 0.05f}},
                                                       {"left_thumb_distal", {0.79f, 1.4f, 0.07f}},
                                                       {"left_index_proximal", {0.8f, 1.43f, 0.03f}},
                                                       {"left_index_intermediate", {0.84f, 1.43f, 0.03f}},
                                                       {"left_index_distal", {0.865f, 1.43f, 0.03f}},
                                                       {"left_middle_proximal", {0.805f, 1.43f, 0.01f}},
                                                       {"left_middle_intermediate", {0.85f, 1.43f, 0.01f}},
                                                       {"left_middle_distal", {0.88f, 1.43f, 0.01f}},
                                                       {"left_ring_proximal", {0.8f, 1.43f, -0.01f}},
                                                       {"left_ring_intermediate", {0.84f, 1.43f, -0.01f}},
                                                       {"left_ring_distal", {0.865f, 1.43f, -0.01f}},
                                                       {"left_little_proximal", {0.79f, 1.43f, -0.03f}},
                                                       {"left_little_intermediate", {0.82f, 1.43f, -0.03f}},
                                                       {"left_little_distal", {0.84f, 1.43f, -0.03f}}};
  if (place.find(',') != std::string::npos) {
    Vec3f at;
    char comma = 0;
    std::istringstream(place) >> at.x() >> comma >> at.y() >> comma >> at.z();
    return at;
  }
  const auto found = kPlaces.find(place);
  if (found == kPlaces.end()) throw std::runtime_error("no place '" + place + "'");
  return found->second;
}

inline NamedSkeleton build(const Vocabulary& vocabulary) {
  const auto trim = [](std::string text) {
    const auto begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
  };
  const auto replace = [](std::string text, bool right) {
    const std::vector<std::array<std::string, 3>> kSigns = {
        {"{S}", "Left", "Right"}, {"{s}", "left", "right"}, {"{C}", "L", "R"}, {"{c}", "l", "r"}};
    for (const auto& sign : kSigns) {
      for (auto at = text.find(sign[0]); at != std::string::npos; at = text.find(sign[0]))
        text.replace(at, 3, sign[right ? 2 : 1]);
    }
    return text;
  };
  std::vector<Joint> joints;
  std::vector<Vec3f> positions;
  std::map<std::string, JointIndex> index;
  body::BodyMap expected;
  std::vector<JointIndex> twins;
  std::istringstream lines(vocabulary.lines);
  std::string line;
  while (std::getline(lines, line)) {
    if (trim(line).empty()) continue;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ';');) fields.push_back(trim(field));
    const bool sided = fields.at(0).find('{') != std::string::npos;
    for (const bool right : {false, true}) {
      if (right && !sided) continue;
      const std::string name = replace(fields[0], right);
      const std::string parent = replace(fields.at(1), right);
      Vec3f position = standard_place(fields.at(2));
      if (right) position.x() = -position.x();
      const auto role = body::find_role(fields.size() > 3 ? fields[3] : fields[2]);
      const auto joint = static_cast<JointIndex>(joints.size());
      const JointIndex above = parent == "-" ? kNoJoint : index.at(parent);
      joints.push_back({name, above, above < 0 ? position : Vec3f(position - positions[above]), Quatf::Identity()});
      positions.push_back(position);
      index[name] = joint;
      twins.push_back(!sided ? joint : (right ? joint - 1 : joint + 1));
      if (role) expected.set(right ? mirrored(*role) : *role, joint);
    }
  }
  expected.kind = vocabulary.kind;
  return {Skeleton::create(std::move(joints)).value(), expected, std::move(twins)};
}

}  // namespace shosa::test
