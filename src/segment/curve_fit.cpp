#include <algorithm>
#include <cmath>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/rotations.h"
#include "shosa/segment/curve_clip.h"
#include "shosa/solve/spline_fit.h"

namespace shosa::segment {
namespace {

/// Knot spacings that are tried, from fine to coarse, in quarters of a frame.
constexpr int kSpacings[] = {4,  5,  6,  7,  8,  9,  10, 11,  12,  14,  16,  18,  20,  24,  28,  32,
                             36, 40, 48, 56, 64, 80, 96, 128, 160, 192, 256, 384, 512, 768, 1024};
constexpr int kSpacingCount = static_cast<int>(std::size(kSpacings));

}  // namespace

/// Chooses spacings and widths, from the root down: each joint is fitted to what is right in the world given what its
/// parents became, so that errors of rotation do not add up along a limb.
class CurveFitter {
 public:
  explicit CurveFitter(const Clip& clip) : clip_(clip), frames_(clip.frame_count()) {
    const Skeleton& skeleton = clip.skeleton();
    const auto joints = static_cast<std::size_t>(skeleton.joint_count());
    for (int f = 0; f < frames_; ++f) {
      truth_.push_back(forward_kinematics(skeleton, clip.frame(f)));
    }
    for (JointIndex j = 0; j < skeleton.joint_count(); ++j) constant_.push_back(turns_never(j) ? 1 : 0);
    // How far a joint's rotation reaches: the longest bone to a child or end site, through children that never turn.
    lever_.assign(joints, 0.0);
    for (const EndSite& site : skeleton.end_sites()) {
      auto& lever = lever_[site.parent];
      lever = std::max(lever, site.offset_m.cast<double>().norm());
    }
    for (JointIndex j = skeleton.joint_count() - 1; j > 0; --j) {
      const auto i = static_cast<std::size_t>(j);
      auto& lever = lever_[skeleton.parent(j)];
      lever = std::max(lever, clip.translation(0, j).cast<double>().norm() + (constant_[i] != 0 ? lever_[i] : 0.0));
    }
  }

  /// `shares_m[j]` is what joint j's rotation may add to an error at the ends of its bones; the last entry is for
  /// translations.
  CurveClip fit(const std::vector<double>& shares_m) {
    CurveClip out;
    out.skeleton_ = clip_.skeleton_ptr();
    out.frame_count_ = frames_;
    out.frame_time_s_ = clip_.frame_time_s();
    out.name_ = clip_.name();
    out.translated_ = clip_.translated();
    for (const JointIndex j : out.translated_) out.translations_.push_back(fit_translation(j, shares_m.back()));
    const Skeleton& skeleton = clip_.skeleton();
    turned_.assign(static_cast<std::size_t>(skeleton.joint_count()), {});
    for (JointIndex j = 0; j < skeleton.joint_count(); ++j) out.rotations_.push_back(fit_rotation(j, shares_m[j]));
    return out;
  }

  double error_m(const CurveClip& curves) const {
    double worst = 0.0;
    Pose pose;
    WorldPose world;
    for (int f = 0; f < frames_; ++f) {
      curves.sample(f, pose);
      forward_kinematics(clip_.skeleton(), pose, world);
      const WorldPose& truth = truth_[f];
      for (std::size_t j = 0; j < world.positions.size(); ++j)
        worst = std::max(worst, (world.positions[j] - truth.positions[j]).norm());
      for (const EndSite& site : clip_.skeleton().end_sites())
        worst = std::max(worst, (world.end_site(site) - truth.end_site(site)).norm());
    }
    return worst;
  }

 private:
  using Curve = CurveClip::Curve;
  using Kind = CurveClip::Kind;

