#include "sum_frames.h"

#include <algorithm>
#include <cmath>

#include "frame_gain.h"
#include "frames.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kSweeps = 4, kRounds = 3;
constexpr double kCalm[] = {10.0, 6.0, 0.0};  // Frames after the first in which nothing begins where one is under way.
constexpr double kSettled = 0.999;
constexpr std::size_t kFewMore = 2;

class OnFrames {
 public:
  OnFrames(const Eigen::MatrixXd& data, double step_s, const SearchParams& params)
      : step_s_(step_s),
        samples_(static_cast<int>(data.rows())),
        shortest_(FrameLimits(params.min_duration_s, params.max_duration_s, step_s).shortest),
        longest_(FrameLimits(params.min_duration_s, params.max_duration_s, step_s).longest),
        gap_(params.start_gap),
        times_(params.seen_times) {}

  double shortest_s() const { return shortest_ * step_s_; }
  double longest_s() const { return longest_ * step_s_; }

  // Without those for which there is no room.
  std::vector<Piece> put(std::vector<Piece> list, double calm) const {
    double earliest = -1e300;
    std::vector<Piece> put;
    for (Piece& p : list) {
      double t0 = std::max(std::min(std::round(p.time.t0_s / step_s_), latest()), earliest);
      if (!put.empty() && put.front().time.t0_s < 0.0 && t0 < calm) t0 = calm;
      if (t0 > latest()) break;
      const double tf = std::min(std::round(p.time.tf_s / step_s_), latest_end(t0, samples_ - 1.0, times_));
      t0 = std::max(t0, earliest_start(tf));
      const double duration = std::clamp(tf - t0, 1.0 * shortest_, 1.0 * longest_);
      p.time = {t0 * step_s_, (t0 + duration) * step_s_};
      put.push_back(std::move(p));
      earliest = std::max(t0 + gap_, 0.0);
    }
    return put;
  }

  // Starts and ends moved by a frame while that lowers the error and it is not `enough`.
  void move(Search& search, double calm, double enough) const {
    for (int round = 0; round < kRounds; ++round) {
      const double before = search.squared_error();
      for (int k = 0; k < static_cast<int>(search.pieces().size()); ++k)
        for (const auto& [first, last] : {std::pair(-1.0, 0.0), {1.0, 0.0}, {0.0, -1.0}, {0.0, 1.0}}) {
          if (search.squared_error() <= enough) return;
          const Timing& now = search.pieces()[static_cast<std::size_t>(k)].time;
          const double t0 = std::round(now.t0_s / step_s_) + first, tf = std::round(now.tf_s / step_s_) + last;
          if (tf - t0 >= shortest_ && tf - t0 <= longest_ &&
              tf <= std::max(latest_end(t0, samples_ - 1.0, times_), t0 + shortest_) && t0 >= earliest_start(tf) &&
              has_room(search.pieces(), k, t0, calm))
            search.retime(k, {t0 * step_s_, tf * step_s_});
        }
      if (search.squared_error() > kSettled * before) return;
    }
  }

  // One more on frames where it explains most, until the error is `enough`.
  void complete(Search& search, double calm, double enough) const {
    const std::size_t most = search.pieces().size() + kFewMore + search.pieces().size() / 2;
    std::vector<double> vain;
    while (search.squared_error() > enough && search.pieces().size() < most && vain.size() < kInVain) {
      std::vector<Piece> list = search.pieces();
      const double t0 = insert_best(list, search.residual(), calm, vain);
      if (t0 < 0.0) return;
      Search trial = search;
      trial.set_pieces(Eigen::RowVectorXd(search.start()), std::move(list));
      trial.solve_moves(kSweeps);
      if (trial.squared_error() > kPays * search.squared_error()) {
        vain.push_back(t0);
        continue;
      }
      vain.clear();
      search = std::move(trial);
    }
  }

