#pragma once

#include <expected>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace shosa::server {

/// An answer that is not what was asked for.
struct Refusal {
  int status = 500;  ///< As HTTP has it.
  std::string message;
  std::string hash;  ///< Of a conflict: what is there.
};
template <class T>
using Answer = std::expected<T, Refusal>;

struct ListedFile {
  std::string path;
  std::int64_t bytes = 0;
  std::int64_t time_ms = 0;  ///< Of its last change, since 1970.
  bool operator==(const ListedFile&) const = default;
};
struct FileContent {
  std::string bytes, hash;
};

/// What a writer has seen of the file that it replaces.
struct Seen {
  std::optional<std::string> hash;  ///< The file as it was.
  bool nothing = false;             ///< That there was none.
};

/// The files of a project, and nothing else: every path is checked, links are not followed out of it. Safe for many
/// threads; writers take turns.
class ProjectFiles {
 public:
  ProjectFiles(std::filesystem::path folder, bool read_only);

  const std::filesystem::path& folder() const { return folder_; }
  bool read_only() const { return read_only_; }

  std::vector<ListedFile> list() const;
  Answer<FileContent> read(const std::string& path) const;
  /// 409 where the file is not as it was seen, 428 where nothing was said of that.
  Answer<std::string> write(const std::string& path, const std::string& bytes, const Seen& seen);
  Answer<void> rename(const std::string& from, const std::string& to, const Seen& seen);
  /// Into .shosa/trash; gives the place there.
  Answer<std::string> remove(const std::string& path, const Seen& seen);

  /// Where a path of a request is on the disk. 400 for a path that makes no sense or leads outside.
  Answer<std::filesystem::path> resolve(const std::string& path) const;

 private:
  Answer<void> may_write() const;
  Answer<void> is_as_seen(const std::filesystem::path& file, const Seen& seen) const;

  std::filesystem::path folder_;  ///< Canonical.
  bool read_only_;
  std::mutex writing_;
  int removed_ = 0;
};

}  // namespace shosa::server
