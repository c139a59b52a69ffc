#include <algorithm>
#include <array>
#include <cstdint>

#include "io/gltf_write.h"

namespace shosa::io {
namespace {

// The widest place of a bone shape lies near its joint, as a share of the length.
constexpr double kWaist = 0.15;
constexpr double kHalfWidth = 0.09;
constexpr double kLoneJoint_m = 0.05;

struct Vertices {
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<std::uint16_t> joints;
};

/// An octahedron from `from` to `to` (world, rest pose), flat-shaded, moved by one joint.
void add_bone(Vertices& vertices, const Vec3d& from, const Vec3d& to, JointIndex joint) {
  const Vec3d along = to - from;
  const Vec3d side = along.unitOrthogonal() * along.norm() * kHalfWidth;
  const Vec3d other = along.normalized().cross(side);
  const Vec3d waist = from + kWaist * along;
  const std::array<Vec3d, 4> ring = {waist + side, waist + other, waist - side, waist - other};
  const auto add_triangle = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3f normal = (b - a).cross(c - a).normalized().cast<float>();
    for (const Vec3d& corner : {a, b, c}) {
      const Vec3f position = corner.cast<float>();
      vertices.positions.insert(vertices.positions.end(), position.data(), position.data() + 3);
      vertices.normals.insert(vertices.normals.end(), normal.data(), normal.data() + 3);
      const auto index = static_cast<std::uint16_t>(joint);
      vertices.joints.insert(vertices.joints.end(), {index, 0, 0, 0});
    }
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3d& a = ring[i];
    const Vec3d& b = ring[(i + 1) % 4];
    add_triangle(a, b, to);
    add_triangle(b, a, from);
  }
}

Vertices make_bones(const Skeleton& skeleton) {
  Vertices vertices;
  // Shorter bones give triangles without area in single precision.
  const auto long_enough = [](const Vec3d& a, const Vec3d& b) { return (a - b).norm() > 1e-3 + 1e-5 * a.norm(); };
  const std::vector<Vec3d>& rest = skeleton.rest_positions();
  for (JointIndex joint = 1; joint < skeleton.joint_count(); ++joint) {
    const JointIndex parent = skeleton.parent(joint);
    const Vec3d& from = rest[parent];
    const Vec3d& to = rest[joint];
    if (long_enough(from, to)) add_bone(vertices, from, to, parent);
  }
  for (const EndSite& site : skeleton.end_sites()) {
    const auto parent = static_cast<std::size_t>(site.parent);
    const Vec3d& from = rest[parent];
    const Vec3d to = from + skeleton.rest_rotations()[parent] * site.offset_m.cast<double>();
    if (long_enough(from, to)) add_bone(vertices, from, to, site.parent);
  }
  if (vertices.positions.empty()) add_bone(vertices, rest[0], rest[0] + Vec3d(0.0, kLoneJoint_m, 0.0), 0);
  return vertices;
}

int inverse_bind_matrices(GltfBuilder& builder, const Skeleton& skeleton) {
  std::vector<float> values;
  for (JointIndex joint = 0; joint < skeleton.joint_count(); ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    Eigen::Matrix4d joint_from_world = Eigen::Matrix4d::Identity();
    const Eigen::Matrix3d rotation = skeleton.rest_rotations()[j].conjugate().toRotationMatrix();
    joint_from_world.topLeftCorner<3, 3>() = rotation;
    joint_from_world.topRightCorner<3, 1>() = -(rotation * skeleton.rest_positions()[j]);
    const Eigen::Matrix4f single = joint_from_world.cast<float>();
    values.insert(values.end(), single.data(), single.data() + 16);
  }
  return builder.add_accessor<float>(values, "MAT4");
}

}  // namespace

void add_skin(GltfBuilder& builder, const Skeleton& skeleton) {
  Json joints = Json::array();
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) joints.push_back(joint);
  const int matrices = inverse_bind_matrices(builder, skeleton);
  builder.json()["skins"] = {
      {{"name", "skeleton"}, {"joints", joints}, {"skeleton", 0}, {"inverseBindMatrices", matrices}}};
}

void add_bone_mesh(GltfBuilder& builder, const Skeleton& skeleton) {
  add_skin(builder, skeleton);
  // Vertices name their joint in 16 bits.
  if (skeleton.joint_count() > 65536) return;
  using Use = GltfBuilder::Use;
  const Vertices vertices = make_bones(skeleton);
  Json attributes;
  attributes["POSITION"] = builder.add_accessor<float>(vertices.positions, "VEC3", Use::vertices, true);
  attributes["NORMAL"] = builder.add_accessor<float>(vertices.normals, "VEC3", Use::vertices);
  if (skeleton.joint_count() <= 256) {
    const std::vector<std::uint8_t> joints(vertices.joints.begin(), vertices.joints.end());
    attributes["JOINTS_0"] = builder.add_accessor<std::uint8_t>(joints, "VEC4", Use::vertices);
  } else {
    attributes["JOINTS_0"] = builder.add_accessor<std::uint16_t>(vertices.joints, "VEC4", Use::vertices);
  }
  std::vector<std::uint8_t> weights(vertices.joints.size(), 0);
  for (std::size_t i = 0; i < weights.size(); i += 4) weights[i] = 255;
  attributes["WEIGHTS_0"] = builder.add_accessor<std::uint8_t>(weights, "VEC4", Use::vertices, false, true);

  Json& json = builder.json();
  json["materials"] = {
      {{"name", "bones"},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {0.35, 0.55, 0.75, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.7}}}}};
  json["meshes"] = {{{"name", "bones"}, {"primitives", {{{"attributes", attributes}, {"material", 0}}}}}};
  json["nodes"].push_back({{"name", "bones"}, {"mesh", 0}, {"skin", 0}});
  json["scenes"][0]["nodes"].push_back(json["nodes"].size() - 1);
}

}  // namespace shosa::io
