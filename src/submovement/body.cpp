#include "shosa/submovement/body.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "rotations.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/parallel.h"

namespace shosa::submovement {

namespace {

std::vector<Quatd> joint_rotations(const Clip& clip, JointIndex joint) {
  std::vector<Quatd> samples;
  samples.reserve(static_cast<std::size_t>(clip.frame_count()));
  for (int i = 0; i < clip.frame_count(); ++i) samples.push_back(clip.rotation(i, joint).cast<double>().normalized());
  return samples;
}

std::vector<Vec3d> joint_translations(const Clip& clip, JointIndex joint) {
  std::vector<Vec3d> samples;
  samples.reserve(static_cast<std::size_t>(clip.frame_count()));
  for (int i = 0; i < clip.frame_count(); ++i) samples.push_back(clip.translation(i, joint).cast<double>());
  return samples;
}

// One unit of work: joints that share timings, or one translation.
struct Channel {
  std::vector<JointIndex> joints;  // Rotations; empty for a translation.
  int translation = -1;            // Index into `translated`.
  std::optional<Error> error = {};
  double rms = 0.0;
  JointIndex worst = kNoJoint;
  long evaluations = 0;
};

void solve_channel(const Clip& clip, const DecomposeParams& params, Channel& channel, BodyDecomposition& body) {
  if (channel.translation >= 0) {
    const JointIndex joint = body.translated[channel.translation];
    auto found = decompose_positions(joint_translations(clip, joint), clip.frame_time_s(), params);
    if (!found) {
      channel.error =
          Error{found.error().code, fmt::format("joint '{}': {}", clip.skeleton().name(joint), found.error().message)};
      return;
    }
    body.translations[channel.translation] = std::move(found->model);
    channel.rms = found->rms_m;
    channel.evaluations = found->evaluations;
    return;
  }
  if (channel.joints.size() == 1) {
    const JointIndex joint = channel.joints[0];
    auto found = decompose_rotations(joint_rotations(clip, joint), clip.frame_time_s(), params);
    if (!found) {
      channel.error =
          Error{found.error().code, fmt::format("joint '{}': {}", clip.skeleton().name(joint), found.error().message)};
      return;
    }
    body.rotations[joint] = std::move(found->model);
    channel.rms = found->rms_rad;
    channel.worst = joint;
    channel.evaluations = found->evaluations;
    return;
  }
  std::vector<std::vector<Quatd>> samples;
  for (const JointIndex joint : channel.joints) samples.push_back(joint_rotations(clip, joint));
  auto found = detail::decompose_shared(samples, clip.frame_time_s(), params);
  channel.evaluations = found.evaluations;
  for (std::size_t j = 0; j < channel.joints.size(); ++j) {
    body.rotations[channel.joints[j]] = std::move(found.models[j]);
    if (channel.worst == kNoJoint || found.rms_rad[j] > channel.rms) {
      channel.rms = found.rms_rad[j];
      channel.worst = channel.joints[j];
    }
  }
}

Result<void> check_samples(const Clip& clip) {
  for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
    for (int i = 0; i < clip.frame_count(); ++i) {
      const Quatf q = clip.rotation(i, joint);
      if (q.coeffs().allFinite() && q.norm() > 1e-6F && clip.translation(i, joint).allFinite()) continue;
      return fail(ErrorCode::invalid_argument, "decompose: joint '{}' is not finite in frame {}",
                  clip.skeleton().name(joint), i);
    }
  }
  return {};
}

}  // namespace

int BodyDecomposition::submovement_count() const {
  std::size_t count = 0;
  for (const auto& model : rotations) count += model.submovements.size();
  for (const auto& model : translations) count += model.submovements.size();
  return static_cast<int>(count);
}

