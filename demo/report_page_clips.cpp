#include "demo/report_page_clips.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "demo/report_page_text.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/body/foot_points.h"
#include "shosa/body/kind_name.h"

namespace shosa::demo {
namespace {

using nlohmann::json;

/// Size of the drawn body: 1 for a person of 1.75 m, and for a dog whose hind leg is 0.5 m from hip to hock.
double drawing_scale(const Skeleton& skeleton, const body::BodyMap& map) {
  const double leg_m = body::leg_length_m(skeleton, map);
  if (leg_m > 0.0) return leg_m / (map.kind == body::BodyKind::quadruped ? 0.42 : 0.84);
  double low = 0.0, high = 0.0;
  for (const Vec3d& p : skeleton.rest_positions()) {
    low = std::min(low, p.minCoeff());
    high = std::max(high, p.maxCoeff());
  }
  return std::max((high - low) / 1.75, 0.05);
}

json skeleton_json(const Skeleton& skeleton, const body::BodyMap& map) {
  json joints = json::array(), end_sites = json::array(), roles = json::object();
  for (const Joint& joint : skeleton.joints()) {
    const Vec3f& t = joint.rest_translation_m;
    const Quatf& q = joint.rest_rotation;
    joints.push_back({{"name", joint.name},
                      {"parent", joint.parent},
                      {"translation", {t.x(), t.y(), t.z()}},
                      {"rotation", {q.x(), q.y(), q.z(), q.w()}}});
  }
  for (const EndSite& site : skeleton.end_sites()) {
    end_sites.push_back(
        {{"parent", site.parent}, {"offset", {site.offset_m.x(), site.offset_m.y(), site.offset_m.z()}}});
  }
  for (int role = 0; role < body::kRoleCount; ++role) {
    const JointIndex joint = map.joint(static_cast<body::Role>(role));
    if (joint != kNoJoint) roles[std::string(role_name(static_cast<body::Role>(role)))] = joint;
  }
  return {{"joints", joints},
          {"end_sites", end_sites},
          {"roles", roles},
          {"kind", body::kind_name(map.kind)},
          {"scale", drawing_scale(skeleton, map)}};
}

void put_16(std::string& bytes, std::int16_t value) {
  const auto bits = static_cast<std::uint16_t>(value);
  bytes += static_cast<char>(bits & 0xff);
  bytes += static_cast<char>(bits >> 8);
}

void put_float(std::string& bytes, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 0xff);
}

Result<std::string> pack_samples(const Clip& clip, const std::string& where) {
  std::string bytes;
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
      const Quatf q = clip.rotation(frame, joint);
      const float norm = q.norm();
      if (!std::isfinite(norm) || norm < 1e-3f) {
        return fail(ErrorCode::invalid_argument, "{}: the rotation of joint '{}' in frame {} is no rotation", where,
                    clip.skeleton().name(joint), frame);
      }
      for (const float value : {q.x(), q.y(), q.z(), q.w()}) {
        put_16(bytes, static_cast<std::int16_t>(std::lround(value / norm * 32767.0f)));
      }
    }
  }
  for (int frame = 0; frame < clip.frame_count(); ++frame) {
    for (const JointIndex joint : clip.translated()) {
      const Vec3f t = clip.translation(frame, joint);
      if (!t.allFinite()) {
        return fail(ErrorCode::invalid_argument, "{}: the translation of joint '{}' in frame {} is not finite", where,
                    clip.skeleton().name(joint), frame);
      }
      for (int axis = 0; axis < 3; ++axis) put_float(bytes, t[axis]);
    }
  }
  return base64(bytes);
}

/// Rounded for the page: a millimetre, a millisecond.
double rounded(double value) {
  return std::round(value * 1e4) / 1e4;
}

json clip_json(const FigureClip& shown, std::size_t skeleton) {
  json feet = json::array();
  double ground_m = 0.0;
  if (const auto studied = analysis::study(shown.clip, shown.body_map); studied.needs_feet()) {
    ground_m = studied.contacts().ground_m;
    for (const auto& foot : studied.contacts().feet) {
      json stances = json::array();
      for (const auto& stance : foot.stances) {
        stances.push_back({rounded(stance.time.begin_s), rounded(stance.time.end_s), rounded(stance.ground_m)});
      }
      feet.push_back({{"name", foot.points.name}, {"joint", foot.points.joint}, {"stances", stances}});
    }
  }
  return {{"name", shown.name},
          {"caption", shown.caption},
          {"skeleton", skeleton},
          {"frames", shown.clip.frame_count()},
          {"frame_time_s", shown.clip.frame_time_s()},
          {"translated", shown.clip.translated()},
          {"ground_m", rounded(ground_m)},
          {"feet", feet}};
}

/// JSON that cannot end the script element it stands in.
std::string for_script(const json& data) {
  const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

Result<PageClips> pack_clips(const std::vector<Figure>& figures) {
  PageClips page;
  json skeletons = json::array(), clips = json::array(), list = json::array();
  for (const Figure& figure : figures) {
    json shown = json::array();
    for (const FigureClip& clip : figure.clips) {
      const json skeleton = skeleton_json(clip.clip.skeleton(), clip.body_map);
      const auto known = std::find(skeletons.begin(), skeletons.end(), skeleton);
      const auto place = static_cast<std::size_t>(known - skeletons.begin());
      if (known == skeletons.end()) skeletons.push_back(skeleton);

      auto samples = pack_samples(clip.clip, fmt::format("figure {}, clip {}", figure.id, clip.name));
      if (!samples) return std::unexpected(samples.error());
      shown.push_back(clips.size());
      clips.push_back(clip_json(clip, place));
      page.samples.push_back(std::move(*samples));
    }
    list.push_back({{"id", figure.id}, {"title", figure.title}, {"clips", shown}});
  }
  page.json = for_script({{"skeletons", skeletons}, {"clips", clips}, {"figures", list}});
  return page;
}

}  // namespace shosa::demo
