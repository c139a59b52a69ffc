#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace shosa::test {

/// A second reading of glTF that shares no code with the library: the specification's formulas written down plainly,
/// slow, for files that are known to be good. Throws on anything else.
class NaiveGltf {
 public:
  using Json = nlohmann::json;

  explicit NaiveGltf(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    if (bytes.starts_with("glTF")) {
      const std::uint32_t length = u32(bytes, 12);
      json = Json::parse(bytes.substr(20, length));
      if (bytes.size() > 28 + length) binary_ = bytes.substr(28 + length, u32(bytes, 20 + length));
    } else {
      json = Json::parse(bytes);
    }
    for (const Json& buffer : json.value("buffers", Json::array())) {
      buffers_.push_back(buffer.contains("uri") ? base64(buffer["uri"]) : binary_);
    }
    parents_.assign(json["nodes"].size(), -1);
    for (std::size_t i = 0; i < json["nodes"].size(); ++i) {
      for (int child : json["nodes"][i].value("children", std::vector<int>())) parents_[child] = static_cast<int>(i);
    }
  }

  Json json;

  std::size_t node_count() const { return parents_.size(); }

  /// By name, joints of skins before other nodes; or by the number in "node_7" where nodes have no names.
  int find_node(const std::string& name) const {
    for (const Json& skin : json.value("skins", Json::array())) {
      for (int joint : skin["joints"]) {
        if (json["nodes"][joint].value("name", std::string()) == name) return joint;
      }
    }
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      if (json["nodes"][i].value("name", std::string()) == name) return static_cast<int>(i);
    }
    return std::stoi(name.substr(name.find('_') + 1));
  }

  /// animation -1: the rest pose.
  Eigen::Affine3d world_from_node(int node, int animation, double time_s) const {
    const Eigen::Affine3d local = local_matrix(node, animation, time_s);
    return parents_[node] < 0 ? local : world_from_node(parents_[node], animation, time_s) * local;
  }

  std::vector<double> key_times(int animation) const {
    std::map<double, bool> times;
    for (const Json& sampler : json["animations"][animation]["samplers"]) {
      for (double time : accessor(sampler["input"])) times[time] = true;
    }
    std::vector<double> result;
    for (const auto& [time, unused] : times) result.push_back(time);
    return result;
  }

  const std::vector<double>& accessor(int index) const {
    if (const auto it = cache_.find(index); it != cache_.end()) return it->second;
    const Json& a = json["accessors"][index];
    const std::map<std::string, int> widths = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const int width = widths.at(a["type"]);
    const int type = a["componentType"];
    const std::size_t size = type == 5126 || type == 5125 ? 4 : type == 5122 || type == 5123 ? 2 : 1;
    const Json& view = json["bufferViews"][a["bufferView"].get<int>()];
    const std::size_t stride = view.value("byteStride", size * width);
    const std::size_t begin = view.value("byteOffset", 0u) + a.value("byteOffset", 0u);
    const std::string& buffer = buffers_.at(view["buffer"]);
    std::vector<double> values;
    for (std::size_t i = 0; i < a["count"]; ++i) {
      for (int c = 0; c < width; ++c) {
        values.push_back(read(buffer.substr(begin + i * stride + c * size, size), type, a.value("normalized", false)));
      }
    }
    return cache_[index] = values;
  }

  /// The bytes an image or accessor lies in.
  std::string view_bytes(int index) const {
    const Json& view = json["bufferViews"][index];
    return buffers_.at(view["buffer"]).substr(view.value("byteOffset", 0u), view["byteLength"]);
  }

 private:
  static std::uint32_t u32(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }

  static double read(const std::string& bytes, int type, bool normalised) {
    const auto as = [&]<class T>(T value) {
      std::memcpy(&value, bytes.data(), sizeof(T));
      return static_cast<double>(value);
    };
    switch (type) {
      case 5120:
        return normalised ? std::max(as(std::int8_t{}) / 127.0, -1.0) : as(std::int8_t{});
      case 5121:
        return normalised ? as(std::uint8_t{}) / 255.0 : as(std::uint8_t{});
      case 5122:
        return normalised ? std::max(as(std::int16_t{}) / 32767.0, -1.0) : as(std::int16_t{});
      case 5123:
        return normalised ? as(std::uint16_t{}) / 65535.0 : as(std::uint16_t{});
      case 5125:
        return as(std::uint32_t{});
      default:
        return as(float{});
    }
  }

  static std::string base64(const std::string& uri) {
    const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    int bits = 0, count = 0;
    for (char c : uri.substr(uri.find(',') + 1)) {
      const std::size_t value = alphabet.find(c);
      if (value == std::string::npos) break;
      bits = (bits << 6 | static_cast<int>(value)) & 0xFFFF;
      if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xFF);
    }
    return out;
  }

  Eigen::Affine3d local_matrix(int node, int animation, double time_s) const {
    const Json& n = json["nodes"][node];
    if (n.contains("matrix")) {
      const std::vector<double> m = n["matrix"];
      return Eigen::Affine3d(Eigen::Matrix4d(Eigen::Map<const Eigen::Matrix4d>(m.data())));
    }
    std::vector<double> t = n.value("translation", std::vector<double>{0, 0, 0});
    std::vector<double> r = n.value("rotation", std::vector<double>{0, 0, 0, 1});
    std::vector<double> s = n.value("scale", std::vector<double>{1, 1, 1});
    if (animation >= 0) {
      for (const Json& channel : json["animations"][animation]["channels"]) {
        if (channel["target"].value("node", -1) != node) continue;
        const std::string path = channel["target"]["path"];
        if (path == "weights") continue;
        const std::vector<double> value = sample(
            json["animations"][animation]["samplers"][channel["sampler"].get<int>()], path == "rotation", time_s);
        (path == "translation" ? t : path == "rotation" ? r : s) = value;
      }
    }
    Eigen::Affine3d local = Eigen::Affine3d::Identity();
    local.translate(Eigen::Vector3d(t[0], t[1], t[2]));
    local.rotate(Eigen::Quaterniond(r[3], r[0], r[1], r[2]).normalized());
    local.scale(Eigen::Vector3d(s[0], s[1], s[2]));
    return local;
  }

  std::vector<double> sample(const Json& sampler, bool rotation, double time_s) const {
    const std::vector<double>& times = accessor(sampler["input"]);
    const std::vector<double>& values = accessor(sampler["output"]);
    const std::string interpolation = sampler.value("interpolation", "LINEAR");
    const bool cubic = interpolation == "CUBICSPLINE";
    const std::size_t width = rotation ? 4 : 3;
    const auto value = [&](std::size_t key, std::size_t part) {
      const std::size_t at = (cubic ? key * 3 + part : key) * width;
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(values.data() + at, static_cast<Eigen::Index>(width)));
    };
    const auto list = [](const Eigen::VectorXd& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
    if (time_s <= times.front()) return list(value(0, 1));
    if (time_s >= times.back()) return list(value(times.size() - 1, 1));
    std::size_t k = 0;
    while (times[k + 1] <= time_s) ++k;
    const double span = times[k + 1] - times[k], x = (time_s - times[k]) / span;
    if (interpolation == "STEP") return list(value(k, 1));
    if (cubic) {
      Eigen::VectorXd v = (2 * x * x * x - 3 * x * x + 1) * value(k, 1) +
                          span * (x * x * x - 2 * x * x + x) * value(k, 2) +
                          (-2 * x * x * x + 3 * x * x) * value(k + 1, 1) + span * (x * x * x - x * x) * value(k + 1, 0);
      return list(v);
    }
    if (!rotation) return list((1 - x) * value(k, 1) + x * value(k + 1, 1));
    Eigen::VectorXd a = value(k, 1).normalized(), b = value(k + 1, 1).normalized();
    double cosine = a.dot(b);
    if (cosine < 0) {
      b = -b;
      cosine = -cosine;
    }
    const double angle = std::acos(std::min(cosine, 1.0));
    if (angle < 1e-6) return list(((1 - x) * a + x * b).normalized());
    return list((std::sin((1 - x) * angle) * a + std::sin(x * angle) * b) / std::sin(angle));
  }

  std::string binary_;
  std::vector<std::string> buffers_;
  std::vector<int> parents_;
  mutable std::map<int, std::vector<double>> cache_;
};

}  // namespace shosa::test
