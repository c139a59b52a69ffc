#include "shosa/analysis/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"

namespace shosa::analysis {
namespace {

/// Sum of horizontal path and of time over the intervals of one point.
struct Slide {
  double path_m = 0.0, time_s = 0.0;
  void add(const ClipPositions& positions, int point, const std::vector<TimeInterval>& intervals, double dt) {
    if (point < 0) return;
    for (const TimeInterval& interval : intervals) {
      const int first = std::max(0, whole_frames(std::ceil(interval.begin_s / dt - 1e-6)));
      const int last = std::min(positions.frame_count() - 1, whole_frames(std::floor(interval.end_s / dt + 1e-6)));
      for (int f = first; f < last; ++f) {
        const Vec3d step = positions.point(f + 1, point) - positions.point(f, point);
        path_m += std::hypot(step.x(), step.z());
        time_s += dt;
      }
    }
  }
};

double foot_skate(const ClipPositions& positions, const FootContacts& contacts, double dt) {
  Slide slide;
  for (const FootContactTrack& foot : contacts.feet) {
    slide.add(positions, foot.points.toe, foot.toe, dt);
    // The ankle rolls over the heel at the strike; it is still only while the foot is flat.
    const auto flat = foot.points.toe >= 0 ? interval_intersection(foot.heel, foot.toe) : foot.heel;
    slide.add(positions, foot.points.heel, flat, dt);
  }
  return slide.time_s > 0.0 ? slide.path_m / slide.time_s : 0.0;
}

void measure_penetration(const ClipPositions& positions, const FootContacts& contacts, double dt,
                         MotionQuality& quality) {
  double sum = 0.0;
  for (int f = 0; f < positions.frame_count(); ++f) {
    double deepest = 0.0;
    for (const FootContactTrack& foot : contacts.feet) {
      const double ground = local_ground_m(foot, f * dt, contacts.ground_m);
      for (const int point : {foot.points.heel, foot.points.toe, foot.points.tip}) {
        if (point >= 0) deepest = std::max(deepest, ground - positions.point(f, point).y());
      }
    }
    quality.penetration_m = std::max(quality.penetration_m, deepest);
    sum += deepest;
  }
  quality.mean_penetration_m = sum / positions.frame_count();
}

/// Global quaternions of every joint: [joint][frame], sign continuous over time.
std::vector<std::vector<Quatd>> global_rotations(const Clip& clip) {
  std::vector<std::vector<Quatd>> all(static_cast<std::size_t>(clip.joint_count()));
  WorldPose world;
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    for (std::size_t j = 0; j < all.size(); ++j) {
      Quatd q = world.rotations[j];
      const bool flip = f == 0 ? q.w() < 0.0 : all[j].back().coeffs().dot(q.coeffs()) < 0.0;
      if (flip) q.coeffs() = -q.coeffs();
      all[j].push_back(q);
    }
  }
  return all;
}

std::optional<Error> not_comparable(const Clip& clip, const Clip& reference) {
  const auto wrong = [](std::string text) {
    return Error{ErrorCode::not_possible, "compare_with_reference: " + std::move(text)};
  };
  if (clip.joint_count() != reference.joint_count()) {
    return wrong(fmt::format("{} joints, the reference has {}", clip.joint_count(), reference.joint_count()));
  }
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    const Joint &a = clip.skeleton().joint(j), &b = reference.skeleton().joint(j);
    if (a.name != b.name || a.parent != b.parent) {
      return wrong(fmt::format("joint {} is '{}' under {}, in the reference '{}' under {}", j, a.name, a.parent, b.name,
                               b.parent));
    }
  }
  if (clip.frame_count() != reference.frame_count()) {
    return wrong(fmt::format("{} frames, the reference has {}; cut or resample first", clip.frame_count(),
                             reference.frame_count()));
  }
  if (std::abs(clip.frame_time_s() / reference.frame_time_s() - 1.0) > 1e-3) {
    return wrong(fmt::format("{:.6g} Hz, the reference has {:.6g} Hz; resample first", clip.fps(), reference.fps()));
  }
  return std::nullopt;
}

