#include "channels.h"

#include "follow.h"
#include "samples.h"

namespace shosa::submovement::detail {

namespace {

Eigen::MatrixXd rows_of(std::span<const Eigen::RowVectorXd> samples) {
  Eigen::MatrixXd data(static_cast<Eigen::Index>(samples.size()), samples[0].cols());
  for (std::size_t i = 0; i < samples.size(); ++i) data.row(static_cast<Eigen::Index>(i)) = samples[i];
  return data;
}

// Displacements that add up.
struct Sum {
  using Value = Eigen::RowVectorXd;
  static Value compose(const Value& a, const Value& b) { return a + b; }
  static Value seen_from(const Value& a, const Value& b) { return b - a; }
  static Value exp(const Eigen::RowVectorXd& move) { return move; }
  static Eigen::RowVectorXd log(const Value& value) { return value; }
  static Eigen::MatrixXd path(std::span<const Value> samples) { return rows_of(samples); }
  static constexpr double kWayPerStretch = 1e300;

  static StretchFit<Sum> fit(std::span<const Value> samples, double step_s, const SearchParams& params) {
    Eigen::MatrixXd data = rows_of(samples);
    const int stride = search_stride(step_s);
    Search search(data(Eigen::seq(0, Eigen::last, stride), Eigen::all), stride * step_s, params);
    search.run();
    long evaluations = search.evaluations();
    if (stride > 1) {
      Search all(std::move(data), step_s, params);
      all.set_ridge(search.ridge() * stride);
      all.set_pieces(search.start(), search.pieces());
      all.polish(2);
      if (search.ridge() > 0.0) {
        while (all.rms() > params.max_error && all.add()) all.polish(1);
      } else {
        all.settle_explained();
      }
      evaluations += all.evaluations();
      search = std::move(all);
    }
    StretchFit<Sum> fit{search.start(), search.pieces(), search.rms() / params.max_error, search.ridge() == 0.0,
                        evaluations};
    std::stable_sort(fit.pieces.begin(), fit.pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });
    return fit;
  }
};

// The bound is one for the whole recording: where a seam passes it one more is added, and what a stretch needed for
// itself but the whole does not is dropped.
void join_stretches(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, Chain<Sum>& chain) {
  Search whole(data.rowwise() - data.row(0), step_s, params);
  // Goals are kept as near as in a stretch, however long the whole is.
  const double length_s = static_cast<double>(data.rows()) * step_s;
  whole.set_ridge(whole.ridge() * std::min(1.0, kStretch_s / length_s));
  whole.set_pieces(chain.start - data.row(0), std::move(chain.pieces));
  const double bound = params.max_error * params.max_error * static_cast<double>(data.rows());
  whole.polish(1);
  while (whole.squared_error() > bound && whole.add()) {
  }
  while (whole.remove_cheapest(bound)) {
  }
  whole.polish(1);
  chain.start = data.row(0) + whole.start();
  chain.pieces = whole.pieces();
  chain.evaluations += whole.evaluations();
}

}  // namespace

ChannelModel decompose_channels(const Eigen::MatrixXd& data, double step_s, const SearchParams& params) {
  SearchParams own = params;
  own.noise = estimate_noise(data);
  std::vector<Eigen::RowVectorXd> samples;
  for (Eigen::Index i = 0; i < data.rows(); ++i) samples.push_back(data.row(i));
  Chain<Sum> chain = follow<Sum>(samples, step_s, own);
  if (chain.stretches > 1 && !chain.explained && !chain.stepped) join_stretches(data, step_s, own, chain);
  return {std::move(chain.start), std::move(chain.pieces), own.noise, chain.evaluations};
}

void keep_apart(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, double gap_s,
                ChannelModel& model) {
  SearchParams own = params;
  own.noise = model.noise;
  const auto by_start = [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; };
  // Each round there are fewer, so it ends.
  while (true) {
    std::stable_sort(model.pieces.begin(), model.pieces.end(), by_start);
    std::vector<Piece> apart;
    bool merged_last = false;
    for (const Piece& piece : model.pieces) {
      const bool near = !apart.empty() && !merged_last && piece.time.t0_s < apart.back().time.t0_s + gap_s;
      if (near) {
        apart.back().time.tf_s = std::max(apart.back().time.tf_s, piece.time.tf_s);
        apart.back().move += piece.move;
      } else {
        apart.push_back(piece);
      }
      merged_last = near;
    }
    if (apart.size() == model.pieces.size()) return;
    Search search(data, step_s, own);
    search.set_pieces(model.start, std::move(apart));
    search.polish(2);
    model.start = search.start();
    model.pieces = search.pieces();
    model.evaluations += search.evaluations();
  }
}

}  // namespace shosa::submovement::detail
