#include <algorithm>
#include <cmath>
#include <span>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/documents/pose_script.h"
#include "shosa/retarget/posture_prior.h"

namespace shosa::documents {

namespace {

/// Of drags over a playing clip, where the script does not say, and of pins that are not there from end to end.
constexpr double kUsualFade_s = 0.25, kUsualReturn_s = 0.5;
/// A body that has to come along takes longer: its smooth way to the place is no harder than this, as people bend and
/// rise quickly. A smooth step of 1 in 1 s has this peak.
constexpr double kBodyPush_mps2 = 5.0, kStepPeak = 5.77, kFarthest_m = 1.5;
/// Out of its range by less is within what the standard ranges are known to.
constexpr double kWorthSaying_deg = 5.0;
constexpr double kMostFrames = 1e6;

/// Turns a script's goals into edits of the clip that it names.
class PoseStage {
 public:
  PoseStage(const PoseScript& script, const ClipSource& source, std::span<const analysis::StudiedClip> usual_prior)
      : script_(script), source_(source), usual_prior_(usual_prior) {}

  Result<PoseJob> open() {
    auto opened = source_.open(script_.clip);
    if (!opened) return std::unexpected(opened.error());
    auto reference = reference_of(opened->clip());
    if (!reference) return std::unexpected(reference.error());
    // Somebody's word on when feet stand; of a posture that is held nobody has said anything.
    if (!script_.at_s) contacts_ = analysis::cut_contacts(opened->contacts, 0.0, reference->duration_s());
    PoseJob job{std::move(opened->motion), std::move(*reference), {}};
    const auto add = [&](const ScriptGoals& goals, const std::string& place) -> Result<void> {
      auto edit = edit_of(goals, place, job);
      if (!edit) return std::unexpected(edit.error());
      job.layers.push_back(std::move(*edit));
      return {};
    };
    // Without goals of its own the script is nothing but its layers.
    const ScriptGoals& own = script_.goals;
    const bool has_goals = !own.pins.empty() || !own.drags.empty() || !own.desired.empty();
    if (has_goals || script_.layers.empty()) {
      if (const auto added = add(own, ""); !added) return std::unexpected(added.error());
    }
    for (std::size_t i = 0; i < script_.layers.size(); ++i) {
      if (!script_.layers[i].on) continue;
      if (const auto added = add(script_.layers[i], fmt::format("/layers/{}", i)); !added)
        return std::unexpected(added.error());
    }
    if (const auto added = add_prior(job); !added) return std::unexpected(added.error());
    return job;
  }

 private:
  /// For edits that lead anything, and weigh what they move.
  Result<void> add_prior(PoseJob& job) const {
    const auto bends = [](const posing::MotionEditParams& edit) {
      const auto placed = [](const posing::MotionPin& pin) { return pin.position_m.has_value(); };
      return edit.weights && (!edit.drags.empty() || std::ranges::any_of(edit.pins, placed));
    };
    const bool human = job.motion.body_map.kind == body::BodyKind::humanoid;
    if (!script_.use_prior || std::ranges::none_of(job.layers, bends)) return {};
    std::vector<analysis::StudiedClip> named;
    for (std::size_t i = 0; i < script_.prior.size(); ++i) {
      const auto clip = source_.open(script_.prior[i]);
      if (!clip) return at_place(fmt::format("/prior/{}", i), clip.error());
      named.push_back(clip->study());
    }
    if (named.empty() && (usual_prior_.empty() || !human)) return {};
    auto prior = retarget::posture_prior(named.empty() ? usual_prior_ : std::span<const analysis::StudiedClip>(named),
                                         analysis::study(job.reference, job.motion.body_map));
    if (!prior && !named.empty()) return at_place("/prior", prior.error());
    if (!prior) {
      job.motion.warnings.push_back(fmt::format("bends without knowing how people do: {}", prior.error().message));
      return {};
    }
    for (posing::MotionEditParams& edit : job.layers)
      if (bends(edit)) edit.prior = *prior;
    return {};
  }

  std::unexpected<Error> at_place(const std::string& place, const Error& error) const {
    return fail(error.code, "{}: {}{}{}", script_.file, place, place.empty() ? "" : ": ", error.message);
  }
  std::unexpected<Error> wrong(const std::string& place, std::string message) const {
    return at_place(place, {ErrorCode::bad_file, std::move(message)});
  }

