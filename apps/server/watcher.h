#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "project_files.h"

namespace shosa::server {

/// Notices what changes in a project, whoever changes it: looks at names, sizes and times twice a second.
class Watcher {
 public:
  explicit Watcher(const ProjectFiles& files);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  struct Change {
    std::string path;
    const char* what = "changed";  ///< "added", "changed" or "removed".
  };
  /// The number of the latest change.
  std::size_t latest() const;
  /// Changes after number `seen`, which becomes that of the latest; none when `wait` is over or the watcher ends.
  std::vector<Change> wait_for(std::size_t& seen, std::chrono::milliseconds wait);
  /// Wakes everybody who waits, for good.
  void end();
  bool ended() const;

 private:
  void run();

  const ProjectFiles& files_;
  mutable std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<Change> changes_;  ///< The last ones …
  std::size_t first_ = 0;        ///< … of which this is the number of the first.
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace shosa::server
