// How near a posture comes to the captured one from the places of its hands and feet alone, with and without the
// posture prior (docs/methods/pin_and_drag.md).
//
//   prior_table [--both] [odd|even|all]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "motions/motions.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/motion_edit.h"
#include "shosa/retarget/retarget.h"

namespace shosa {
namespace {

using body::Role;

// Captures in which people bend down, reach, crouch or sit.
constexpr const char* kTasks[] = {"cmu-bvh/26_09",  "cmu-bvh/69_68", "quality/69_69", "cmu-bvh/111_17", "cmu-bvh/115_06",
                                  "cmu-bvh/79_44",  "cmu-bvh/79_38", "cmu-bvh/75_17", "cmu-bvh/111_10", "cmu-bvh/143_18",
                                  "cmu-bvh/13_11",  "cmu-bvh/16_03", "cmu-bvh/83_06", "cmu-bvh/141_14", "quality/141_23",
                                  "cmu-bvh/111_05", "cmu-bvh/77_24", "quality/33_02"};

struct Source {
  std::string name, subject;
  analysis::StudiedClip studied;
};

std::optional<Source> read(const std::filesystem::path& path) {
  auto motion = io::read_motion(path, {.drop_tpose = true});
  if (!motion || motion->clips.empty() || motion->body_map.kind != body::BodyKind::humanoid) return {};
  Clip clip = motion->clips[0];
  if (clip.fps() > 31.0) {
    auto slow = resample(clip, 30.0);
    if (slow) clip = std::move(*slow);
  }
  const std::string name = path.stem().string();
  return Source{name, name.substr(0, name.find('_')), analysis::study(std::move(clip), motion->body_map)};
}

std::optional<Clip> onto(const analysis::StudiedClip& clip, const analysis::StudiedClip& target) {
  if (same_skeleton(clip.skeleton(), target.skeleton(), 1e-3)) return clip.clip();
  auto moved = retarget::retarget_motion(clip, target.clip().skeleton_ptr(), target.map(),
                                         {.keep_feet = false, .keep_hands = false, .target_motion = target});
  if (!moved) return {};
  return std::move(moved->clip);
}

struct Errors {
  double place_m = 0.0, angle_deg = 0.0, knee_deg = 0.0;
};

struct Asked {
  Clip stand;                    // held, with the feet where the captured frame has them
  std::vector<JointIndex> hands; // dragged
  Pose truth;
  double beyond_m = 0.0;
};

// The most upright frame.
int standing_frame(const analysis::StudiedClip& studied) {
  const body::BodyMap& map = studied.map();
  int best = 0;
  double highest = -1.0;
  for (int f = 0; f < studied.clip().frame_count(); ++f) {
    const auto at = [&](Role role) { return studied.positions().joint(f, map.joint(role)); };
    const double feet = 0.5 * (at(Role::left_foot).y() + at(Role::right_foot).y());
    const double apart = (at(Role::left_foot) - at(Role::right_foot)).norm();
    const double hands = at(Role::left_hand).y() + at(Role::right_hand).y() - 2.0 * feet;
    const double height = at(Role::head).y() - feet - 0.5 * apart - 0.3 * hands;
    if (height > highest) highest = height, best = f;
  }
  return best;
}

Clip held(const Clip& clip, const Pose& pose, int frames) {
  Clip out(clip.skeleton_ptr(), frames, 1.0 / 60.0, clip.translated());
  for (int f = 0; f < frames; ++f) out.set_frame(f, pose);
  return out;
}

std::optional<Asked> ask(const analysis::StudiedClip& studied, int frame, bool both) {
  const body::BodyMap& map = studied.map();
  const Clip& clip = studied.clip();
  const int stand = standing_frame(studied);
  const JointIndex left = map.joint(Role::left_foot), right = map.joint(Role::right_foot);
  const WorldPose truth = forward_kinematics(clip.skeleton(), clip.frame(frame));
  WorldPose upright = forward_kinematics(clip.skeleton(), clip.frame(stand));
  // Feet at rest: places where both are slow.
  for (const JointIndex foot : {left, right}) {
    const int other = std::min(clip.frame_count() - 1, frame + 1);
    if ((studied.positions().joint(other, foot) - studied.positions().joint(frame, foot)).norm() * clip.fps() > 0.3)
      return {};
  }
  // The standing body where the captured one stands, facing where that faces.
  const auto between = [&](const WorldPose& w) { return Vec3d(0.5 * (w.positions[left] + w.positions[right])); };
  const auto facing = [&](const WorldPose& w) { return analysis::heading_rad(map, w.positions, w.rotations[0]); };
  const Quatd turn = about_y(facing(truth) - facing(upright));
  Pose pose = clip.frame(stand);
  const Vec3d root = between(truth) + turn * (upright.positions[0] - between(upright));
  pose.set_translation(0, root.cast<float>());
  pose.set_rotation(0, (turn * upright.rotations[0]).cast<float>());
  posing::MotionEditParams feet = posing::body_edit(clip.skeleton(), map);
  feet.smooth_s = 0.0;
  for (const JointIndex foot : {left, right})
    feet.pins.push_back({.joint = foot,
                         .position_m = truth.positions[foot],
                         .hold_orientation = true,
                         .orientation = truth.rotations[foot]});
  const auto placed = posing::edit_motion(held(clip, pose, 30), feet);
  if (!placed || placed->max_pin_error_m > 0.02) {
    if (!placed) return {};
  }
  const Pose standing = placed->clip.frame(29);
  upright = forward_kinematics(clip.skeleton(), standing);
  for (const JointIndex foot : {left, right})
    if ((upright.positions[foot] - truth.positions[foot]).norm() > 0.01) return {};

  Asked asked{held(clip, standing, 61), {}, clip.frame(frame)};
  double farthest = 0.0;
  for (const auto& [top, middle, end] :
       {std::array{Role::left_upper_arm, Role::left_lower_arm, Role::left_hand},
        std::array{Role::right_upper_arm, Role::right_lower_arm, Role::right_hand}}) {
    const auto at = [&](Role role) { return upright.positions[map.joint(role)]; };
    const double arm = (at(middle) - at(top)).norm() + (at(end) - at(middle)).norm();
    const double beyond = (truth.positions[map.joint(end)] - at(top)).norm() - arm;
    if (both) asked.hands.push_back(map.joint(end));
    if (asked.hands.empty() || (!both && beyond > farthest)) asked.hands = {map.joint(end)};
    farthest = asked.hands.size() == 1 && farthest == 0.0 ? beyond : std::max(farthest, beyond);
  }
  asked.beyond_m = farthest;
  return asked;
}

Errors solve(const analysis::StudiedClip& studied, const Asked& asked, const WorldPose& truth,
             std::shared_ptr<const posing::PosturePrior> prior, bool rules) {
  const body::BodyMap& map = studied.map();
  const Clip& clip = studied.clip();
  posing::MotionEditParams edit = posing::body_edit(clip.skeleton(), map);
  edit.prior = std::move(prior);
  edit.smooth_s = 0.0;
  for (const Role role : {Role::left_foot, Role::right_foot})
    edit.pins.push_back({.joint = map.joint(role), .hold_orientation = true});
  for (const JointIndex hand : asked.hands)
    edit.drags.push_back({.joint = hand, .keys = {{0.7, truth.positions[hand]}}, .fade_in_s = 0.7, .hold_last = true});
  if (rules) {
    if (auto ranges = posing::human_ranges(clip.skeleton(), map)) {
      edit.ranges = std::move(*ranges);
      (void)posing::keep_knees(asked.stand, map, edit);
    }
  }
  const auto result = posing::edit_motion(asked.stand, edit);
  Errors errors;
  if (!result) return errors;
  const Pose came = result->clip.frame(result->clip.frame_count() - 1);
  const WorldPose world = forward_kinematics(clip.skeleton(), came);
  int count = 0;
  for (int r = 0; r <= static_cast<int>(Role::right_hand); ++r) {
    const JointIndex j = map.joint(static_cast<Role>(r));
    if (j == kNoJoint) continue;
    errors.place_m += (world.positions[j] - truth.positions[j]).norm();
    errors.angle_deg += came.rotation(j).cast<double>().angularDistance(asked.truth.rotation(j).cast<double>()) * 180.0 / M_PI;
    ++count;
  }
  errors.place_m /= count;
  errors.angle_deg /= count;
  for (const Role knee : {Role::left_lower_leg, Role::right_lower_leg}) {
    const auto bend = [&](const Pose& pose) {
      return 2.0 * std::acos(std::min(1.0F, std::abs(pose.rotation(map.joint(knee)).w()))) * 180.0 / M_PI;
    };
    errors.knee_deg += 0.5 * std::abs(bend(came) - bend(asked.truth));
  }
  return errors;
}

struct Row {
  std::vector<double> place, angle, knee;
  void add(const Errors& e) {
    place.push_back(100.0 * e.place_m);
    angle.push_back(e.angle_deg);
    knee.push_back(e.knee_deg);
  }
  static double median(std::vector<double> v) {
    if (v.empty()) return 0.0;
    std::ranges::sort(v);
    return v[v.size() / 2];
  }
  static double mean(const std::vector<double>& v) {
    double s = 0.0;
    for (double x : v) s += x;
    return v.empty() ? 0.0 : s / static_cast<double>(v.size());
  }
};

int run(int argc, char** argv) {
  bool both = false, rules = false, verbose = false;
  std::string half = "all";
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--both") both = true;
    else if (std::string(argv[i]) == "--ranges") rules = true;
    else if (std::string(argv[i]) == "-v") verbose = true;
    else half = argv[i];
  }
  const std::filesystem::path data = SHOSA_REAL_DATA;
  if (!std::filesystem::exists(data / "cmu-bvh")) {
    fmt::print("skipped: no real data\n");
    return 0;
  }
  std::vector<Source> sources;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"cmu-bvh", "quality"})
    for (const auto& entry : std::filesystem::directory_iterator(data / folder))
      if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files)
    if (auto source = read(file)) sources.push_back(std::move(*source));
  std::vector<analysis::StudiedClip> shipped;
  for (const std::string& name : motions::names()) {
    auto motion = motions::make(name);
    if (motion && motion->body_map.kind == body::BodyKind::humanoid)
      shipped.push_back(analysis::study(motion->clip, motion->body_map));
  }
  std::map<std::string, Row> near, far;
  int index = 0;
  for (const char* task : kTasks) {
    const bool odd = index++ % 2 == 1;
    if ((half == "odd" && !odd) || (half == "even" && odd)) continue;
    const auto source = read(data / (std::string(task) + ".bvh"));
    if (!source) continue;
    const auto& studied = source->studied;
    const auto make = [&](bool ship, bool captured) -> std::shared_ptr<const posing::PosturePrior> {
      std::vector<Clip> clips;
      if (ship)
        for (const auto& clip : shipped)
          if (auto moved = onto(clip, studied)) clips.push_back(std::move(*moved));
      if (captured)
        for (const Source& other : sources)
          if (other.subject != source->subject)
            if (auto moved = onto(other.studied, studied)) clips.push_back(std::move(*moved));
      auto prior = posing::PosturePrior::create(studied.clip().skeleton_ptr(), studied.map(), clips);
      if (!prior) {
        fmt::print("{}: {}\n", task, prior.error().message);
        return nullptr;
      }
      return std::make_shared<const posing::PosturePrior>(std::move(*prior));
    };
    const auto begin = std::chrono::steady_clock::now();
    const auto ship = make(true, false);
    const auto middle = std::chrono::steady_clock::now();
    const auto captured = make(false, true);
    const auto end = std::chrono::steady_clock::now();
    if (!ship || !captured) continue;
    Row mine[4];
    int count = 0, out = 0;
    const int step = std::max(1, static_cast<int>(studied.clip().fps() / 4.0));
    for (int f = 0; f < studied.clip().frame_count(); f += step) {
      const auto asked = ask(studied, f, both);
      if (!asked) continue;
      const WorldPose truth = forward_kinematics(studied.skeleton(), asked->truth);
      const bool beyond = asked->beyond_m > 0.05;
      ++count;
      if (beyond) ++out;
      auto& rows = beyond ? far : near;
      if (!beyond && f % (3 * step) != 0) continue;
      int k = 0;
      for (const auto& [name, prior] :
           {std::pair<const char*, std::shared_ptr<const posing::PosturePrior>>{"none", nullptr},
            {"shipped", ship}, {"captured", captured}}) {
        const Errors errors = solve(studied, *asked, truth, prior, rules);
        rows[name].add(errors);
        if (beyond) mine[k].add(errors);
        ++k;
      }
      // The standing posture itself.
    }
    if (verbose || true)
      fmt::print("{:<16} {:3} frames, {:3} beyond reach; postures {} / {} ({:.1f} s, {:.1f} s): none {:.1f} cm {:.1f} deg knee {:.0f}, shipped {:.1f} {:.1f} {:.0f}, captured {:.1f} {:.1f} {:.0f}\n", task, count, out,
                 ship->size(), captured->size(), std::chrono::duration<double>(middle - begin).count(),
                 std::chrono::duration<double>(end - middle).count(), Row::mean(mine[0].place), Row::mean(mine[0].angle), Row::mean(mine[0].knee),
                 Row::mean(mine[1].place), Row::mean(mine[1].angle), Row::mean(mine[1].knee), Row::mean(mine[2].place), Row::mean(mine[2].angle), Row::mean(mine[2].knee));
    std::fflush(stdout);
  }
  for (const auto& [title, rows] : {std::pair{"beyond reach", &far}, {"within reach", &near}})
    for (const auto& [name, row] : *rows)
      fmt::print("{:<14} {:<10} {:4} postures: joints {:5.2f} cm (median {:5.2f}), angles {:5.2f} deg (median {:5.2f}), knees {:4.1f} deg\n", title, name,
                 row.place.size(), Row::mean(row.place), Row::median(row.place), Row::mean(row.angle), Row::median(row.angle), Row::mean(row.knee));
  return 0;
}

}  // namespace
}  // namespace shosa

int main(int argc, char** argv) {
  return shosa::run(argc, argv);
}
