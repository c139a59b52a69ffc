#pragma once

#include <string>
#include <vector>

#include "library/database.h"
#include "shosa/library/library.h"

namespace shosa::library {

/// A filter as conditions of SQL over the tables clips, files and words, with their values apart from the text.
class Conditions {
 public:
  explicit Conditions(const Filter& filter);
  /// " WHERE …", or empty.
  const std::string& text() const { return text_; }
  bool has_words() const { return has_words_; }
  void bind(Statement& statement) const;

 private:
  void add(const std::string& condition);
  void add(const std::string& condition, std::string value);
  void add(const std::string& column, const std::optional<Range>& range);

  std::string text_;
  std::vector<std::string> values_;
  bool has_words_ = false;
};

}  // namespace shosa::library
