#include "channels.h"

#include <algorithm>
#include <limits>
#include <span>

#include "exact_sum.h"
#include "found_again.h"
#include "frames.h"
#include "noise.h"
#include "rotation_regions.h"
#include "shosa/solve/minimum_jerk.h"
#include "stretches.h"
#include "sum_frames.h"
#include "sum_relay.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kShortStretches_s[] = {2.0, 3.0, 1.2};
constexpr int kFewKnots = 12;
constexpr std::size_t kFewMore = 2;
// Of the bound that a search keeps to, so that some is left for frames.
constexpr double kShares[] = {1.0, 0.85, 0.65, 0.45, 0.3, 0.2, 0.12};
constexpr double kOfSize = 0.0085, kLeastBound = 0.02;
constexpr double kPerhaps = 30.0, kDoublePrecision = 0.01, kLeastNoise = 1e-6;  // Times the rounding.
constexpr int kFewSamples = 20;
constexpr double kLong_s = 20.0;  // What is longer is not looked for again as a whole.
constexpr double kLittle = 0.25;  // Of the bound: what a body's root can do without, and whose times hardly show.

// How a sum is put on frames.
struct Way {
  int gap;            // Frames between starts.
  double seen_times;  // Of what ends after the last sample.
};
constexpr Way kWays[] = {{kStartGap, kSeenTimes}, {6, kSeenTimes}, {kStartGap, 1.6}, {6, 1.6}, {8, 1.6}};

// The bound is one for the whole recording: where a seam passes it one more is added, and what a stretch needed for
// itself but the whole does not is dropped.
void join_stretches(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, ChannelModel& model) {
  SearchParams own = params;
  own.noise = model.noise;
  Search whole(data.rowwise() - data.row(0), step_s, own);
  // Goals are kept as near as in a stretch, however long the whole is.
  const double length_s = static_cast<double>(data.rows()) * step_s;
  whole.set_ridge(whole.ridge() * std::min(1.0, kStretch_s / length_s));
  whole.set_pieces(model.start - data.row(0), std::move(model.pieces));
  const double bound = params.max_error * params.max_error * static_cast<double>(data.rows());
  whole.polish(1);
  while (whole.squared_error() > bound && whole.add()) {
  }
  while (whole.remove_cheapest(bound)) {
  }
  whole.polish(1);
  model.start = data.row(0) + whole.start();
  model.pieces = whole.pieces();
  model.evaluations += whole.evaluations();
}

// Stretch by stretch. With `must_explain` it ends as soon as a stretch is not explained down to rounding, and says so.
ChannelModel in_stretches(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, double stretch_s,
                          bool must_explain, bool& explained) {
  ChannelModel model{.start = data.row(0)};
  model.noise = params.noise;
  // Levels are counted from the first sample, so that squares keep their digits far from the origin.
  Eigen::RowVectorXd ended = data.row(0);
  std::vector<Piece> under_way;
  int stretches = 0;
  bool exact = false;  // In some stretch everything was explained.
  explained = true;

  struct Found {
    Eigen::RowVectorXd start;
    std::vector<Piece> pieces;
    std::vector<Timing> timings;
    bool first;
    bool good = true;
  };
  for_each_stretch(
      static_cast<int>(data.rows()), step_s, false, [&](int) { return stretch_s; },
      [&](int first, int count, bool is_first) {
        if (must_explain && !explained) return Found{Eigen::RowVectorXd::Zero(data.cols()), {}, {}, is_first};
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
        const int stride = params.explain ? 1 : search_stride(step_s);
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
          } else {
            all.settle_explained();
          }
          model.evaluations += all.evaluations();
          search = std::move(all);
        }
        ++stretches;
        exact = exact || search.ridge() == 0.0;
        explained = explained && search.ridge() == 0.0;
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
  if (stretches > 1 && !exact) join_stretches(data, step_s, params, model);
  return model;
}

// Two that are under way at the first sample may be any two, and one that still is at the last one any one.
bool is_told(const ChannelModel& model, double length_s) {
  return (model.pieces.size() < 2 || model.pieces[1].time.t0_s >= 0.0) &&
         (model.pieces.empty() || model.pieces[0].time.t0_s >= 0.0 || model.pieces[0].time.tf_s <= length_s);
}

double rms_of(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, const SearchParams& params) {
  Search whole(data.rowwise() - data.row(0), step_s, params);
  whole.set_pieces(model.start - data.row(0), model.pieces);
  return whole.rms();
}

// How a relay is looked for, until one is found again: each is another chance.
struct RelayWay {
  bool seeded;     // From the starts of what was found otherwise, or from evenly spaced ones.
  double share;    // Of the bound.
  double longest;  // Frames that a link lasts: slow ones drown in the rounding far from the origin.
};
constexpr std::size_t kFewRelayWays = 2;  // For what is long.
constexpr RelayWay kRelayWays[] = {
    {true, 1.0, 1e6}, {false, 1.0, 1e6}, {false, 0.8, 1e6}, {true, 1.0, 100.0}, {false, 0.8, 60.0}};

