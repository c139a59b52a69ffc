#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::segment {

/// A motion held as fitted curves instead of samples.
///
/// Each joint's rotation, and each translation that varies, is a cubic B-spline with knots at a spacing of its own and
/// control points of a bit width of its own. A posture at any time reads four control points per curve: random access,
/// no neighbours, no cursor. Rotations are rotation vectors from the curve's middle, or quaternions where a joint turns
/// far. docs/methods/segment_editing.md, "Curves"
class CurveClip {
 public:
  const std::shared_ptr<const Skeleton>& skeleton() const { return skeleton_; }
  int frame_count() const { return frame_count_; }
  double frame_time_s() const { return frame_time_s_; }
  const std::string& name() const { return name_; }
  const std::vector<JointIndex>& translated() const { return translated_; }

  /// The posture at frame `frame` (fractions lie between), clamped to the clip. Allocates only to size the pose.
  void sample(double frame, Pose& pose) const;
  /// Samples `first`..`last` as a clip, for everything that edits clips. Fails outside the clip, or where the samples
  /// would take more than kMaxSampleBytes.
  Result<Clip> decode(int first, int last) const;
  Result<Clip> decode() const;

  /// Of the curves alone: control points, ranges and spacings, without the skeleton.
  std::size_t curve_bytes() const;

  /// The whole as bytes, and back. The reader refuses what is not such a file and never reads past its end.
  std::string to_bytes() const;
  static Result<CurveClip> from_bytes(std::string_view bytes, const std::string& name_for_errors);

 private:
  friend class CurveFitter;
  friend class CurveReader;
  enum class Kind : std::uint8_t {
    constant,
    vector3,
    quaternion
  };
  struct Curve {
    Kind kind = Kind::constant;
    int spacing = 4;                   // between knots, in quarters of a frame
    int points = 0;                    // control points
    int bits[4] = {};                  // of each part's numbers; 0: the part is `low`
    Quatf middle = Quatf::Identity();  // rotations only; the value itself where constant
    float low[4] = {}, step[4] = {};   // value = low + step * number
    std::vector<std::uint32_t> packed;
    int parts() const { return kind == Kind::quaternion ? 4 : 3; }
    int point_bits() const { return bits[0] + bits[1] + bits[2] + bits[3]; }
    std::size_t packed_bytes() const {
      return (static_cast<std::size_t>(points) * static_cast<std::size_t>(point_bits()) + 7) / 8;
    }
  };
  static void evaluate(const Curve& curve, double frame, double* out);
  static Quatf rotation(const Curve& curve, double frame);
  static Vec3f translation(const Curve& curve, double frame);

  std::shared_ptr<const Skeleton> skeleton_;
  int frame_count_ = 0;
  double frame_time_s_ = 0.0;
  std::string name_;
  std::vector<JointIndex> translated_;
  std::vector<Curve> rotations_;
  std::vector<Curve> translations_;
};

/// Fits curves so that no joint and no end site is further than `max_error_m` from its place in any frame.
struct CurveFitParams {
  double max_error_m = 0.001;  ///< > 0.
};
struct CurveFit {
  CurveClip curves;
  double max_error_m = 0.0;   ///< Measured over all frames, joints and end sites.
  std::size_t raw_bytes = 0;  ///< Of the samples: four floats per joint and frame, three per varying translation.
};
/// Fails when the bound is not positive or is finer than single precision holds (then the message says what was
/// reached).
Result<CurveFit> fit_curves(const Clip& clip, const CurveFitParams& params = {});

}  // namespace shosa::segment