  /// The posture at `at_s` held for `duration_s`, or the clip itself, cut and resampled.
  Result<Clip> reference_of(const Clip& clip) const {
    const double fps = script_.fps.value_or(clip.fps()), duration_s = script_.duration_s.value_or(clip.duration_s());
    if (duration_s * fps > kMostFrames) {
      return wrong("/duration_s", fmt::format("{} s at {} fps, expected at most 1 million frames", duration_s, fps));
    }
    if (!script_.at_s) {
      Result<Clip> playing = clip;
      if (script_.duration_s && duration_s < clip.duration_s()) playing = cut(clip, 0.0, duration_s);
      if (playing && script_.fps) playing = resample(*playing, fps);
      return playing;
    }
    if (*script_.at_s > clip.duration_s()) {
      return wrong("/at_s", fmt::format("{}, expected a time from 0 to {:.3f} s", *script_.at_s, clip.duration_s()));
    }
    Pose pose;
    sample(clip, *script_.at_s, pose);
    const int frames = std::max(1, static_cast<int>(std::lround(duration_s * fps)) + 1);
    Clip held(clip.skeleton_ptr(), frames, 1.0 / fps, clip.translated());
    for (int f = 0; f < frames; ++f) held.set_frame(f, pose);
    held.set_name(clip.name());
    return held;
  }

  Result<JointIndex> joint_of(const io::MotionFile& motion, const std::string& name, const std::string& place) const {
    const auto joint = resolve_joint(*motion.skeleton, motion.body_map, name);
    if (!joint) return wrong(place, joint.error().message);
    return *joint;
  }

  /// Nothing may be asked for at times that are never played.
  Result<void> check_times(const ScriptGoals& goals, const std::string& place, const Clip& reference) const {
    const double end_s = reference.duration_s(), latest_s = end_s + 0.5 * reference.frame_time_s();
    const auto late = [&](const std::string& where, double time_s) {
      return wrong(place + where,
                   fmt::format("{} s, expected a time from 0 to {:.3f} s, where the motion ends", time_s, end_s));
    };
    for (std::size_t i = 0; i < goals.drags.size(); ++i)
      for (std::size_t k = 0; k < goals.drags[i].keys.size(); ++k)
        if (const double time_s = goals.drags[i].keys[k].time_s; time_s < 0.0 || time_s > latest_s)
          return late(fmt::format("/drags/{}/keys/{}", i, k), time_s);
    for (std::size_t i = 0; i < goals.pins.size(); ++i) {
      const ScriptPin& pin = goals.pins[i];
      if (pin.from_s > latest_s) return late(fmt::format("/pins/{}/from_s", i), pin.from_s);
      if (pin.to_s && *pin.to_s < 0.0) return late(fmt::format("/pins/{}/to_s", i), *pin.to_s);
    }
    return {};
  }

  /// How far a key is from what the limb reaches as the clip has the trunk then.
  static double beyond_reach_m(const Clip& reference, const posing::MotionEditParams& edit,
                               const posing::DragLayer& layer, const posing::DragKey& key) {
    const Skeleton& skeleton = reference.skeleton();
    Pose pose;
    sample(reference, key.time_s, pose);
    const WorldPose world = forward_kinematics(skeleton, pose);
    const Vec3d place = layer.relative ? Vec3d(world.positions[layer.joint] + key.position_m) : key.position_m;
    double reach_m = 0.0;
    for (JointIndex j = layer.joint; edit.weights && j != kNoJoint; j = skeleton.parent(j)) {
      if (std::ranges::find(edit.weights->limbs, j) != edit.weights->limbs.end())
        return std::max(0.0, (place - world.positions[j]).norm() - reach_m);
      reach_m += skeleton.joint(j).rest_translation_m.cast<double>().norm();
    }
    return (place - world.positions[layer.joint]).norm();
  }

  /// How long the body needs to come along. No body bends farther than down to its feet.
  static double body_s(const Clip& reference, const posing::MotionEditParams& edit, const posing::DragLayer& layer,
                       const posing::DragKey& key) {
    const double beyond_m = std::min(beyond_reach_m(reference, edit, layer, key), kFarthest_m);
    return std::sqrt(kStepPeak * beyond_m / kBodyPush_mps2);
  }

