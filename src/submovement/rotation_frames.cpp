#include "rotation_frames.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "frame_gain.h"
#include "rotation_polish.h"
#include "rotation_stretch.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kSweeps = 3;
constexpr double kHopeful = 20.0, kHopefulMany = 2.0;  // Times the squared error allowed.
constexpr int kRounds = 4, kRoundsMany = 1;            // Of moves by one frame.
constexpr int kMany = 40;                              // Submovements, for which the whole is looked at less often.

// Of those under way at the first sample the ends alone show: there should be no more than one, and nothing else should
// begin until it is known.
struct Beginning {
  double calm = 0.0;  // Nothing begins for so many frames where one is under way.
  bool last = false;  // Only where the others will not do.
};
constexpr Beginning kBeginnings[] = {{10.0}, {6.0}, {4.0, true}, {0.0, true}};

class OnFrames {
 public:
  OnFrames(std::span<const Quatd> samples, double step_s, const SearchParams& params, long& evaluations)
      : samples_(samples), step_s_(step_s), params_(params), evaluations_(evaluations) {
    params_.fixed_timings = true;
    bound_ = params.max_error * params.max_error * static_cast<double>(samples.size());
    params_.ridge = kGentleTurns * bound_ / (std::numbers::pi * std::numbers::pi);
    const FrameLimits limits(params.min_duration_s, params.max_duration_s, step_s);
    shortest_ = limits.shortest;
    longest_ = limits.longest;
    if (params.ends_inside) latest_end_ = static_cast<double>(samples.size()) - 1.0;
  }

  double bound() const { return bound_; }

  // Two at the same frames are one.
  void join_twins(RotationModel& model) const {
    auto& list = model.submovements;
    for (std::size_t k = 0; k + 1 < list.size();) {
      if (std::abs(list[k].t0_s - list[k + 1].t0_s) < step_s_ && std::abs(list[k].tf_s - list[k + 1].tf_s) < step_s_) {
        list[k].rotation_rad += list[k + 1].rotation_rad;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      } else {
        ++k;
      }
    }
  }

  // False where starts then pass each other.
  bool put(RotationModel& model, const Beginning& beginning) const {
    join_twins(model);
    auto& list = model.submovements;
    // What begins with the last samples is not known by them.
    const double latest = static_cast<double>(samples_.size()) - 1.0 - std::min(kLastFrames, shortest_);
    double earliest = -1e300;
    bool calm = false;
    for (auto& s : list) {
      double t0 = std::max(std::min(std::round(s.t0_s / step_s_), latest), earliest);
      if (calm) t0 = std::max(t0, beginning.calm);
      const double tf = std::min({std::round(s.tf_s / step_s_), latest_end_, latest_end(t0, last_frame())});
      set(s, t0, std::clamp(tf - t0, 1.0 * shortest_, 1.0 * longest_));
      if (t0 + shortest_ > latest_end_ && t0 <= latest) return false;
      // Of those under way at the first sample there is one.
      earliest = std::max(t0 + params_.start_gap, 0.0);
      if (t0 < 0.0) calm = true;
    }
    std::erase_if(list, [&](const auto& s) { return s.t0_s / step_s_ > latest + 0.5; });
    return std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
  }

  double fit(RotationModel& model) {
    return polish_rotations(samples_, step_s_, params_, kSweeps, model, evaluations_);
  }

  // Starts and ends moved by a frame while that lowers the error and it is not `enough`.
  void move(RotationModel& model, double& error, double enough, const Beginning& beginning) {
    const int count = static_cast<int>(model.submovements.size());
    for (int round = 0; round < (count > kMany ? kRoundsMany : kRounds); ++round) {
      const double before = error;
      for (int k = 0; k < count; ++k) {
        for (const auto& [first, last] : {std::pair(-1.0, 0.0), {1.0, 0.0}, {0.0, -1.0}, {0.0, 1.0}}) {
          if (error <= enough) return;
          RotationModel trial = model;
          auto& s = trial.submovements[static_cast<std::size_t>(k)];
          const double t0 = std::round(s.t0_s / step_s_) + first, tf = std::round(s.tf_s / step_s_) + last;
          if (tf - t0 < shortest_ || tf - t0 > longest_ || tf > latest_end_ ||
              tf > std::max(latest_end(t0, last_frame()), t0 + shortest_) || (params_.fixed_start && t0 < 0.0) ||
              t0 + std::min(kLastFrames, shortest_) >= static_cast<double>(samples_.size()))
            continue;
          set(s, t0, tf - t0);
          if (!apart(trial, k) || !is_calm(trial.submovements, beginning)) continue;
          const int room = std::min(count, kGroup), begin = std::clamp(k - room / 2, 0, count - room);
          polish_group(samples_, step_s_, params_, begin, begin + room, trial, evaluations_);
          const double now = rotation_error(samples_, step_s_, trial);
          if (now >= error) continue;
          model = std::move(trial);
          error = now;
        }
      }
      if (error > 0.999 * before) return;
    }
  }

  // One more on frames where it explains most, until the error is `enough`.
  void complete(RotationModel& model, double& error, double enough, const Beginning& beginning) {
    const auto most = model.submovements.size() + 2 + model.submovements.size() / 2;
    std::vector<double> vain_s;
    while (error > enough && model.submovements.size() < most && vain_s.size() < kInVain) {
      RotationModel trial = model;
      const int at = insert_best(trial, vain_s, beginning);
      if (at < 0) return;
      const double start_s = trial.submovements[static_cast<std::size_t>(at)].t0_s;
      const int count = static_cast<int>(trial.submovements.size()), room = std::min(count, kGroup);
      const int begin = std::clamp(at - room / 2, 0, count - room);
      polish_group(samples_, step_s_, params_, begin, begin + room, trial, evaluations_);
      const double now = rotation_error(samples_, step_s_, trial);
      if (now > kPays * error) {
        vain_s.push_back(start_s);
        continue;
      }
      vain_s.clear();
      model = std::move(trial);
      error = now;
    }
  }

