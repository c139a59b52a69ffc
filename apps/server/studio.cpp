#include "shosa/server/studio.h"

#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "answers.h"
#include "film.h"
#include "guard.h"
#include "kept_token.h"
#include "page.h"
#include "project_files.h"
#include "shosa/io/content_hash.h"
#include "watcher.h"

namespace shosa::server {

namespace {

using httplib::Request;
using httplib::Response;
using nlohmann::ordered_json;

/// Each client that listens for changes, and each that is slow, holds a thread.
constexpr std::size_t kThreads = 96;
constexpr int kMostListeners = 16;
constexpr std::chrono::seconds kPatience(5);
constexpr double kRequests_hz = 400.0, kWrongTokens_hz = 10.0;
/// An empty message now and then shows whether a listener is still there.
constexpr std::chrono::milliseconds kHeartbeat(2000);
constexpr std::string_view kFiles = "/api/files/", kAssets = "/assets/";
constexpr std::pair<std::string_view, const char*> kTypes[] = {{".html", "text/html; charset=utf-8"},
                                                               {".js", "text/javascript"},
                                                               {".css", "text/css"},
                                                               {".wasm", "application/wasm"}};

void say_json(Response& response, const ordered_json& json, int status = 200) {
  response.status = status;
  response.set_content(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "application/json");
}

void say(Response& response, const Refusal& refusal) {
  ordered_json json = {{"error", refusal.message}};
  if (!refusal.hash.empty()) json["hash"] = refusal.hash;
  say_json(response, json, refusal.status);
}

/// Packed, as it is kept: every browser unpacks it.
bool give_page_file(Response& response, std::string_view path) {
  const auto files = page_files();
  const auto file = std::ranges::find(files, path, &PageFile::path);
  if (file == files.end()) return false;
  const auto* const type = std::ranges::find_if(kTypes, [&](const auto& known) { return path.ends_with(known.first); });
  response.set_header("Content-Encoding", "gzip");
  response.set_content_provider(
      file->gzipped.size(), type == std::end(kTypes) ? "application/octet-stream" : type->second,
      [bytes = file->gzipped](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(bytes.data() + offset, length);
      });
  return true;
}

std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

Seen seen_by(const Request& request) {
  Seen seen;
  if (request.has_header("If-Match")) seen.hash = unquoted(request.get_header_value("If-Match"));
  seen.nothing = request.get_header_value("If-None-Match") == "*";
  return seen;
}

/// Of one folder; who was let in to read is not let in to write by the next start.
std::filesystem::path token_file(const StudioParams& params, const std::filesystem::path& folder) {
  if (params.state_folder.empty() || params.listen != "127.0.0.1") return {};
  return params.state_folder / "studio_tokens" /
         (io::content_hash(folder.string()) + (params.read_only ? "_read_only" : ""));
}

std::string path_of(const Request& request) {
  return request.path.substr(std::min(kFiles.size(), request.path.size()));
}

}  // namespace

struct Studio::State {
  explicit State(const StudioParams& given) : params(given), files(given.folder, given.read_only) {}

  StudioParams params;
  ProjectFiles files;
  std::string token;
  int port = 0;
  httplib::Server server;
  std::unique_ptr<Watcher> watcher;
  std::atomic<int> listeners = 0;
  std::atomic<bool> entered = false, ended = false, stopping = false;  ///< `run` and `stop`.
  /// Each its own: who has no token cannot use up what is there for who has.
  RateLimit requests{kRequests_hz, kRequests_hz}, assets{kRequests_hz, kRequests_hz};
  RateLimit wrong_tokens{kWrongTokens_hz, 2.0 * kWrongTokens_hz};

