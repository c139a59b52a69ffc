#include "shosa/documents/footstep_plan.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "shosa/core/json_depth.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {

namespace {

using Json = nlohmann::json;
constexpr double kRadPerDeg = 0.017453292519943295;

/// Values of one object, with the object's place in messages.
class Object {
 public:
  Object(const Json& json, std::string file, std::string place)
      : json_(json), file_(std::move(file)), place_(std::move(place)) {}

  template <class... Args>
  std::unexpected<Error> bad(const std::string& key, fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::bad_file, "{}: {}{}: {}", file_, place_, key.empty() ? "" : "/" + key,
                fmt::format(text, std::forward<Args>(args)...));
  }
  /// `value` stays where the key is missing.
  Result<void> number(const std::string& key, double& value) const {
    if (!json_.contains(key)) return {};
    if (!json_[key].is_number() || !std::isfinite(json_[key].get<double>())) return bad(key, "expected a number");
    value = json_[key].get<double>();
    return {};
  }
  Result<void> count(const std::string& key, int& value) const {
    if (!json_.contains(key)) return {};
    if (!json_[key].is_number_integer() || json_[key] < 0 || json_[key] > 10000) return bad(key, "expected a count");
    value = json_[key].get<int>();
    return {};
  }
  /// Keys that nobody knows are more likely mistyped than meant for nobody.
  Result<void> only(std::initializer_list<const char*> keys) const {
    for (const auto& [key, value] : json_.items()) {
      bool known = false;
      for (const char* name : keys) known |= key == name;
      if (!known) return bad(key, "unknown key");
    }
    return {};
  }

 private:
  const Json& json_;
  std::string file_, place_;
};

constexpr double kFarthest_m = 1e5, kMostSlope_percent = 200.0, kMostStride_percent = 300.0;

Result<segment::Footstep> read_step(const Json& json, const std::string& file, std::size_t index) {
  const Object object(json, file, fmt::format("/steps/{}", index));
  if (!json.is_object()) return object.bad("", "expected an object");
  if (const auto ok = object.only({"foot", "position", "heading_deg"}); !ok) return std::unexpected(ok.error());
  if (!json.contains("foot") || !json["foot"].is_string()) return object.bad("foot", "expected \"left\" or \"right\"");
  segment::Footstep step{.foot = json["foot"].get<std::string>()};
  const auto position = json.find("position");
  if (position == json.end() || !position->is_array() || position->size() != 3)
    return object.bad("position", "expected [x, y, z]");
  for (int i = 0; i < 3; ++i) {
    const Json& value = (*position)[static_cast<std::size_t>(i)];
    if (!value.is_number() || !(std::abs(value.get<double>()) <= kFarthest_m))
      return object.bad("position", "expected [x, y, z] within {} km", kFarthest_m / 1000.0);
    step.position_m[i] = value.get<double>();
  }
  if (json.contains("heading_deg")) {
    double heading = 0.0;
    if (const auto ok = object.number("heading_deg", heading); !ok) return std::unexpected(ok.error());
    step.heading_rad = heading * kRadPerDeg;
  }
  return step;
}

Result<segment::StepPlan> read_stride(const Json& json, const std::string& file, const analysis::StudiedClip& studied) {
  const Object object(json, file, "");
  const Json& percent = json["stride_percent"];
  std::vector<double> shares;
  for (const Json& value : percent.is_array() ? percent : Json::array({percent})) {
    if (!value.is_number() || !(value.get<double>() > 0.0) || !(value.get<double>() <= kMostStride_percent))
      return object.bad("stride_percent", "expected a number above 0 and up to {}, or a list of them",
                        kMostStride_percent);
    shares.push_back(value.get<double>() / 100.0);
  }
  if (shares.empty()) return object.bad("stride_percent", "expected a number, or a list of at least one");
  const auto source = segment::FootstepSource::create(studied);
  return source ? segment::stride_plan(*source, shares) : std::unexpected(source.error());
}

