#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "timing_fit.h"

namespace shosa::submovement::detail {

struct SearchParams {
  double max_error = 0.005;  ///< Root mean square over the samples, of the length over all channels.
  double min_duration_s = 0.1;
  double max_duration_s = 4.0;
  double gentle = 0.01;        ///< A displacement across the whole motion costs this share of the allowed error.
  double ridge = 0.0;          ///< The same for exact refits of rotations: added for every squared turn.
  double noise = 0.0;          ///< Standard deviation of a sample per channel, estimated from the data.
  bool fixed_start = false;    ///< The level before the first submovement is 0 instead of fitted.
  bool ends_inside = false;    ///< All has ended at the last sample.
  bool fixed_timings = false;  ///< Exact refits of rotations leave the timings alone.
  bool thorough = true;        ///< Also rearrange to do with fewer; several times slower.
  int look_ahead = 3;          ///< How many more than the bound needs are tried in case they explain everything.
};

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
  double rms() const;
  long evaluations() const { return evaluations_; }

  // The moves one by one, for who decides on another error.
  /// Starts from these pieces, ascending in t0.
  void set_pieces(const Eigen::RowVectorXd& start, std::vector<Piece> pieces);
  /// Starts from the humps of the speed profiles.
  void seed();
  /// One more where it pays most; false when none lowers the error.
  bool add();
  /// Drops or merges where it costs least; false when the squared error would pass `allowed_error`.
  bool remove_cheapest(double allowed_error);
  double ridge() const { return ridge_; }
  void set_ridge(double ridge);
  /// Fits all pieces in overlapping groups.
  void polish(int sweeps);
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
  bool crowded(int first, int last) const;
  Trial spread_out(int first, int last);
  int cheapest_removal(std::size_t rank, double allowed_error);
  double criterion(double squared_error, std::size_t count) const;
  bool at_noise() const { return at_noise(squared_error_); }

  Eigen::MatrixXd data_;
  double step_s_;
  SearchParams params_;
  int samples_;
  int channels_;
  double range_ = 0.0;         ///< Largest distance of a sample from the first.
  double ridge_ = 0.0;         ///< Keeps goals near while the bound decides; none once everything is explained.
  double gentle_ridge_ = 0.0;  ///< What `ridge_` starts with.
  double floor_error_ = 0.0;   ///< Squared error that counts as none.
  Eigen::RowVectorXd start_;
  std::vector<Piece> pieces_;
  std::vector<std::optional<Trial>> removals_;  ///< Parallel to pieces_.
  std::vector<Block> blocks_;
  Eigen::MatrixXd residual_;
  double squared_error_ = 0.0;
  long evaluations_ = 0;
};

}  // namespace shosa::submovement::detail