  Result<posing::MotionEditParams> edit_of(const ScriptGoals& goals, const std::string& place,
                                           const PoseJob& job) const {
    const io::MotionFile& motion = job.motion;
    posing::MotionEditParams edit = posing::body_edit(*motion.skeleton, motion.body_map);
    if (goals.equal_weights) {
      edit.weights.reset();
      edit.solver = {};  // Strengths belong to the weights.
    }
    for (std::size_t i = 0; i < goals.pins.size(); ++i) {
      const ScriptPin& pin = goals.pins[i];
      const auto joint = joint_of(motion, pin.joint, fmt::format("{}/pins/{}", place, i));
      if (!joint) return std::unexpected(joint.error());
      edit.pins.push_back({.joint = *joint,
                           .position_m = pin.position_m,
                           .position = pin.position,
                           .hold_orientation = pin.orientation.has_value(),
                           .orientation = pin.orientation,
                           .weight = pin.weight,
                           .from_s = pin.from_s,
                           .to_s = pin.to_s,
                           .fade_s = kUsualFade_s});
      // The body comes along to a pin's place, and goes home from it, as to a drag's key.
      if (!pin.position_m) continue;
      for (const double at_s : {pin.from_s, pin.to_s.value_or(pin.from_s)}) {
        const posing::DragKey key{at_s, *pin.position_m};
        edit.pins.back().fade_s =
            std::max(edit.pins.back().fade_s, body_s(job.reference, edit, {.joint = *joint, .keys = {key}}, key));
      }
    }
    if (const auto ok = check_times(goals, place, job.reference); !ok) return std::unexpected(ok.error());
    for (std::size_t i = 0; i < goals.drags.size(); ++i) {
      const ScriptDrag& drag = goals.drags[i];
      const auto joint = joint_of(motion, drag.joint, fmt::format("{}/drags/{}", place, i));
      if (!joint) return std::unexpected(joint.error());
      // The first key of a held posture is where it starts.
      edit.drags.push_back({.joint = *joint,
                            .keys = drag.keys,
                            .relative = drag.relative,
                            .fade_in_s = drag.fade_in_s.value_or(script_.at_s ? 0.0 : kUsualFade_s),
                            .fade_out_s = drag.fade_out_s.value_or(goals.return_s.value_or(kUsualReturn_s)),
                            .hold_last = !drag.fade_out_s && !goals.returns});
      posing::DragLayer& layer = edit.drags.back();
      const auto body = [&](const posing::DragKey& key) { return body_s(job.reference, edit, layer, key); };
      if (!drag.fade_in_s && !script_.at_s) layer.fade_in_s = std::max(layer.fade_in_s, body(layer.keys.front()));
      if (!drag.fade_out_s && !goals.return_s) layer.fade_out_s = std::max(layer.fade_out_s, body(layer.keys.back()));
    }
    const auto by_joint = [&](const auto& named, const char* key, auto& values) -> Result<void> {
      for (std::size_t i = 0; i < named.size(); ++i) {
        const auto joint = joint_of(motion, named[i].first, fmt::format("{}/{}/{}", place, key, i));
        if (!joint) return std::unexpected(joint.error());
        values.emplace_back(*joint, named[i].second);
      }
      return {};
    };
    if (const auto ok = by_joint(goals.desired, "desired", edit.desired_weights); !ok)
      return std::unexpected(ok.error());
    if (const auto ok = by_joint(goals.stiffness, "stiffness", edit.stiffness); !ok) return std::unexpected(ok.error());
    if (const auto added = add_body_rules(goals, place, job, edit); !added) return std::unexpected(added.error());
    return edit;
  }

