#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::motions {

/// No length, time or angle of a body comes near it; beyond, sums and rounding could overflow.
inline constexpr double kLargest = 1e4;

/// The words of a line; a comment runs from # to its end.
inline std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line) {
    if (c == '#') break;
    if (c == ' ' || c == '\t' || c == '\r') {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

/// The words of one line, taken one after the other; the first error is kept.
class Line {
 public:
  Line(std::vector<std::string> words, std::string where) : words_(std::move(words)), where_(std::move(where)) {}

  bool empty() const { return at_ >= words_.size(); }
  std::string word() {
    if (empty()) return error("a word is missing after '" + (words_.empty() ? "" : words_.back()) + "'"), "";
    return words_[at_++];
  }
  double number() {
    const std::string text = word();
    double value = 0.0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
      error("'" + text + "' found, a number expected");
      return 0.0;
    }
    if (std::abs(value) > kLargest) {
      error("'" + text + "' found, a number between -10000 and 10000 expected");
      return 0.0;
    }
    return value;
  }
  /// 0 for left, 1 for right.
  int side() {
    const std::string text = word();
    if (text != "left" && text != "right") error("'" + text + "' found, left or right expected");
    return text == "right" ? 1 : 0;
  }
  void error(const std::string& what) {
    if (error_.empty()) error_ = where_ + ": " + what;
  }
  const std::string& error() const { return error_; }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string where_, error_;
};

/// `read(line, first word)` for every line that says something. Fails at the first that is in error or has words left.
template <class Read>
Result<void> read_lines(std::string_view text, const std::string& name_for_errors, const Read& read) {
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    Line line(words_of(text.substr(0, end)), fmt::format("{}:{}", name_for_errors, ++number));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    const std::string word = line.word();
    read(line, word);
    if (line.error().empty() && !line.empty()) line.error("'" + line.word() + "' found, the end of the line expected");
    if (!line.error().empty()) return fail(ErrorCode::bad_file, "{}", line.error());
  }
  return {};
}

/// `key TIME OVER POSTURE`: what a posture leaves unsaid is as in the key before.
template <class Key, class ReadPosture>
void read_key(Line& line, std::vector<Key>& keys, const ReadPosture& read_posture) {
  Key key;
  key.time_s = line.number();
  key.over_s = line.number();
  if (!keys.empty()) {
    key.posture = keys.back().posture;
    if (!(key.over_s > 0)) line.error("a key after the first needs a movement longer than 0");
  }
  read_posture(line, key.posture);
  keys.push_back(key);
}

/// A whole description: each statement is read into it, one without keys gets the first, and its rules are checked.
template <class Described, class Statement>
Result<Described> read_description(std::string_view text, const std::string& name_for_errors, Described description,
                                   const Statement& statement) {
  const auto read = read_lines(text, name_for_errors,
                               [&](Line& line, const std::string& word) { statement(line, word, description); });
  if (!read) return std::unexpected(read.error());
  if (description.keys.empty()) description.keys.emplace_back();
  if (const auto rules = check_rules(description, name_for_errors); !rules) return std::unexpected(rules.error());
  return description;
}

}  // namespace shosa::motions
