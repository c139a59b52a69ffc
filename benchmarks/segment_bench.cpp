// Segment editing: coefficients, one character-frame of the seed's job, footsteps of a crowd, curves.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "scenes/allocations.h"
#include "scenes/scenes.h"
#include "segment/footstep_motion.h"
#include "segment/meeting_segment.h"
#include "segment/segment_editor.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"
#include "shosa/io/motion_file.h"
#include "shosa/segment/curve_clip.h"
#include "shosa/segment/edit_segment.h"
#include "shosa/segment/footsteps.h"
#include "shosa/segment/loop.h"

namespace shosa::segment {
namespace {

/// A captured walk of 31 joints where there is one, else the scene's.
struct Walk {
  Clip clip;
  body::BodyMap map;
  analysis::StudiedClip studied = analysis::study(clip, map);
};
const Walk& walk() {
  static const Walk loaded = [] {
    const Clip made = scenes::walk({.duration_s = 4.0}).clip;
    Walk out{made, body::guess_body_map(made.skeleton())};
    const auto path = std::filesystem::path(SHOSA_REAL_DATA) / "cmu-bvh" / "07_01.bvh";
    if (auto file = io::read_motion(path, {.drop_tpose = true})) {
      if (auto clip = resample(file->clips[0], 60.0)) out = {std::move(*clip), file->body_map};
    }
    return out;
  }();
  return loaded;
}

void Coefficients(benchmark::State& state) {
  std::vector<double> speeds(static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] = 0.01 + 0.005 * static_cast<double>(i % 7);
  for (auto _ : state) benchmark::DoNotOptimize(path_coefficients(speeds));
}
BENCHMARK(Coefficients)->Arg(60)->Arg(600);

// Transformation of two feet, hips and both hands, reconstruction, mapping: the seed's 0.40 ms.
void EditOneFrame(benchmark::State& state) {
  const Walk& w = walk();
  std::vector<EditorHandle> handles;
  for (const body::Role role : {body::Role::hips, body::Role::left_foot, body::Role::right_foot, body::Role::left_hand,
                                body::Role::right_hand}) {
    handles.push_back({w.map.joint(role), {}});
  }
  auto editor = SegmentEditor::create(w.studied, 10, 70, {.handles = handles});
  for (int h = 0; h < editor->handle_count(); ++h) {
    editor->set_end(h, {.position = Vec3d(0.04, h == 0 ? -0.06 : 0.02, 0.03),
                        .velocity = Vec3d(0.001, 0.0, 0.001),
                        .has_velocity = true});
  }
  Pose pose;
  editor->evaluate(1, pose);
  int frame = 0;
  long iterations = 0;
  const long before = scenes::allocations();
  for (auto _ : state) {
    frame = frame % 60 + 1;
    iterations += editor->evaluate(frame, pose).iterations;
  }
  state.counters["allocations"] = static_cast<double>(scenes::allocations() - before);
  state.counters["sweeps"] = benchmark::Counter(static_cast<double>(iterations), benchmark::Counter::kAvgIterations);
  state.counters["joints"] = w.clip.joint_count();
}
BENCHMARK(EditOneFrame);

// What of it is only placing the joints.
void ForwardKinematics(benchmark::State& state) {
  const Pose pose = walk().clip.frame(20);
  WorldPose world;
  for (auto _ : state) forward_kinematics(walk().clip.skeleton(), pose, world);
}
BENCHMARK(ForwardKinematics);

// The whole posture made to meet the next segment's: every joint.
void MeetOneFrame(benchmark::State& state) {
  auto segment = MeetingSegment::create(walk().studied, 10, 70);
  const GroundMove onto{0.05, Vec3d(0.02, 0.0, 1.0)};
  MeetingSegment::meet(*segment, *segment, onto);
  MeetingSegment::meet_velocity(*segment, *segment, onto);
  Pose pose;
  segment->evaluate(1, pose);
  int frame = 0;
  const long before = scenes::allocations();
  for (auto _ : state) {
    frame = frame % 60 + 1;
    segment->evaluate(frame, pose);
  }
  state.counters["allocations"] = static_cast<double>(scenes::allocations() - before);
}
BENCHMARK(MeetOneFrame);

// The same edit by the pin-and-drag solver, per frame of the whole clip.
void PinDragFrame(benchmark::State& state) {
  const Walk& w = walk();
  const auto positions = clip_positions(w.clip);
  const JointIndex hand = w.map.joint(body::Role::left_hand);
  const SegmentEditParams params{
      .handles = {{hand, positions.joint(70, hand) + Vec3d(0.05, 0.1, 0.05)}},
      .from_s = 10 / 60.0,
      .to_s = 70 / 60.0,
      .reconstruction = state.range(0) != 0 ? Reconstruction::pin_drag : Reconstruction::particles};
  double error = 0.0;
  for (auto _ : state) {
    const auto edit = edit_segment(w.studied, params);
    error = edit->handles[0].end_error_m;
  }
  state.counters["end_error_mm"] = 1e3 * error;
  state.counters["frames"] = w.clip.frame_count();
}
BENCHMARK(PinDragFrame)->Arg(0)->Arg(1)->ArgName("pin_drag")->Unit(benchmark::kMillisecond);

// Ten thousand characters on rough ground, each with steps of its own; plans are made before, frames are timed.
void Crowd(benchmark::State& state) {
  const Walk& w = walk();
  const auto loop = make_loop(w.studied, {.cycles = 3});
  const auto source = footstep_source(analysis::study(loop->clip, w.map));
  const Terrain terrain = rough_terrain((*source)->feet().ground_m, 0.06, 1.7, 3);
  const int characters = static_cast<int>(state.range(0));
  std::vector<FootstepMotion> crowd;
  for (int c = 0; c < characters; ++c) {
    FootstepMotion& motion = crowd.emplace_back(*source);
    const Vec3d shift(1.3 * (c % 100), 0.0, 1.7 * (c / 100));
    for (int s = 0; s < static_cast<int>((*source)->steps().size()); ++s) {
      StepPlace place = motion.place(s);
      place.place_m += shift + Vec3d(0.02 * ((c + s) % 5 - 2), 0.0, 0.03 * ((c + 2 * s) % 5 - 2));
      place.place_m.y() = terrain.height_m(place.place_m.x(), place.place_m.z());
      place.tilt = shortest_turn(Vec3d::UnitY(), terrain(place.place_m.x(), place.place_m.z()).normal);
      motion.set_place(s, place);
    }
    const feet::GroundView ground(terrain);
    motion.update(&ground);
  }
  Reconstructor reconstructor((*source)->body());
  Pose pose;
  crowd[0].evaluate(0, reconstructor, pose);
  const int frames = loop->clip.frame_count();
  int frame = 0;
  const long before = scenes::allocations();
  for (auto _ : state) {
    frame = (frame + 1) % frames;
    for (int c = 0; c < characters; ++c) {
      benchmark::DoNotOptimize(crowd[c].evaluate((frame + 7 * c) % frames, reconstructor, pose));
    }
  }
  state.counters["allocations"] = static_cast<double>(scenes::allocations() - before);
  state.counters["characters_per_core_at_60Hz"] = benchmark::Counter(
      static_cast<double>(characters) / 60.0 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(Crowd)->Arg(10000)->Unit(benchmark::kMillisecond);

void PlanOneCharacter(benchmark::State& state) {
  const Walk& w = walk();
  const auto source = footstep_source(w.studied);
  const Terrain terrain = rough_terrain((*source)->feet().ground_m, 0.06, 1.7, 3);
  FootstepMotion motion(*source);
  const feet::GroundView ground(terrain);
  for (auto _ : state) motion.update(&ground);
  state.counters["steps"] = static_cast<double>((*source)->steps().size());
}
BENCHMARK(PlanOneCharacter)->Unit(benchmark::kMicrosecond);

void CurveSample(benchmark::State& state) {
  const auto fit = fit_curves(walk().clip, {.max_error_m = 0.0012});
  Pose pose;
  fit->curves.sample(0, pose);
  double frame = 0.0;
  for (auto _ : state) {
    frame += 17.3;
    if (frame > fit->curves.frame_count()) frame -= fit->curves.frame_count();
    fit->curves.sample(frame, pose);
    benchmark::DoNotOptimize(pose);
  }
  state.counters["bytes_per_s"] = static_cast<double>(fit->curves.curve_bytes()) / walk().clip.duration_s();
  state.counters["raw_bytes_per_s"] = static_cast<double>(fit->raw_bytes) / walk().clip.duration_s();
}
BENCHMARK(CurveSample);

}  // namespace
}  // namespace shosa::segment
