#include "found_again.h"

#include <algorithm>
#include <cmath>

#include "rotation_relay.h"
#include "rotation_search.h"
#include "sum_relay.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kRounding = 5e-8;        // Of the largest coordinate.
constexpr double kCoarse = 3.0;           // Times the rounding: between two numbers, of a path.
constexpr double kSame = 0.01;            // Frames.
constexpr double kSoon = 24.0;            // Frames in which …
constexpr std::size_t kManyAtOnce = 4;    // … more than this begin, or are under way.
constexpr double kTogether = 6.5;         // Frames between two that begin together, …
constexpr double kForLong = 250.0;        // … and for which one of them lasts.
constexpr double kCalmAtFirst = 9.5;      // Frames after the first.
constexpr std::size_t kTooFew = 200;      // Samples: most of them are near an end, where submovements are half seen.
constexpr std::size_t kFew = 3;           // Of these standing still may be as near as the bound.
constexpr double kDense_s = 1.0 / 300.0;  // Between frames: what is seen of a first one hardly bends.

bool is_same(double t0_s, double tf_s, double other_t0_s, double other_tf_s, double step_s) {
  return std::abs(t0_s - other_t0_s) < kSame * step_s && std::abs(tf_s - other_tf_s) < kSame * step_s;
}

// As a file keeps it, in single precision; times that are frames' stay.
RotationModel as_kept(const RotationModel& model) {
  RotationModel kept{.start = model.start.cast<float>().cast<double>().normalized(), .submovements = {}};
  for (RotationSubmovement s : model.submovements) {
    s.rotation_rad = s.rotation_rad.cast<float>().cast<double>();
    kept.submovements.push_back(s);
  }
  return kept;
}

ChannelModel as_kept(const ChannelModel& model) {
  ChannelModel kept = model;
  kept.start = model.start.cast<float>().cast<double>();
  for (Piece& p : kept.pieces) p.move = p.move.cast<float>().cast<double>().eval();
  return kept;
}

// Whether `find` finds the model in its samples, however these are rounded.
template <class Find>
bool is_found(const RotationModel& model, std::size_t samples, double step_s, Roundings roundings, Find&& find) {
  const auto sampled = [&](const RotationModel& own) {
    return sample_rotations(own, static_cast<int>(samples), step_s);
  };
  const auto made = sampled(model), kept = sampled(as_kept(model));
  // As a clip keeps them, one that is made from a file and one that is not; and turned elsewhere, so that other digits
  // are rounded; about 6e-8 is between two numbers of single precision.
  struct Rounding {
    const std::vector<Quatd>& samples;
    Vec3d elsewhere = Vec3d::Zero();
    double between = 0.0;
  };
  for (const Rounding& rounding : {Rounding{kept}, Rounding{made}, Rounding{made, {0.4, -0.7, 0.2}, 7e-8},
                                   Rounding{made, {-0.3, 0.1, 0.9}, 5e-8}, Rounding{made, {0.5, 0.8, -0.6}, 6e-8}}) {
    std::vector<Quatd> rounded;
    for (const Quatd& q : rounding.samples) {
      if (rounding.between == 0.0) {
        rounded.push_back(q.cast<float>().cast<double>().normalized());
        continue;
      }
      const Eigen::Vector4d numbers = (exp_rotation(rounding.elsewhere) * q).coeffs() / rounding.between;
      rounded.push_back(Quatd(rounding.between * numbers.array().round().matrix()).normalized());
    }
    const std::optional<RotationModel> again = find(rounded);
    if (!again || !std::equal(again->submovements.begin(), again->submovements.end(), model.submovements.begin(),
                              model.submovements.end(), [&](const auto& a, const auto& b) {
                                return is_same(a.t0_s, a.tf_s, b.t0_s, b.tf_s, step_s);
                              }))
      return false;
    if (roundings == Roundings::one) break;
  }
  return true;
}

