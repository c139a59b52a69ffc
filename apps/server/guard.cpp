#include "guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace shosa::server {

std::string new_token() {
  std::random_device random;  // the system's, not ours
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

bool same_token(const std::string& a, const std::string& b) {
  unsigned difference = static_cast<unsigned>(a.size() ^ b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

bool is_own_host(const std::string& host, const std::string& listen, int port) {
  const std::string end = fmt::format(":{}", port);
  return host == "127.0.0.1" + end || host == "localhost" + end || (host == listen + end && listen != "0.0.0.0");
}

bool is_own_origin(const std::string& origin, const std::string& listen, int port) {
  return origin.empty() || (origin.starts_with("http://") && is_own_host(origin.substr(7), listen, port));
}

bool RateLimit::take() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  left_ = std::min(at_once_, left_ + per_second_ * std::chrono::duration<double>(now - last_).count());
  last_ = now;
  if (left_ < 1.0) return false;
  left_ -= 1.0;
  return true;
}

}  // namespace shosa::server
