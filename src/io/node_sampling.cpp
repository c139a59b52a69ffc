#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "io/limits.h"
#include "io/node_scene.h"
#include "io/read_options.h"
#include "shosa/core/clip_edit.h"

namespace shosa::io {
namespace {

// A key this near to a sample's time is taken to lie on it.
constexpr double kKeyTolerance_s = 1e-4;
constexpr double kFallbackFps = 60.0;
constexpr std::array<double, 9> kUsualFps = {24, 25, 30, 48, 50, 60, 90, 100, 120};
// Movements of a translation below this are rounding in the exporter.
constexpr double kStillTranslation_m = 1e-6;
constexpr double kStillScale = 1e-4;

using Times = std::vector<double>;

bool on_grid(const std::vector<const Times*>& keys, double fps) {
  for (const Times* times : keys) {
    for (double time : *times) {
      // Times are single precision in the file.
      const double tolerance = std::max(kKeyTolerance_s, std::abs(time) * 1e-7);
      if (std::abs(time - std::round(time * fps) / fps) > tolerance) return false;
    }
  }
  return true;
}

/// A rate on whose grid all keys lie; none when there is no usual one.
std::optional<double> rate_of(const std::vector<const Times*>& keys) {
  double last = 0.0, least_step = INFINITY;
  for (const Times* times : keys) {
    last = std::max(last, times->back());
    for (std::size_t i = 1; i < times->size(); ++i) least_step = std::min(least_step, (*times)[i] - (*times)[i - 1]);
  }
  if (last <= 0.0) return 30.0;
  for (double fps : kUsualFps) {
    if (on_grid(keys, fps)) return fps;
  }
  if (!(least_step > 1e-3) || !std::isfinite(least_step)) return std::nullopt;
  double fps = std::round(last / least_step) / last;
  if (std::abs(fps - std::round(fps)) < 1e-3) fps = std::round(fps);
  if (!on_grid(keys, fps)) return std::nullopt;
  return fps < 24.0 ? fps * std::ceil(24.0 / fps) : fps;
}

/// Walks the keys of one track forward in time.
class TrackCursor {
 public:
  TrackCursor(const Track& track, JointIndex joint, double tolerance_s)
      : track_(&track),
        joint_(static_cast<std::size_t>(joint)),
        tolerance_s_(tolerance_s),
        width_(track.path == TrackPath::rotation ? 4 : 3) {}

  void sample(double time_s, std::vector<NodeLocal>& nodes) {
    const Times& times = *track_->times_s;
    while (key_ + 1 < times.size() && times[key_ + 1] <= time_s) ++key_;
    NodeLocal& out = nodes[joint_];
    if (key_ + 1 < times.size() && std::abs(times[key_ + 1] - time_s) <= tolerance_s_) return set_value(key_ + 1, out);
    if (key_ + 1 >= times.size() || time_s - times[key_] <= tolerance_s_ ||
        track_->interpolation == Interpolation::step) {
      return set_value(key_, out);
    }
    const double span_s = times[key_ + 1] - times[key_];
    const double x = (time_s - times[key_]) / span_s;
    if (track_->interpolation == Interpolation::cubic_spline) {
      set(cubic(x, span_s), out);
    } else if (track_->path == TrackPath::rotation) {
      set_between(value(key_), value(key_ + 1), x, out);
    } else {
      set((1.0 - x) * value(key_) + x * value(key_ + 1), out);
    }
  }

 private:
  static Quatd quaternion(const Eigen::Vector4d& v) { return Quatd(v).normalized(); }

  /// part: 0 in-tangent, 1 value, 2 out-tangent of a cubic spline's key.
  Eigen::Vector4d value(std::size_t key, std::size_t part = 1) const {
    const bool cubic = track_->interpolation == Interpolation::cubic_spline;
    const double* source = track_->values->data() + (cubic ? key * 3 + part : key) * width_;
    Eigen::Vector4d v = Eigen::Vector4d::Zero();
    for (std::size_t i = 0; i < width_; ++i) v[static_cast<Eigen::Index>(i)] = source[i];
    return v;
  }

  /// glTF 2.0, appendix C: Hermite spline with tangents scaled by the length of the span.
  Eigen::Vector4d cubic(double x, double span_s) const {
    const double x2 = x * x, x3 = x2 * x;
    return (2 * x3 - 3 * x2 + 1) * value(key_) + span_s * (x3 - 2 * x2 + x) * value(key_, 2) +
           (3 * x2 - 2 * x3) * value(key_ + 1) + span_s * (x3 - x2) * value(key_ + 1, 0);
  }

  void set_value(std::size_t key, NodeLocal& out) const { set(value(key), out); }

  /// A key of zeros is no rotation; the other key, where it is one, holds alone.
  void set_between(const Eigen::Vector4d& a, const Eigen::Vector4d& b, double x, NodeLocal& out) const {
    if (a.squaredNorm() > 0.0 && b.squaredNorm() > 0.0) {
      out.rotation = quaternion(a).slerp(x, quaternion(b));
    } else {
      set(a.squaredNorm() > 0.0 ? a : b, out);
    }
  }

