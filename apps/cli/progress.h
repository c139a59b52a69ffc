#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace shosa::cli {

/// One line on standard error while a verb works: what it does and for how long, from one second on. Shown where
/// standard error is a terminal; `always` writes it elsewhere too, a line each time.
class Ticker {
 public:
  Ticker(std::string verb, bool always);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  friend class Progress;
  void run();

  std::string what_;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

/// How far a job of several steps is, on the ticker's line.
class Progress {
 public:
  explicit Progress(std::size_t total);

  /// Shows `what` as the step under way, after `done` of `total`.
  void show(std::size_t done, std::string_view what);

 private:
  std::size_t total_;
};

}  // namespace shosa::cli
