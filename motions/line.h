#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace shosa::motions