// No more than so many links, or, where none of these is found again and it takes nearly as many, steps for every
// sample; else, if it has to be a relay, the first.
std::optional<ChannelModel> relay_found_again(const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                                              const ChannelModel& other, std::size_t most, bool has_to_be) {
  const auto nearly_all = static_cast<std::size_t>(kRatherAll * static_cast<double>(data.rows()));
  const bool is_long = static_cast<double>(data.rows()) * step_s > kLong_s;
  std::optional<ChannelModel> first;
  for (const RelayWay& way : std::span(kRelayWays).first(is_long ? kFewRelayWays : std::size(kRelayWays))) {
    SearchParams own = params;
    own.max_error *= way.share;
    own.max_duration_s = std::min(params.max_duration_s, way.longest * step_s);
    auto relay = follow_by_relay(data, step_s, own, way.seeded ? other : ChannelModel{.noise = other.noise});
    if (!relay) return std::nullopt;
    if (relay->pieces.size() <= most && is_relay_found_again(*relay, data, step_s, params.max_error)) return relay;
    if (!first) first = std::move(relay);
    if (first->pieces.size() >= nearly_all && static_cast<std::size_t>(data.rows()) <= most)
      return follow_every_sample(data, step_s, other.noise);
  }
  return has_to_be ? first : std::nullopt;
}

// Within the bound, on frames unless a few explain everything: these are known better than to a frame. Where frames are
// too coarse, or submovements would not be found again, a body's root takes more or others; for a hand, where each one
// counts, the times stay as they are.
ChannelModel bounded(const Eigen::MatrixXd& data, double step_s, const SearchParams& params, bool made) {
  std::vector<ChannelModel> found, spare;
  const double length_s = static_cast<double>(data.rows() - 1) * step_s;
  const bool is_long = length_s > kLong_s;
  // What jumps or shakes is not followed by displacements at all, and not searched for where that shows.
  bool jumps = !params.thorough && roughness(data, step_s, params.min_duration_s) > kRough * params.max_error;
  if (jumps) found.push_back({.start = data.colwise().mean()});
  const auto is_good = [&](ChannelModel& model, const Way& way, bool complete) {
    SearchParams own = params;
    own.start_gap = way.gap;
    own.seen_times = way.seen_times;
    const auto put_without_little = [&](const ChannelModel& whole) {
      ChannelModel bare = whole;
      std::erase_if(bare.pieces, [&](const Piece& p) { return p.move.norm() < kLittle * params.max_error; });
      if (bare.pieces.size() == whole.pieces.size() || !put_on_frames(data, step_s, own, complete, bare)) return false;
      model = std::move(bare);
      return true;
    };
    if (params.thorough || !put_without_little(model)) {
      if (!put_on_frames(data, step_s, own, complete, model)) return false;
      if (!params.thorough) put_without_little(model);
    }
    if (params.thorough || is_long || is_found_again(model, data, step_s, params, model.evaluations)) return true;
    spare.push_back(model);
    return false;
  };
  for (const double share : kShares) {
    if (jumps) break;
    SearchParams own = params;
    own.max_error *= share;
    bool explained = false;
    ChannelModel model = in_stretches(data, step_s, own, kStretch_s, false, explained);
    if (!found.empty() && model.pieces.size() > found[0].pieces.size() + found[0].pieces.size() / 4 + kFewMore) break;
    found.push_back(model);
    // Down to the noise, which may be anything, is not yet within the bound.
    jumps = !params.thorough && found.size() == 1 && rms_of(found[0], data, step_s, params) > params.max_error;
    if (jumps) break;
    // A path of a body that was measured may be explained down to what its few samples leave of the noise.
    const bool few = explained && model.pieces.size() <= kFewExplained && is_told(model, length_s);
    if ((few && (params.thorough || (made && is_found_again(model, data, step_s, params, model.evaluations)))) ||
        is_good(model, kWays[0], false) || params.thorough)
      return model;
  }
  if (!jumps && !is_long) {
    for (const Way& way : kWays)
      for (const ChannelModel& model : found) {
        ChannelModel trial = model;
        if (is_good(trial, way, true)) return trial;
      }
  }
  const ChannelModel& other = spare.empty() ? found.front() : spare.front();
  const std::size_t most = jumps ? std::numeric_limits<std::size_t>::max() : kCost * other.pieces.size() + kCostMore;
  auto relay = relay_found_again(data, step_s, params, other, most, jumps);
  if (!relay) return other;
  relay->evaluations = other.evaluations;
  return std::move(*relay);
}

// A path that was computed and is small is still followed to a share of its size.
double bound_of(const Eigen::MatrixXd& data, const SearchParams& params, bool made) {
  if (!made || !params.thorough) return params.max_error;
  const double size = 2.0 * (data.rowwise() - data.colwise().mean()).rowwise().norm().maxCoeff();
  return std::min(params.max_error, std::max(kOfSize * size, kLeastBound * params.max_error));
}

}  // namespace