template <class Find>
bool is_found(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, Find&& find) {
  const Eigen::MatrixXd made = sample_channels(model, data.rows(), step_s);
  const double between = kCoarse * rounding_noise(data);
  const auto rounded = [&](double shift) -> Eigen::MatrixXd {
    return (made.array() / between + shift).round() * between;
  };
  // As a clip keeps them, and one that is made from a file.
  const auto kept = [](const Eigen::MatrixXd& samples) -> Eigen::MatrixXd {
    return samples.cast<float>().cast<double>();
  };
  for (const Eigen::MatrixXd& samples :
       {kept(sample_channels(as_kept(model), data.rows(), step_s)), kept(made), rounded(0.0), rounded(0.4)}) {
    const std::optional<ChannelModel> again = find(samples);
    if (!again || !std::equal(again->pieces.begin(), again->pieces.end(), model.pieces.begin(), model.pieces.end(),
                              [&](const Piece& a, const Piece& b) {
                                return is_same(a.time.t0_s, a.time.tf_s, b.time.t0_s, b.time.tf_s, step_s);
                              }))
      return false;
  }
  return true;
}

}  // namespace

double rounding_noise(const Eigen::MatrixXd& data) {
  return kRounding * data.cwiseAbs().maxCoeff();
}

bool is_easily_told(const std::vector<RotationSubmovement>& list, std::size_t samples, double step_s) {
  if (samples < kTooFew || list.size() <= kFew) return false;
  // Of what is under way at the first sample only the end shows.
  if (list.size() > 1 && list[0].t0_s < 0.0 && list[1].t0_s < kCalmAtFirst * step_s) return false;
  if (!list.empty() && list[0].t0_s < 0.0 && step_s < kDense_s) return false;
  std::vector<double> ends_s;  // Of what is under way.
  for (std::size_t k = 0; k < list.size(); ++k) {
    const double start_s = list[k].t0_s;
    std::erase_if(ends_s, [&](double end_s) { return end_s <= start_s; });
    if (ends_s.size() >= kManyAtOnce) return false;
    ends_s.push_back(list[k].tf_s);
    if (k >= kManyAtOnce && start_s - list[k - kManyAtOnce].t0_s <= kSoon * step_s) return false;
    // Of two that begin together, and one of them for long, it shows late which is which.
    if (k > 0 && list[k - 1].t0_s >= 0.0 && start_s - list[k - 1].t0_s < kTogether * step_s &&
        std::max(list[k].tf_s - start_s, list[k - 1].tf_s - list[k - 1].t0_s) > kForLong * step_s)
      return false;
  }
  return true;
}

bool is_found_again(const RotationModel& model, std::size_t samples, double step_s, const SearchParams& params,
                    Roundings roundings, long& evaluations) {
  SearchParams own = params;
  // Whoever reads them sees whole recordings.
  own.fixed_start = own.ends_inside = false;
  return is_found(model, samples, step_s, roundings,
                  [&](const std::vector<Quatd>& rounded) { return read_back(rounded, step_s, own, evaluations); });
}

bool is_found_again(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, const SearchParams& params,
                    long& evaluations, int most) {
  if (model.pieces.empty()) return true;
  return is_found(model, data, step_s, [&](const Eigen::MatrixXd& rounded) {
    auto again = read_back(rounded, step_s, params, most);
    if (again) evaluations += again->evaluations;
    return again;
  });
}

bool is_relay_found_again(const RotationModel& model, std::size_t samples, double step_s, const SearchParams& params,
                          long& evaluations) {
  const auto read = [&](const std::vector<Quatd>& rounded) -> std::optional<RotationModel> {
    auto relay = read_relay(rounded, step_s, params.max_error);
    return relay ? std::optional(std::move(relay->model)) : std::nullopt;
  };
  return is_found(model, samples, step_s, Roundings::several, read) &&
         is_found_again(model, samples, step_s, params, Roundings::one, evaluations);
}

bool is_relay_found_again(const ChannelModel& model, const Eigen::MatrixXd& data, double step_s, double max_error) {
  return is_found(model, data, step_s, [&](const Eigen::MatrixXd& rounded) -> std::optional<ChannelModel> {
    auto relay = read_relay(rounded, step_s, max_error);
    return relay ? std::optional(std::move(relay->model)) : std::nullopt;
  });
}

}  // namespace shosa::submovement::detail
