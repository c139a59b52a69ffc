#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/random.h"
#include "shosa/core/rotations.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::test {

/// A sum of submovements with known parameters: durations 0.3 to 0.9 s, neighbours from 0.3 of a duration apart to 0.5
/// overlapping, directions anywhere.
struct Synthetic {
  PositionModel positions;
  RotationModel rotations;  ///< The same timings.
  int frames = 0;
};

/// Displacements are 0.25 to 0.6 m and 0.5 to 2 rad, times `scale`.
inline Synthetic make_synthetic(std::uint64_t seed, int count, double fps, double overlap = 0.5, double scale = 1.0) {
  scenes::Random random(seed);
  Synthetic made;
  made.positions.start_m = random.direction();
  made.rotations.start = random.rotation();
  double time = random.uniform(0.1, 0.3), before = 0.0;
  for (int k = 0; k < count; ++k) {
    const double duration = random.uniform(0.3, 0.9);
    if (k > 0) time -= random.uniform(-0.3, overlap) * std::min(before, duration);
    made.positions.submovements.push_back(
        {time, time + duration, scale * random.uniform(0.25, 0.6) * random.direction()});
    made.rotations.submovements.push_back(
        {time, time + duration, scale * random.uniform(0.5, 2.0) * random.direction()});
    time += duration;
    before = duration;
  }
  made.frames = static_cast<int>((time + 0.2) * fps) + 1;
  return made;
}

/// A chain: every pair of neighbours overlaps by half of the shorter one, and each goes on in a direction turned by up
/// to `turn_rad` from the one before.
inline Synthetic make_chain(std::uint64_t seed, int count, double fps, double turn_rad, double overlap = 0.5) {
  scenes::Random random(seed);
  Synthetic made;
  made.positions.start_m = random.direction();
  made.rotations.start = random.rotation();
  Vec3d direction = random.direction();
  double end = 0.0, before = 0.0;
  for (int k = 0; k < count; ++k) {
    const double duration = random.uniform(0.3, 0.9);
    const double begin = k > 0 ? end - overlap * std::min(before, duration) : random.uniform(0.1, 0.3);
    const Vec3d across = direction.cross(random.direction()).normalized();
    const double turn = k > 0 ? turn_rad * random.uniform(0.3, 1.0) : 0.0;
    direction = std::cos(turn) * direction + std::sin(turn) * across;
    end = begin + duration;
    before = duration;
    made.positions.submovements.push_back({begin, end, random.uniform(0.25, 0.6) * direction});
    made.rotations.submovements.push_back({begin, end, random.uniform(0.5, 2.0) * direction});
  }
  made.frames = static_cast<int>((end + 0.2) * fps) + 1;
  return made;
}

/// Nearly normal, standard deviation 1.
inline double noise(scenes::Random& random) {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

inline std::vector<Vec3d> noisy_positions(const Synthetic& made, double fps, double deviation_m, std::uint64_t seed) {
  scenes::Random random(seed);
  auto samples = sample_positions(made.positions, made.frames, 1.0 / fps);
  for (Vec3d& x : samples)
    for (int c = 0; c < 3; ++c) x(c) += deviation_m * noise(random);
  return samples;
}

inline std::vector<Quatd> noisy_rotations(const Synthetic& made, double fps, double deviation_rad, std::uint64_t seed) {
  scenes::Random random(seed);
  auto samples = sample_rotations(made.rotations, made.frames, 1.0 / fps);
  for (Quatd& q : samples) {
    Vec3d turn;
    for (int c = 0; c < 3; ++c) turn(c) = deviation_rad * noise(random);
    q = q * exp_rotation(turn);
  }
  return samples;
}

/// Largest difference of a t0 or tf, and of a displacement relative to its length.
struct Miss {
  double timing_s = 0.0;
  double displacement = 0.0;
};

inline Vec3d move_of(const PositionSubmovement& s) {
  return s.displacement_m;
}
inline Vec3d move_of(const RotationSubmovement& s) {
  return s.rotation_rad;
}

template <class Submovement>
Miss compare(const std::vector<Submovement>& found, const std::vector<Submovement>& truth) {
  Miss miss;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    miss.timing_s =
        std::max({miss.timing_s, std::abs(found[k].t0_s - truth[k].t0_s), std::abs(found[k].tf_s - truth[k].tf_s)});
    miss.displacement =
        std::max(miss.displacement, (move_of(found[k]) - move_of(truth[k])).norm() / move_of(truth[k]).norm());
  }
  return miss;
}

}  // namespace shosa::submovement::test
