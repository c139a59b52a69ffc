#pragma once

#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "shosa/body/body_map.h"

namespace shosa::test {

/// A skeleton out of a BVH file and one posture of it; as much of BVH as body maps need, read the plainest way.
struct PlainBvh {
  Skeleton skeleton;
  std::vector<Vec3d>
      posed;  ///< Joint positions at the middle frame, file units; position channels below the root are left out.
};

inline PlainBvh read_plain_bvh(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<Joint> joints;
  std::vector<EndSite> ends;
  std::vector<std::vector<std::string>> channels;
  std::vector<int> open;  // Joint indices, -1 for an end site.
  std::string line;
  std::string word;
  std::string name;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    if (!(words >> word)) continue;
    if (word == "MOTION") break;
    if (word == "ROOT" || word == "JOINT") {
      std::getline(words >> std::ws, name);
      while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back()))) name.pop_back();
    } else if (word == "End") {
      ends.push_back({joints.at(static_cast<std::size_t>(open.back())).name + "_end_site", open.back(), Vec3f::Zero()});
      name.clear();
    } else if (word == "{") {
      if (!name.empty()) {
        joints.push_back({name, open.empty() ? kNoJoint : open.back(), Vec3f::Zero(), Quatf::Identity()});
        channels.emplace_back();
      }
      open.push_back(name.empty() ? -1 : static_cast<int>(joints.size()) - 1);
    } else if (word == "}") {
      open.pop_back();
    } else if (word == "OFFSET") {
      Vec3f& offset = open.back() < 0 ? ends.back().offset_m : joints.back().rest_translation_m;
      words >> offset.x() >> offset.y() >> offset.z();
    } else if (word == "CHANNELS") {
      words >> word;
      while (words >> word) channels.back().push_back(word);
    }
  }

  std::vector<std::string> frames;
  while (std::getline(in, line)) {
    if (line.find_first_of("0123456789") != std::string::npos && !line.starts_with("Frame")) frames.push_back(line);
  }
  std::istringstream values(frames.at(frames.size() / 2));
  std::vector<Vec3d> posed;
  std::vector<Quatd> world;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Quatd local = Quatd::Identity();
    for (const std::string& channel : channels[j]) {
      double value = 0.0;
      values >> value;
      if (channel.ends_with("rotation")) {
        const Vec3d axis = Vec3d::Unit(channel[0] - 'X');
        local = local * Quatd(Eigen::AngleAxisd(value * std::numbers::pi / 180.0, axis));
      }
    }
    const Vec3d offset = joints[j].rest_translation_m.cast<double>();
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    posed.push_back(j == 0 ? offset : Vec3d(posed[parent] + world[parent] * offset));
    world.push_back(j == 0 ? local : world[parent] * local);
  }
  auto skeleton = Skeleton::create(std::move(joints), std::move(ends));
  if (!skeleton) throw std::runtime_error(file.string() + ": " + skeleton.error().message);
  return {std::move(*skeleton), std::move(posed)};
}

/// The same tree with other names.
inline Skeleton renamed(const Skeleton& skeleton, const std::vector<std::string>& names) {
  std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].name = names.at(j);
  return Skeleton::create(std::move(joints), {skeleton.end_sites().begin(), skeleton.end_sites().end()}).value();
}

inline Skeleton nameless(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (int j = 0; j < skeleton.joint_count(); ++j) names.push_back("j" + std::to_string(j));
  return renamed(skeleton, names);
}

struct Shuffled {
  Skeleton skeleton;
  std::vector<JointIndex> new_from_old;
};

/// The same joints in another order, parents still before children.
inline Shuffled shuffled(const Skeleton& skeleton, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<JointIndex> order;
  std::vector<JointIndex> ready = {0};
  while (!ready.empty()) {
    const std::size_t pick = random() % ready.size();
    const JointIndex joint = ready[pick];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(pick));
    order.push_back(joint);
    for (const JointIndex child : skeleton.children(joint)) ready.push_back(child);
  }
  std::vector<JointIndex> new_from_old(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) new_from_old[order[i]] = static_cast<JointIndex>(i);
  std::vector<Joint> joints;
  for (const JointIndex old : order) {
    joints.push_back(skeleton.joint(old));
    if (old != 0) joints.back().parent = new_from_old[skeleton.parent(old)];
  }
  std::vector<EndSite> ends(skeleton.end_sites().begin(), skeleton.end_sites().end());
  for (EndSite& end : ends) end.parent = new_from_old[end.parent];
  return {Skeleton::create(std::move(joints), std::move(ends)).value(), std::move(new_from_old)};
}

/// "role=name role=name …" of every role the map has, in the order of roles.
inline std::string describe(const Skeleton& skeleton, const body::BodyMap& map) {
  std::string text;
  for (int i = 0; i < body::kRoleCount; ++i) {
    const auto role = static_cast<body::Role>(i);
    if (map.has(role))
      text += (text.empty() ? "" : " ") + std::string(role_name(role)) + "=" + skeleton.name(map.joint(role));
  }
  return text;
}

}  // namespace shosa::test
