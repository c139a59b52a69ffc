#pragma once

#include <string>
#include <string_view>

namespace shosa::cli {

/// A bar on standard error while a long job runs; silent when standard error is no terminal.
class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows `what` as the step under way, after `done` of `total`.
  void show(std::size_t done, std::string_view what);

 private:
  std::size_t total_;
  bool visible_;
};

}  // namespace shosa::cli
