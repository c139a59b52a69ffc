#include "pose_script.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "shosa/core/clip_edit.h"
#include "shosa/core/sampling.h"
#include "shosa/posing/joint_ranges_json.h"

namespace shosa::cli {

namespace {

using nlohmann::json;

/// One place in the script, so that every complaint can name it: "pose.json: /drags/0/keys".
class Place {
 public:
  Place(const json& value, std::string file, std::string where)
      : value_(&value), file_(std::move(file)), where_(std::move(where)) {}

  const json& value() const { return *value_; }
  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  Place at(const std::string& key) const { return {(*value_)[key], file_, where_ + "/" + key}; }
  Place at(std::size_t index) const { return {(*value_)[index], file_, fmt::format("{}/{}", where_, index)}; }

  std::unexpected<Error> expected(const std::string& what) const {
    return fail(ErrorCode::bad_file, "{}: {}: expected {}", file_, where_.empty() ? "/" : where_, what);
  }

  Result<double> number() const {
    if (!value_->is_number() || !std::isfinite(value_->get<double>())) return expected("a number");
    return value_->get<double>();
  }
  Result<Vec3d> point() const {
    if (!value_->is_array() || value_->size() != 3) return expected("[x, y, z]");
    Vec3d point;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto part = at(i).number();
      if (!part) return std::unexpected(part.error());
      point[static_cast<Eigen::Index>(i)] = *part;
    }
    return point;
  }
  Result<Quatd> rotation() const {
    if (!value_->is_array() || value_->size() != 4) return expected("[x, y, z, w]");
    Quatd q;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto part = at(i).number();
      if (!part) return std::unexpected(part.error());
      q.coeffs()[static_cast<Eigen::Index>(i)] = *part;
    }
    if (q.norm() < 1e-6) return expected("a quaternion that is not 0");
    return q.normalized();
  }
  Result<double> number_or(const char* key, double otherwise) const { return has(key) ? at(key).number() : otherwise; }
  Result<bool> flag_or(const char* key, bool otherwise) const {
    if (!has(key)) return otherwise;
    if (!at(key).value().is_boolean()) return at(key).expected("true or false");
    return at(key).value().get<bool>();
  }
  Result<JointIndex> joint(const io::MotionFile& motion) const {
    if (!has("joint") || !at("joint").value().is_string()) return expected("\"joint\", a name or role");
    const auto found = resolve_joint(*motion.skeleton, motion.body_map, at("joint").value().get<std::string>());
    if (!found) return fail(ErrorCode::bad_file, "{}: {}: {}", file_, where_, found.error().message);
    return *found;
  }

 private:
  const json* value_;
  std::string file_;
  std::string where_;
};

Result<posing::MotionPin> read_pin(const Place& place, const io::MotionFile& motion) {
  posing::MotionPin pin;
  const auto joint = place.joint(motion);
  if (!joint) return std::unexpected(joint.error());
  pin.joint = *joint;
  if (place.has("position")) {
    const auto position = place.at("position").point();
    if (!position) return std::unexpected(position.error());
    pin.position_m = *position;
  }
  if (place.has("orientation")) {
    const auto orientation = place.at("orientation").rotation();
    if (!orientation) return std::unexpected(orientation.error());
    pin.hold_orientation = true;
    pin.orientation = *orientation;
  }
  const auto weight = place.number_or("weight", 1.0);
  if (!weight) return std::unexpected(weight.error());
  if (*weight <= 0.0) return place.at("weight").expected("a positive number");
  pin.weight = *weight;
  const auto from = place.number_or("from_s", 0.0);
  if (!from) return std::unexpected(from.error());
  pin.from_s = *from;
  if (place.has("to_s")) {
    const auto to = place.at("to_s").number();
    if (!to) return std::unexpected(to.error());
    pin.to_s = *to;
  }
  return pin;
}

Result<posing::DragLayer> read_drag(const Place& place, const io::MotionFile& motion, bool holding) {
  posing::DragLayer layer;
  const auto joint = place.joint(motion);
  if (!joint) return std::unexpected(joint.error());
  layer.joint = *joint;
  // A held posture stays where it was led; a playing clip goes on.
  layer.hold_last = holding;
  const auto relative = place.flag_or("relative", false);
  if (!relative) return std::unexpected(relative.error());
  layer.relative = *relative;
  for (auto [key, slot] : {std::pair{"fade_in_s", &layer.fade_in_s}, {"fade_out_s", &layer.fade_out_s}}) {
    const auto fade = place.number_or(key, holding ? 0.0 : 0.25);
    if (!fade) return std::unexpected(fade.error());
    if (*fade < 0.0) return place.at(key).expected("a number that is not negative");
    *slot = *fade;
  }
  if (!place.has("keys") || !place.at("keys").value().is_array() || place.at("keys").value().empty()) {
    return place.expected("\"keys\": [[t, [x, y, z]], …]");
  }
  const Place keys = place.at("keys");
  for (std::size_t k = 0; k < keys.value().size(); ++k) {
    const Place key = keys.at(k);
    if (!key.value().is_array() || key.value().size() != 2) return key.expected("[t, [x, y, z]]");
    const auto time = key.at(std::size_t{0}).number();
    if (!time) return std::unexpected(time.error());
    const auto position = key.at(std::size_t{1}).point();
    if (!position) return std::unexpected(position.error());
    if (!layer.keys.empty() && *time <= layer.keys.back().time_s) return key.expected("a time after the key before");
    layer.keys.push_back({*time, *position});
  }
  return layer;
}