  void set(const Eigen::Vector4d& v, NodeLocal& out) const {
    if (track_->path == TrackPath::translation) {
      out.translation = v.head<3>();
    } else if (v.squaredNorm() > 0.0) {
      out.rotation = quaternion(v);
    }
  }

  const Track* track_;
  std::size_t joint_;
  double tolerance_s_;
  std::size_t width_;
  std::size_t key_ = 0;
};

bool differs(const Track& track, const Vec3d& rest, double tolerance) {
  const std::vector<double>& values = *track.values;
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    const Vec3d value(values[i], values[i + 1], values[i + 2]);
    const bool tangent = cubic && (i / 3) % 3 != 1;
    if (((tangent ? value : Vec3d(value - rest)).cwiseAbs().maxCoeff()) > tolerance) return true;
  }
  return false;
}

class AnimationSampler {
 public:
  AnimationSampler(const NodeScene& scene, const NodeSkeleton& skeleton, const ReadOptions& options,
                   const std::string& file, Notes& warnings)
      : scene_(scene),
        skeleton_(skeleton),
        options_(options),
        file_(file),
        warnings_(warnings),
        rest_(rest_locals(scene, skeleton)) {
    std::set<const void*> seen;
    double keys = 0.0;
    for (const SceneAnimation& animation : scene.animations) {
      for (const Track& track : animation.tracks) {
        if (seen.insert(track.values.get()).second) keys += static_cast<double>(track.times_s->size());
      }
    }
    samples_left_ = std::max(kFreeSamples, kSamplesPerKey * keys);
  }

  /// Empty when no joint moves.
  Result<std::optional<Clip>> run(const SceneAnimation& animation) {
    collect(animation);
    if (tracks_.empty()) {
      warnings_.push_back(fmt::format("animation '{}' moves no joint", animation.name));
      return std::nullopt;
    }
    double last_s = 0.0;
    for (const Times* times : keys_) last_s = std::max(last_s, times->back());
    choose_rate(animation);
    const double wanted = std::ceil((last_s - std::max(kKeyTolerance_s, last_s * 1e-7)) / frame_time_s_) + 1.0;
    double frames = std::max(wanted, 1.0);
    if (recorded_ && animation.frame_count) {
      // The recorded count must agree with the keys; a clip that stands still may have fewer keys than frames.
      const double recorded_last_s = (*animation.frame_count - 1) * frame_time_s_;
      if (std::abs(recorded_last_s - last_s) <= 0.5 * frame_time_s_) frames = *animation.frame_count;
    }
    const double joints = static_cast<double>(skeleton_.joints.size());
    const double most = std::floor(std::min<double>(samples_left_ / joints, kMaxFrames));
    if (!(frames <= most)) {
      return fail(
          ErrorCode::bad_file,
          "{}: animation '{}' lasts {:.6g} s, which is {:.0f} frames at {:.6g} Hz for only {} keys; expected at "
          "most {:.0f} frames, which --fps {:.2g} gives",
          file_, animation.name, last_s, frames, 1.0 / frame_time_s_, key_count_, most,
          0.95 * std::max(most - 1.0, 0.0) / last_s);
    }
    samples_left_ -= frames * joints;
    return fill(animation, static_cast<int>(frames));
  }

 private:
  void collect(const SceneAnimation& animation) {
    tracks_.clear();
    keys_.clear();
    key_count_ = 0;
    std::set<std::pair<int, int>> taken;
    std::set<const Times*> seen;
    int scaled = 0;
    for (const Track& track : animation.tracks) {
      const JointIndex joint = skeleton_.joint_of_node[track.node];
      if (joint == kNoJoint) continue;
      if (!taken.emplace(track.node, static_cast<int>(track.path)).second) {
        warnings_.push_back(
            fmt::format("animation '{}' moves node {} twice; the first channel is used", animation.name, track.node));
        continue;
      }
      const SceneNode& node = scene_.nodes[track.node];
      if (track.path == TrackPath::scale) {
        if (differs(track, node.scale, kStillScale * node.scale.cwiseAbs().maxCoeff())) ++scaled;
        continue;
      }
      tracks_.push_back(&track);
      if (seen.insert(track.times_s.get()).second) {
        keys_.push_back(track.times_s.get());
        key_count_ += track.times_s->size();
      }
    }
    if (scaled > 0) {
      warnings_.push_back(
          fmt::format("animation '{}' changes the scale of {} joints, which is ignored", animation.name, scaled));
    }
  }

