#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "exit_status.h"
#include "verb.h"

namespace {

using namespace shosa::cli;

// One object on standard output, or text; everything said to people about failure goes to standard error.
int finish(const Job& job, bool as_json) {
  const auto report = job();
  if (!report) {
    fmt::print(stderr, "shosa: {}\n", report.error().message);
    return exit_status(report.error().code);
  }
  if (as_json) {
    // Names out of files may hold bytes that are no UTF-8.
    fmt::print("{}\n", report->json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}", report->text);
  }
  for (const auto& warning : report->json.value("warnings", nlohmann::ordered_json::array())) {
    if (!warning.is_string()) continue;
    const auto& text = warning.get_ref<const std::string&>();
    as_json ? fmt::print(stderr, "shosa: warning: {}\n", text) : fmt::print("warning: {}\n", text);
  }
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
  app.fallthrough();

  Job job;
  for (const AddVerb add : {add_info, add_convert, add_analyze, add_metrics, add_picture, add_pose, add_ranges, add_fix,
                            add_retarget, add_edit, add_loop, add_footsteps, add_curves, add_decompose, add_goals,
                            add_recompose, add_compose, add_graph, add_demo})
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
  return finish(job, as_json);
} catch (const std::exception& error) {
  fmt::print(stderr, "shosa: {}\n", error.what());
  return kCannotBeDone;
}