  /// `bits` are those of the part that varies most; the others get as many as they need for about the same step.
  static Curve quantised(const std::vector<Eigen::Vector4d>& points, Kind kind, int spacing, int bits) {
    Curve curve{.kind = kind, .spacing = spacing, .points = static_cast<int>(points.size())};
    const int parts = curve.parts();
    Eigen::Vector4d low = points[0], high = points[0];
    for (const auto& point : points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
    const double widest = (high - low).head(parts).maxCoeff(), step = widest / (std::ldexp(1.0, bits) - 1.0);
    for (int p = 0; p < parts; ++p) {
      const double range = high[p] - low[p];
      int own = 0;
      while (own < bits && range > step * (std::ldexp(1.0, own) - 0.5)) ++own;
      curve.bits[p] = own;
      curve.low[p] = static_cast<float>(own > 0 ? low[p] : 0.5 * (low[p] + high[p]));
      curve.step[p] = own > 0 ? static_cast<float>(range / (std::ldexp(1.0, own) - 1.0)) : 0.0f;
    }
    curve.packed.assign((curve.packed_bytes() + 3) / 4, 0u);
    std::size_t bit = 0;
    for (const auto& point : points) {
      for (int p = 0; p < parts; bit += static_cast<std::size_t>(curve.bits[p]), ++p) {
        if (curve.bits[p] == 0) continue;
        const double number =
            curve.step[p] > 0.0f
                ? std::round((point[p] - static_cast<double>(curve.low[p])) / static_cast<double>(curve.step[p]))
                : 0.0;
        const double most = std::ldexp(1.0, curve.bits[p]) - 1.0;
        const auto value = static_cast<std::uint64_t>(std::clamp(number, 0.0, most)) << (bit % 32);
        curve.packed[bit / 32] |= static_cast<std::uint32_t>(value);
        if (bit / 32 + 1 < curve.packed.size()) curve.packed[bit / 32 + 1] |= static_cast<std::uint32_t>(value >> 32);
      }
    }
    return curve;
  }

  // The coarsest knots that stay within a bound, and the next finer ones, which may do with narrower numbers; of these
  // the smallest.
  template <class Error>
  static Curve choose(const solve::SplineSignal& signal, Kind kind, const Error& error, double bound) {
    constexpr int kMostBits = 20;
    int low = 0, high = kSpacingCount - 1;  // the error grows with the spacing, nearly always
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      const auto points = solve::fit_spline(signal, kSpacings[middle]);
      if (error(quantised(points, kind, kSpacings[middle], kMostBits)) <= 0.97 * bound) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    Curve best = quantised(solve::fit_spline(signal, kSpacings[low]), kind, kSpacings[low], kMostBits);
    for (int s = low; s >= std::max(0, low - 2); --s) {
      const auto points = solve::fit_spline(signal, kSpacings[s]);
      for (int bits = 5; bits < kMostBits; ++bits) {
        Curve curve = quantised(points, kind, kSpacings[s], bits);
        if (curve.packed_bytes() >= best.packed_bytes()) break;
        if (error(curve) > bound) continue;
        best = std::move(curve);
        break;
      }
    }
    return best;
  }

  Curve fit_translation(JointIndex j, double share_m) const {
    solve::SplineSignal signal;
    Vec3d low = Vec3d::Constant(1e300), high = -low;
    for (int f = 0; f < frames_; ++f) {
      const Vec3d v = clip_.translation(f, j).cast<double>();
      signal.push_back({v.x(), v.y(), v.z(), 0.0});
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    if ((high - low).norm() <= 0.1 * share_m) {
      Curve curve;
      for (int p = 0; p < 3; ++p) curve.low[p] = static_cast<float>(0.5 * (low[p] + high[p]));
      return curve;
    }
    return choose(
        signal, Kind::vector3,
        [&](const Curve& curve) {
          double worst = 0.0;
          for (int f = 0; f < frames_; ++f) {
            worst = std::max(worst, (CurveClip::translation(curve, f).cast<double>() - signal[f].head<3>()).norm());
          }
          return worst;
        },
        share_m);
  }

  Curve fit_rotation(JointIndex j, double share_m) {
    const auto i = static_cast<std::size_t>(j);
    const JointIndex parent = clip_.skeleton().parent(j);
    // What is right given the parents as they became.
    std::vector<Quatd> wanted;
    for (int f = 0; f < frames_; ++f) {
      const auto k = static_cast<std::size_t>(f);
      Quatd q = truth_[k].rotations[i];
      if (parent != kNoJoint) q = turned_[parent][k].conjugate() * q;
      if (!wanted.empty() && wanted.back().dot(q) < 0.0) q.coeffs() = -q.coeffs();
      wanted.push_back(q.normalized());
    }
    Curve curve;
    if (constant_[i] != 0) {
      // Putting the parents' errors right is not worth a curve.
      curve.middle = clip_.rotation(0, j);
    } else {
      curve = fit_turns(wanted, share_m / std::max(lever_[i], 1e-6));
    }
    for (int f = 0; f < frames_; ++f) {
      const Quatd own = CurveClip::rotation(curve, f).cast<double>();
      turned_[i].push_back((parent == kNoJoint ? own : turned_[parent][f] * own).normalized());
    }
    return curve;
  }

  bool turns_never(JointIndex j) const {
    for (int f = 1; f < frames_; ++f) {
      if (log_rotation((clip_.rotation(0, j).conjugate() * clip_.rotation(f, j)).cast<double>()).norm() > 1e-5)
        return false;
    }
    return true;
  }

  Curve fit_turns(const std::vector<Quatd>& wanted, double bound_rad) const {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (const Quatd& q : wanted) sum += q.coeffs();
    Quatd middle = wanted[0];
    if (sum.norm() > 1e-6 * static_cast<double>(wanted.size())) middle.coeffs() = sum.normalized();
    const auto error = [&](const Curve& curve) {
      double worst = 0.0;
      for (int f = 0; f < frames_; ++f) {
        const Quatd own = CurveClip::rotation(curve, f).cast<double>();
        worst = std::max(worst, log_rotation(own.conjugate() * wanted[f]).norm());
      }
      return worst;
    };
    Curve constant;
    constant.middle = middle.cast<float>();
    if (error(constant) <= bound_rad) return constant;
    solve::SplineSignal vectors, quaternions;
    double farthest = 0.0;
    middle = constant.middle.cast<double>().normalized();
    for (const Quatd& q : wanted) {
      const Vec3d v = log_rotation(middle.conjugate() * q);
      farthest = std::max(farthest, v.norm());
      vectors.push_back({v.x(), v.y(), v.z(), 0.0});
      quaternions.push_back(q.coeffs());
    }
    if (farthest > 2.6) return choose(quaternions, Kind::quaternion, error, bound_rad);
    const auto with_middle = [&](Curve curve) {
      curve.middle = constant.middle;
      return curve;
    };
    return with_middle(choose(
        vectors, Kind::vector3, [&](const Curve& curve) { return error(with_middle(curve)); }, bound_rad));
  }

  const Clip& clip_;
  int frames_;
  std::vector<WorldPose> truth_;
  std::vector<char> constant_;
  std::vector<double> lever_;
  std::vector<std::vector<Quatd>> turned_;  // world rotations as they became
};

Result<CurveFit> fit_curves(const Clip& clip, const CurveFitParams& params) {
  if (!(params.max_error_m > 0.0))
    return fail(ErrorCode::invalid_argument, "max_error_m is {}, expected > 0", params.max_error_m);
  CurveFitter fitter(clip);
  const std::size_t curves = static_cast<std::size_t>(clip.joint_count()) + 1;
  const auto fit_with = [&](const std::vector<double>& shares) {
    CurveFit fit{.curves = fitter.fit(shares)};
    fit.max_error_m = fitter.error_m(fit.curves);
    fit.raw_bytes = static_cast<std::size_t>(clip.frame_count()) *
                    (16 * static_cast<std::size_t>(clip.joint_count()) + 12 * clip.translated().size());
    return fit;
  };
  const auto better = [&](const CurveFit& fit, const CurveFit& than) {
    return fit.max_error_m <= params.max_error_m && fit.curves.curve_bytes() < than.curves.curve_bytes();
  };

  // One share for all that gives the bound for the whole, by bisection of its logarithm.
  double low = params.max_error_m / 64.0, high = params.max_error_m;
  CurveFit best = fit_with(std::vector<double>(curves, low));
  if (best.max_error_m > params.max_error_m) {
    return fail(ErrorCode::not_possible, "an error of {:.3g} m cannot be held: {:.3g} m is the least that was reached",
                params.max_error_m, best.max_error_m);
  }
  for (int i = 0; i < 8; ++i) {
    const double share = std::sqrt(low * high);
    CurveFit fit = fit_with(std::vector<double>(curves, share));
    (fit.max_error_m <= params.max_error_m ? low : high) = share;
    if (better(fit, best)) best = std::move(fit);
  }
  // Then curve by curve, wider where the whole still holds: the worst frame is seldom every joint's.
  std::vector<double> shares(curves, low);
  for (const double factor : {2.0, 1.4}) {
    for (std::size_t c = 0; c < curves; ++c) {
      std::vector<double> wider = shares;
      wider[c] *= factor;
      CurveFit fit = fit_with(wider);
      if (!better(fit, best)) continue;
      best = std::move(fit);
      shares = std::move(wider);
    }
  }
  return best;
}

}  // namespace shosa::segment
