#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace shosa::cli {

namespace {
constexpr std::size_t kBarWidth = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";
constexpr std::chrono::seconds kFirst(1);
constexpr std::chrono::milliseconds kStep(500), kStepOfLines(2000);

// A process runs one verb.
Ticker* running = nullptr;
}  // namespace

Ticker::Ticker(std::string verb, bool always) : what_(std::move(verb)), terminal_(isatty(STDERR_FILENO) == 1) {
  if (!terminal_ && !always) return;
  running = this;
  thread_ = std::thread([this] { run(); });
}

Ticker::~Ticker() {
  if (!thread_.joinable()) return;
  running = nullptr;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Ticker::run() {
  std::unique_lock lock(mutex_);
  bool shown = false;
  std::chrono::milliseconds wait = kFirst;
  while (!ended_.wait_for(lock, wait, [this] { return end_; })) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    fmt::print(stderr, "{}{}, {:.0f} s{}", terminal_ ? kClearLine : "shosa: ", what_, spent.count(),
               terminal_ ? "" : "\n");
    std::fflush(stderr);
    shown = true;
    wait = terminal_ ? kStep : kStepOfLines;
  }
  if (shown && terminal_) fmt::print(stderr, "{}", kClearLine);
}

Progress::Progress(std::size_t total) : total_(std::max<std::size_t>(total, 1)) {}

void Progress::show(std::size_t done, std::string_view what) {
  if (running == nullptr) return;
  const std::size_t filled = kBarWidth * std::min(done, total_) / total_;
  const std::lock_guard lock(running->mutex_);
  running->what_ = fmt::format("[{:=<{}}{: <{}}] {}/{} {}", "", filled, "", kBarWidth - filled, done, total_, what);
}

}  // namespace shosa::cli
