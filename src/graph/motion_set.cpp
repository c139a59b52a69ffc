#include "shosa/graph/motion_set.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/carried_by_root.h"
#include "shosa/analysis/ground.h"
#include "shosa/core/clip_edit.h"
#include "shosa/feet/clean_captured.h"

namespace shosa::graph {
namespace {

/// The motion on another skeleton of the same tree.
Clip moved_to(const Clip& clip, const std::shared_ptr<const Skeleton>& skeleton, double scale) {
  Clip result(skeleton, clip.frame_count(), clip.frame_time_s());
  result.set_name(clip.name());
  for (int f = 0; f < clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) result.set_rotation(f, j, clip.rotation(f, j));
    result.set_translation(f, 0, static_cast<float>(scale) * clip.translation(f, 0));
  }
  return result;
}

Result<void> check_joints(const Skeleton& first, const NamedClip& other) {
  const Skeleton& skeleton = other.clip.skeleton();
  if (skeleton.joint_count() != first.joint_count()) {
    return fail(ErrorCode::not_possible, "{}: {} joints, the first clip has {}", other.name, skeleton.joint_count(),
                first.joint_count());
  }
  for (JointIndex j = 0; j < first.joint_count(); ++j) {
    if (skeleton.name(j) != first.name(j) || skeleton.parent(j) != first.parent(j)) {
      return fail(ErrorCode::not_possible, "{}: joint {} is '{}', in the first clip '{}' (or hangs elsewhere)",
                  other.name, j, skeleton.name(j), first.name(j));
    }
  }
  return {};
}

/// Speed over the ground as the distance between low-passed places half a window before and after.
std::vector<double> path_speed(const analysis::RootMotion& root) {
  const int frames = static_cast<int>(root.places.size());
  const int half = std::max(1, static_cast<int>(std::lround(0.15 / root.frame_time_s)));
  std::vector<double> speed(root.places.size(), 0.0);
  for (int f = 0; f < frames; ++f) {
    const int before = std::max(0, f - half), after = std::min(frames - 1, f + half);
    if (after == before) continue;
    const auto &p = root.places[before], &q = root.places[after];
    speed[f] = std::hypot(q.x_m - p.x_m, q.z_m - p.z_m) / ((after - before) * root.frame_time_s);
  }
  return speed;
}

std::vector<std::uint8_t> contact_bits(const analysis::StudiedClip& studied, std::span<const body::FootPoints> feet) {
  const Clip& clip = studied.clip();
  std::vector<std::uint8_t> bits(static_cast<std::size_t>(clip.frame_count()), 0);
  for (std::size_t foot = 0; foot < feet.size(); ++foot) {
    const auto* track = studied.contacts().find(feet[foot].name);
    if (track == nullptr) continue;
    for (const TimeInterval& stance : track->joined) {
      const int last = clip.nearest_frame(stance.end_s);
      for (int f = clip.nearest_frame(stance.begin_s); f <= last; ++f) {
        bits[f] |= static_cast<std::uint8_t>(1u << foot);
      }
    }
  }
  return bits;
}

/// As it is where its ground cannot be found, or its root cannot move.
Clip on_ground(Clip clip, const body::BodyMap& map) {
  auto moved = analysis::put_on_ground(clip, map);
  return moved ? std::move(*moved) : std::move(clip);
}

analysis::StudiedClip cleaned(Clip clip, const body::BodyMap& map, const NamedClip& named, Notes& warnings) {
  const feet::CleanedCapture clean = feet::clean_captured(std::move(clip), map, named.contacts);
  const auto notes = clean.notes();
  for (const Note& note : notes) warnings.push_back(note.of(named.name));
  if (notes.empty()) return clean.studied;
  // Feet that were moved may have come to stand on another level.
  return analysis::study_with_contacts(on_ground(clean.studied.clip(), map), map, named.contacts);
}

}  // namespace

int MotionSet::frame_count() const {
  int count = 0;
  for (const SetClip& clip : clips) count += clip.clip().frame_count();
  return count;
}

int MotionSet::find(const std::string& name) const {
  const auto found = std::find_if(clips.begin(), clips.end(), [&](const SetClip& c) { return c.name == name; });
  return found == clips.end() ? -1 : static_cast<int>(found - clips.begin());
}

Result<MotionSet> make_motion_set(std::vector<NamedClip> clips, const body::BodyMap& body_map,
                                  const MotionSetParams& params) {
  if (clips.empty()) return fail(ErrorCode::invalid_argument, "no clip, expected at least one");
  MotionSet set;
  set.skeleton = clips.front().clip.skeleton_ptr();
  set.body_map = body_map;
  set.frame_time_s = clips.front().clip.frame_time_s();
  set.feet = body::find_foot_points(*set.skeleton, body_map);
  if (set.feet.size() > 8) set.feet.resize(8);
  const double leg_m = body::leg_length_m(*set.skeleton, body_map);
  for (NamedClip& named : clips) {
    if (set.find(named.name) >= 0) return fail(ErrorCode::invalid_argument, "two clips named '{}'", named.name);
    if (const auto same = check_joints(*set.skeleton, named); !same) return std::unexpected(same.error());
    Clip clip = params.ready ? std::move(named.clip) : analysis::carried_by_root(named.clip, body_map);
    if (clip.skeleton_ptr() != set.skeleton) {
      const double other_leg_m = body::leg_length_m(clip.skeleton(), body_map);
      if (!same_skeleton(*set.skeleton, clip.skeleton(), 1e-4)) {
        set.warnings.push_back(fmt::format("{}: its bones differ; played on the first clip's skeleton", named.name));
      }
      clip = moved_to(clip, set.skeleton, leg_m > 0.0 && other_leg_m > 0.0 ? leg_m / other_leg_m : 1.0);
    }
    if (std::abs(clip.frame_time_s() - set.frame_time_s) > 1e-3 * set.frame_time_s) {
      auto other = resample(clip, 1.0 / set.frame_time_s);
      if (!other) return fail(other.error().code, "{}: {}", named.name, other.error().message);
      clip = std::move(*other);
    }
    clip.set_frame_time_s(set.frame_time_s);
    if (!params.ready) clip = on_ground(std::move(clip), body_map);
    const bool clean = params.clean && !params.ready && !named.as_captured;
    const analysis::StudiedClip studied =
        clean ? cleaned(std::move(clip), body_map, named, set.warnings)
              : analysis::study_with_contacts(std::move(clip), body_map, named.contacts);
    set.clips.push_back({std::move(named.name), studied, path_speed(studied.root()), contact_bits(studied, set.feet)});
  }
  return set;
}

}  // namespace shosa::graph
