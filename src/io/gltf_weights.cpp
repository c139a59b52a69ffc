#include <cmath>
#include <cstring>
#include <set>

#include "io/gltf_write.h"

namespace shosa::io {

// The specification asks for weights that sum to 1 per vertex. Exporters that miss it exist (sums up to 1.1 were seen),
// viewers rescale them on loading, and validation fails.
void normalise_weights(Json& json, std::vector<Bytes>& buffers, GltfFault& fault) {
  constexpr std::size_t kFloat = 5126;
  constexpr std::size_t kVertexBytes = 4 * sizeof(float);
  const GltfPlace root{fault};
  const Json accessors = array_at(json, "accessors", root), views = array_at(json, "bufferViews", root);
  std::set<int> done;
  for (const Json& mesh : array_at(json, "meshes", root)) {
    for (const Json& primitive : array_at(mesh, "primitives", root.key("meshes"))) {
      const Json& attributes = object_at(primitive, "attributes", root.key("primitives"));
      const int index = index_at(attributes, "WEIGHTS_0", accessors.size(), root.key("attributes"));
      // A second set shares the sum with the first and is left as it is.
      if (index < 0 || attributes.contains("WEIGHTS_1") || !done.insert(index).second) continue;
      const Json& accessor = accessors[index];
      const GltfPlace where = root.item("accessors", static_cast<std::size_t>(index));
      const int view_index = index_at(accessor, "bufferView", views.size(), where);
      if (view_index < 0 || accessor.contains("sparse") || size_at(accessor, "componentType", 0, where) != kFloat) {
        continue;
      }
      const Json& view = views[view_index];
      const GltfPlace view_where = root.item("bufferViews", static_cast<std::size_t>(view_index));
      const int buffer = required_index_at(view, "buffer", buffers.size(), view_where);
      if (buffer < 0) return;
      Bytes& bytes = buffers[buffer];
      const std::size_t stride = size_at(view, "byteStride", kVertexBytes, view_where);
      const std::size_t count = size_at(accessor, "count", 0, where);
      std::size_t at = size_at(view, "byteOffset", 0, view_where) + size_at(accessor, "byteOffset", 0, where);
      if (stride < kVertexBytes || at > bytes.size()) continue;
      bool changed = false;
      for (std::size_t v = 0; v < count && bytes.size() - at >= kVertexBytes; ++v) {
        float weights[4];
        std::memcpy(weights, bytes.data() + at, kVertexBytes);
        const double sum = static_cast<double>(weights[0]) + weights[1] + weights[2] + weights[3];
        if (std::isfinite(sum) && sum > 0.0 && std::abs(sum - 1.0) > 1e-7) {
          for (float& weight : weights) weight = static_cast<float>(weight / sum);
          std::memcpy(bytes.data() + at, weights, kVertexBytes);
          changed = true;
        }
        if (bytes.size() - at < stride) break;
        at += stride;
      }
      if (!changed) continue;
      json["accessors"][index].erase("min");
      json["accessors"][index].erase("max");
    }
  }
}

}  // namespace shosa::io
