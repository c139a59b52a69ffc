#include "shosa/documents/pose_script.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "documents/script_place.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/json_depth.h"
#include "shosa/core/sampling.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {

namespace {

using nlohmann::json;

constexpr double kBodyStiffness = 20.0;

Result<posing::MotionPin> read_pin(const Place& place, const io::MotionFile& motion) {
  posing::MotionPin pin;
  if (const auto known = place.only({"joint", "position", "orientation", "weight", "from_s", "to_s"}); !known)
    return std::unexpected(known.error());
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
    if (*to < *from) return place.at("to_s").expected("a time not before from_s");
    pin.to_s = *to;
  }
  return pin;
}

Result<posing::DragLayer> read_drag(const Place& place, const io::MotionFile& motion, bool holding) {
  posing::DragLayer layer;
  if (const auto known = place.only({"joint", "keys", "relative", "fade_in_s", "fade_out_s"}); !known)
    return std::unexpected(known.error());
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
  if (!(*duration > 0.0) || *duration * *fps > 1e6)
    return script.at("duration_s").expected("more than 0, and at most 1 million frames");
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

/// None, the standard set, or a file of ranges relative to the script.
Result<std::vector<posing::HumanRange>> read_ranges(const Place& root, const std::string& script,
                                                    const io::MotionFile& motion) {
  if (!root.has("ranges")) return std::vector<posing::HumanRange>();
  const Place ranges = root.at("ranges");
  if (ranges.value().is_string()) {
    const auto file = std::filesystem::path(script).parent_path() / ranges.value().get<std::string>();
    const auto text = io::read_text(file.string());
    if (!text) return std::unexpected(text.error());
    return parse_joint_ranges(*text, file.string(), *motion.skeleton, motion.body_map);
  }
  if (!ranges.value().is_boolean()) return ranges.expected("true, false or a file of joint ranges");
  if (!ranges.value().get<bool>()) return std::vector<posing::HumanRange>();
  auto human = posing::human_ranges(*motion.skeleton, motion.body_map);
  if (!human) return fail(human.error().code, "{}: {}", script, human.error().message);
  return human;
}

/// The goals of one layer, or of the script itself.
Result<posing::MotionEditParams> read_edit(const Place& place, const std::string& script, const io::MotionFile& motion,
                                           const Clip& reference) {
  posing::MotionEditParams edit;
  edit.stiffness = posing::human_stiffness(*motion.skeleton, motion.body_map);
  // A limb that can do it alone should: the body as a whole is not moved lightly.
  edit.solver.root_stiffness_lin = edit.solver.root_stiffness_ang = kBodyStiffness;
  const auto each = [&](const char* key, const auto& read) -> Result<void> {
    if (!place.has(key)) return {};
    const Place list = place.at(key);
    if (!list.value().is_array()) return list.expected("a list");
    for (std::size_t i = 0; i < list.value().size(); ++i) {
      if (const auto done = read(list.at(i)); !done) return done;
    }
    return {};
  };
  const bool holding = place.holds_posture();
  auto done = each("pins", [&](const Place& entry) -> Result<void> {
    auto pin = read_pin(entry, motion);
    if (!pin) return std::unexpected(pin.error());
    edit.pins.push_back(std::move(*pin));
    return {};
  });
  if (done) {
    done = each("drags", [&](const Place& entry) -> Result<void> {
      auto layer = read_drag(entry, motion, holding);
      if (!layer) return std::unexpected(layer.error());
      edit.drags.push_back(std::move(*layer));
      return {};
    });
  }
  if (done) {
    done = each("desired", [&](const Place& entry) -> Result<void> {
      if (const auto known = entry.only({"joint", "weight"}); !known) return known;
      const auto joint = entry.joint(motion);
      if (!joint) return std::unexpected(joint.error());
      const auto weight = entry.number_or("weight", 1.0);
      if (!weight) return std::unexpected(weight.error());
      if (*weight < 0.0) return entry.at("weight").expected("a number that is not negative");
      edit.desired_weights.emplace_back(*joint, *weight);
      return {};
    });
  }
  if (!done) return std::unexpected(done.error());

  const auto keep_feet = place.flag_or("keep_feet", false);
  if (!keep_feet) return std::unexpected(keep_feet.error());
  if (*keep_feet) {
    const analysis::StudiedClip studied = analysis::study(reference, motion.body_map);
    if (const auto feet = studied.needs_feet(); !feet)
      return place.at("keep_feet").expected("a body with feet (" + feet.error().message + ")");
    for (posing::MotionPin& pin : posing::feet_pins(studied.contacts())) edit.pins.push_back(std::move(pin));
  }
  auto ranges = read_ranges(place, script, motion);
  if (!ranges) return std::unexpected(ranges.error());
  edit.ranges = std::move(*ranges);
  if (place.has("ranges") && place.at("ranges").value() == true) {
    if (const auto kept = posing::keep_knees(reference, motion.body_map, edit); !kept) {
      return std::unexpected(kept.error());
    }
  }
  const auto balance = place.flag_or("balance", false);
  if (!balance) return std::unexpected(balance.error());
  if (*balance) {
    auto masses = posing::human_masses(*motion.skeleton, motion.body_map);
    if (!masses) return std::unexpected(masses.error());
    posing::Balance params;
    params.masses = std::move(*masses);
    params.support = posing::human_support(*motion.skeleton, motion.body_map);
    if (params.support.empty()) return place.at("balance").expected("a body with feet");
    edit.balance = std::move(params);
  }
  return edit;
}

}  // namespace