// The posture at `at_s` held for `duration_s`, or the clip itself, cut and resampled.
Result<Clip> make_reference(const Place& script, const Clip& clip) {
  const auto fps = script.number_or("fps", clip.fps());
  if (!fps) return std::unexpected(fps.error());
  if (!(*fps > 0.0) || *fps > 1e5) return script.at("fps").expected("a positive number up to 100000");
  const auto duration = script.number_or("duration_s", clip.duration_s());
  if (!duration) return std::unexpected(duration.error());
  if (!(*duration > 0.0) || *duration * *fps > 1e7)
    return script.at("duration_s").expected("more than 0, and at most 10 million frames");
  if (!script.has("at_s")) {
    Result<Clip> playing = clip;
    if (script.has("duration_s") && *duration < clip.duration_s()) playing = cut(clip, 0.0, *duration);
    if (playing && script.has("fps")) playing = resample(*playing, *fps);
    return playing;
  }
  const auto at = script.at("at_s").number();
  if (!at) return std::unexpected(at.error());
  if (*at < 0.0 || *at > clip.duration_s()) {
    return script.at("at_s").expected(fmt::format("a time from 0 to {:.3f} s", clip.duration_s()));
  }
  Pose pose;
  sample(clip, *at, pose);
  const int frames = std::max(1, static_cast<int>(std::lround(*duration * *fps)) + 1);
  Clip held(clip.skeleton_ptr(), frames, 1.0 / *fps, clip.translated());
  for (int f = 0; f < frames; ++f) held.set_frame(f, pose);
  held.set_name(clip.name());
  return held;
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return fail(ErrorCode::cannot_read, "{}: cannot be read", path);
  return text.str();
}

/// None, the standard set, or a file of ranges relative to the script.
Result<std::vector<posing::HumanRange>> read_ranges(const Place& root, const std::string& script,
                                                    const io::MotionFile& motion) {
  if (!root.has("ranges")) return std::vector<posing::HumanRange>();
  const Place ranges = root.at("ranges");
  if (ranges.value().is_string()) {
    const auto file = std::filesystem::path(script).parent_path() / ranges.value().get<std::string>();
    const auto text = read_text(file.string());
    if (!text) return std::unexpected(text.error());
    return posing::parse_joint_ranges(*text, file.string(), *motion.skeleton, motion.body_map);
  }
  if (!ranges.value().is_boolean()) return ranges.expected("true, false or a file of joint ranges");
  if (!ranges.value().get<bool>()) return std::vector<posing::HumanRange>();
  return posing::human_ranges(*motion.skeleton, motion.body_map);
}

}  // namespace

Result<PoseJob> read_pose_script(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return std::unexpected(text.error());
  json script;
  try {
    script = json::parse(*text);
  } catch (const json::parse_error& error) {
    return fail(ErrorCode::bad_file, "{}: byte {}: not JSON", path, error.byte);
  }
  const Place root(script, path, "");
  if (!script.is_object() || !root.has("clip") || !script["clip"].is_string()) {
    return root.expected("an object with \"clip\": a file");
  }
  const auto clip_path = std::filesystem::path(path).parent_path() / script["clip"].get<std::string>();
  auto motion = io::read_motion(clip_path);
  if (!motion) return std::unexpected(motion.error());
  if (motion->clips.empty())
    return fail(ErrorCode::not_possible, "{}: holds a skeleton but no motion", clip_path.string());

  auto reference = make_reference(root, motion->clips[0]);
  if (!reference) return std::unexpected(reference.error());
  posing::MotionEditParams edit;
  edit.stiffness = posing::human_stiffness(*motion->skeleton, motion->body_map);
  const auto each = [&](const char* key, const auto& read) -> Result<void> {
    if (!root.has(key)) return {};
    const Place list = root.at(key);
    if (!list.value().is_array()) return list.expected("a list");
    for (std::size_t i = 0; i < list.value().size(); ++i) {
      if (const auto done = read(list.at(i)); !done) return done;
    }
    return {};
  };
  const bool holding = root.has("at_s");
  auto done = each("pins", [&](const Place& place) -> Result<void> {
    auto pin = read_pin(place, *motion);
    if (!pin) return std::unexpected(pin.error());
    edit.pins.push_back(std::move(*pin));
    return {};
  });
  if (done) {
    done = each("drags", [&](const Place& place) -> Result<void> {
      auto layer = read_drag(place, *motion, holding);
      if (!layer) return std::unexpected(layer.error());
      edit.drags.push_back(std::move(*layer));
      return {};
    });
  }
  if (done) {
    done = each("desired", [&](const Place& place) -> Result<void> {
      const auto joint = place.joint(*motion);
      if (!joint) return std::unexpected(joint.error());
      const auto weight = place.number_or("weight", 1.0);
      if (!weight) return std::unexpected(weight.error());
      if (*weight < 0.0) return place.at("weight").expected("a number that is not negative");
      edit.desired_weights.emplace_back(*joint, *weight);
      return {};
    });
  }
  if (!done) return std::unexpected(done.error());

  auto ranges = read_ranges(root, path, *motion);
  if (!ranges) return std::unexpected(ranges.error());
  edit.ranges = std::move(*ranges);
  const auto balance = root.flag_or("balance", false);
  if (!balance) return std::unexpected(balance.error());
  if (*balance) {
    auto masses = posing::human_masses(*motion->skeleton, motion->body_map);
    if (!masses) return std::unexpected(masses.error());
    posing::Balance params;
    params.masses = std::move(*masses);
    params.support = posing::human_support(*motion->skeleton, motion->body_map);
    if (params.support.empty()) return root.at("balance").expected("a body with feet");
    edit.balance = std::move(params);
  }
  return PoseJob{std::move(*motion), std::move(*reference), std::move(edit)};
}

}  // namespace shosa::cli
