// How near a posture comes to a captured one from the places of its hands and feet alone, with and without a posture
// prior that has not seen the performer (docs/methods/pin_and_drag.md).
//
//   prior_table [--both] [--ranges] [odd|even]

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/heading.h"
#include "shosa/core/angles.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/motion_edit.h"
#include "shosa/retarget/posture_prior.h"
#include "shosa/shosa.h"

namespace shosa {
namespace {

using body::Role;
using Prior = std::shared_ptr<const posing::PosturePrior>;

// Captures in which people bend down, reach, crouch, sit, or do other things with their feet still.
constexpr const char* kTasks[] = {
    "cmu-bvh/26_09", "cmu-bvh/69_68",  "quality/69_69",  "cmu-bvh/111_17", "cmu-bvh/115_06", "cmu-bvh/79_44",
    "cmu-bvh/79_38", "cmu-bvh/75_17",  "cmu-bvh/111_10", "cmu-bvh/143_18", "cmu-bvh/13_11",  "cmu-bvh/16_03",
    "cmu-bvh/83_06", "cmu-bvh/141_14", "quality/141_23", "cmu-bvh/111_05", "cmu-bvh/77_24",  "quality/33_02"};

// The way of a foot in one second that is no stance; a hand further beyond the arm's length than this needs the trunk.
constexpr double kStill_mps = 0.3, kBeyond_m = 0.05;

struct Source {
  std::string subject;
  analysis::StudiedClip studied;
};

std::optional<Source> read(const std::filesystem::path& path) {
  const auto motion = io::read_motion(path, {.drop_tpose = true});
  if (!motion || motion->clips.empty() || motion->body_map.kind != body::BodyKind::humanoid) return {};
  auto clip = resample(motion->clips[0], 30.0);
  if (!clip) return {};
  const std::string name = path.stem().string();
  return Source{name.substr(0, name.find('_')), analysis::study(std::move(*clip), motion->body_map)};
}

/// The most upright frame, feet together, arms down.
int standing_frame(const analysis::StudiedClip& studied) {
  int best = 0;
  double highest = -1e9;
  for (int f = 0; f < studied.clip().frame_count(); ++f) {
    const auto at = [&](Role role) { return studied.positions().joint(f, studied.map().joint(role)); };
    const Vec3d left = at(Role::left_foot), right = at(Role::right_foot);
    const double hands = at(Role::left_hand).y() + at(Role::right_hand).y() - left.y() - right.y();
    const double height = at(Role::head).y() - 0.5 * (left.y() + right.y()) - 0.5 * (left - right).norm() - 0.3 * hands;
    if (height > highest) highest = height, best = f;
  }
  return best;
}

Clip held(const Clip& clip, const Pose& pose, int frames) {
  Clip out(clip.skeleton_ptr(), frames, 1.0 / 60.0, clip.translated());
  for (int f = 0; f < frames; ++f) out.set_frame(f, pose);
  return out;
}

struct Task {
  Clip stand;                     // with the feet where the captured frame has them
  std::vector<JointIndex> hands;  // led
  Pose truth;
  WorldPose world;  // of the truth
  double beyond_m = -1e9;
};

/// The performer standing in the feet of a captured frame; none where a foot moves or cannot be put there.
std::optional<Task> task_of(const analysis::StudiedClip& studied, int frame, bool both) {
  const body::BodyMap& map = studied.map();
  const Clip& clip = studied.clip();
  const std::array feet = {map.joint(Role::left_foot), map.joint(Role::right_foot)};
  const int next = std::min(clip.frame_count() - 1, frame + 1);
  for (const JointIndex foot : feet) {
    const Vec3d way = studied.positions().joint(next, foot) - studied.positions().joint(frame, foot);
    if (way.norm() * clip.fps() > kStill_mps) return {};
  }
  Pose pose = clip.frame(standing_frame(studied));
  const WorldPose truth = forward_kinematics(clip.skeleton(), clip.frame(frame));
  WorldPose stand = forward_kinematics(clip.skeleton(), pose);
  const auto between = [&](const WorldPose& w) { return Vec3d(0.5 * (w.positions[feet[0]] + w.positions[feet[1]])); };
  const auto facing = [&](const WorldPose& w) { return analysis::heading_rad(map, w.positions, w.rotations[0]); };
  const Quatd turn = about_y(facing(truth) - facing(stand));
  pose.set_translation(0, (between(truth) + turn * (stand.positions[0] - between(stand))).cast<float>());
  pose.set_rotation(0, (turn * stand.rotations[0]).cast<float>());
  posing::MotionEditParams put = posing::body_edit(clip.skeleton(), map);
  put.smooth_s = 0.0;
  for (const JointIndex foot : feet)
    put.pins.push_back({.joint = foot,
                        .position_m = truth.positions[foot],
                        .hold_orientation = true,
                        .orientation = truth.rotations[foot]});
  const auto placed = posing::edit_motion(held(clip, pose, 30), put);
  if (!placed) return {};
  pose = placed->clip.frame(29);
  stand = forward_kinematics(clip.skeleton(), pose);
  for (const JointIndex foot : feet)
    if ((stand.positions[foot] - truth.positions[foot]).norm() > 0.01) return {};

  Task task{held(clip, pose, 61), {}, clip.frame(frame), truth};
  for (const auto& [top, middle, end] : {std::array{Role::left_upper_arm, Role::left_lower_arm, Role::left_hand},
                                         std::array{Role::right_upper_arm, Role::right_lower_arm, Role::right_hand}}) {
    const auto at = [&](Role role) { return stand.positions[map.joint(role)]; };
    const double arm = (at(middle) - at(top)).norm() + (at(end) - at(middle)).norm();
    const double beyond = (truth.positions[map.joint(end)] - at(top)).norm() - arm;
    if (!both && beyond > task.beyond_m) task.hands.clear();
    if (both || beyond > task.beyond_m) task.hands.push_back(map.joint(end));
    task.beyond_m = std::max(task.beyond_m, beyond);
  }
  return task;
}

struct Errors {
  double place_cm = 0.0, angle_deg = 0.0, knee_deg = 0.0;
};

/// Led there from standing within 0.7 s, feet kept, and held.
std::optional<Errors> errors_of(const analysis::StudiedClip& studied, const Task& task, const Prior& prior,
                                bool ranges) {
  const body::BodyMap& map = studied.map();
  const Skeleton& skeleton = studied.skeleton();
  posing::MotionEditParams edit = posing::body_edit(skeleton, map);
  edit.prior = prior;
  for (const Role role : {Role::left_foot, Role::right_foot})
    edit.pins.push_back({.joint = map.joint(role), .hold_orientation = true});
  for (const JointIndex hand : task.hands)
    edit.drags.push_back(
        {.joint = hand, .keys = {{0.7, task.world.positions[hand]}}, .fade_in_s = 0.7, .hold_last = true});
  if (ranges) {
    auto human = posing::human_ranges(skeleton, map);
    if (!human) return {};
    edit.ranges = std::move(*human);
    if (!posing::keep_knees(task.stand, map, edit)) return {};
  }
  const auto result = posing::edit_motion(task.stand, edit);
  if (!result) return {};
  const Pose came = result->clip.frame(result->clip.frame_count() - 1);
  const WorldPose world = forward_kinematics(skeleton, came);
  const auto between_deg = [](const Quatf& a, const Quatf& b) { return a.angularDistance(b) * kDegPerRad; };
  Errors errors;
  int count = 0;
  for (int r = 0; r <= static_cast<int>(Role::right_hand); ++r) {
    const JointIndex j = map.joint(static_cast<Role>(r));
    if (j == kNoJoint) continue;
    errors.place_cm += 100.0 * (world.positions[j] - task.world.positions[j]).norm();
    errors.angle_deg += between_deg(came.rotation(j), task.truth.rotation(j));
    ++count;
  }
  errors.place_cm /= count;
  errors.angle_deg /= count;
  for (const Role knee : {Role::left_lower_leg, Role::right_lower_leg}) {
    const JointIndex j = map.joint(knee);
    const Quatf rest = skeleton.joint(j).rest_rotation;
    errors.knee_deg += 0.5 * std::abs(between_deg(rest, came.rotation(j)) - between_deg(rest, task.truth.rotation(j)));
  }
  return errors;
}

struct Column {
  std::vector<double> place, angle, knee;
  void add(const Errors& e) {
    place.push_back(e.place_cm);
    angle.push_back(e.angle_deg);
    knee.push_back(e.knee_deg);
  }
};
double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0.0 : values[values.size() / 2];
}

int run(const std::vector<std::string>& words) {
  const auto said = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
  const std::filesystem::path data = SHOSA_REAL_DATA;
  if (!std::filesystem::exists(data / "cmu-bvh")) {
    fmt::print("skipped: no real data\n");
    return 0;
  }
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"cmu-bvh", "quality"})
    for (const auto& entry : std::filesystem::directory_iterator(data / folder))
      if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Source> sources;
  for (const auto& file : files)
    if (auto source = read(file)) sources.push_back(std::move(*source));

  std::map<std::pair<bool, std::string>, Column> table;
  int index = 0;
  for (const char* name : kTasks) {
    const bool odd = index++ % 2 == 1;
    if ((said("odd") && !odd) || (said("even") && odd)) continue;
    const auto performer = read(data / (std::string(name) + ".bvh"));
    if (!performer) continue;
    const analysis::StudiedClip& studied = performer->studied;
    std::vector<analysis::StudiedClip> others;
    for (const Source& source : sources)
      if (source.subject != performer->subject) others.push_back(source.studied);
    const auto usual = retarget::posture_prior(usual_postures(), studied),
               captured = retarget::posture_prior(others, studied);
    if (!usual || !captured) {
      fmt::print("{}: {}\n", name, (usual ? captured : usual).error().message);
      continue;
    }
    const std::vector<std::pair<std::string, Prior>> priors = {
        {"1 none", nullptr}, {"2 shipped", *usual}, {"3 captured", *captured}};
    std::map<std::string, Column> beyond;
    for (int f = 0; f < studied.clip().frame_count(); f += 7) {
      const auto task = task_of(studied, f, said("--both"));
      if (!task) continue;
      for (const auto& [kind, prior] : priors) {
        const auto errors = errors_of(studied, *task, prior, said("--ranges"));
        if (!errors) continue;
        table[{task->beyond_m > kBeyond_m, kind}].add(*errors);
        if (task->beyond_m > kBeyond_m) beyond[kind].add(*errors);
      }
    }
    fmt::print("{:<15} {} and {} postures", name, (*usual)->size(), (*captured)->size());
    for (const auto& [kind, column] : beyond)
      fmt::print("; {} {}: {:.1f} cm, {:.1f} deg, knees {:.0f} deg", kind, column.place.size(), mean(column.place),
                 mean(column.angle), mean(column.knee));
    fmt::print("\n");
  }
  for (const auto& [key, column] : table)
    fmt::print(
        "{} {:<11} {:4} postures: joints {:5.2f} cm (median {:5.2f}), angles {:5.2f} deg (median {:5.2f}), knees "
        "{:4.1f} deg\n",
        key.first ? "beyond reach" : "within reach", key.second, column.place.size(), mean(column.place),
        median(column.place), mean(column.angle), median(column.angle), mean(column.knee));
  return 0;
}

}  // namespace
}  // namespace shosa

int main(int argc, char** argv) {
  return shosa::run({argv + 1, argv + argc});
}
