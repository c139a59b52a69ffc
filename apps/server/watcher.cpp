#include "watcher.h"

#include <algorithm>
#include <map>

namespace shosa::server {

namespace {
constexpr std::chrono::milliseconds kLook(500);
/// Who is further behind lists the project anew.
constexpr std::size_t kMostKept = 10'000;

std::map<std::string, ListedFile> by_path(std::vector<ListedFile> files) {
  std::map<std::string, ListedFile> map;
  for (ListedFile& file : files) {
    std::string path = file.path;
    map.emplace(std::move(path), std::move(file));
  }
  return map;
}
}  // namespace

Watcher::Watcher(const ProjectFiles& files) : files_(files), thread_([this] { run(); }) {}

Watcher::~Watcher() {
  end();
  thread_.join();
}

void Watcher::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  woken_.notify_all();
}

bool Watcher::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::size_t Watcher::latest() const {
  const std::lock_guard lock(mutex_);
  return first_ + changes_.size();
}

std::vector<Watcher::Change> Watcher::wait_for(std::size_t& seen, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  woken_.wait_for(lock, wait, [&] { return ended_ || first_ + changes_.size() > seen; });
  if (ended_) return {};
  const std::size_t from = std::max(seen, first_) - first_;
  std::vector<Change> news(changes_.begin() + static_cast<std::ptrdiff_t>(std::min(from, changes_.size())),
                           changes_.end());
  seen = first_ + changes_.size();
  return news;
}

void Watcher::run() {
  auto before = by_path(files_.list());
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (woken_.wait_for(lock, kLook, [this] { return ended_; })) return;
    }
    auto now = by_path(files_.list());
    std::vector<Change> news;
    for (const auto& [path, file] : now) {
      const auto old = before.find(path);
      if (old == before.end())
        news.push_back({path, "added"});
      else if (old->second != file)
        news.push_back({path, "changed"});
    }
    for (const auto& [path, file] : before)
      if (!now.contains(path)) news.push_back({path, "removed"});
    before = std::move(now);
    if (news.empty()) continue;
    {
      const std::lock_guard lock(mutex_);
      changes_.insert(changes_.end(), news.begin(), news.end());
      if (changes_.size() > kMostKept) {
        const std::size_t extra = changes_.size() - kMostKept;
        changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(extra));
        first_ += extra;
      }
    }
    woken_.notify_all();
  }
}

}  // namespace shosa::server
