#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "motions/motions.h"

namespace shosa::motions {

/// Order of the legs everywhere below.
enum DogLeg : int {
  left_hind = 0,
  right_hind = 1,
  left_front = 2,
  right_front = 3
};

/// What a key says about a dog. Degrees and metres, all from standing.
struct DogPosture {
  Vec3d hips_m{0, 0, 0};                ///< x to the left, y up, z forward.
  double yaw = 0, pitch = 0, roll = 0;  ///< Of the hips; pitch above 0 is nose down.
  double arch = 0;                      ///< Of the back, above 0 rounds it.
  double bend = 0;                      ///< Of the back to the left.
  double neck = 0, head = 0, look = 0;  ///< Down, down, to the left.
  double tail = 0, tail_side = 0;       ///< Up, to the left.
  double hock = 0, wrist = 0;           ///< Pitch of the last segment of hind and front legs; below 0 lays it flat.
};

struct DogKey {
  double time_s = 0.0, over_s = 0.0;
  DogPosture posture;
};

struct PawStep {
  double lift_s = 0.0, land_s = 0.0;
  double z_m = 0.0;  ///< Where it stands then, forward of its place in the rest pose.
  double x_m = 0.0;  ///< To the left of it.
  double clear_m = 0.04;
};

/// A gait by the figures that Hildebrand states: duty and the legs' phases, shares of the cycle.
struct DogGait {
  double cycle_s = 0.7, duty = 0.65, speed_mps = 0.9;
  std::array<double, 4> phase{0.0, 0.5, 0.25, 0.75};
  double bounce_m = 0.006, bounce_phase = 0.0;
  double clear_m = 0.03, nod_deg = 4.0, sway_deg = 2.0;
};

struct DogDescription {
  std::string about;
  double duration_s = 2.0;
  std::optional<TimeInterval> core;
  std::array<double, 4> start_z_m{0, 0, 0, 0};
  std::array<std::vector<PawStep>, 4> steps;
  std::vector<DogKey> keys;
  std::optional<DogGait> gait;
};

/// The first word of a dog's text is `dog`.
bool is_dog_text(std::string_view text);
Result<DogDescription> parse_dog(std::string_view text, const std::string& name_for_errors);
Result<Motion> assemble_dog(std::string_view name, const DogDescription& description);

}  // namespace shosa::motions
