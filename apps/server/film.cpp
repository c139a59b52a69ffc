#include "film.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

extern char** environ;

namespace shosa::server {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongest(300);
constexpr std::string_view kMatroska = "\x1a\x45\xdf\xa3";

std::unexpected<Refusal> no(int status, std::string why) {
  return std::unexpected(Refusal{status, std::move(why), {}});
}

/// A folder of our own that goes with what is in it.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "shosa-film-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Without a shell. The exit status; -1 where it did not start or took too long.
int run(const std::vector<std::string>& arguments) {
  std::vector<char*> list;
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", 0, 0);
  pid_t child = 0;
  const int started = ::posix_spawnp(&child, list[0], &files, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (started != 0) return -1;
  const auto end = std::chrono::steady_clock::now() + kLongest;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

bool has_ffmpeg() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && ::access((fs::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

Answer<std::string> to_mp4(const std::string& webm) {
  static std::mutex one;
  const std::unique_lock turn(one, std::try_to_lock);
  if (!turn) return no(429, "another film is being made");
  if (!has_ffmpeg()) return no(501, "ffmpeg is not installed");
  if (!webm.starts_with(kMatroska)) return no(422, "no WebM film");
  const WorkFolder folder;
  const std::string in = (folder.path() / "film.webm").string(), out = (folder.path() / "film.mp4").string();
  if (folder.path().empty() || !(std::ofstream(in, std::ios::binary) << webm)) return no(507, "no room for the film");
  // Only the file that is named is read, whatever is inside it; H.264 wants even sizes.
  const int status = run({"ffmpeg",
                          "-nostdin",
                          "-loglevel",
                          "error",
                          "-y",
                          "-protocol_whitelist",
                          "file",
                          "-f",
                          "matroska",
                          "-i",
                          in,
                          "-c:v",
                          "libx264",
                          "-pix_fmt",
                          "yuv420p",
                          "-vf",
                          "scale=trunc(iw/2)*2:trunc(ih/2)*2",
                          "-movflags",
                          "+faststart",
                          out});
  if (status < 0) return no(504, "ffmpeg did not finish");
  std::ifstream made(out, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(made), {}};
  if (status != 0 || bytes.empty()) return no(422, "ffmpeg cannot read the film");
  return bytes;
}

}  // namespace shosa::server
