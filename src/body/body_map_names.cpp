#include "body/body_map_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "shosa/core/ascii.h"

namespace shosa::body::body_map_detail {
namespace {

using namespace std::string_view_literals;

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& set, std::string_view word) {
  return std::ranges::find(set, word) != set.end();
}

constexpr std::array kLeft = {"left"sv, "l"sv, "lft"sv, "lt"sv};
constexpr std::array kRight = {"right"sv, "r"sv, "rgt"sv, "rt"sv};
/// Words that carry no meaning of their own; they may stand anywhere.
constexpr std::array kFiller = {
    "mixamorig"sv, "bip"sv,      "biped"sv, "valve"sv, "valvebiped"sv, "b"sv,     "j"sv,    "c"sv,
    "m"sv,         "def"sv,      "org"sv,   "jnt"sv,   "jt"sv,         "joint"sv, "bone"sv, "skeleton"sv,
    "character"sv, "cc"sv,       "base"sv,  "rig"sv,   "armature"sv,   "bend"sv,  "adj"sv,  "skel"sv,
    "human"sv,     "humanoid"sv, "dog"sv,   "cat"sv,   "horse"sv,      "fox"sv,   "hind"sv, "rear"sv};
/// Fillers whose number belongs to the prefix (Bip01, Character1).
constexpr std::array kNumberedPrefix = {"bip"sv, "biped"sv, "character"sv, "mixamorig"sv};
constexpr std::array kIgnored = {
    "twist"sv, "roll"sv,     "ik"sv,        "fk"sv,     "pole"sv,       "target"sv,      "nub"sv,       "end"sv,
    "tip"sv,   "effector"sv, "effectors"sv, "site"sv,   "armor"sv,      "breast"sv,      "hair"sv,      "skirt"sv,
    "cloth"sv, "ear"sv,      "tongue"sv,    "helper"sv, "socket"sv,     "weapon"sv,      "camera"sv,    "prop"sv,
    "heel"sv,  "mch"sv,      "sec"sv,       "carpal"sv, "metatarsal"sv, "metatarsals"sv, "horselink"sv, "top"sv};
constexpr std::array kAnimal = {"dog"sv, "cat"sv, "horse"sv, "fox"sv, "paw"sv, "hoof"sv, "tail"sv, "horselink"sv};
constexpr std::array kFingerCompany = {"hand"sv,   "f"sv,      "finger"sv,     "proximal"sv, "intermediate"sv,
                                       "medial"sv, "distal"sv, "metacarpal"sv, "in"sv};

struct Words {
  std::vector<std::string> words;  ///< Lower case letters.
  std::vector<std::string> digits;
};

/// Splits at separators, at digits and where case says a word begins (LHipJoint -> l hip joint).
Words split(std::string_view name) {
  Words out;
  std::string word;
  bool after_numbered_prefix = false;
  const auto flush = [&] {
    if (!word.empty()) {
      after_numbered_prefix = contains(kNumberedPrefix, word);
      out.words.push_back(std::move(word));
    }
    word.clear();
  };
  for (std::size_t i = 0; i < name.size();) {
    if (is_digit(name[i])) {
      flush();
      const std::size_t begin = i;
      while (i < name.size() && is_digit(name[i])) ++i;
      if (!after_numbered_prefix) out.digits.emplace_back(name.substr(begin, i - begin));
      after_numbered_prefix = false;
      continue;
    }
    if (!is_letter(name[i])) {
      flush();
      ++i;
      continue;
    }
    const bool starts = !word.empty() && is_upper(name[i]) &&
                        (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if (starts) flush();
    word.push_back(lower_ascii(name[i]));
    ++i;
  }
  flush();
  return out;
}

std::string join(const std::vector<std::string>& words, std::size_t begin, bool drop_fillers) {
  std::string key;
  for (std::size_t i = begin; i < words.size(); ++i) {
    if (!drop_fillers || !contains(kFiller, words[i])) key += words[i];
  }
  return key;
}

Part sided(Part part) {
  return part == Part::hips ? Part::side_hip : part;
}

/// "lfemur", "leftarm", "shoulderleft": the side is written together with a known word.
bool split_glued_side(std::string_view key, Side& side, std::string& rest) {
  const auto try_rest = [&](std::string_view candidate, Side found) {
    if (candidate.empty() || find_part(candidate) == Part::unknown) return false;
    side = found;
    rest = candidate;
    return true;
  };
  if (key.starts_with("left") && try_rest(key.substr(4), Side::left)) return true;
  if (key.starts_with("right") && try_rest(key.substr(5), Side::right)) return true;
  if (key.ends_with("left") && try_rest(key.substr(0, key.size() - 4), Side::left)) return true;
  if (key.ends_with("right") && try_rest(key.substr(0, key.size() - 5), Side::right)) return true;
  if (key.starts_with("l") && try_rest(key.substr(1), Side::left)) return true;
  return key.starts_with("r") && try_rest(key.substr(1), Side::right);
}

/// Xsens names the back by vertebra: L5, L3, T12, T8 are no left joints.
bool is_vertebra(const Words& name) {
  if (name.words.size() != 1 || name.digits.size() != 1 || name.digits[0].size() > 2) return false;
  int number = 0;
  std::from_chars(name.digits[0].data(), name.digits[0].data() + name.digits[0].size(), number);
  return (name.words[0] == "l" && number >= 1 && number <= 5) || (name.words[0] == "t" && number >= 1 && number <= 12);
}

/// Thumb, index … with nothing but finger words around; metacarpals of the four fingers carry no role.
Part finger_part(std::span<const std::string> words) {
  Part part = Part::unknown;
  bool metacarpal = false;
  for (const std::string& word : words) {
    const Part found = find_part(word);
    if (found >= Part::thumb) {
      part = found;
    } else if (!contains(kFingerCompany, word) && !contains(kFiller, word)) {
      return Part::unknown;
    }
    metacarpal = metacarpal || word == "metacarpal" || word == "in";
  }
  return metacarpal && part != Part::unknown && part != Part::thumb ? Part::ignored : part;
}

/// A front leg is an arm in the words of roles.
Part front(Part part) {
  switch (part) {
    case Part::side_hip:
      return Part::shoulder;
    case Part::leg:
      return Part::arm;
    case Part::upper_leg:
      return Part::upper_arm;
    case Part::lower_leg:
      return Part::lower_arm;
    case Part::ankle:
      return Part::wrist;
    case Part::foot:
      return Part::hand;
    case Part::toes:
      return Part::ignored;
    default:
      return part;
  }
}

/// Takes the words that speak of side and front or back out; `is_front` for front legs.
void take_direction(std::vector<std::string>& words, NameLabel& label, bool& is_front) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool before_arm = i + 1 < words.size() && words[i + 1] == "arm";
    if (contains(kLeft, word) || contains(kRight, word)) {
      if (label.side == Side::none) label.side = contains(kLeft, word) ? Side::left : Side::right;
    } else if (word == "front" || (word == "fore" && !before_arm)) {
      is_front = true;
    } else if (word == "foreleg" || word == "frontleg" || word == "forefoot") {
      is_front = true;
      rest.push_back(word.ends_with("leg") ? "leg" : "foot");
    } else if (word == "hindleg" || word == "backleg") {
      label.animal = true;
      rest.emplace_back("leg");
    } else if (word == "paw" || word == "hoof") {
      rest.emplace_back("foot");
    } else if (word == "back" && words.size() > 2 && rest.empty() && i + 1 < words.size()) {
      label.animal = true;
    } else {
      rest.push_back(word);
    }
    label.animal = label.animal || contains(kAnimal, word) || word == "hind" || word == "rear";
  }
  words = std::move(rest);
  label.animal = label.animal || is_front;
}

