#include "shosa/documents/pose_script.h"

#include "documents/clip_reference.h"
#include "documents/json_reader.h"

namespace shosa::documents {

namespace {

std::string read_joint(const Place& place) {
  return place.at("joint").text("a joint's name or role");
}

ScriptPin read_pin(const Place& place) {
  place.only({"joint", "position", "orientation", "weight", "from_s", "to_s"});
  ScriptPin pin{.joint = read_joint(place), .position_m = {}, .orientation = {}, .to_s = {}};
  if (const Place position = place.at("position"); position.is_flag()) {
    pin.position = position.flag();
    if (pin.position || !place.has("orientation")) position.expected("[x, y, z], or false beside an orientation");
  } else if (position.exists()) {
    pin.position_m = position.point();
  }
  if (place.has("orientation")) pin.orientation = place.at("orientation").rotation();
  place.read("weight", pin.weight, kAboveZero);
  place.read("from_s", pin.from_s);
  place.read("to_s", pin.to_s);
  if (pin.to_s && *pin.to_s < pin.from_s) place.at("to_s").expected("a time not before from_s");
  return pin;
}

ScriptDrag read_drag(const Place& place) {
  place.only({"joint", "keys", "relative", "fade_in_s", "fade_out_s"});
  ScriptDrag drag{.joint = read_joint(place), .keys = {}, .fade_in_s = {}, .fade_out_s = {}};
  place.read("relative", drag.relative);
  place.read("fade_in_s", drag.fade_in_s, 0.0);
  place.read("fade_out_s", drag.fade_out_s, 0.0);
  for (const Place& key : place.at("keys").list(1)) {
    const auto parts = key.list();
    if (parts.size() != 2) {
      key.expected("[t, [x, y, z]]");
      break;
    }
    const posing::DragKey read{parts[0].number(), parts[1].point()};
    if (!drag.keys.empty() && read.time_s <= drag.keys.back().time_s) key.expected("a time after the key before");
    drag.keys.push_back(read);
  }
  return drag;
}

ScriptGoals read_goals(const Place& place) {
  ScriptGoals goals;
  for (const Place& pin : place.list_or_none("pins")) goals.pins.push_back(read_pin(pin));
  for (const Place& drag : place.list_or_none("drags")) goals.drags.push_back(read_drag(drag));
  for (const Place& entry : place.list_or_none("desired")) {
    entry.only({"joint", "weight"});
    auto& [joint, weight] = goals.desired.emplace_back(read_joint(entry), 1.0);
    entry.read("weight", weight, 0.0);
  }
  for (const Place& entry : place.list_or_none("stiffness")) {
    entry.only({"joint", "factor"});
    auto& [joint, factor] = goals.stiffness.emplace_back(read_joint(entry), 1.0);
    entry.read("factor", factor, kAboveZero);
  }
  place.read("keep_feet", goals.keep_feet);
  if (const Place ranges = place.at("ranges"); ranges.is_text()) {
    goals.ranges = ranges.text();
  } else if (ranges.is_flag()) {
    goals.ranges = ranges.flag();
  } else if (ranges.exists()) {
    ranges.expected("true, false or a file of joint ranges");
  }
  place.read("balance", goals.balance);
  if (const Place back = place.at("return_s"); back.is_flag()) {
    if (back.flag()) back.expected("seconds, or false");
    goals.returns = false;
  } else if (back.exists()) {
    goals.return_s = back.number(0.0);
  }
  if (const Place weights = place.at("weights"); weights.exists()) {
    const std::string chosen = weights.text("\"inertia\" or \"equal\"");
    goals.equal_weights = chosen == "equal";
    if (chosen != "equal" && chosen != "inertia") weights.expected("\"inertia\" or \"equal\"");
  }
  return goals;
}

}  // namespace

Result<PoseScript> parse_pose_script(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  root.only({"at_s", "duration_s", "fps", "pins", "drags", "desired", "stiffness", "keep_feet", "ranges", "balance",
             "return_s", "weights", "prior", "layers"},
            kClipKeys);
  PoseScript script;
  script.file = file;
  read_clip(root, script.clip);
  root.read("at_s", script.at_s, 0.0);
  root.read("duration_s", script.duration_s, kAboveZero);
  root.read("fps", script.fps, kAboveZero, 1e5);
  if (const Place prior = root.at("prior"); prior.is_flag()) {
    script.use_prior = prior.flag();
  } else if (prior.exists()) {
    const auto clips = prior.list();
    script.use_prior = !clips.empty();
    for (const Place& clip : clips) {
      ClipReference& named = script.prior.emplace_back();
      if (clip.is_text()) {
        named.clip = clip.text();
      } else {
        clip.only({}, kClipKeys);
        read_clip(clip, named);
      }
    }
  }
  script.goals = read_goals(root);
  for (const Place& place : root.list_or_none("layers")) {
    place.only({"on", "name", "pins", "drags", "desired", "stiffness", "keep_feet", "ranges", "balance", "return_s",
                "weights"});
    ScriptGoals& layer = script.layers.emplace_back(read_goals(place));
    place.read("on", layer.on);
  }
  return reader.finish(std::move(script));
}

}  // namespace shosa::documents