  Result<void> add_body_rules(const ScriptGoals& goals, const std::string& place, const PoseJob& job,
                              posing::MotionEditParams& edit) const {
    const Skeleton& skeleton = *job.motion.skeleton;
    const body::BodyMap& map = job.motion.body_map;
    const bool led = !edit.drags.empty() || !edit.pins.empty();
    if (goals.balance || goals.keep_feet.value_or(led)) {
      const analysis::StudiedClip studied = analysis::study_with_contacts(job.reference, map, contacts_);
      const auto known = studied.needs_feet();
      if (!known && goals.keep_feet.value_or(false)) return wrong(place + "/keep_feet", known.error().message);
      if (known && goals.keep_feet.value_or(led)) keep_feet(skeleton, studied.contacts(), edit);
      if (known && goals.balance) edit.stances = posing::carrying_stances(studied.contacts());
    }
    if (const auto* file = std::get_if<std::string>(&goals.ranges)) {
      const auto text = source_.text(*file);
      if (!text) return std::unexpected(text.error());
      const auto document = parse_joint_ranges(*text, source_.path(*file));
      if (!document) return std::unexpected(document.error());
      auto ranges = documents::evaluate(*document, skeleton, map);
      if (!ranges) return std::unexpected(ranges.error());
      const std::vector<posing::HumanRange> own(ranges->begin(), ranges->begin() + std::ssize(document->joints));
      edit.ranges = std::move(*ranges);
      // Knees that the file leaves to the standard set only bend, as there.
      if (const auto kept = document->others_human ? posing::keep_knees(job.reference, map, edit) : Result<void>();
          !kept)
        return at_place(place + "/ranges", kept.error());
      for (const posing::HumanRange& named : own)
        *std::ranges::find(edit.ranges, named.joint, &posing::HumanRange::joint) = named;
    } else if (std::get<bool>(goals.ranges)) {
      auto ranges = posing::human_ranges(skeleton, map);
      if (!ranges) return at_place(place + "/ranges", ranges.error());
      edit.ranges = std::move(*ranges);
      if (const auto kept = posing::keep_knees(job.reference, map, edit); !kept)
        return at_place(place + "/ranges", kept.error());
    }
    if (goals.balance) {
      auto masses = posing::human_masses(skeleton, map);
      if (!masses) return at_place(place + "/balance", masses.error());
      edit.balance.emplace();
      edit.balance->masses = std::move(*masses);
      edit.balance->support = posing::human_support(skeleton, map);
      if (edit.balance->support.empty()) return wrong(place + "/balance", "a body without feet");
    }
    return {};
  }

  /// Feet that the script itself holds or leads, or whose toes it does, are left to it.
  static void keep_feet(const Skeleton& skeleton, const analysis::FootContacts& contacts,
                        posing::MotionEditParams& edit) {
    const std::size_t pins = edit.pins.size();
    for (posing::MotionPin& kept : posing::feet_pins(contacts)) {
      const auto same_foot = [&](JointIndex joint) {
        return joint == kept.joint || skeleton.parent(joint) == kept.joint || skeleton.parent(kept.joint) == joint;
      };
      const std::span own = std::span(edit.pins).first(pins);
      if (std::ranges::any_of(own, same_foot, &posing::MotionPin::joint)) continue;
      if (std::ranges::any_of(edit.drags, same_foot, &posing::DragLayer::joint)) continue;
      edit.pins.push_back(std::move(kept));
    }
  }

  const PoseScript& script_;
  const ClipSource& source_;
  analysis::GivenContacts contacts_;
  std::span<const analysis::StudiedClip> usual_prior_;
};

}  // namespace

Result<PoseJob> stage(const PoseScript& script, const ClipSource& source,
                      std::span<const analysis::StudiedClip> usual_prior) {
  return PoseStage(script, source, usual_prior).open();
}

Result<PosedScript> evaluate(PoseJob job, const std::string& file) {
  auto edited = posing::edit_motion(job.reference, job.layers);
  if (!edited) return fail(edited.error().code, "{}: {}", file, edited.error().message);
  if (edited->max_range_violation_deg > kWorthSaying_deg) {
    job.motion.warnings.push_back(
        fmt::format("at {:.3f} s '{}' leaves its range by {:.0f} degrees: a drag beats a range", edited->worst_range_s,
                    job.motion.skeleton->name(edited->worst_range), edited->max_range_violation_deg));
  }
  job.motion.clips = {edited->clip};
  return PosedScript{std::move(job.motion), std::move(*edited)};
}

Result<PosedScript> evaluate(const PoseScript& script, const ClipSource& source,
                             std::span<const analysis::StudiedClip> usual_prior) {
  auto job = stage(script, source, usual_prior);
  if (!job) return std::unexpected(job.error());
  return evaluate(std::move(*job), script.file);
}

}  // namespace shosa::documents