 private:
  double last_frame() const { return static_cast<double>(samples_.size()) - 1.0; }

  // A turn of nothing at the frames where one, made up for by the next or the one before, meets most of what is left.
  // Returns its index; -1 where there is no room.
  int insert_best(RotationModel& model, const std::vector<double>& vain_s, const Beginning& beginning) const {
    auto& list = model.submovements;
    const int n = static_cast<int>(samples_.size());
    const auto made = sample_rotations(model, n, step_s_);
    Eigen::MatrixXd left(n, 3);
    for (int i = 0; i < n; ++i)
      left.row(i) = log_rotation(made[static_cast<std::size_t>(i)].conjugate() * samples_[static_cast<std::size_t>(i)])
                        .transpose();
    double most = 0.0;
    int best = -1;
    RotationSubmovement chosen;
    const bool under_way = !list.empty() && list.front().t0_s < 0.0;
    for (int t0 = under_way ? static_cast<int>(beginning.calm) : 0; t0 + std::min(kLastFrames, shortest_) < n; ++t0) {
      if (std::any_of(vain_s.begin(), vain_s.end(),
                      [&](double s) { return std::abs(s / step_s_ - t0) < params_.start_gap; }))
        continue;
      const auto next = std::upper_bound(list.begin(), list.end(), t0 * step_s_,
                                         [](double time, const auto& s) { return time < s.t0_s; });
      const int index = static_cast<int>(next - list.begin());
      for (const double longer : {1.0, 1.6, 2.5, 4.0, 6.5}) {
        const double tf = std::min({t0 + std::round(longer * shortest_), latest_end_,
                                    std::max(latest_end(t0, last_frame()), t0 + 1.0 * shortest_)});
        if (tf - t0 < shortest_ || tf - t0 > longest_) continue;
        RotationSubmovement fresh{.rotation_rad = Vec3d::Zero()};
        set(fresh, t0, tf - t0);
        if (!has_room(list, index, fresh)) continue;
        for (const int k : {index - 1, index}) {
          if (k < 0 || k >= static_cast<int>(list.size())) continue;
          const auto& other = list[static_cast<std::size_t>(k)];
          const double gain = gain_of(left, {1.0 * t0, tf}, {other.t0_s / step_s_, other.tf_s / step_s_});
          if (gain <= most) continue;
          most = gain;
          best = index;
          chosen = fresh;
        }
      }
    }
    if (best >= 0) list.insert(list.begin() + best, chosen);
    return best;
  }

  // Whether nothing begins before the one under way at the first sample is known.
  bool is_calm(const std::vector<RotationSubmovement>& list, const Beginning& beginning) const {
    if (list.front().t0_s >= 0.0) return true;
    return std::all_of(list.begin() + 1, list.end(),
                       [&](const auto& s) { return std::round(s.t0_s / step_s_) >= beginning.calm; });
  }

  bool has_room(const std::vector<RotationSubmovement>& list, int index, const RotationSubmovement& fresh) const {
    const double gap_s = (params_.start_gap - 0.5) * step_s_;
    const auto at = static_cast<std::size_t>(index);
    return (index == 0 || fresh.t0_s - list[at - 1].t0_s > gap_s) &&
           (at == list.size() || list[at].t0_s - fresh.t0_s > gap_s);
  }

  void set(RotationSubmovement& s, double t0, double duration) const {
    s.t0_s = t0 * step_s_;
    s.tf_s = (t0 + duration) * step_s_;
  }

  bool apart(const RotationModel& model, int k) const {
    const auto start = [&](int i) { return model.submovements[static_cast<std::size_t>(i)].t0_s; };
    const double gap_s = (params_.start_gap - 0.5) * step_s_;
    const int count = static_cast<int>(model.submovements.size());
    return (k == 0 || start(k) - start(k - 1) > gap_s) && (k + 1 == count || start(k + 1) - start(k) > gap_s);
  }

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  double bound_;
  int shortest_, longest_;
  double latest_end_ = 1e300;
  long& evaluations_;
};

}  // namespace

bool put_on_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, bool complete,
                   RotationModel& model, long& evaluations) {
  if (model.submovements.empty()) return true;
  const double before = rotation_error(samples, step_s, model);
  OnFrames frames(samples, step_s, params, evaluations);
  RotationModel trial;
  double error = 0.0;
  const bool nearly = params.shaking || (before > frames.bound() && !params.thorough);
  const double enough = std::max(before, (nearly ? kNearlyGood * kNearlyGood : 1.0) * frames.bound());
  for (const Beginning& beginning : kBeginnings) {
    if (beginning.last && !complete) break;
    trial = model;
    error = 1e300;
    if (!frames.put(trial, beginning)) continue;
    error = frames.fit(trial);
    const double hopeful = trial.submovements.size() > kMany ? kHopefulMany : kHopeful;
    if (error > enough && error < hopeful * enough) frames.move(trial, error, enough, beginning);
    for (int round = 0; complete && error > enough && round < kCompletions; ++round) {
      frames.complete(trial, error, enough, beginning);
      frames.move(trial, error, enough, beginning);
    }
    if (error <= enough) break;
  }
  const bool put = error <= enough;
  if (!put) {
    trial = model;
    frames.join_twins(trial);
    if (trial.submovements.size() == model.submovements.size() || frames.fit(trial) > enough) return false;
  }
  model = std::move(trial);
  return put;
}

}  // namespace shosa::submovement::detail
