#include "io/bvh_clip.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "io/euler.h"
#include "io/limits.h"
#include "io/place.h"
#include "shosa/core/parallel.h"

namespace shosa::io {
namespace {

/// What to do with one joint's columns of a frame line.
struct JointPlan {
  JointIndex joint = 0;
  std::array<int, 9> rotation_columns{};
  std::array<int, 9> rotation_axes{};
  int rotation_count = 0;
  bool translated = false;
};

std::vector<JointPlan> plan_joints(const BvhHeader& header) {
  std::vector<JointPlan> plans;
  plans.reserve(header.joints.size());
  for (std::size_t j = 0; j < header.joints.size(); ++j) {
    JointPlan plan{.joint = static_cast<JointIndex>(j)};
    const BvhHeader::Joint& joint = header.joints[j];
    for (std::size_t i = 0; i < joint.channels.size(); ++i) {
      if (is_position(joint.channels[i])) {
        plan.translated = true;
        continue;
      }
      plan.rotation_columns[plan.rotation_count] = joint.first_channel + static_cast<int>(i);
      plan.rotation_axes[plan.rotation_count] = axis_of(joint.channels[i]);
      ++plan.rotation_count;
    }
    if (j == 0) plan.translated = true;
    plans.push_back(plan);
  }
  return plans;
}

std::vector<JointIndex> translated_joints(const std::vector<JointPlan>& plans) {
  std::vector<JointIndex> joints;
  for (const JointPlan& plan : plans) {
    if (plan.translated) joints.push_back(plan.joint);
  }
  return joints;
}

class FrameWriter {
 public:
  FrameWriter(const BvhClipTarget& target, const std::vector<JointPlan>& plans, Clip& clip)
      : target_(target), plans_(plans), clip_(clip), root_turn_(world_from_file(target.up)) {}

  /// False when a position lies too far away.
  bool write(int frame, const double* values) const {
    for (const JointPlan& plan : plans_) {
      const BvhHeader::Joint& joint = target_.header.joints[plan.joint];
      Quatd rotation = Quatd::Identity();
      for (int i = 0; i < plan.rotation_count; ++i) {
        turn_about_axis_deg(rotation, plan.rotation_axes[i], values[plan.rotation_columns[i]]);
      }
      if (plan.joint == 0 && target_.up == UpAxis::z) rotation = root_turn_ * rotation;
      clip_.set_rotation(frame, plan.joint, rotation.cast<float>());
      if (!plan.translated) continue;
      const PositionConvention convention = plan.joint == 0 ? target_.layout.root : target_.layout.others;
      Vec3d translation = translation_of(joint, values, convention) * target_.unit_m;
      if (!(translation.cwiseAbs().maxCoeff() <= kFarthest_m)) return false;
      if (plan.joint == 0 && target_.up == UpAxis::z) translation = root_turn_ * translation;
      clip_.set_translation(frame, plan.joint, translation.cast<float>());
    }
    return true;
  }

 private:
  const BvhClipTarget& target_;
  const std::vector<JointPlan>& plans_;
  Clip& clip_;
  Quatd root_turn_;
};

/// Keeps the problem of the earliest line, whatever thread met it.
class FirstProblem {
 public:
  void report(const FrameLineProblem& problem) {
    // Held for a moment, and in broken files alone: programs without threads have no mutex.
    while (busy_.test_and_set(std::memory_order_acquire)) continue;
    if (!found_ || problem.byte < problem_.byte) problem_ = problem;
    found_ = true;
    busy_.clear(std::memory_order_release);
  }
  bool found() const { return found_; }
  const FrameLineProblem& problem() const { return problem_; }

