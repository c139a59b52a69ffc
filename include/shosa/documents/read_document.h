#pragma once

#include <string>

#include "shosa/io/read_text.h"

namespace shosa::documents {

/// The document in a file: `read_document("dance.json", parse_score)`.
template <class Parse>
auto read_document(const std::string& path, const Parse& parse) -> decltype(parse(std::string(), path)) {
  const auto text = io::read_text(path);
  if (!text) return std::unexpected(text.error());
  return parse(*text, path);
}

}  // namespace shosa::documents