Result<BodyResult> decompose_body(const Clip& clip, const BodyParams& params) {
  if (params.channel.solver != Solver::fast)
    return fail(ErrorCode::invalid_argument, "decompose: a whole body needs the solver 'fast'");
  if (!params.groups.empty() && params.groups.size() != static_cast<std::size_t>(clip.joint_count()))
    return fail(ErrorCode::invalid_argument, "decompose: {} groups for {} joints", params.groups.size(),
                clip.joint_count());
  if (const auto ok = check_samples(clip); !ok) return std::unexpected(ok.error());

  BodyResult result;
  BodyDecomposition& body = result.body;
  body.skeleton = clip.skeleton_ptr();
  body.name = clip.name();
  body.frame_count = clip.frame_count();
  body.frame_time_s = clip.frame_time_s();
  body.rotations.resize(static_cast<std::size_t>(clip.joint_count()));
  body.translated = clip.translated();
  body.translations.resize(body.translated.size());

  std::vector<Channel> channels;
  for (std::size_t i = 0; i < body.translated.size(); ++i) channels.push_back({.translation = static_cast<int>(i)});
  std::map<int, std::size_t> channel_of_group;
  for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
    if (params.groups.empty()) {
      channels.push_back({.joints = {joint}});
      continue;
    }
    const auto [at, fresh] = channel_of_group.try_emplace(params.groups[joint], channels.size());
    if (fresh) channels.push_back({});
    channels[at->second].joints.push_back(joint);
  }
  parallel_for(channels.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) solve_channel(clip, params.channel, channels[i], body);
  });
  for (const Channel& channel : channels) {
    if (channel.error) return std::unexpected(*channel.error);
    result.evaluations += channel.evaluations;
    if (channel.translation >= 0) {
      result.worst_translation_rms_m = std::max(result.worst_translation_rms_m, channel.rms);
    } else if (result.worst_rotation == kNoJoint || channel.rms > result.worst_rotation_rms_rad) {
      result.worst_rotation_rms_rad = channel.rms;
      result.worst_rotation = channel.worst;
    }
  }

  const ClipPositions truth = clip_positions(clip), made = clip_positions(recompose(body));
  double sum = 0.0;
  for (int i = 0; i < clip.frame_count(); ++i) {
    for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
      const double square = (truth.joint(i, joint) - made.joint(i, joint)).squaredNorm();
      sum += square;
      result.position_max_m = std::max(result.position_max_m, std::sqrt(square));
    }
  }
  result.position_rms_m = std::sqrt(sum / (static_cast<double>(clip.frame_count()) * clip.joint_count()));
  return result;
}

Clip recompose(const BodyDecomposition& body) {
  Clip clip(body.skeleton, body.frame_count, body.frame_time_s, body.translated);
  clip.set_name(body.name);
  for (std::size_t joint = 0; joint < body.rotations.size(); ++joint) {
    const auto samples = sample_rotations(body.rotations[joint], body.frame_count, body.frame_time_s);
    for (int i = 0; i < body.frame_count; ++i)
      clip.set_rotation(i, static_cast<JointIndex>(joint), samples[i].cast<float>());
  }
  for (std::size_t k = 0; k < body.translated.size(); ++k) {
    const auto samples = sample_positions(body.translations[k], body.frame_count, body.frame_time_s);
    for (int i = 0; i < body.frame_count; ++i) clip.set_translation(i, body.translated[k], samples[i].cast<float>());
  }
  return clip;
}

void sample(const BodyDecomposition& body, double time_s, Pose& pose) {
  if (pose.joint_count() != body.skeleton->joint_count()) pose = Pose(body.skeleton->joint_count());
  for (JointIndex joint = 0; joint < body.skeleton->joint_count(); ++joint) {
    pose.set_rotation(joint, rotation_at(body.rotations[joint], time_s).cast<float>());
    pose.set_translation(joint, body.skeleton->joint(joint).rest_translation_m);
  }
  for (std::size_t k = 0; k < body.translated.size(); ++k)
    pose.set_translation(body.translated[k], position_at(body.translations[k], time_s).cast<float>());
}

}  // namespace shosa::submovement
