#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "io/gltf_write.h"

namespace shosa::io {
namespace {

// Extensions that refer to no accessor and no buffer view.
constexpr std::array<std::string_view, 16> kHarmless = {"KHR_texture_transform",
                                                        "KHR_lights_punctual",
                                                        "KHR_mesh_quantization",
                                                        "KHR_texture_basisu",
                                                        "EXT_texture_webp",
                                                        "KHR_xmp_json_ld",
                                                        "KHR_node_visibility",
                                                        "MSFT_lod",
                                                        "VRM",
                                                        "VRMC_vrm",
                                                        "VRMC_vrm_animation",
                                                        "VRMC_springBone",
                                                        "VRMC_node_constraint",
                                                        "VRMC_materials_mtoon",
                                                        "VRMC_springBone_extended_collider",
                                                        "KHR_materials_unlit"};

bool only_harmless_extensions(const Json& json, GltfFault& fault) {
  for (const Json& name : array_at(json, "extensionsUsed", {fault})) {
    if (!name.is_string()) return false;
    const std::string text = name.get<std::string>();
    if (text.starts_with("KHR_materials_")) continue;
    if (std::find(kHarmless.begin(), kHarmless.end(), text) == kHarmless.end()) return false;
  }
  return true;
}

using Visit = std::function<void(Json&)>;

void visit_member(Json& object, const char* key, const Visit& visit) {
  if (!object.is_object()) return;
  const auto it = object.find(key);
  if (it != object.end()) visit(*it);
}

void visit_items(Json& object, const char* key, const Visit& visit) {
  visit_member(object, key, [&](Json& list) {
    if (list.is_structured()) {
      for (Json& entry : list) visit(entry);
    }
  });
}

/// Every place where core glTF names an accessor.
void visit_accessor_references(Json& json, const Visit& visit) {
  visit_items(json, "meshes", [&](Json& mesh) {
    visit_items(mesh, "primitives", [&](Json& primitive) {
      visit_member(primitive, "indices", visit);
      visit_items(primitive, "attributes", visit);
      visit_items(primitive, "targets", [&](Json& target) {
        if (!target.is_object()) return;
        for (Json& attribute : target) visit(attribute);
      });
    });
  });
  visit_items(json, "skins", [&](Json& skin) { visit_member(skin, "inverseBindMatrices", visit); });
  visit_items(json, "animations", [&](Json& animation) {
    visit_items(animation, "samplers", [&](Json& sampler) {
      visit_member(sampler, "input", visit);
      visit_member(sampler, "output", visit);
    });
  });
}

void visit_view_references(Json& json, const Visit& visit) {
  visit_items(json, "accessors", [&](Json& accessor) {
    visit_member(accessor, "bufferView", visit);
    visit_member(accessor, "sparse", [&](Json& sparse) {
      visit_member(sparse, "indices", [&](Json& part) { visit_member(part, "bufferView", visit); });
      visit_member(sparse, "values", [&](Json& part) { visit_member(part, "bufferView", visit); });
    });
  });
  visit_items(json, "images", [&](Json& image) { visit_member(image, "bufferView", visit); });
}

using References = std::function<void(Json&, const Visit&)>;

/// Keeps the referenced entries of json[key] and renumbers the references; false when one is out of range.
bool keep_referenced(Json& json, const char* key, const References& visit_references, GltfFault& fault) {
  const std::size_t count = array_at(json, key, {fault}).size();
  std::vector<bool> used(count, false);
  bool valid = true;
  visit_references(json, [&](Json& reference) {
    if (!reference.is_number_integer() || reference < 0 || reference.get<std::size_t>() >= count) {
      valid = false;
    } else {
      used[reference.get<std::size_t>()] = true;
    }
  });
  if (!valid) return false;
  std::vector<std::size_t> moved(count, 0);
  Json kept = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    if (!used[i]) continue;
    moved[i] = kept.size();
    kept.push_back(std::move(json[key][i]));
  }
  visit_references(json, [&](Json& reference) { reference = moved[reference.get<std::size_t>()]; });
  json.erase(key);
  if (!kept.empty()) json[key] = std::move(kept);
  return true;
}

}  // namespace

void drop_unused(GltfBuilder& builder) {
  GltfFault& fault = builder.fault();
  if (!only_harmless_extensions(builder.json(), fault)) return;
  Json json = builder.json();
  if (!keep_referenced(json, "accessors", visit_accessor_references, fault)) return;
  if (!keep_referenced(json, "bufferViews", visit_view_references, fault)) return;

  // What is left moves into one buffer, in the order of the views.
  Bytes packed;
  if (json.contains("bufferViews")) {
    for (Json& view : json["bufferViews"]) {
      const GltfPlace where{fault, "bufferViews"};
      const int source = required_index_at(view, "buffer", builder.buffers().size(), where);
      if (source < 0) return;
      const Bytes& buffer = builder.buffers()[source];
      const std::size_t offset = size_at(view, "byteOffset", 0, where);
      const std::size_t length = size_at(view, "byteLength", 0, where);
      if (fault.found() || offset > buffer.size() || length > buffer.size() - offset) return;
      packed.resize((packed.size() + 7) / 8 * 8, std::byte{0});
      view["buffer"] = 0;
      view["byteOffset"] = packed.size();
      const auto begin = buffer.begin() + static_cast<std::ptrdiff_t>(offset);
      packed.insert(packed.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
    }
  }
  json["buffers"] = {{{"byteLength", packed.size()}}};
  builder.json() = std::move(json);
  builder.buffers() = {std::move(packed)};
}

}  // namespace shosa::io