Result<PoseJob> read_pose_script(const std::string& path) {
  const auto text = io::read_text(path);
  if (!text) return std::unexpected(text.error());
  if (const auto byte = too_deep_at(*text)) {
    return fail(ErrorCode::bad_file, "{}: byte {}: nested deeper than {} levels, expected a script", path, *byte,
                kMaxJsonDepth);
  }
  json script;
  try {
    script = json::parse(*text);
  } catch (const json::parse_error& error) {
    return fail(ErrorCode::bad_file, "{}: byte {}: not JSON", path, error.byte);
  } catch (const json::exception&) {
    return fail(ErrorCode::bad_file, "{}: a number too large to hold, expected finite numbers", path);
  }
  const Place root(script, path, "");
  if (!script.is_object() || !root.has("clip") || !script["clip"].is_string()) {
    return root.expected("an object with \"clip\": a file");
  }
  if (const auto known = root.only({"clip", "drop_tpose", "at_s", "duration_s", "fps", "pins", "drags", "desired",
                                    "keep_feet", "ranges", "balance", "layers"});
      !known)
    return std::unexpected(known.error());
  const auto clip_path = std::filesystem::path(path).parent_path() / script["clip"].get<std::string>();
  const auto drop_tpose = root.flag_or("drop_tpose", false);
  if (!drop_tpose) return std::unexpected(drop_tpose.error());
  auto motion = io::read_motion(clip_path, {.drop_tpose = *drop_tpose});
  if (!motion) return std::unexpected(motion.error());
  if (motion->clips.empty())
    return fail(ErrorCode::not_possible, "{}: holds a skeleton but no motion", clip_path.string());

  auto reference = make_reference(root, motion->clips[0]);
  if (!reference) return std::unexpected(reference.error());
  std::vector<posing::MotionEditParams> layers;
  const auto add = [&](const Place& place) -> Result<void> {
    auto edit = read_edit(place, path, *motion, *reference);
    if (!edit) return std::unexpected(edit.error());
    layers.push_back(std::move(*edit));
    return {};
  };
  if (const auto added = add(root); !added) return std::unexpected(added.error());
  if (root.has("layers")) {
    const Place list = root.at("layers");
    if (!list.value().is_array()) return list.expected("a list");
    // Without goals of its own the script is nothing but its layers.
    if (!root.has("pins") && !root.has("drags") && !root.has("desired") && !root.has("keep_feet")) layers.clear();
    for (std::size_t i = 0; i < list.value().size(); ++i) {
      const Place layer = list.at(i).within(root);
      if (!layer.value().is_object()) return layer.expected("an object with pins and drags");
      if (const auto known = layer.only({"on", "name", "pins", "drags", "desired", "keep_feet", "ranges", "balance"});
          !known)
        return std::unexpected(known.error());
      const auto on = layer.flag_or("on", true);
      if (!on) return std::unexpected(on.error());
      if (!*on) continue;
      if (const auto added = add(layer); !added) return std::unexpected(added.error());
    }
  }
  return PoseJob{std::move(*motion), std::move(*reference), std::move(layers)};
}

}  // namespace shosa::documents