Eigen::MatrixXd sample_channels(const ChannelModel& model, Eigen::Index count, double step_s) {
  Eigen::MatrixXd made = Eigen::MatrixXd::Zero(count, model.start.cols()), ended = made;
  if (count > 0) ended.row(0) = model.start;
  for (const Piece& p : model.pieces) {
    const auto frame = [&](double time_s) {
      return static_cast<Eigen::Index>(std::clamp(std::ceil(time_s / step_s), 0.0, static_cast<double>(count)));
    };
    const Eigen::Index from = frame(p.time.t0_s), to = std::max(from, frame(p.time.tf_s));
    for (Eigen::Index i = from; i < to; ++i)
      made.row(i) += solve::minimum_jerk_value(static_cast<double>(i) * step_s, p.time.t0_s, p.time.tf_s) * p.move;
    if (to < count) ended.row(to) += p.move;
  }
  for (Eigen::Index i = 1; i < count; ++i) ended.row(i) += ended.row(i - 1);
  return made + ended;
}

namespace {

// Samples, and the submovements they were made of, if they were.
class Look {
 public:
  Look(const Eigen::MatrixXd& data, double step_s, const SearchParams& params)
      : data_(data), step_s_(step_s), plain_(params) {
    plain_.noise = estimate_noise(data);
    made_ = samples_were_made(data, plain_.noise);
    few_ = made_ && knot_count(data, plain_.noise) <= kFewKnots;
    plain_.max_error = bound_of(data, params, made_);
  }

  bool made() const { return made_; }
  const SearchParams& params() const { return plain_; }

  // A few submovements are found soonest by the search; many, and a body's, which are on frames, by growing.
  std::optional<ChannelModel> found_at_once() const {
    const auto few = [&] { return few_ ? in_pieces(kShortStretches_s[0], kFewExplained) : std::nullopt; };
    if (plain_.thorough) {
      auto model = few();
      return model ? std::move(model) : grown_on_frames();
    }
    auto model = grown_on_frames();
    return model ? std::move(model) : few();
  }

  // What is smooth but no sum is explained to the last digit by many that nearly cancel: at most so many.
  std::optional<ChannelModel> found_at_last(int most) const {
    SearchParams own = plain_;
    own.most = most;
    if (auto sum = take_sum_apart(data_, step_s_, own); sum && is_told(*sum, length_s())) return sum;
    if (!few_) return std::nullopt;
    for (const double stretch_s : kShortStretches_s)
      if (auto sum = in_pieces(stretch_s, static_cast<std::size_t>(most))) return sum;
    return std::nullopt;
  }

 private:
  double length_s() const { return static_cast<double>(data_.rows() - 1) * step_s_; }

  std::optional<ChannelModel> grown_on_frames() const {
    const double rounding = rounding_noise(data_);
    if (!made_ && !(data_.rows() >= kFewSamples && least_noise(data_) < kPerhaps * rounding)) return std::nullopt;
    SearchParams frames = plain_;
    frames.on_frames = true;
    frames.noise =
        std::max(plain_.noise < kDoublePrecision * rounding ? plain_.noise : rounding, kLeastNoise * rounding);
    frames.min_duration_s = shortest_on_frames_s(plain_.min_duration_s, step_s_);
    // Whoever reads them sees whole recordings.
    frames.fixed_start = frames.ends_inside = false;
    frames.crowded = plain_.noise > kPerhaps * rounding;
    return take_sum_apart(data_, step_s_, frames);
  }

  std::optional<ChannelModel> in_pieces(double stretch_s, std::size_t most) const {
    SearchParams own = plain_;
    own.explain = true;
    bool explained = false;
    ChannelModel model = in_stretches(data_, step_s_, own, stretch_s, true, explained);
    if (!explained || model.pieces.size() > most || !is_told(model, length_s())) return std::nullopt;
    return model;
  }

  const Eigen::MatrixXd& data_;
  double step_s_;
  SearchParams plain_;
  bool made_, few_;
};

}  // namespace

std::optional<ChannelModel> read_back(const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                                      int most) {
  if (auto relay = read_relay(data, step_s, params.max_error); relay && relay->certain) return std::move(relay->model);
  const Look look(data, step_s, params);
  auto model = look.found_at_once();
  if (!model && most > 0 && look.made()) model = look.found_at_last(most);
  return model;
}

ChannelModel decompose_channels(const Eigen::MatrixXd& data, double step_s, const SearchParams& params) {
  std::optional<ChannelRelay> relay;
  if (!params.thorough) relay = read_relay(data, step_s, params.max_error);
  if (relay && relay->certain) return std::move(relay->model);
  const Look look(data, step_s, params);
  if (auto model = look.found_at_once()) return std::move(*model);
  ChannelModel model = bounded(data, step_s, look.params(), look.made());
  if (relay && relay->model.pieces.size() <= kNotMore * model.pieces.size()) return std::move(relay->model);
  if (!look.made()) return model;
  const int most = most_made(model.pieces.size());
  auto sum = look.found_at_last(most);
  // A body's root is found again as it is.
  if (sum && (params.thorough || is_found_again(*sum, data, step_s, params, sum->evaluations, most)))
    return std::move(*sum);
  return model;
}

}  // namespace shosa::submovement::detail
