#include "shosa/posing/posture_prior.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/heading.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"

namespace shosa::posing {

namespace {

using body::Role;

// Leg lengths. Postures nearer to the one before are no news; hips lower than this over the feet lie or crawl.
constexpr double kNews = 0.05, kLowestHips = 0.15;

// Postures that take part in a mean, at most; of few a tenth.
constexpr std::size_t kNearest = 50, kOneIn = 10;
// How much less a kept foot's place says about a posture than a led joint's.
constexpr double kKeptWeight = 0.3;
// Against the squared way that is left, in leg lengths: of two shares that reach alike the smaller is taken.
constexpr double kUnwilling = 1e-4;

}  // namespace

Result<PosturePrior> PosturePrior::create(std::shared_ptr<const Skeleton> skeleton, const body::BodyMap& map,
                                          std::span<const Clip> clips) {
  PosturePrior prior;
  prior.skeleton_ = std::move(skeleton);
  prior.map_ = map;
  prior.hips_ = map.joint(Role::hips);
  prior.left_foot_ = map.joint(Role::left_foot);
  prior.right_foot_ = map.joint(Role::right_foot);
  if (prior.hips_ == kNoJoint || prior.left_foot_ == kNoJoint || prior.right_foot_ == kNoJoint)
    return fail(ErrorCode::not_possible, "posture prior: a body without hips or feet");
  const Skeleton& body = *prior.skeleton_;
  prior.leg_m_ = 0.0;
  for (JointIndex j = prior.left_foot_; j != prior.hips_; j = body.parent(j)) {
    if (body.parent(j) == kNoJoint) return fail(ErrorCode::not_possible, "posture prior: a foot hangs on no leg");
    if (body.parent(j) != prior.hips_) prior.leg_m_ += body.joint(j).rest_translation_m.cast<double>().norm();
  }
  if (!(prior.leg_m_ > 1e-3)) return fail(ErrorCode::not_possible, "posture prior: a leg without length");

  const auto joints = static_cast<std::size_t>(body.joint_count());
  prior.places_.resize(3 * joints);
  for (JointIndex j = prior.hips_; j < body.joint_count(); ++j) prior.moved_.push_back(j);
  prior.turns_.resize(joints);
  for (const Clip& clip : clips) {
    if (!same_skeleton(body, clip.skeleton(), 1e-3))
      return fail(ErrorCode::invalid_argument, "posture prior: clip '{}' is on another skeleton", clip.name());
    const auto seen_in_mirror = mirror(clip, body::mirror_partners(body, map));
    if (!seen_in_mirror) return std::unexpected(seen_in_mirror.error());
    prior.add(clip);
    prior.add(*seen_in_mirror);
  }
  if (prior.count_ == 0) return fail(ErrorCode::not_possible, "posture prior: no posture on its feet");
  return prior;
}

void PosturePrior::add(const Clip& clip) {
  const std::size_t joints = turns_.size();
  Articulation posed(skeleton_);
  std::vector<Vec3d> places(joints), last;
  for (int f = 0; f < clip.frame_count(); ++f) {
    posed.set_pose(clip.frame(f));
    const WorldPose& world = posed.world();
    const Vec3d stand = between_feet(world);
    if (world.positions[hips_].y() - stand.y() < kLowestHips * leg_m_) continue;
    const Quatd from_world = about_y(-analysis::heading_rad(map_, world.positions, world.rotations[0]));
    double news = last.empty() ? kNews : 0.0;
    for (std::size_t j = 0; j < joints; ++j) {
      places[j] = from_world * (world.positions[j] - stand) / leg_m_;
      if (!last.empty()) news = std::max(news, (places[j] - last[j]).norm());
    }
    if (news < kNews) continue;
    last = places;
    for (std::size_t j = 0; j < joints; ++j) {
      for (int axis = 0; axis < 3; ++axis)
        places_[3 * j + static_cast<std::size_t>(axis)].push_back(static_cast<float>(places[j][axis]));
      const auto joint = static_cast<JointIndex>(j);
      Eigen::Vector4f turn =
          (joint == hips_ ? from_world * world.rotations[j] : posed.rotation(joint)).coeffs().cast<float>();
      // All on one side of the sphere, so that means are smooth.
      if (!turns_[j].empty() && turn.dot(turns_[j].front()) < 0.0F) turn = -turn;
      turns_[j].push_back(turn);
    }
    ++count_;
  }
}

PostureLookup::PostureLookup(std::shared_ptr<const PosturePrior> prior)
    : prior_(std::move(prior)), posture_(prior_->skeleton_) {
  const auto postures = static_cast<std::size_t>(prior_->count_);
  distances_.resize(postures);
  sorted_.resize(postures);
  near_.reserve(kNearest);
  turns_.resize(prior_->turns_.size());
}

// How far the goals are beyond what the limbs reach from a body's trunk: the sum of squares, in leg lengths. A limb
// that the reference has stretched further than is easy may stay so.
double PostureLookup::beyond_reach(const Articulation& reference, const Articulation& body,
                                   std::span<const PriorGoal> goals) const {
  double sum = 0.0;
  for (const PriorGoal& goal : goals) {
    if (!goal.leads) continue;
    const JointIndex top = goal.limb_top == kNoJoint ? goal.joint : goal.limb_top;
    double length_m = 0.0;
    for (JointIndex j = goal.joint; j != top; j = prior_->skeleton_->parent(j))
      length_m += prior_->skeleton_->joint(j).rest_translation_m.cast<double>().norm();
    const double had_m = (reference.world().positions[goal.joint] - reference.world().positions[top]).norm();
    const double way_m = (goal.position_m - body.world().positions[top]).norm();
    const double beyond = std::max(0.0, way_m - std::max(body::kAloneReach * length_m, had_m)) / prior_->leg_m_;
    sum += beyond * beyond;
  }
  return sum;
}

// Weights fall to nothing at the nearest posture that is not among them: postures come and go without a jump.
void PostureLookup::weigh(std::span<const PriorGoal> goals) {
  const auto postures = distances_.size();
  std::fill(distances_.begin(), distances_.end(), 0.0F);
  for (std::size_t g = 0; g < goals.size(); ++g) {
    const auto weight = static_cast<float>(goals[g].leads ? 1.0 : kKeptWeight);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float* place = prior_->places_[3 * static_cast<std::size_t>(goals[g].joint) + axis].data();
      const auto wanted = static_cast<float>(asked_[g][static_cast<Eigen::Index>(axis)]);
      for (std::size_t i = 0; i < postures; ++i) distances_[i] += weight * (place[i] - wanted) * (place[i] - wanted);
    }
  }
  const std::size_t count = std::min({kNearest, 1 + postures / kOneIn, postures - 1});
  std::copy(distances_.begin(), distances_.end(), sorted_.begin());
  std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(count), sorted_.end());
  const float rim = sorted_[count];
  near_.clear();
  for (std::size_t i = 0; i < postures && near_.size() < kNearest; ++i) {
    if (distances_[i] >= rim) continue;
    const float inside = 1.0F - distances_[i] / rim;
    near_.push_back({static_cast<int>(i), inside * inside});
  }
  if (near_.empty())
    near_.push_back({static_cast<int>(std::ranges::min_element(distances_) - distances_.begin()), 1.0F});
}