 private:
  // One of no displacement at the frames where it, made up for by the next or the one before, meets most of what is
  // left. Returns its first frame; -1 where there is no room.
  double insert_best(std::vector<Piece>& list, const Eigen::MatrixXd& left, double calm,
                     const std::vector<double>& vain) const {
    double most = 0.0, start = -1.0, end = 0.0;
    std::size_t at = 0;
    for (double t0 = !list.empty() && list.front().time.t0_s < 0.0 ? calm : 0.0; t0 <= latest(); ++t0) {
      if (std::any_of(vain.begin(), vain.end(), [&](double s) { return std::abs(s - t0) < gap_; })) continue;
      const auto next = std::upper_bound(list.begin(), list.end(), t0 * step_s_,
                                         [](double time, const Piece& p) { return time < p.time.t0_s; });
      const auto index = static_cast<std::size_t>(next - list.begin());
      const auto frame = [&](std::size_t k) { return std::round(list[k].time.t0_s / step_s_); };
      if ((index > 0 && t0 - frame(index - 1) < gap_) || (index < list.size() && frame(index) - t0 < gap_)) continue;
      for (const double longer : {1.0, 1.6, 2.5, 4.0, 6.5, 10.0}) {
        const double tf = std::min(t0 + std::round(longer * shortest_),
                                   std::max(latest_end(t0, samples_ - 1.0, times_), t0 + shortest_));
        if (tf - t0 < shortest_ || tf - t0 > longest_) continue;
        for (const std::size_t k : {index - 1, index}) {
          if (k >= list.size()) continue;
          const double gain = gain_of(left, {t0, tf}, {list[k].time.t0_s / step_s_, list[k].time.tf_s / step_s_});
          if (gain <= most) continue;
          most = gain;
          start = t0;
          end = tf;
          at = index;
        }
      }
    }
    if (start >= 0.0)
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at),
                  {{start * step_s_, end * step_s_}, Eigen::RowVectorXd::Zero(left.cols())});
    return start;
  }

  // What began before the first sample is seen as long as what ends after the last.
  double earliest_start(double tf) const { return std::min(-1.0, std::ceil(tf - times_ * tf)); }

  double latest() const { return samples_ - 1.0 - std::min(kLastFrames, shortest_); }

  bool has_room(const std::vector<Piece>& list, int k, double t0, double calm) const {
    const auto start = [&](int i) { return list[static_cast<std::size_t>(i)].time.t0_s / step_s_; };
    const int count = static_cast<int>(list.size());
    if (t0 > latest() || (k > 0 && t0 - start(k - 1) < gap_ - 0.5) || (k + 1 < count && start(k + 1) - t0 < gap_ - 0.5))
      return false;
    // The first may not begin before the recording by being moved, nor what follows it in the calm.
    return k == 0 ? (t0 < 0.0) == (start(0) < 0.0) : t0 >= (start(0) < 0.0 ? calm : 0.0);
  }

  double step_s_;
  int samples_;
  int shortest_, longest_;
  int gap_;
  double times_;
};

}  // namespace

bool put_on_frames(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, bool complete,
                   ChannelModel& model) {
  const double bound = params.max_error * params.max_error * static_cast<double>(data.rows());
  const OnFrames frames(data, step_s, params);
  SearchParams own = params;
  own.min_duration_s = std::min(params.min_duration_s, frames.shortest_s());
  own.max_duration_s = std::max(params.max_duration_s, frames.longest_s());
  for (const double calm : kCalm) {
    Search search(data.rowwise() - data.row(0), step_s, own);
    std::vector<Piece> list = frames.put(model.pieces, calm);
    std::erase_if(list, [](const Piece& p) { return p.move.norm() < kLeastMove; });
    search.set_pieces(model.start - data.row(0), std::move(list));
    search.solve_moves(kSweeps);
    frames.move(search, calm, bound);
    for (int round = 0; complete && search.squared_error() > bound && round < kCompletions; ++round) {
      frames.complete(search, calm, bound);
      frames.move(search, calm, bound);
    }
    model.evaluations += search.evaluations();
    if (!(search.squared_error() <= bound)) continue;
    model.start = data.row(0) + search.start();
    model.pieces = search.pieces();
    return true;
  }
  return false;
}

}  // namespace shosa::submovement::detail
