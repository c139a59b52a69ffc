#include "guard.h"

#include <arpa/inet.h>
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

std::string host_of(const std::string& listen) {
  if (listens_everywhere(listen)) return listen == "::" ? "[::1]" : "127.0.0.1";
  return listen.find(':') == std::string::npos ? listen : "[" + listen + "]";
}

bool listens_everywhere(const std::string& listen) {
  return listen == "0.0.0.0" || listen == "::";
}

bool is_own_host(const std::string& host, const std::string& listen, int port) {
  const std::string end = fmt::format(":{}", port);
  if (!host.ends_with(end)) return false;
  const std::string name = host.substr(0, host.size() - end.size());
  if (name == "127.0.0.1" || name == "localhost" || name == host_of(listen)) return true;
  // Everywhere: any address in numbers. A name might be somebody's who points it at this machine.
  if (!listens_everywhere(listen)) return false;
  in6_addr address;
  return inet_pton(AF_INET, name.c_str(), &address) == 1 ||
         (name.starts_with('[') && name.ends_with(']') &&
          inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), &address) == 1);
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