void PostureLookup::mean_turns() {
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (const Near& one : near_) sum += one.weight * prior_->turns_[j][one.posture];
    turns_[j] = Quatd(Eigen::Vector4d(sum.cast<double>())).normalized();
  }
}

// The share of the way from the reference's posture to the mean one. Feet stay where they are between them.
void PostureLookup::take(const Articulation& reference, double share) {
  for (const JointIndex j : prior_->moved_) posture_.set_rotation(j, reference.rotation(j).slerp(share, turns_[j]));
  posture_.update_world();
  posture_.move(prior_->between_feet(reference.world()) - prior_->between_feet(posture_.world()));
}

double PostureLookup::find(const Articulation& reference, std::span<const PriorGoal> goals) {
  if (beyond_reach(reference, reference, goals) == 0.0) return 0.0;
  const WorldPose& world = reference.world();
  const double heading = analysis::heading_rad(prior_->map_, world.positions, world.rotations[0]);
  const Vec3d stand = prior_->between_feet(world);
  asked_.clear();
  for (const PriorGoal& goal : goals) asked_.push_back(about_y(-heading) * (goal.position_m - stand) / prior_->leg_m_);
  weigh(goals);
  mean_turns();
  // The hips' turn is seen from the heading; the joint wants it from its parent.
  Quatd& hips = turns_[prior_->hips_];
  hips = about_y(heading) * hips;
  const JointIndex above = reference.skeleton().parent(prior_->hips_);
  if (above != kNoJoint) hips = world.rotations[above].conjugate() * hips;

  // As much of it as the limbs need, by golden section.
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kRounds = 12;
  posture_ = reference;
  const auto cost = [&](double share) {
    take(reference, share);
    return beyond_reach(reference, posture_, goals) + kUnwilling * share * share;
  };
  double low = 0.0, high = 1.0;
  double a = high - kGolden, b = kGolden, cost_a = cost(a), cost_b = cost(b);
  for (int i = 0; i < kRounds; ++i) {
    const bool lower = cost_a < cost_b;
    (lower ? high : low) = lower ? b : a;
    (lower ? b : a) = lower ? a : b;
    (lower ? cost_b : cost_a) = lower ? cost_a : cost_b;
    double& tried = lower ? a : b;
    tried = lower ? high - kGolden * (high - low) : low + kGolden * (high - low);
    (lower ? cost_a : cost_b) = cost(tried);
  }
  const double share = 0.5 * (low + high);
  take(reference, share);
  return share;
}

}  // namespace shosa::posing