  void choose_rate(const SceneAnimation& animation) {
    recorded_ = false;
    // Who says what the rate really is wants the file's own frames.
    if (options_.sample_fps && !options_.fps_is) {
      frame_time_s_ = 1.0 / *options_.sample_fps;
      return;
    }
    if (animation.frame_time_s && is_usable_frame_time(*animation.frame_time_s)) {
      frame_time_s_ = *animation.frame_time_s;
      recorded_ = true;
      return;
    }
    const std::optional<double> fps = rate_of(keys_);
    if (!fps) {
      warnings_.push_back(fmt::format("animation '{}': the keys lie on no common grid; sampled at {} Hz",
                                      animation.name, kFallbackFps));
    }
    frame_time_s_ = 1.0 / fps.value_or(kFallbackFps);
  }

  /// Joints whose translation leaves its rest.
  std::vector<JointIndex> translated() const {
    std::vector<bool> moves(skeleton_.joints.size(), false);
    moves[0] = true;
    for (std::size_t j = 0; j < moves.size(); ++j) {
      if (!skeleton_.joints[j].uniform) moves[j] = true;
    }
    for (const Track* track : tracks_) {
      if (track->path != TrackPath::translation) continue;
      const auto j = static_cast<std::size_t>(skeleton_.joint_of_node[track->node]);
      const double metres = std::abs(skeleton_.joints[j].parent_scale * skeleton_.joints[j].base_scale);
      if (differs(*track, rest_[j].translation, metres > 0.0 ? kStillTranslation_m / metres : 0.0)) moves[j] = true;
    }
    std::vector<JointIndex> joints;
    for (std::size_t j = 0; j < moves.size(); ++j) {
      if (moves[j]) joints.push_back(static_cast<JointIndex>(j));
    }
    return joints;
  }

  Result<std::optional<Clip>> fill(const SceneAnimation& animation, int frames) {
    Clip clip(skeleton_.skeleton, frames, frame_time_s_, translated());
    clip.set_name(animation.name);
    const double tolerance_s = recorded_ ? 0.25 * frame_time_s_ : std::min(kKeyTolerance_s, 0.25 * frame_time_s_);
    std::vector<TrackCursor> cursors;
    for (const Track* track : tracks_) {
      cursors.emplace_back(*track, skeleton_.joint_of_node[track->node], tolerance_s);
    }
    std::vector<NodeLocal> nodes = rest_;
    RigidWorkspace work;
    for (int frame = 0; frame < frames; ++frame) {
      const double time_s = frame * frame_time_s_;
      for (TrackCursor& cursor : cursors) cursor.sample(time_s, nodes);
      rigid_locals(scene_, skeleton_, skeleton_.skeleton->parents(), nodes, work);
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        const Quatf rotation = work.locals[j].rotation.cast<float>();
        const Vec3f translation = work.locals[j].translation.cast<float>();
        if (!rotation.coeffs().allFinite() || !translation.allFinite()) {
          return fail(ErrorCode::bad_file, "{}: animation '{}': joint '{}' is not finite at {:.6g} s", file_,
                      animation.name, skeleton_.skeleton->name(static_cast<JointIndex>(j)), time_s);
        }
        if (!(work.locals[j].translation.cwiseAbs().maxCoeff() <= kFarthest_m)) {
          return fail(ErrorCode::bad_file,
                      "{}: animation '{}': joint '{}' is farther than {} m from its parent at {:.6g} s, expected a "
                      "nearer place",
                      file_, animation.name, skeleton_.skeleton->name(static_cast<JointIndex>(j)), kFarthest_m, time_s);
        }
        clip.set_rotation(frame, static_cast<JointIndex>(j), rotation);
      }
      for (JointIndex joint : clip.translated()) {
        clip.set_translation(frame, joint, work.locals[joint].translation.cast<float>());
      }
    }
    if (options_.fps_is) clip.set_frame_time_s(1.0 / *options_.fps_is);
    return std::optional<Clip>(std::move(clip));
  }

  const NodeScene& scene_;
  const NodeSkeleton& skeleton_;
  const ReadOptions& options_;
  const std::string& file_;
  Notes& warnings_;
  std::vector<NodeLocal> rest_;
  double samples_left_ = 0.0;

  std::vector<const Track*> tracks_;
  std::vector<const Times*> keys_;
  std::size_t key_count_ = 0;
  double frame_time_s_ = 0.0;
  bool recorded_ = false;
};

}  // namespace

Result<SampledAnimations> sample_animations(const NodeScene& scene, const NodeSkeleton& skeleton,
                                            const ReadOptions& options, const std::string& file, Notes& warnings) {
  SampledAnimations result;
  AnimationSampler sampler(scene, skeleton, options, file, warnings);
  for (std::size_t i = 0; i < scene.animations.size(); ++i) {
    Result<std::optional<Clip>> clip = sampler.run(scene.animations[i]);
    if (!clip) return std::unexpected(clip.error());
    if (!*clip) continue;
    result.clips.push_back(std::move(**clip));
    result.animation_of_clip.push_back(static_cast<int>(i));
  }
  return result;
}

}  // namespace shosa::io
