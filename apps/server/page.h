#pragma once

#include <span>
#include <string>
#include <string_view>

namespace shosa::server {

/// A file of the studio's page.
struct PageFile {
  std::string_view path;     ///< `assets/index-….js`: the name holds the hash of the content, but for index.html.
  std::string_view gzipped;  ///< Its bytes, packed.
};

/// The files of the studio (`make studio`), as they were when this program was built; empty where it was built without.
std::span<const PageFile> page_files();

/// The page for programs that were built without the studio: it lists, plays and searches. Everything in one file.
const std::string& plain_page();

}  // namespace shosa::server
