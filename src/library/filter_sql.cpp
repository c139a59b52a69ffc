#include "library/filter_sql.h"

#include <algorithm>

#include "shosa/body/kind_name.h"

namespace shosa::library {

namespace {

/// Whether FTS5 sees a word in a text, not only signs: an empty phrase would fit nothing.
bool has_word(const std::string& text) {
  return std::ranges::any_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

/// Words as FTS5 is asked for them: every one must be there or begin one that is.
std::string word_query(const std::string& words) {
  std::string query;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find_first_of(" \t\r\n", begin), words.size());
    std::string quoted;
    for (const char c : words.substr(begin, end - begin)) quoted += c == '"' ? "\"\"" : std::string(1, c);
    if (has_word(quoted)) query += (query.empty() ? "\"" : " AND \"") + quoted + "\"*";
    begin = end + 1;
  }
  return query;
}

}  // namespace

Conditions::Conditions(const Filter& filter) {
  const std::string words = word_query(filter.words);
  has_words_ = !words.empty();
  if (has_words_) add("words MATCH", words);
  if (filter.kind) add("clips.kind =", std::string(body::kind_name(*filter.kind)));
  if (filter.file) add("files.path =", *filter.file);
  add("clips.speed_mps", filter.speed_mps);
  add("clips.duration_s", filter.length_s);
  add("clips.turn_deg", filter.turn_deg);
  if (filter.flight) add("clips.flight_s > 0");
  if (filter.cycle) add("clips.cycle_s > 0");
}

void Conditions::add(const std::string& condition) {
  text_ += (text_.empty() ? " WHERE " : " AND ") + condition;
}
void Conditions::add(const std::string& condition, std::string value) {
  values_.push_back(std::move(value));
  add(condition + " ?" + std::to_string(values_.size()));
}
void Conditions::add(const std::string& column, const std::optional<Range>& range) {
  // Numbers with all their digits; `fmt` cannot write anything but a number there.
  if (range && range->low) add(fmt::format("{} >= {:.17g}", column, *range->low));
  if (range && range->high) add(fmt::format("{} <= {:.17g}", column, *range->high));
}

void Conditions::bind(Statement& statement) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    statement.bind(static_cast<int>(i) + 1, std::string_view(values_[i]));
}

}  // namespace shosa::library