  /// Before anything of a request is looked at: who asks.
  bool admits(const Request& request, Response& response) {
    // The page's own files hold nothing of the project, and their names the hash of what is in them.
    const bool own_file = request.method == "GET" && request.path.starts_with(kAssets);
    response.set_header("Cache-Control", own_file ? "max-age=31536000, immutable" : "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Referrer-Policy", "no-referrer");
    response.set_header("Cross-Origin-Resource-Policy", "same-origin");
    response.set_header("Content-Security-Policy",
                        page_files().empty()
                            ? "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                              "connect-src 'self'; img-src 'self' data:; "
                              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                            : "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
                              "style-src 'self' 'unsafe-inline'; connect-src 'self' blob:; img-src 'self' data: blob:; "
                              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    const auto no = [&](int status, const char* why) { return say(response, {status, why, {}}), false; };
    if (!is_own_host(request.get_header_value("Host"), params.listen, port)) return no(403, "another Host");
    if (!is_own_origin(request.get_header_value("Origin"), params.listen, port)) return no(403, "another Origin");
    const std::string given = request.has_header("X-Shosa-Token") ? request.get_header_value("X-Shosa-Token")
                                                                  : request.get_param_value("token");
    if (!own_file && !same_token(given, token))
      return wrong_tokens.take() ? no(401, "no or another token") : no(429, "too many wrong tokens");
    if (!(own_file ? assets : requests).take()) return no(429, "too many requests");
    // The library knows the size of a body by its length alone: one in pieces, packed or without end has no limit.
    const bool brings = request.method != "GET" && request.method != "HEAD" && request.method != "DELETE";
    if (request.has_header("Transfer-Encoding") || (brings && !request.has_header("Content-Length")))
      return no(411, "say how long the body is: Content-Length");
    if (request.has_header("Content-Encoding")) return no(415, "the body must not be packed");
    if (request.ranges.size() > 1) return no(416, "one range at a time");
    return true;
  }

  void listen_for_changes(Response& response) {
    if (listeners.fetch_add(1) >= kMostListeners) {
      --listeners;
      return say(response, {429, "too many listeners", {}});
    }
    auto seen = std::make_shared<std::size_t>(watcher->latest());
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, seen](std::size_t, httplib::DataSink& sink) {
          const auto changes = watcher->wait_for(*seen, kHeartbeat);
          if (watcher->ended()) return false;
          std::string text = changes.empty() ? ":\n\n" : "";
          for (const Watcher::Change& change : changes) {
            const ordered_json json = {{"path", change.path}, {"what", change.what}};
            text +=
                "event: change\ndata: " + json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n\n";
          }
          return sink.write(text.data(), text.size());
        },
        [this](bool) { --listeners; });
  }

  void put(const Request& request, Response& response) {
    const auto hash = files.write(path_of(request), request.body, seen_by(request));
    if (!hash) return say(response, hash.error());
    response.set_header("ETag", '"' + *hash + '"');
    say_json(response, {{"hash", *hash}});
  }

  void rename(const Request& request, Response& response) {
    const auto asked = nlohmann::json::parse(request.body, nullptr, false);
    const auto text = [&](const char* key) {
      return asked.is_object() && asked.contains(key) && asked[key].is_string() ? asked[key].get<std::string>() : "";
    };
    const auto renamed = files.rename(text("from"), text("to"), seen_by(request));
    if (!renamed) return say(response, renamed.error());
    say_json(response, {{"path", text("to")}});
  }

