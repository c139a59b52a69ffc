#include <algorithm>
#include <cmath>

#include "c/objects.h"
#include "shosa/c/character.h"
#include "shosa/documents/run_script.h"

namespace shosa::c {

feet::GroundPoint Ground::Function::operator()(double x_m, double z_m) const {
  double normal[3] = {0.0, 1.0, 0.0};
  const double height_m = ask(user, x_m, z_m, normal);
  const Vec3d up(normal);
  const double length = up.norm();
  if (!std::isfinite(height_m) || !(length > 1e-9 && length < 1e9) || !(up.y() > 0.0)) return {};
  return {std::clamp(height_m, -kFarthest_m, kFarthest_m), up / length};
}

}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

namespace {

void give_ground(Call& c, Ground ground, shosa_ground* out) {
  auto object = std::make_unique<GroundObject>();
  auto shared = std::make_shared<Ground>(std::move(ground));
  if (auto* heights = std::get_if<Ground::Heights>(&shared->shape))
    heights->field.heights_m = heights->heights_m.data();
  object->ground = std::move(shared);
  c.give(out, std::move(object));
}

}  // namespace

shosa_status shosa_ground_from_function(shosa_context* context, shosa_ground_function function, void* user,
                                        shosa_ground* out) {
  return call(context, "shosa_ground_from_function", [&](Call& c) {
    c.clear(out);
    if (function == nullptr) c.fail(SHOSA_BAD_ARGUMENT, "function is NULL");
    if (!c.failed()) give_ground(c, {Ground::Function{function, user}}, out);
  });
}

shosa_status shosa_ground_from_heights(shosa_context* context, const shosa_height_field* field, shosa_ground* out) {
  return call(context, "shosa_ground_from_heights", [&](Call& c) {
    c.clear(out);
    const auto own = c.read(field, shosa_height_field SHOSA_HEIGHT_FIELD_INIT, "shosa_height_field");
    c.number(own.columns, "columns", 1, 1e6);
    c.number(own.rows, "rows", 1, 1e6);
    c.number(own.cell_m, "cell_m", 1e-6, kFarthest_m);
    c.number(own.x_m, "x_m", -kFarthest_m, kFarthest_m);
    c.number(own.z_m, "z_m", -kFarthest_m, kFarthest_m);
    c.present(own.heights_m, "heights_m");
    const std::size_t count = std::size_t{own.columns} * own.rows;
    if (count > kMostBytes / sizeof(float)) c.fail(SHOSA_OUT_OF_MEMORY, "{} heights, expected fewer", count);
    for (std::size_t i = 0; !c.failed() && i < count; ++i)
      c.number(own.heights_m[i], "a height", -kFarthest_m, kFarthest_m);
    if (c.failed()) return;
    Ground::Heights heights{.heights_m = std::vector<float>(own.heights_m, own.heights_m + count),
                            .field = {.columns = static_cast<int>(own.columns),
                                      .rows = static_cast<int>(own.rows),
                                      .cell_m = own.cell_m,
                                      .x_m = own.x_m,
                                      .z_m = own.z_m}};
    give_ground(c, {std::move(heights)}, out);
  });
}

shosa_status shosa_ground_from_json(shosa_context* context, const char* json, shosa_ground* out) {
  return call(context, "shosa_ground_from_json", [&](Call& c) {
    c.clear(out);
    const std::string text = c.text(json, "json");
    if (c.failed()) return;
    if (auto terrain = c.take(documents::parse_ground(text, "ground"))) give_ground(c, {std::move(*terrain)}, out);
  });
}

shosa_status shosa_ground_height(shosa_context* context, shosa_ground ground, double x_m, double z_m, double* out) {
  return call(context, "shosa_ground_height", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<GroundObject>(ground);
    c.number(x_m, "x_m", -kFarthest_m, kFarthest_m);
    c.number(z_m, "z_m", -kFarthest_m, kFarthest_m);
    if (!c.failed()) *out = (*object->ground)(x_m, z_m).height_m;
  });
}
