#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace shosa::server {

/// 128 random bits as text.
std::string new_token();
/// In a time that does not tell how much of it was right.
bool same_token(const std::string& a, const std::string& b);

/// Whether the server is to be reached at every address of this machine.
bool listens_everywhere(const std::string& listen);
/// How an address names it: an IPv6 one in brackets; this machine where it listens everywhere.
std::string host_of(const std::string& listen);
/// Whether a request's `Host` names this server, so that a page elsewhere cannot reach it through a name of its own.
bool is_own_host(const std::string& host, const std::string& listen, int port);
/// Whether a request's `Origin` is a page of this server; one without comes from no page.
bool is_own_origin(const std::string& origin, const std::string& listen, int port);

/// So many a second, and some more at once.
class RateLimit {
 public:
  RateLimit(double per_second, double at_once) : per_second_(per_second), at_once_(at_once), left_(at_once) {}
  /// False: too many.
  bool take();

 private:
  double per_second_, at_once_, left_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
};

}  // namespace shosa::server
