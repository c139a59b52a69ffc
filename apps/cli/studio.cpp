#include "shosa/server/studio.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "add_verb.h"
#include "input.h"

namespace shosa::cli {

namespace {

struct StudioOptions {
  server::StudioParams params{.folder = "."};
  bool no_browser = false;
};

/// Ctrl-C and SIGTERM wait for `wait`, in every thread that is made from now on.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    // A browser that goes away in the middle of an answer is no reason to end.
    ::signal(SIGPIPE, SIG_IGN);
  }
  void wait() const {
    int signal = 0;
    sigwait(&set_, &signal);
  }

 private:
  sigset_t set_;
};

/// In a process of its own, which nobody waits for; silently nothing where there is no browser.
void open_browser(const std::string& address) {
  ::signal(SIGCHLD, SIG_IGN);
  if (::fork() != 0) return;
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
    ::_exit(1);
  ::execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  ::_exit(1);
}

/// Where programs of this user keep what outlives them; empty: nowhere.
std::filesystem::path state_folder() {
  const auto given = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::filesystem::path(text == nullptr ? "" : text);
  };
  // By the rule of XDG one that is not absolute counts as none.
  if (const auto state = given("XDG_STATE_HOME"); state.is_absolute()) return state / "shosa";
  const auto home = given("HOME");
  return home.is_absolute() ? home / ".local/state/shosa" : std::filesystem::path();
}

Result<Report> studio(const StudioOptions& options) {
  const Signals signals;
  server::StudioParams params = options.params;
  params.state_folder = state_folder();
  auto opened = server::Studio::open(params);
  if (!opened) return std::unexpected(opened.error());
  fmt::print("{}\n", opened->address());
  std::fflush(stdout);
  if (options.params.listen != "127.0.0.1")
    fmt::print(stderr, "shosa: warning: listens at {}: whoever reaches it and has the token can change these files\n",
               options.params.listen);
  if (!options.no_browser) open_browser(opened->address());
  std::thread stopper([&] {
    signals.wait();
    opened->stop();
  });
  opened->run();
  stopper.join();
  Report report;
  report.json = nlohmann::ordered_json::object();
  return report;
}

}  // namespace

void add_studio(CLI::App& app, Job& job) {
  const auto [verb, options] = add_verb(app, job, "studio", "Open a project in the browser", studio);
  verb->add_option("folder", options->params.folder, "Project (default: this folder)");
  verb->add_option("--port", options->params.port, "Port (default: any that is free)")
      ->transform(whole_number(1, 65535));
  verb->add_option("--listen", options->params.listen,
                   "Another address than 127.0.0.1 to listen at; 0.0.0.0: every one of this machine")
      ->check(
          [](const std::string& text) { return text.empty() ? std::string("expected an address") : std::string(); });
  verb->add_flag("--no-browser", options->no_browser, "Only print the address");
  verb->add_flag("--read-only", options->params.read_only, "Nothing can be changed");
  verb->add_flag("--new-token", options->params.new_token,
                 "Pages that are open from earlier starts are let in no more");
  verb->footer("Example:\n  shosa studio dance");
}

}  // namespace shosa::cli
