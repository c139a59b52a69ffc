#include <algorithm>
#include <cmath>

#include "shosa/analysis/local_ground.h"
#include "shosa/library/clip_facts.h"

namespace shosa::library {

namespace {

using body::Role;

constexpr std::array<Role, kFeaturePoints> kPoints = {Role::hips,       Role::head,      Role::left_foot,
                                                      Role::right_foot, Role::left_hand, Role::right_hand};
/// Velocities are differences over twice this, long enough to be above the noise of capture.
constexpr double kHalfSpan_s = 1.0 / 30.0;
constexpr double kMost_mm = 4000.0;

/// Where the six points are at any time: between stored frames on straight lines.
class Track {
 public:
  explicit Track(const analysis::StudiedClip& studied) : studied_(&studied) {
    const body::BodyMap& map = studied.map();
    for (int i = 0; i < kFeaturePoints; ++i)
      joints_[i] = map.has(kPoints[i]) ? map.joint(kPoints[i]) : body::root_joint(map);
  }

  struct Sample {
    std::array<Vec3d, kFeaturePoints> points;
    double heading_rad = 0.0;
  };
  Sample at(double time_s) const {
    const Clip& clip = studied_->clip();
    const double place = std::clamp(time_s, 0.0, clip.last_time_s()) / clip.frame_time_s();
    const int last = clip.frame_count() - 1;
    const int before = std::min(static_cast<int>(place), last), after = std::min(before + 1, last);
    const double share = after > before ? std::clamp(place - before, 0.0, 1.0) : 0.0;
    Sample sample;
    for (int i = 0; i < kFeaturePoints; ++i) {
      const Vec3d& a = studied_->positions().joint(before, joints_[i]);
      sample.points[i] = a + share * (studied_->positions().joint(after, joints_[i]) - a);
    }
    const double heading = studied_->heading_rad(before);
    sample.heading_rad = heading + share * (studied_->heading_rad(after) - heading);
    return sample;
  }

  /// Mean of the grounds under the feet.
  double ground_m(double time_s) const {
    const analysis::FootContacts& contacts = studied_->contacts();
    if (contacts.feet.empty()) return 0.0;
    double sum = 0.0;
    for (const auto& foot : contacts.feet) sum += analysis::local_ground_m(foot, time_s, contacts.ground_m);
    return sum / static_cast<double>(contacts.feet.size());
  }

 private:
  const analysis::StudiedClip* studied_;
  std::array<JointIndex, kFeaturePoints> joints_;
};

/// Into the frame of a body that faces along `heading_rad`.
Vec3d turned(const Vec3d& v, double sin, double cos) {
  return {cos * v.x() - sin * v.z(), v.y(), sin * v.x() + cos * v.z()};
}

std::int16_t in_mm(double metres) {
  return static_cast<std::int16_t>(std::lround(std::clamp(1000.0 * metres, -kMost_mm, kMost_mm)));
}

Feature feature_at(const Track& track, double time_s, double last_s, double scale) {
  const Track::Sample now = track.at(time_s);
  const double begin_s = std::max(time_s - kHalfSpan_s, 0.0), end_s = std::min(time_s + kHalfSpan_s, last_s);
  const Track::Sample before = track.at(begin_s), after = track.at(end_s);
  const double ahead = end_s > begin_s ? kAhead_s / (end_s - begin_s) : 0.0;
  const double sin = std::sin(now.heading_rad), cos = std::cos(now.heading_rad);
  const Vec3d origin(now.points[0].x(), track.ground_m(time_s), now.points[0].z());
  const auto place = [&](int point) -> Vec3d { return turned(now.points[point] - origin, sin, cos) / scale; };
  const auto way = [&](int point) -> Vec3d {
    return turned(after.points[point] - before.points[point], sin, cos) * (ahead / scale);
  };

  Feature feature;
  const auto put = [&](int at, const Vec3d& v) {
    for (int i = 0; i < 3; ++i) feature[at + i] = in_mm(v[i]);
  };
  feature[0] = in_mm(place(0).y());
  for (int point = 1; point < kFeaturePoints; ++point) put(3 * point - 2, place(point));
  put(16, way(0));
  for (int point = 2; point < kFeaturePoints; ++point) put(3 * point + 13, way(point));
  feature[31] = in_mm((after.heading_rad - before.heading_rad) * ahead * kTurnArm_m);
  return feature;
}

}  // namespace

std::vector<Feature> features_of(const analysis::StudiedClip& studied) {
  const Track track(studied);
  const double last_s = studied.clip().last_time_s(), scale = studied.contacts().scale;
  // A rounding error must not cost the last frame.
  const int count = static_cast<int>(last_s * kFeatureRate_hz + 1e-6) + 1;
  std::vector<Feature> features;
  features.reserve(count);
  for (int i = 0; i < count; ++i) features.push_back(feature_at(track, i / kFeatureRate_hz, last_s, scale));
  return features;
}

double feature_distance_m(const Feature& a, const Feature& b) {
  std::int32_t sum = 0;
  for (int i = 0; i < kFeatureCount; ++i) {
    const std::int32_t difference = a[i] - b[i];
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(kFeaturePoints)) / 1000.0;
}

Feature mirrored(const Feature& feature) {
  Feature other = feature;
  const auto swap_sides = [&](int left) {
    for (int i = 0; i < 3; ++i) std::swap(other[left + i], other[left + 3 + i]);
  };
  for (const int left : {4, 10, 19, 25}) swap_sides(left);
  for (const int x : {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31}) other[x] = static_cast<std::int16_t>(-other[x]);
  return other;
}

}  // namespace shosa::library