 private:
  std::atomic_flag busy_;
  bool found_ = false;
  FrameLineProblem problem_;
};

/// Joints whose translation never moves and equals the rest, with that translation.
std::vector<std::pair<JointIndex, Vec3f>> fixed_translations(const Clip& clip) {
  std::vector<std::pair<JointIndex, Vec3f>> fixed;
  const std::size_t slots = clip.translated().size();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const JointIndex joint = clip.translated()[slot];
    if (joint == 0) continue;
    const auto at = [&](int frame) { return Eigen::Map<const Vec3f>(clip.translation_values(frame) + 3 * slot); };
    const Vec3f first = at(0);
    bool constant = (first - clip.skeleton().joint(joint).rest_translation_m).cwiseAbs().maxCoeff() <= 1e-5f;
    for (int frame = 1; constant && frame < clip.frame_count(); ++frame) {
      constant = (at(frame) - first).cwiseAbs().maxCoeff() <= 1e-6f;
    }
    if (constant) fixed.emplace_back(joint, first);
  }
  return fixed;
}

Result<BvhClip> with_fixed_translations(const Clip& clip, const std::vector<std::pair<JointIndex, Vec3f>>& fixed) {
  const Skeleton& old = clip.skeleton();
  std::vector<Joint> joints(old.joints().begin(), old.joints().end());
  std::vector<JointIndex> translated = clip.translated();
  for (const auto& [joint, translation] : fixed) {
    joints[joint].rest_translation_m = translation;
    std::erase(translated, joint);
  }
  Result<Skeleton> skeleton = Skeleton::create(std::move(joints), {old.end_sites().begin(), old.end_sites().end()});
  if (!skeleton) return std::unexpected(skeleton.error());
  BvhClip result{.skeleton = std::make_shared<const Skeleton>(std::move(*skeleton)), .clip = {}};
  result.clip.emplace(result.skeleton, clip.frame_count(), clip.frame_time_s(), std::move(translated));
  parallel_for(static_cast<std::size_t>(clip.frame_count()), 64, [&](std::size_t begin, std::size_t end) {
    Pose pose;
    for (std::size_t frame = begin; frame < end; ++frame) {
      clip.get_frame(static_cast<int>(frame), pose);
      result.clip->set_frame(static_cast<int>(frame), pose);
    }
  });
  return result;
}

}  // namespace

Result<BvhClip> make_bvh_clip(const BvhClipTarget& target, const Skeleton& rest_in_file_units, double frame_time_s,
                              FrameLineProblem& problem) {
  Result<Skeleton> skeleton = place_skeleton(rest_in_file_units, target.unit_m, target.up);
  if (!skeleton) return fail(ErrorCode::bad_file, "{}", skeleton.error().message);
  BvhClip result{.skeleton = std::make_shared<const Skeleton>(std::move(*skeleton)), .clip = {}};
  const std::size_t frames = target.lines.begins.size();
  if (frames == 0) return result;

  const std::vector<JointPlan> plans = plan_joints(target.header);
  result.clip.emplace(result.skeleton, static_cast<int>(frames), frame_time_s, translated_joints(plans));
  const FrameWriter writer(target, plans, *result.clip);
  FirstProblem first;
  parallel_for(frames, 16, [&](std::size_t begin, std::size_t end) {
    std::vector<double> values(static_cast<std::size_t>(target.header.channel_count));
    FrameLineProblem found;
    for (std::size_t frame = begin; frame < end; ++frame) {
      if (!parse_frame_line(target.lines, frame, target.header.channel_count, values.data(), found)) {
        first.report(found);
        return;
      }
      if (!writer.write(static_cast<int>(frame), values.data())) {
        found.byte = target.lines.begins[frame];
        found.too_far = true;
        first.report(found);
        return;
      }
    }
  });
  if (first.found()) {
    problem = first.problem();
    return std::unexpected(Error{ErrorCode::bad_file, ""});
  }

  if (result.clip->translated().size() > 1) {
    const auto fixed = fixed_translations(*result.clip);
    if (!fixed.empty()) return with_fixed_translations(*result.clip, fixed);
  }
  return result;
}

}  // namespace shosa::io
