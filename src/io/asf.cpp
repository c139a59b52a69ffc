#include "io/asf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "io/euler.h"
#include "io/text_cursor.h"

namespace shosa::io {

AcclaimLines::AcclaimLines(std::string_view text, std::string_view file) : text_(text), file_(file) {
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
}

bool AcclaimLines::next() {
  if (repeat_) {
    repeat_ = false;
    return !words_.empty();
  }
  words_.clear();
  while (words_.empty() && position_ < text_.size()) {
    ++line_;
    const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
    std::string_view line = text_.substr(position_, end - position_);
    position_ = end + 1;
    if (end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n') ++position_;
    line = line.substr(0, line.find('#'));
    for (std::size_t i = 0; i < line.size();) {
      if (is_blank(line[i])) {
        ++i;
        continue;
      }
      std::size_t word_end = i;
      while (word_end < line.size() && !is_blank(line[word_end])) ++word_end;
      words_.push_back(line.substr(i, word_end - i));
      i = word_end;
    }
  }
  return !words_.empty();
}

std::unexpected<Error> AcclaimLines::fail_here(std::string_view found, std::string_view expected) const {
  return fail(ErrorCode::bad_file, "{}:{}: found {}, expected {}", file_, line_, shown(found), expected);
}

Result<double> AcclaimLines::number(std::size_t index, std::string_view what) const {
  if (index >= words_.size()) {
    return fail(ErrorCode::bad_file, "{}:{}: found {} words, expected {}", file_, line_, words_.size(), what);
  }
  const std::string_view word = words_[index];
  double value = 0.0;
  const char* const stop = parse_decimal(word.data(), word.data() + word.size(), value);
  if (stop != word.data() + word.size()) return fail_here(word, what);
  return value;
}

namespace {

std::optional<AcclaimDof> find_dof(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kNames = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (same_word(word, kNames[i])) return static_cast<AcclaimDof>(i);
  }
  return std::nullopt;
}

/// "XYZ" as axes 0 1 2.
std::optional<EulerOrder> find_order(std::string_view word) {
  if (word.size() != 3) return std::nullopt;
  EulerOrder order{};
  int seen = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    order[i] = (word[i] | 0x20) - 'x';
    if (order[i] < 0 || order[i] > 2) return std::nullopt;
    seen |= 1 << order[i];
  }
  return seen == 7 ? std::optional(order) : std::nullopt;
}

/// Turns about the fixed axes x, y, z by the given angles, in this order.
Quatd fixed_axes_rotation(const Vec3d& angles_deg, const EulerOrder& order) {
  Quatd rotation = Quatd::Identity();
  for (const int axis : order) {
    Quatd turn = Quatd::Identity();
    turn_about_axis_deg(turn, axis, angles_deg[axis]);
    rotation = turn * rotation;
  }
  return rotation;
}

class AsfParser {
 public:
  AsfParser(std::string_view text, std::string_view file) : lines_(text, file), file_(file) {}

  Result<AcclaimSkeleton> parse() {
    AcclaimBone root{.name = "root"};
    skeleton_.bones.push_back(std::move(root));
    while (lines_.next()) {
      const std::string_view word = lines_.words().front();
      Result<void> parsed;
      if (same_word(word, ":units")) {
        parsed = parse_units();
      } else if (same_word(word, ":root")) {
        parsed = parse_root();
      } else if (same_word(word, ":bonedata")) {
        parsed = parse_bones();
      } else if (same_word(word, ":hierarchy")) {
        parsed = parse_hierarchy();
      } else if (word.starts_with(':')) {
        skip_section();
      } else {
        return lines_.fail_here(word, "a section such as :units");
      }
      if (!parsed) return std::unexpected(parsed.error());
    }
    if (!has_hierarchy_) return fail(ErrorCode::bad_file, "{}: no :hierarchy section, expected one", file_);
    return in_tree_order();
  }

 private:
  bool next_in_section() {
    if (!lines_.next()) return false;
    if (!lines_.words().front().starts_with(':')) return true;
    lines_.put_back();
    return false;
  }

  void skip_section() {
    while (next_in_section()) {
    }
  }

