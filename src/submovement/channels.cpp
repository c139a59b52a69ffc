#include "channels.h"

#include "shosa/solve/minimum_jerk.h"
#include "stretches.h"

namespace shosa::submovement::detail {

ChannelModel decompose_channels(const Eigen::MatrixXd& data, double step_s, const SearchParams& params) {
  ChannelModel model{.start = data.row(0)};
  model.noise = estimate_noise(data);
  // Levels are counted from the first sample, so that squares keep their digits far from the origin.
  Eigen::RowVectorXd ended = data.row(0);
  std::vector<Piece> under_way;

  struct Found {
    Eigen::RowVectorXd start;
    std::vector<Piece> pieces;
    std::vector<Timing> timings;
    bool first;
    bool good = true;
  };
  for_each_stretch(
      static_cast<int>(data.rows()), step_s,
      [&](int first, int count, bool is_first) {
        std::erase_if(under_way, [&](const Piece& piece) {
          if (piece.time.tf_s > first * step_s) return false;
          ended += piece.move;
          return true;
        });
        Eigen::MatrixXd rest = data.middleRows(first, count).rowwise() - ended;
        for (const Piece& piece : under_way) {
          for (int i = 0; i < count; ++i)
            rest.row(i) -=
                solve::minimum_jerk_value((first + i) * step_s, piece.time.t0_s, piece.time.tf_s) * piece.move;
        }
        SearchParams own = params;
        own.noise = model.noise;
        own.fixed_start = params.fixed_start || !is_first;
        const int stride = search_stride(step_s);
        Search search(rest(Eigen::seq(0, Eigen::last, stride), Eigen::all), stride * step_s, own);
        search.run();
        model.evaluations += search.evaluations();
        if (stride > 1) {
          Search all(std::move(rest), step_s, own);
          all.set_ridge(search.ridge() * stride);
          all.set_pieces(search.start(), search.pieces());
          all.polish(2);
          if (search.ridge() > 0.0) {
            while (all.rms() > own.max_error && all.add()) all.polish(1);
          }
          model.evaluations += all.evaluations();
          search = std::move(all);
        }
        Found found{search.start(), search.pieces(), {}, is_first};
        std::stable_sort(found.pieces.begin(), found.pieces.end(),
                         [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });
        for (Piece& piece : found.pieces) {
          piece.time.t0_s += first * step_s;
          piece.time.tf_s += first * step_s;
          found.timings.push_back(piece.time);
        }
        return found;
      },
      [&](const Found& found, std::size_t kept) {
        if (found.first) {
          model.start += found.start;
          ended += found.start;
        }
        for (std::size_t k = 0; k < kept; ++k) {
          model.pieces.push_back(found.pieces[k]);
          under_way.push_back(found.pieces[k]);
        }
      });
  // A stretch may put its first submovements before the last ones kept of the stretch before.
  std::stable_sort(model.pieces.begin(), model.pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });
  return model;
}

}  // namespace shosa::submovement::detail
