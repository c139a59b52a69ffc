#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace shosa::cli {

namespace {
constexpr std::size_t kBarWidth = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";
}  // namespace

Progress::Progress(std::size_t total) : total_(std::max<std::size_t>(total, 1)), visible_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "{}", kClearLine);
}

void Progress::show(std::size_t done, std::string_view what) {
  if (!visible_) return;
  const std::size_t filled = kBarWidth * std::min(done, total_) / total_;
  fmt::print(stderr, "{}[{:=<{}}{: <{}}] {}/{} {}", kClearLine, "", filled, "", kBarWidth - filled, done, total_, what);
  std::fflush(stderr);
}

}  // namespace shosa::cli