  void add_routes() {
    server.set_pre_routing_handler([this](const Request& request, Response& response) {
      return admits(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                       : httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/", [](const Request&, Response& response) {
      if (!give_page_file(response, "index.html")) response.set_content(plain_page(), "text/html; charset=utf-8");
    });
    server.Get("/assets/.*", [](const Request& request, Response& response) {
      if (!give_page_file(response, request.path.substr(1))) say(response, {404, "no file of the page", {}});
    });
    server.Get("/api/project", [this](const Request&, Response& response) {
      ordered_json json = {
          {"name", files.folder().filename().string()}, {"read_only", files.read_only()}, {"mp4", has_ffmpeg()}};
      json["files"] = ordered_json::array();
      for (const ListedFile& file : files.list())
        json["files"].push_back({{"path", file.path}, {"bytes", file.bytes}, {"time_ms", file.time_ms}});
      say_json(response, json);
    });
    server.Get("/api/files/.*", [this](const Request& request, Response& response) {
      auto content = files.read(path_of(request));
      if (!content) return say(response, content.error());
      response.set_header("ETag", '"' + content->hash + '"');
      response.set_content(std::move(content->bytes), "application/octet-stream");
    });
    server.Put("/api/files/.*", [this](const Request& request, Response& response) { put(request, response); });
    server.Delete("/api/files/.*", [this](const Request& request, Response& response) {
      const auto trash = files.remove(path_of(request), seen_by(request));
      if (!trash) return say(response, trash.error());
      say_json(response, {{"trash", *trash}});
    });
    server.Post("/api/rename", [this](const Request& request, Response& response) { rename(request, response); });
    server.Get("/api/events", [this](const Request&, Response& response) { listen_for_changes(response); });
    const auto answer = [](Response& response, const Answer<ordered_json>& json) {
      json ? say_json(response, *json) : say(response, json.error());
    };
    server.Get("/api/clip", [this, answer](const Request& request, Response& response) {
      answer(response, clip_positions_json(files, request.get_param_value("path")));
    });
    server.Get("/api/library", [this, answer](const Request& request, Response& response) {
      answer(response, library_json(files, request.params));
    });
    server.Post("/api/library/index",
                [this, answer](const Request&, Response& response) { answer(response, index_library(files)); });
    server.Post("/api/mp4", [](const Request& request, Response& response) {
      auto film = to_mp4(request.body);
      if (!film) return say(response, film.error());
      response.set_content(std::move(*film), "video/mp4");
    });
    server.set_error_handler([](const Request&, Response& response) {
      const char* const why = response.status == 413 ? "the file is too large" : "there is nothing like that here";
      if (response.body.empty()) say(response, Refusal{response.status, why, {}});
    });
    server.set_exception_handler([](const Request&, Response& response, std::exception_ptr) {
      say(response, {500, "the request could not be answered", {}});
    });
  }
};

Studio::Studio(std::unique_ptr<State> state) : state_(std::move(state)) {}
Studio::Studio(Studio&&) noexcept = default;
Studio::~Studio() = default;

Result<Studio> Studio::open(const StudioParams& params) {
  std::error_code error;
  if (!std::filesystem::is_directory(params.folder, error))
    return fail(ErrorCode::cannot_read, "{}: is no folder that can be read", params.folder.string());
  auto state = std::make_unique<State>(params);
  httplib::Server& server = state->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // One request a connection: what was refused unread cannot be taken for another.
  server.set_keep_alive_max_count(1);
  // A port that another program listens at is not shared with it, as the library would.
  socket_t door = INVALID_SOCKET;
  server.set_socket_options([&door](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    door = socket;
  });
  server.set_read_timeout(kPatience);
  server.set_write_timeout(kPatience);
  server.set_payload_max_length(params.most_bytes);
  state->add_routes();
  state->port = params.port == 0                                  ? server.bind_to_any_port(params.listen)
                : server.bind_to_port(params.listen, params.port) ? params.port
                                                                  : -1;
  if (state->port <= 0)
    return fail(ErrorCode::not_possible, "{}:{}: cannot be listened at; another program may", params.listen,
                params.port);
  server.set_socket_options(nullptr);
  // The library lets five clients wait to be let in; a page with its many files asks for more at once.
  ::listen(door, kThreads);
  // Once the port is ours: what another start keeps is not taken from it by one that fails.
  state->token = kept_token(token_file(params, state->files.folder()), params.new_token);
  state->watcher = std::make_unique<Watcher>(state->files);
  return Studio(std::move(state));
}

std::string Studio::address() const {
  return fmt::format("http://{}:{}/?token={}", host_of(state_->params.listen), state_->port, state_->token);
}

void Studio::run() {
  state_->entered = true;
  if (!state_->stopping) state_->server.listen_after_bind();
  state_->ended = true;
}

void Studio::stop() {
  if (state_->stopping.exchange(true)) return;
  state_->watcher->end();
  // The server does not hear of it before it listens.
  while (state_->entered && !state_->ended && !state_->server.is_running())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  state_->server.stop();
}

}  // namespace shosa::server
