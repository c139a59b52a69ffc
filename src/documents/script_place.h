#pragma once

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "shosa/io/motion_file.h"

namespace shosa::documents {

/// One place in a pose script, so that every complaint can name it: "pose.json: /drags/0/keys".
class Place {
 public:
  Place(const nlohmann::json& value, std::string file, std::string where)
      : value_(&value), file_(std::move(file)), where_(std::move(where)) {}

  const nlohmann::json& value() const { return *value_; }
  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  /// A key that is missing has the value null, so that a default that does not fit can be complained about too.
  Place at(const std::string& key) const {
    static const nlohmann::json kMissing;
    return {has(key.c_str()) ? (*value_)[key] : kMissing, file_, where_ + "/" + key};
  }
  Place at(std::size_t index) const { return {(*value_)[index], file_, fmt::format("{}/{}", where_, index)}; }

  /// The same place, known to be a layer of a script that may hold one posture.
  Place within(const Place& script) const {
    Place place = *this;
    place.holding_ = script.holds_posture();
    return place;
  }
  /// The script that this belongs to holds one posture instead of playing.
  bool holds_posture() const { return holding_ || has("at_s"); }

  std::unexpected<Error> expected(const std::string& what) const {
    return fail(ErrorCode::bad_file, "{}: {}: expected {}", file_, where_.empty() ? "/" : where_, what);
  }

  /// A key that nobody reads is a slip of the pen, which would go unnoticed.
  Result<void> only(std::initializer_list<std::string_view> keys) const {
    if (!value_->is_object()) return {};
    for (const auto& [key, unused] : value_->items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        return at(key).expected(fmt::format("one of the keys {}", fmt::join(keys, ", ")));
    }
    return {};
  }

  Result<double> number() const {
    if (!value_->is_number() || !std::isfinite(value_->get<double>())) return expected("a number");
    return value_->get<double>();
  }
  Result<Vec3d> point() const {
    if (!value_->is_array() || value_->size() != 3) return expected("[x, y, z]");
    Vec3d point;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto part = at(i).number();
      if (!part) return std::unexpected(part.error());
      point[static_cast<Eigen::Index>(i)] = *part;
    }
    if (point.norm() > 1e6) return expected("a place within 1000 km");
    return point;
  }
  Result<Quatd> rotation() const {
    if (!value_->is_array() || value_->size() != 4) return expected("[x, y, z, w]");
    Quatd q;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto part = at(i).number();
      if (!part) return std::unexpected(part.error());
      q.coeffs()[static_cast<Eigen::Index>(i)] = *part;
    }
    if (q.norm() < 1e-6) return expected("a quaternion that is not 0");
    return q.normalized();
  }
  Result<double> number_or(const char* key, double otherwise) const { return has(key) ? at(key).number() : otherwise; }
  Result<bool> flag_or(const char* key, bool otherwise) const {
    if (!has(key)) return otherwise;
    if (!at(key).value().is_boolean()) return at(key).expected("true or false");
    return at(key).value().get<bool>();
  }
  Result<JointIndex> joint(const io::MotionFile& motion) const {
    if (!has("joint") || !at("joint").value().is_string()) return expected("\"joint\", a name or role");
    const auto found = resolve_joint(*motion.skeleton, motion.body_map, at("joint").value().get<std::string>());
    if (!found) return fail(ErrorCode::bad_file, "{}: {}: {}", file_, where_, found.error().message);
    return *found;
  }

 private:
  const nlohmann::json* value_;
  std::string file_;
  std::string where_;
  bool holding_ = false;
};

}  // namespace shosa::documents
