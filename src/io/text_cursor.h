#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "io/number_text.h"
#include "shosa/core/ascii.h"
#include "shosa/core/result.h"

namespace shosa::io {

inline bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_ascii(x) == lower_ascii(y); });
}

/// A piece of a file as it can be shown in a message: short, without control characters.
inline std::string shown(std::string_view piece) {
  if (piece.empty()) return "the end of the file";
  std::string text = "'";
  for (const char c : piece.substr(0, 40)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text + (piece.size() > 40 ? "…'" : "'");
}

/// Walks over a text word by word and knows the line it is in. Words end at white space, braces and line ends.
class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  }

  std::size_t position() const { return position_; }
  void set_position(std::size_t position) { position_ = position; }
  std::string_view text() const { return text_; }
  std::string_view file() const { return file_; }

  void skip_space() {
    while (position_ < text_.size() && (is_blank(text_[position_]) || text_[position_] == '\n')) ++position_;
  }

  /// The next word, not taken; empty at the end.
  std::string_view peek() {
    skip_space();
    return word_at(position_);
  }

  std::string_view take() {
    const std::string_view word = peek();
    position_ += word.size();
    return word;
  }

  /// What is left of the current line up to a brace, without blanks at both ends.
  std::string_view take_rest_of_line() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_line_end(text_[position_]) && text_[position_] != '{' &&
           text_[position_] != '}') {
      ++position_;
    }
    std::string_view rest = text_.substr(begin, position_ - begin);
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    return rest;
  }

  void skip_line() {
    while (position_ < text_.size() && !is_line_end(text_[position_])) ++position_;
  }

  /// 1-based line of a byte. A lone CR ends a line, CR LF is one end.
  std::size_t line_of(std::size_t byte) const {
    std::size_t line = 1;
    for (std::size_t i = 0; i < std::min(byte, text_.size()); ++i) {
      if (text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'))) ++line;
    }
    return line;
  }

  /// "walk.bvh:12: found 'x', expected y", at the next word.
  std::unexpected<Error> fail_here(std::string_view expected) {
    const std::string_view word = peek();
    return fail(ErrorCode::bad_file, "{}:{}: found {}, expected {}", file_, line_of(position_), shown(word), expected);
  }

  Result<double> take_number(std::string_view what) {
    const std::string_view word = peek();
    double value = 0.0;
    const char* const end = word.data() + word.size();
    const char* const stop = word.empty() ? nullptr : parse_decimal(word.data(), end, value);
    if (stop != end) {
      if (stop != nullptr && *stop == ',') {
        return fail_here(fmt::format("{} with a decimal point (decimal commas are not read)", what));
      }
      return fail_here(what);
    }
    position_ += word.size();
    return value;
  }

 private:
  static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    if (end < text_.size() && (text_[end] == '{' || text_[end] == '}')) return text_.substr(begin, 1);
    while (end < text_.size() && !is_blank(text_[end]) && text_[end] != '\n' && text_[end] != '{' &&
           text_[end] != '}') {
      ++end;
    }
    return text_.substr(begin, end - begin);
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t position_ = 0;
};

}  // namespace shosa::io