  Result<Vec3d> vector_after_keyword(std::string_view what) {
    Vec3d vector;
    for (std::size_t i = 0; i < 3; ++i) {
      const Result<double> value = lines_.number(i + 1, what);
      if (!value) return std::unexpected(value.error());
      vector[static_cast<Eigen::Index>(i)] = *value;
    }
    return vector;
  }

  /// Three angles after the keyword, in degrees.
  Result<Vec3d> angles_after_keyword(std::string_view what) {
    Result<Vec3d> angles = vector_after_keyword(what);
    if (!angles || skeleton_.degrees) return angles;
    *angles *= kDegPerRad;
    if (!angles->allFinite()) return lines_.fail_here(lines_.words()[0], fmt::format("{} that are finite", what));
    return angles;
  }

  Result<void> parse_units() {
    while (next_in_section()) {
      const auto& words = lines_.words();
      if (same_word(words[0], "length")) {
        const Result<double> length = lines_.number(1, "the length factor");
        if (!length) return std::unexpected(length.error());
        if (!(*length > 0.0)) return lines_.fail_here(words[1], "a positive length factor");
        skeleton_.length_scale = *length;
      } else if (same_word(words[0], "angle")) {
        const std::string_view unit = words.size() > 1 ? words[1] : "";
        if (!same_word(unit, "deg") && !same_word(unit, "rad")) return lines_.fail_here(unit, "deg or rad");
        skeleton_.degrees = same_word(unit, "deg");
      }
    }
    return {};
  }

  Result<void> parse_root() {
    AcclaimBone& root = skeleton_.bones.front();
    EulerOrder order = {0, 1, 2};
    Vec3d orientation = Vec3d::Zero();
    while (next_in_section()) {
      const auto& words = lines_.words();
      if (same_word(words[0], "order")) {
        if (auto parsed = parse_dof(root); !parsed) return parsed;
      } else if (same_word(words[0], "axis")) {
        const auto found = find_order(words.size() > 1 ? words[1] : "");
        if (!found) return lines_.fail_here(words.back(), "an axis order such as XYZ");
        order = *found;
      } else if (same_word(words[0], "position")) {
        const Result<Vec3d> position = vector_after_keyword("three numbers for position");
        if (!position) return std::unexpected(position.error());
        skeleton_.root_position = *position;
      } else if (same_word(words[0], "orientation")) {
        const Result<Vec3d> angles = angles_after_keyword("three numbers for orientation");
        if (!angles) return std::unexpected(angles.error());
        orientation = *angles;
      }
    }
    root.axis = fixed_axes_rotation(orientation, order);
    // The root's turns follow its axis order, whatever the order of its values.
    root.turn_order.clear();
    for (const int axis : order) {
      for (std::size_t i = 0; i < root.dof.size(); ++i) {
        if (root.dof[i] == 3 + axis) root.turn_order.push_back(static_cast<int>(i));
      }
    }
    return {};
  }

  Result<void> parse_dof(AcclaimBone& bone) {
    bone.dof.clear();
    bone.turn_order.clear();
    for (std::size_t i = 1; i < lines_.words().size(); ++i) {
      const auto dof = find_dof(lines_.words()[i]);
      if (!dof) return lines_.fail_here(lines_.words()[i], "tx, ty, tz, rx, ry, rz or l");
      if (std::ranges::find(bone.dof, *dof) != bone.dof.end()) return lines_.fail_here(lines_.words()[i], "each once");
      if (*dof >= 3 && *dof <= 5) bone.turn_order.push_back(static_cast<int>(bone.dof.size()));
      bone.dof.push_back(*dof);
    }
    return {};
  }

  Result<void> parse_bones() {
    while (next_in_section()) {
      if (!same_word(lines_.words()[0], "begin")) return lines_.fail_here(lines_.words()[0], "begin");
      if (auto parsed = parse_bone(); !parsed) return parsed;
    }
    return {};
  }

