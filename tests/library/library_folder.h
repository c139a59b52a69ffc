#pragma once

#include <string>

#include "library/database.h"
#include "scenes/scenes.h"
#include "shosa/io/read_text.h"
#include "shosa/library/find.h"
#include "support/paths.h"
#include "support/test_folder.h"

namespace shosa::test {

/// A test with an empty folder for clips.
class LibraryFolder : public FolderTest {
 protected:
  /// Times of change that lie back, so that files are told by them.
  void age(int seconds = 60) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      if (entry.is_regular_file())
        std::filesystem::last_write_time(entry, entry.last_write_time() - std::chrono::seconds(seconds));
  }
  library::IndexReport index() const {
    const auto report = library::index_folder(folder_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report.value_or(library::IndexReport());
  }
  library::Library open() const {
    auto opened = library::Library::open(folder_);
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return std::move(*opened);
  }
  std::vector<std::string> found(const library::Filter& filter) const {
    std::vector<std::string> files;
    const auto clips = open().clips(filter);
    EXPECT_TRUE(clips.has_value()) << clips.error().message;
    if (clips)
      for (const auto& clip : *clips) files.push_back(clip.file);
    return files;
  }
  std::filesystem::path index_file() const { return library::usual_index_file(folder_); }
};

}  // namespace shosa::test
