#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "shosa/core/result.h"

namespace shosa::server {

struct StudioParams {
  std::filesystem::path folder;      ///< The project. Must be there.
  std::string listen = "127.0.0.1";  ///< Address to listen at.
  int port = 0;                      ///< 0: any that is free.
  bool read_only = false;
  /// Where tokens are kept from one start to the next, so that a page that is open goes on. Empty: nowhere. Of a door
  /// that others than this machine reach none is kept: it could have been heard on the way.
  std::filesystem::path state_folder = {};
  bool new_token = false;              ///< Pages of earlier starts are strangers.
  std::size_t most_bytes = 512 << 20;  ///< Of one file that is written.
};

/// The door to the studio: a project's files and its library over HTTP, to who knows the token.
///
/// Only keeps files and answers questions; what it answers, and to whom, is written in docs/server.md. Every file is
/// written whole or not at all, and only over what the writer has seen.
class Studio {
 public:
  /// Listens, and answers from `run` on. Fails when the folder is none or the port is taken.
  static Result<Studio> open(const StudioParams& params);
  Studio(Studio&&) noexcept;
  ~Studio();

  /// With the token: what a browser is given.
  std::string address() const;
  /// Until `stop`. Requests under way are finished.
  void run();
  /// From any thread.
  void stop();

 private:
  struct State;
  explicit Studio(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace shosa::server