Result<segment::StepPlan> read_stairs(const Json& json, const std::string& file, const analysis::StudiedClip& studied) {
  const Object object(json["stairs"], file, "/stairs");
  if (!json["stairs"].is_object()) return object.bad("", "expected an object");
  segment::StairsPlanParams params;
  for (const auto& ok :
       {object.only({"rise_m", "tread_m", "count", "before", "after"}), object.number("rise_m", params.rise_m),
        object.number("tread_m", params.tread_m), object.count("count", params.count),
        object.count("before", params.before), object.count("after", params.after)}) {
    if (!ok) return std::unexpected(ok.error());
  }
  if (!(params.tread_m > 0.0 && params.tread_m <= kFarthest_m))
    return object.bad("tread_m", "expected a length above 0, found {}", params.tread_m);
  if (!(std::abs(params.rise_m) <= kFarthest_m))
    return object.bad("rise_m", "expected a height, found {}", params.rise_m);
  const auto source = segment::FootstepSource::create(studied);
  return source ? segment::stairs_plan(*source, params) : std::unexpected(source.error());
}

Result<segment::StepPlan> read_ground(const Json& json, const std::string& file, const analysis::StudiedClip& studied) {
  const auto source = segment::FootstepSource::create(studied);
  if (!source) return std::unexpected(source.error());
  const Vec3d first = (*source)->steps().front().place_m;
  const double heading = (*source)->steps().front().heading_rad;
  if (json.contains("slope_percent")) {
    double percent = 0.0;
    if (const auto ok = Object(json, file, "").number("slope_percent", percent); !ok)
      return std::unexpected(ok.error());
    if (!(std::abs(percent) <= kMostSlope_percent))
      return Object(json, file, "").bad("slope_percent", "expected a slope up to {} %", kMostSlope_percent);
    return segment::terrain_plan(*source, segment::slope_terrain(first, heading, percent / 100.0));
  }
  const Object object(json["rough"], file, "/rough");
  if (!json["rough"].is_object()) return object.bad("", "expected an object");
  double amplitude = 0.05, wavelength = 1.5;
  int seed = 1;
  for (const auto& ok : {object.only({"amplitude_m", "wavelength_m", "seed"}), object.number("amplitude_m", amplitude),
                         object.number("wavelength_m", wavelength), object.count("seed", seed)}) {
    if (!ok) return std::unexpected(ok.error());
  }
  if (!(amplitude >= 0.0 && amplitude <= kFarthest_m))
    return object.bad("amplitude_m", "expected a height that is not negative");
  if (!(wavelength > 0.0)) return object.bad("wavelength_m", "expected a length above 0");
  return segment::terrain_plan(*source,
                               segment::rough_terrain(first.y(), amplitude, wavelength, static_cast<unsigned>(seed)));
}

}  // namespace

Result<segment::StepPlan> parse_footstep_plan(const std::string& text, const std::string& path,
                                              const analysis::StudiedClip& studied) {
  if (const auto byte = too_deep_at(text)) {
    return fail(ErrorCode::bad_file, "{}: byte {}: nested deeper than {} levels, expected a plan", path, *byte,
                kMaxJsonDepth);
  }
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::bad_file, "{}: byte {}: {}", path, error.byte, "not JSON");
  } catch (const Json::exception&) {
    return fail(ErrorCode::bad_file, "{}: a number beyond what a double holds", path);
  }
  const Object object(json, path, "");
  if (!json.is_object())
    return object.bad(
        "", "expected an object with \"steps\", \"stride_percent\", \"stairs\", \"slope_percent\" or \"rough\"");
  if (const auto ok = object.only({"steps", "stride_percent", "stairs", "slope_percent", "rough"}); !ok)
    return std::unexpected(ok.error());
  if (json.size() != 1)
    return object.bad(
        "", "{} keys; expected one of \"steps\", \"stride_percent\", \"stairs\", \"slope_percent\", \"rough\"",
        json.size());
  if (json.contains("stride_percent")) return read_stride(json, path, studied);
  if (json.contains("stairs")) return read_stairs(json, path, studied);
  if (!json.contains("steps")) return read_ground(json, path, studied);
  if (!json["steps"].is_array() || json["steps"].empty())
    return object.bad("steps", "expected a list of at least one step");
  segment::StepPlan plan;
  for (std::size_t i = 0; i < json["steps"].size(); ++i) {
    auto step = read_step(json["steps"][i], path, i);
    if (!step) return std::unexpected(step.error());
    plan.steps.push_back(std::move(*step));
  }
  const auto source = segment::FootstepSource::create(studied);
  if (!source) return std::unexpected(source.error());
  plan.source = *source;
  return plan;
}

Result<segment::StepPlan> read_footstep_plan(const std::string& path, const analysis::StudiedClip& studied) {
  const auto text = io::read_text(path);
  if (!text) return std::unexpected(text.error());
  return parse_footstep_plan(*text, path, studied);
}

}  // namespace shosa::documents
