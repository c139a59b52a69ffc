#include "kept_token.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "guard.h"

namespace shosa::server {

namespace {

constexpr std::size_t kTokenLength = 32;
constexpr mode_t kOthers = 077, kFileOfOneUser = 0600, kFolderOfOneUser = 0700;

std::optional<std::string> token_in(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  // One byte more than a token has: what is longer is none.
  char bytes[kTokenLength + 1];
  struct stat facts {};
  const bool ours = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
                    (facts.st_mode & kOthers) == 0;
  const ssize_t got = ours ? ::read(file, bytes, sizeof bytes) : -1;
  ::close(file);
  if (got != static_cast<ssize_t>(kTokenLength)) return std::nullopt;
  const std::string_view token(bytes, kTokenLength);
  const bool whole = token.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return whole ? std::optional<std::string>(token) : std::nullopt;
}

/// Whole or not at all, and never readable by others, not even for a moment.
void keep(const std::filesystem::path& path, const std::string& token) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path().parent_path(), error);
  ::mkdir(path.parent_path().c_str(), kFolderOfOneUser);
  const std::string fresh = path.string() + "." + new_token();
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileOfOneUser);
  if (file < 0) return;
  const bool written = ::write(file, token.data(), token.size()) == static_cast<ssize_t>(token.size());
  ::close(file);
  if (!written || ::rename(fresh.c_str(), path.c_str()) != 0) ::unlink(fresh.c_str());
}

}  // namespace

std::string kept_token(const std::filesystem::path& path, bool fresh) {
  if (path.empty()) return new_token();
  if (!fresh)
    if (auto known = token_in(path)) return *known;
  std::string token = new_token();
  keep(path, token);
  return token;
}

}  // namespace shosa::server
