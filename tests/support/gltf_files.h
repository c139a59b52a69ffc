#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace shosa::test {

/// A folder of its own for one test, removed at its end.
class GltfFolder {
 public:
  GltfFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "shosa_gltf_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~GltfFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  GltfFolder(const GltfFolder&) = delete;
  GltfFolder& operator=(const GltfFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Builds small files by hand, as an exporter would.
class GltfMaker {
 public:
  using Json = nlohmann::json;

  GltfMaker() { json = {{"asset", {{"version", "2.0"}}}, {"nodes", Json::array()}}; }

  Json json;

  /// Adds a node; returns its index.
  int node(const std::string& name, Json fields = Json::object(), int parent = -1) {
    if (!name.empty()) fields["name"] = name;
    json["nodes"].push_back(fields);
    const int index = static_cast<int>(json["nodes"].size()) - 1;
    if (parent >= 0) json["nodes"][parent]["children"].push_back(index);
    return index;
  }

  template <class T>
  int accessor(const std::vector<T>& values, const std::string& type, int component_type, bool normalised = false) {
    const int width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    const int view = this->view(values);
    json["accessors"].push_back(
        {{"bufferView", view}, {"componentType", component_type}, {"count", values.size() / width}, {"type", type}});
    if (normalised) json["accessors"].back()["normalized"] = true;
    return static_cast<int>(json["accessors"].size()) - 1;
  }
  int floats(const std::vector<float>& values, const std::string& type) { return accessor(values, type, 5126); }

  template <class T>
  int view(const std::vector<T>& values) {
    while (buffer_.size() % 4 != 0) buffer_.push_back(0);
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", buffer_.size()}, {"byteLength", values.size() * sizeof(T)}});
    const auto* begin = reinterpret_cast<const unsigned char*>(values.data());
    buffer_.insert(buffer_.end(), begin, begin + values.size() * sizeof(T));
    return static_cast<int>(json["bufferViews"].size()) - 1;
  }

  /// Adds a channel to the last animation (one is made when there is none).
  void channel(int node, const std::string& path, int input, int output, const std::string& interpolation = "LINEAR") {
    if (!json.contains("animations")) animation("");
    Json& animation = json["animations"].back();
    animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }
  void animation(const std::string& name) {
    json["animations"].push_back({{"samplers", Json::array()}, {"channels", Json::array()}});
    if (!name.empty()) json["animations"].back()["name"] = name;
  }

  /// The file as .glb bytes.
  std::vector<std::byte> glb() const {
    Json whole = json;
    if (!buffer_.empty()) whole["buffers"] = {{{"byteLength", buffer_.size()}}};
    std::string text = whole.dump();
    while (text.size() % 4 != 0) text += ' ';
    std::vector<unsigned char> binary = buffer_;
    while (binary.size() % 4 != 0) binary.push_back(0);
    std::vector<std::byte> out;
    const auto u32 = [&](std::uint32_t value) {
      const auto at = out.size();
      out.resize(at + 4);
      std::memcpy(out.data() + at, &value, 4);
    };
    u32(0x46546C67);
    u32(2);
    u32(static_cast<std::uint32_t>(20 + text.size() + (binary.empty() ? 0 : 8 + binary.size())));
    u32(static_cast<std::uint32_t>(text.size()));
    u32(0x4E4F534A);
    for (char c : text) out.push_back(static_cast<std::byte>(c));
    if (!binary.empty()) {
      u32(static_cast<std::uint32_t>(binary.size()));
      u32(0x004E4942);
      for (unsigned char c : binary) out.push_back(static_cast<std::byte>(c));
    }
    return out;
  }

 private:
  std::vector<unsigned char> buffer_;
};

inline std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

}  // namespace shosa::test