  Result<void> parse_bone() {
    AcclaimBone bone;
    Vec3d direction = Vec3d::Zero();
    double length = 0.0;
    for (;;) {
      if (!next_in_section()) return lines_.fail_here("", "end of a bone");
      const auto& words = lines_.words();
      if (same_word(words[0], "end")) break;
      if (same_word(words[0], "name")) {
        if (words.size() < 2) return lines_.fail_here(words[0], "a bone's name");
        bone.name = std::string(words[1]);
      } else if (same_word(words[0], "direction")) {
        const Result<Vec3d> vector = vector_after_keyword("three numbers for direction");
        if (!vector) return std::unexpected(vector.error());
        direction = *vector;
      } else if (same_word(words[0], "length")) {
        const Result<double> value = lines_.number(1, "a bone's length");
        if (!value) return std::unexpected(value.error());
        length = *value;
      } else if (same_word(words[0], "axis")) {
        const Result<Vec3d> angles = angles_after_keyword("three numbers for axis");
        if (!angles) return std::unexpected(angles.error());
        const auto order = words.size() > 4 ? find_order(words[4]) : EulerOrder{0, 1, 2};
        if (!order) return lines_.fail_here(words[4], "an axis order such as XYZ");
        bone.axis = fixed_axes_rotation(*angles, *order);
      } else if (same_word(words[0], "dof")) {
        if (auto parsed = parse_dof(bone); !parsed) return parsed;
      }
    }
    if (bone.name.empty()) return lines_.fail_here("end", "a bone's name before it");
    bone.tip = direction * length;
    if (!by_name_.emplace(bone.name, static_cast<JointIndex>(skeleton_.bones.size())).second || bone.name == "root") {
      return lines_.fail_here(bone.name, "each bone once");
    }
    skeleton_.bones.push_back(std::move(bone));
    return {};
  }

  Result<JointIndex> find_bone(std::string_view name) const {
    if (same_word(name, "root")) return 0;
    const auto found = by_name_.find(std::string(name));
    if (found == by_name_.end()) return lines_.fail_here(name, "a bone of :bonedata");
    return found->second;
  }

  Result<void> parse_hierarchy() {
    has_hierarchy_ = true;
    while (next_in_section()) {
      const auto& words = lines_.words();
      if (same_word(words[0], "begin") || same_word(words[0], "end")) continue;
      const Result<JointIndex> parent = find_bone(words[0]);
      if (!parent) return std::unexpected(parent.error());
      for (std::size_t i = 1; i < words.size(); ++i) {
        const Result<JointIndex> child = find_bone(words[i]);
        if (!child) return std::unexpected(child.error());
        AcclaimBone& bone = skeleton_.bones[*child];
        if (*child == 0 || bone.parent != kNoJoint) return lines_.fail_here(words[i], "each bone below one parent");
        bone.parent = *parent;
      }
    }
    return {};
  }

  /// Parents first; bones that do not hang on the root are an error.
  Result<AcclaimSkeleton> in_tree_order() {
    const std::size_t count = skeleton_.bones.size();
    std::vector<std::vector<JointIndex>> children(count);
    for (std::size_t i = 1; i < count; ++i) {
      if (skeleton_.bones[i].parent == kNoJoint) {
        return fail(ErrorCode::bad_file, "{}: bone '{}' is not in :hierarchy, expected every bone there", file_,
                    skeleton_.bones[i].name);
      }
      children[skeleton_.bones[i].parent].push_back(static_cast<JointIndex>(i));
    }
    AcclaimSkeleton ordered = skeleton_;
    ordered.bones.clear();
    std::vector<std::pair<JointIndex, JointIndex>> waiting = {{0, kNoJoint}};  // old index, new parent
    while (!waiting.empty()) {
      const auto [old_index, parent] = waiting.back();
      waiting.pop_back();
      AcclaimBone bone = std::move(skeleton_.bones[old_index]);
      bone.parent = parent;
      ordered.bones.push_back(std::move(bone));
      const auto& below = children[old_index];
      for (auto child = below.rbegin(); child != below.rend(); ++child) {
        waiting.emplace_back(*child, static_cast<JointIndex>(ordered.bones.size()) - 1);
      }
    }
    if (ordered.bones.size() != count) {
      return fail(ErrorCode::bad_file, "{}: {} bones hang in a circle, expected a tree below root", file_,
                  count - ordered.bones.size());
    }
    return ordered;
  }

  AcclaimLines lines_;
  std::string_view file_;
  AcclaimSkeleton skeleton_;
  std::unordered_map<std::string, JointIndex> by_name_;
  bool has_hierarchy_ = false;
};

}  // namespace

Result<AcclaimSkeleton> parse_acclaim_skeleton(std::string_view text, std::string_view file) {
  return AsfParser(text, file).parse();
}

}  // namespace shosa::io
