#include "shosa/analysis/cycle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/signals.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/pose_distance.h"

namespace shosa::analysis {
namespace {

/// Candidates are looked for at about this rate, the best then moved frame by frame.
constexpr double kSearchFps = 30.0;
/// Postures are compared at -kWindow_s, 0 and +kWindow_s, so that the speeds agree too.
constexpr double kWindow_s = 0.05;
/// On two legs the second foot lands within this share of the cycle after the first.
constexpr double kAlternateLow = 0.2, kAlternateHigh = 0.8;
/// At both ends the posture changes at least this fast, as a share of its mean rate within the cycle: a kick from a
/// stance back to the stance is no cycle.
constexpr double kMovingShare = 0.5;
/// Posture must change by this much within a cycle, metres at a leg of 0.85 m.
constexpr double kLeastChange_m = 0.06;

class Search {
 public:
  explicit Search(const StudiedClip& studied)
      : aligned_(pelvis_aligned(studied)),
        contacts_(studied.contacts()),
        dt_(studied.clip().frame_time_s()),
        joints_(part_joints(studied.skeleton(), studied.map(), BodyPart::whole)),
        window_(std::max(1, whole_frames(std::round(kWindow_s / dt_)))) {
    for (const FootContactTrack& foot : contacts_.feet) {
      if (foot.points.kind == body::FootKind::hand) continue;
      std::vector<double> times;
      for (const TimeInterval& stance : foot.joined) {
        if (stance.begin_s > 0.0) times.push_back(stance.begin_s);
      }
      landings_.push_back(std::move(times));
    }
    change_.assign(static_cast<std::size_t>(aligned_.frame_count()), 0.0);
    for (int f = 1; f < aligned_.frame_count(); ++f) {
      change_[f] = change_[f - 1] + pose(f - 1, f);
    }
  }

  bool moves_at_the_ends(int i, int j) const {
    const double mean = mean_change(i, j);
    return mean_change(i - window_, i + window_) >= kMovingShare * mean &&
           mean_change(j - window_, j + window_) >= kMovingShare * mean;
  }

  bool stand_alike(int i, int j) const {
    for (const FootContactTrack& foot : contacts_.feet) {
      if ((find_interval(foot.joined, i * dt_) >= 0) != (find_interval(foot.joined, j * dt_) >= 0)) return false;
    }
    return true;
  }

  /// Every foot lands once after frame i and up to frame j; two feet land one well after the other.
  bool each_lands_once(int i, int j) const {
    std::vector<double> when;
    for (const auto& times : landings_) {
      const auto from = std::upper_bound(times.begin(), times.end(), i * dt_ + 1e-9);
      const auto to = std::upper_bound(times.begin(), times.end(), j * dt_ + 1e-9);
      if (to - from != 1) return false;
      when.push_back(*from);
    }
    if (when.size() != 2) return true;
    const double share = std::abs(when[1] - when[0]) / ((j - i) * dt_);
    return share > kAlternateLow && share < kAlternateHigh;
  }

  double distance(int i, int j) const {
    double sum = 0.0;
    int count = 0;
    for (const int k : {-window_, 0, window_}) {
      if (i + k < 0 || j + k < 0 || i + k >= aligned_.frame_count() || j + k >= aligned_.frame_count()) continue;
      sum += pose(i + k, j + k);
      ++count;
    }
    return sum / count;
  }
  double pose(int i, int j) const { return pose_distance(aligned_.frame(i), aligned_.frame(j), joints_); }
  double largest_change(int i, int j) const {
    double most = 0.0;
    for (int k = i; k <= j; ++k) most = std::max(most, pose(i, k));
    return most;
  }

 private:
  ClipPositions aligned_;
  const FootContacts& contacts_;
  double dt_;
  std::vector<JointIndex> joints_;
  int window_;
  std::vector<std::vector<double>> landings_;
  std::vector<double> change_;  ///< Summed distance of neighbouring frames up to each frame.

  double mean_change(int from, int to) const {
    from = std::max(from, 0);
    to = std::min(to, aligned_.frame_count() - 1);
    return (change_[to] - change_[from]) / std::max(1, to - from);
  }
};

}  // namespace

Result<Cycle> find_cycle(const StudiedClip& studied, const CycleParams& params) {
  if (!(params.min_length_s > 0.0) || !(params.max_length_s >= params.min_length_s)) {
    return fail(ErrorCode::invalid_argument, "find_cycle: lengths {} to {} s, expected 0 < min <= max",
                params.min_length_s, params.max_length_s);
  }
  if (!(params.max_distance_m > 0.0) || !(params.max_share > 0.0)) {
    return fail(ErrorCode::invalid_argument, "find_cycle: max_distance_m {} and max_share {}, expected > 0",
                params.max_distance_m, params.max_share);
  }
  Cycle cycle;
  const FootContacts& contacts = studied.contacts();
  if (contacts.feet.size() < 2) return cycle;
  const Search search(studied);
  const double dt = studied.clip().frame_time_s();
  const int frames = studied.clip().frame_count();
  const int shortest = whole_frames(std::ceil(params.min_length_s / dt));
  const int longest = whole_frames(std::floor(params.max_length_s / dt));
  const int stride = std::max(1, whole_frames(std::round(1.0 / (kSearchFps * dt))));

  double best = std::numeric_limits<double>::infinity();
  int best_i = -1, best_j = -1;
  const auto consider = [&](int i, int j) {
    if (i < 0 || j >= frames || j - i < shortest || j - i > longest) return;
    if (!search.each_lands_once(i, j) || !search.stand_alike(i, j) || !search.moves_at_the_ends(i, j)) return;
    const double d = search.distance(i, j);
    if (d < best) {
      best = d;
      best_i = i;
      best_j = j;
    }
  };
  for (int i = 0; i < frames; i += stride) {
    for (int j = i + shortest; j <= std::min(frames - 1, i + longest); j += stride) consider(i, j);
  }
  if (best_i < 0) return cycle;
  const int coarse_j = best_j, coarse_i = best_i;
  for (int j = coarse_j - stride; j <= coarse_j + stride; ++j) consider(coarse_i, j);

  const double change = search.largest_change(best_i, best_j);
  const double end_distance = search.pose(best_i, best_j);
  cycle.found = best <= params.max_distance_m * contacts.scale && best <= params.max_share * change &&
                change >= kLeastChange_m * contacts.scale;
  if (cycle.found) {
    cycle.begin_s = best_i * dt;
    cycle.end_s = best_j * dt;
    cycle.distance_m = end_distance;
  }
  return cycle;
}

}  // namespace shosa::analysis