/// No key has more words than this.
constexpr std::size_t kMostKeyWords = 16;

/// The longest tail of the words that is a known key: names may begin with anything (a character's name, a group).
Part part_of_words(const std::vector<std::string>& words, NameLabel& label) {
  const auto look_up = [&](const std::string& key) {
    const Part part = find_part(key);
    if (part != Part::unknown || label.side != Side::none) return part;
    std::string rest;
    return split_glued_side(key, label.side, rest) ? find_part(rest) : Part::unknown;
  };
  const std::string whole = join(words, 0, true);
  if (Part part = look_up(whole); part != Part::unknown)
    return find_part(join(words, 0, false)) == Part::hip_helper ? Part::hip_helper : part;
  for (const std::string& word : words) {
    if (contains(kIgnored, word)) return Part::ignored;
  }
  const std::size_t first = words.size() > kMostKeyWords ? words.size() - kMostKeyWords : 0;
  for (std::size_t begin = first; begin < words.size(); ++begin) {
    if (const Part part = finger_part(std::span(words).subspan(begin)); part != Part::unknown) return part;
    for (const bool drop : {false, true}) {
      const std::string key = join(words, begin, drop);
      if (const Part part = key.empty() ? Part::unknown : look_up(key); part != Part::unknown) return part;
    }
  }
  return Part::unknown;
}

}  // namespace

NameLabel read_name(std::string_view name) {
  if (const auto cut = name.find_last_of(":|"); cut != std::string_view::npos) name.remove_prefix(cut + 1);
  NameLabel label;
  Words split_name = split(name);
  label.digits = split_name.digits;
  for (const std::string& digits : split_name.digits) {
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    label.numbers.push_back(number);
  }
  if (is_vertebra(split_name)) {
    label.part = Part::spine;
    label.sideless = split_name.words[0] + split_name.digits[0];
    return label;
  }
  bool is_front = false;
  take_direction(split_name.words, label, is_front);
  label.part = part_of_words(split_name.words, label);
  // Blender's BVH exporter puts "__UpLeg_L" between joints whose ends do not meet.
  if (name.starts_with("__")) label.part = Part::ignored;

  if (label.side != Side::none) {
    if (label.part == Part::hips) {
      label.part = join(split_name.words, 0, true).ends_with("pelvis") ? Part::hip_helper : sided(label.part);
    }
    if (is_front) label.part = front(label.part);
  }
  label.sideless = join(split_name.words, 0, false);
  std::string rest;
  Side glued = Side::none;
  if (find_part(label.sideless) == Part::unknown && split_glued_side(label.sideless, glued, rest) &&
      glued == label.side) {
    label.sideless = rest;
  }
  for (const std::string& digits : label.digits) label.sideless += "_" + digits;
  return label;
}

}  // namespace shosa::body::body_map_detail