/// Earth mover's distance of the two normalised spectra and the truth's total power, for one signal.
struct SpectrumDistance {
  double emd = 0.0, power = 0.0;
};
SpectrumDistance spectrum_distance(const std::vector<double>& truth, const std::vector<double>& other) {
  const std::vector<double> p = real_power_spectrum(truth), q = real_power_spectrum(other);
  double p_total = 0.0, q_total = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    p_total += p[k];
    q_total += q[k];
  }
  SpectrumDistance out{.emd = 0.0, .power = p_total};
  double p_sum = 0.0, q_sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    p_sum += p_total > 0.0 ? p[k] / p_total : 0.0;
    q_sum += q_total > 0.0 ? q[k] / q_total : 0.0;
    out.emd += std::abs(q_sum - p_sum);
  }
  return out;
}

}  // namespace

MotionQuality measure_quality(const StudiedClip& studied) {
  MotionQuality quality;
  const Clip& clip = studied.clip();
  const ClipPositions& positions = studied.positions();
  const double dt = clip.frame_time_s();
  if (!studied.contacts().feet.empty()) {
    quality.has_feet = true;
    quality.foot_skate_mps = foot_skate(positions, studied.contacts(), dt);
    measure_penetration(positions, studied.contacts(), dt, quality);
  }
  double jerk = 0.0;
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    for (int f = 0; f + 2 < clip.frame_count(); ++f) {
      const Vec3d second = positions.joint(f + 2, j) - 2.0 * positions.joint(f + 1, j) + positions.joint(f, j);
      quality.peak_acceleration_mps2 = std::max(quality.peak_acceleration_mps2, second.norm() / (dt * dt));
      if (f + 3 >= clip.frame_count()) continue;
      const Vec3d next = positions.joint(f + 3, j) - 2.0 * positions.joint(f + 2, j) + positions.joint(f + 1, j);
      jerk += (next - second).norm() / (dt * dt * dt);
    }
  }
  const double samples = static_cast<double>(clip.joint_count()) * std::max(0, clip.frame_count() - 3);
  quality.mean_jerk_mps3 = samples > 0.0 ? jerk / samples : 0.0;
  return quality;
}

Result<ReferenceError> compare_with_reference(const Clip& clip, const Clip& reference) {
  if (auto error = not_comparable(clip, reference)) return std::unexpected(*error);
  ReferenceError result;
  const int frames = clip.frame_count();
  const auto truth = global_rotations(reference);
  auto ours = global_rotations(clip);
  // q and -q are the same rotation: of the two the one nearer to the truth is compared.
  for (std::size_t j = 0; j < ours.size(); ++j) {
    for (std::size_t f = 0; f < ours[j].size(); ++f) {
      if (ours[j][f].coeffs().dot(truth[j][f].coeffs()) < 0.0) ours[j][f].coeffs() = -ours[j][f].coeffs();
    }
  }
  const ClipPositions a = clip_positions(clip), b = clip_positions(reference);
  for (int f = 0; f < frames; ++f) {
    double p = 0.0, q = 0.0;
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      p += (a.joint(f, j) - b.joint(f, j)).squaredNorm();
      q += (ours[i][f].coeffs() - truth[i][f].coeffs()).squaredNorm();
    }
    result.l2p_m += std::sqrt(p) / frames;
    result.l2q += std::sqrt(q) / frames;
  }

  double weighted = 0.0, weights = 0.0;
  std::vector<double> x(static_cast<std::size_t>(frames)), y(static_cast<std::size_t>(frames));
  for (std::size_t j = 0; j < ours.size(); ++j) {
    for (int component = 0; component < 4; ++component) {
      for (std::size_t f = 0; f < x.size(); ++f) {
        x[f] = truth[j][f].coeffs()[component];
        y[f] = ours[j][f].coeffs()[component];
      }
      const SpectrumDistance d = spectrum_distance(x, y);
      weighted += d.emd * d.power;
      weights += d.power;
    }
  }
  result.npss = weights > 0.0 ? weighted / weights : 0.0;
  return result;
}

}  // namespace shosa::analysis
