#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>

#include "exit_status.h"
#include "outputs.h"
#include "progress.h"
#include "verb.h"

namespace {

using namespace shosa;
using namespace shosa::cli;

// The same said of several files or with other numbers is one kind.
std::string kind_of(std::string text) {
  if (const auto file = text.find(": "); file != std::string::npos && file + 2 < text.size()) text.erase(0, file + 2);
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
  return text;
}

// Says each kind of note and warning once: on standard error beside JSON, else below the report.
void say_notes(const Notes& notes, bool as_json) {
  std::vector<std::pair<std::string, Note>> kinds;
  std::map<std::string, int> more;
  for (const Note& note : notes) {
    const std::string kind = kind_of(note.text);
    if (++more[kind] == 1) kinds.emplace_back(kind, note);
  }
  for (const auto& [kind, note] : kinds) {
    const std::string others = more[kind] > 1 ? fmt::format(" (and {} more like this)", more[kind] - 1) : "";
    const std::string line = fmt::format("{}: {}{}\n", note.is_done() ? "note" : "warning", note.text, others);
    as_json ? fmt::print(stderr, "shosa: {}", line) : fmt::print("{}", line);
  }
}

// One object on standard output, or text; everything said to people about failure goes to standard error.
int finish(const Job& job, const std::string& verb, bool progress, bool as_json, bool quiet) {
  const auto report = [&] {
    const Ticker ticker(verb, progress);
    return job();
  }();
  if (!report) {
    fmt::print(stderr, "shosa: {}\n", report.error().message);
    return exit_status(report.error().code);
  }
  if (as_json) {
    // Names out of files may hold bytes that are no UTF-8.
    fmt::print("{}\n", whole_json(*report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}", report->text);
  }
  if (!quiet) say_notes(report->notes, as_json);
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "shosa: standard output cannot be written\n");
    return kCannotBeDone;
  }
  if (report->failure.empty()) return kDone;
  fmt::print(stderr, "shosa: {}\n", report->failure);
  return kCannotBeDone;
}

// CLI11 reads nan and inf as numbers, and a range lets nan through.
void refuse_endless_numbers(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_type_name().starts_with("FLOAT")) continue;
    for (const std::string& text : option->results()) {
      double value = 0.0;
      if (CLI::detail::lexical_cast(text, value) && !std::isfinite(value))
        throw CLI::ValidationError(option->get_name(), text + ", expected a finite number");
    }
  }
  for (const CLI::App* verb : app.get_subcommands()) refuse_endless_numbers(*verb);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"Shosa turns a handful of short motion clips into a character that moves well."};
  app.set_version_flag("--version", "shosa " SHOSA_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(36);

  bool as_json = false;
  app.add_flag("--json", as_json, "One JSON object on standard output and nothing else there");
  bool quiet = false, overwrite = false, progress = false;
  app.add_flag("--quiet", quiet, "No notes and no warnings (JSON keeps them)");
  app.add_flag("--overwrite", overwrite, "The file to write may be one that is read");
  app.add_flag("--progress", progress, "Say what is being done also where standard error is no terminal");
  app.fallthrough();

  Job job;
  for (const AddVerb add :
       {add_info,     add_convert, add_analyze, add_metrics,   add_picture, add_pose,      add_ranges, add_fix,
        add_retarget, add_edit,    add_loop,    add_footsteps, add_curves,  add_decompose, add_goals,  add_recompose,
        add_compose,  add_graph,   add_run,     add_library,   add_project, add_studio,    add_demo})
    add(app, job);

  // CLI11 only says that a verb is missing; a mistyped one is better named.
  const auto verbs = app.get_subcommands([](CLI::App*) { return true; });
  const auto is_named = [&](const CLI::App* verb) { return verb->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::ranges::none_of(verbs, is_named)) {
    fmt::print(stderr, "shosa: unknown verb '{}'; shosa --help lists them\n", argv[1]);
    return kWrongUsage;
  }
  try {
    app.parse(argc, argv);
    refuse_endless_numbers(app);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
  if (const auto ok = check_outputs(app, overwrite); !ok) {
    fmt::print(stderr, "shosa: {}\n", ok.error().message);
    return exit_status(ok.error().code);
  }
  return finish(job, app.get_subcommands().front()->get_name(), progress, as_json, quiet);
} catch (const std::exception& error) {
  fmt::print(stderr, "shosa: {}\n", error.what());
  return kCannotBeDone;
}
