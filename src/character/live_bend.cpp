#include "character/live_bend.h"

#include <algorithm>

#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

constexpr double kBend_s = 0.35;    ///< In which a body of a person's mass bends.
constexpr double kWalks_mps = 1.0;  ///< From here on a body only leans.
constexpr double kNothing = 1e-5;

}  // namespace

LiveBend::LiveBend(const CharacterData& data) {
  if (!data.params().prior) return;
  lookup_.emplace(data.params().prior);
  const auto lower = body::lower_body(data.skeleton(), data.set().body_map);
  const JointIndex hips = body::root_joint(data.set().body_map);
  for (JointIndex j = 0; j < data.skeleton().joint_count(); ++j)
    if (!lower[j] || j == hips) bent_.push_back(j);
  turns_.resize(bent_.size());
  wanted_turns_.assign(bent_.size(), Vec3d::Zero());
}

void LiveBend::rest() {
  std::ranges::fill(turns_, MinJerk<3>{});
  std::ranges::fill(wanted_turns_, Vec3d::Zero());
  shift_ = {}, wanted_shift_m_.setZero(), until_look_ = 0;
}

void LiveBend::look(const posing::Articulation& ghost, std::span<const posing::PriorGoal> asked, double speed_mps) {
  const bool led = std::ranges::any_of(asked, &posing::PriorGoal::leads);
  const double slow = std::max(0.0, 1.0 - speed_mps / kWalks_mps);
  const bool bends = led && slow > 0.0 && lookup_->find(ghost, asked) > 0.0;
  for (std::size_t i = 0; i < bent_.size(); ++i) {
    wanted_turns_[i].setZero();
    if (!bends) continue;
    wanted_turns_[i] =
        slow * log_rotation(ghost.rotation(bent_[i]).conjugate() * lookup_->posture().rotation(bent_[i]));
  }
  wanted_shift_m_.setZero();
  if (bends) wanted_shift_m_ = slow * (lookup_->posture().world().positions[0] - ghost.world().positions[0]);
}

bool LiveBend::apply(const posing::Articulation& ghost, std::span<const posing::PriorGoal> asked, double speed_mps,
                     double step_s, Pose& pose) {
  if (!lookup_) return false;
  if (--until_look_ <= 0) until_look_ = kLook, look(ghost, asked, speed_mps);
  const bool back = wanted_shift_m_.isZero(0.0) &&
                    std::ranges::all_of(wanted_turns_, [](const Vec3d& turn) { return turn.isZero(0.0); });
  if (back && shift_.value.norm() < kNothing && shift_.rate.norm() < kNothing &&
      std::ranges::all_of(turns_,
                          [](const auto& t) { return t.value.norm() < kNothing && t.rate.norm() < kNothing; })) {
    std::ranges::fill(turns_, MinJerk<3>{});
    shift_ = {};
    return false;
  }
  for (std::size_t i = 0; i < bent_.size(); ++i) {
    turns_[i].lead(wanted_turns_[i], kBend_s, step_s);
    const Quatd turned = pose.rotation(bent_[i]).cast<double>() * exp_rotation(turns_[i].value);
    pose.set_rotation(bent_[i], turned.normalized().cast<float>());
  }
  shift_.lead(wanted_shift_m_, kBend_s, step_s);
  pose.set_translation(0, pose.translation(0) + shift_.value.cast<float>());
  return true;
}

}  // namespace shosa::character
