#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "frames.h"
#include "timing_fit.h"

namespace shosa::submovement::detail {

struct SearchParams {
  double max_error = 0.005;  ///< Root mean square over the samples, of the length over all channels.
  double min_duration_s = 0.1;
  double max_duration_s = 4.0;
  double gentle = 0.01;       ///< A displacement across the whole motion costs this share of the allowed error.
  double ridge = 0.0;         ///< The same for exact refits of rotations: added for every squared turn.
  double noise = 0.0;         ///< Standard deviation of a sample per channel, estimated from the data.
  double start_gap_s = 0.0;   ///< Exact refits of rotations keep starts so far apart.
  int start_gap = kStartGap;  ///< Frames between starts that are put on frames.
  double seen_times =
      kSeenTimes;              ///< What ends after the last sample is seen for one of so many times, of sums on frames.
  bool fixed_start = false;    ///< The level before the first submovement is 0 instead of fitted.
  bool ends_inside = false;    ///< All has ended at the last sample.
  int most = 1 << 30;          ///< Of submovements that a made sum or product may have.
  bool on_frames = false;      ///< Starts after the first sample are known to be at samples, and stay.
  bool crowded = false;        ///< Made submovements may be too near each other for knots to be seen.
  bool easily = false;         ///< Made submovements are to be found at first sight, or not at all.
  bool steps = false;          ///< Turns from sample to sample may be among those of a made product.
  bool shaking = false;        ///< Turns on frames may be nearly good.
  bool fixed_timings = false;  ///< Exact refits of rotations leave the timings alone.
  bool thorough = true;        ///< Also rearrange to do with fewer; several times slower.
  bool explain = false;        ///< The samples were made from submovements: find these, down to rounding.
  int look_ahead = 3;          ///< How many more than the bound needs are tried in case they explain everything.
};

/// So many submovements that explain everything are known better than to a frame.
inline constexpr std::size_t kFewExplained = 6;

/// How many submovements samples that were made may have at most, where `needed` keep within the bound.
inline int most_made(std::size_t needed) {
  return static_cast<int>(needed + needed / 2 + 2);
}

/// One submovement of all channels.
struct Piece {
  Timing time;
  Eigen::RowVectorXd move;
};

/// The count and the timings of one stretch (docs/methods/submovements.md, "Search").
///
/// Grows from seeds on the speed profiles by adding where the error falls most, and shrinks by merging and dropping
/// what costs least. Every trial is a fit of the pieces around it with the rest frozen, so that its cost does not
/// depend on the stretch's length; trials are kept until something near them changes.
class Search {
 public:
  Search(Eigen::MatrixXd data, double step_s, const SearchParams& params);

  /// Runs the whole search.
  void run();

  const std::vector<Piece>& pieces() const { return pieces_; }
  const Eigen::RowVectorXd& start() const { return start_; }
  double squared_error() const { return squared_error_; }
  /// What the pieces leave, a row for each sample.
  const Eigen::MatrixXd& residual() const { return residual_; }
  double rms() const;
  long evaluations() const { return evaluations_; }

  // The moves one by one, for who decides on another error.
  /// Begins from these pieces, ascending in t0.
  void set_pieces(const Eigen::RowVectorXd& start, std::vector<Piece> pieces);
  /// Begins from the humps of the speed profiles.
  void seed();
  /// One more where it pays most; false when none lowers the error.
  bool add();
  /// Drops or merges where it costs least; false when the squared error would pass `allowed_error`.
  bool remove_cheapest(double allowed_error);
  double ridge() const { return ridge_; }
  void set_ridge(double ridge);
  /// Fits all pieces in overlapping groups.
  void polish(int sweeps);
  /// The same with the timings left alone.
  void solve_moves(int sweeps);
  /// Gives piece `index` other times, and those around it new displacements, if the error falls.
  bool retime(int index, const Timing& timing);
  /// Where everything is explained: drops what does not pay by the information criterion, and looks for fewer.
  void settle_explained();
  /// Squared error up to which one piece less is worth it by the information criterion.
  double worthwhile_error(double squared_error) const;
  /// The squared error that the noise alone may leave, and whether one is no larger.
  double noise_error() const;
  bool at_noise(double squared_error) const { return squared_error <= noise_error(); }

 private:
  /// Pieces [first, last) replaced by others.
  struct Trial {
    int first = 0, last = 0;
    std::vector<Timing> timings;
    Eigen::MatrixXd levels;  ///< Row 0: level before; then a row each.
    double gain = -1e300;    ///< By how much the squared error falls …
    double score = -1e300;   ///< … and the same with the ridge, by which trials are compared.
  };
  struct Block {
    double begin_s = 0.0, end_s = 0.0;
    std::optional<Trial> best;  ///< Empty: not known.
  };
  struct Snapshot {
    std::vector<Piece> pieces;
    Eigen::RowVectorXd start;
    Eigen::MatrixXd residual;
    double squared_error;
    std::vector<std::optional<Trial>> removals;
    std::vector<Block> blocks;
  };

  std::pair<int, int> around(int index) const;
  std::pair<int, int> neighbours(double begin_s, double end_s, int room) const;
  TimingFit window_fit(int first, int last, double begin_s, double end_s) const;
  Trial attempt(TimingFit& fit, int first, int last, std::vector<Timing> timings, int iterations);
  void improve(TimingFit& fit, Trial& trial, int iterations);
  void commit(const Trial& trial);
  void restore(Snapshot snapshot);
  Snapshot snapshot() const { return {pieces_, start_, residual_, squared_error_, removals_, blocks_}; }

  Trial best_addition(const Block& block);
  Trial best_removal(int index, double allowed_error);
  void forget(double begin_s, double end_s);
  bool shrink(bool exact);
  bool swap();
  bool reduce();
  bool rearrange();
  void fit_groups(int sweeps, int iterations);
  bool crowded(int first, int last) const;
  Trial spread_out(int first, int last);
  int cheapest_removal(std::size_t rank, double allowed_error);
  bool on_knots() const;
  double criterion(double squared_error, std::size_t count) const;
  bool at_noise() const { return at_noise(squared_error_); }

  Eigen::MatrixXd data_;
  double step_s_;
  SearchParams params_;
  int samples_;
  int channels_;
  double range_ = 0.0;           ///< Largest distance of a sample from the first.
  double ridge_ = 0.0;           ///< Keeps goals near while the bound decides; none once everything is explained.
  double gentle_ridge_ = 0.0;    ///< What `ridge_` begins with.
  double floor_error_ = 0.0;     ///< Squared error that counts as none.
  std::vector<double> knots_s_;  ///< With `explain`: where submovements can begin and end.
  Eigen::RowVectorXd start_;
  std::vector<Piece> pieces_;
  std::vector<std::optional<Trial>> removals_;  ///< Parallel to pieces_.
  std::vector<Block> blocks_;
  Eigen::MatrixXd residual_;
  double squared_error_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace shosa::submovement::detail
