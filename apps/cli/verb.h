#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "shosa/core/note.h"
#include "shosa/core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace shosa::cli {

/// What a verb hands back: the contract's JSON object, and the same for people.
struct Report {
  nlohmann::ordered_json json;  ///< Without "warnings" and "notes", which come from `notes`.
  std::string text;             ///< Ends in a newline, or is empty.
  Notes notes;                  ///< What is odd, and what was done; said to people too.
  std::string failure;  ///< What was made is not as it should be: said on standard error after the report; status 1.
};
/// The report as it is printed and written: with the texts of its notes in "warnings" and "notes".
nlohmann::ordered_json whole_json(const Report& report);

/// A verb's work, run after the whole command line was understood.
using Job = std::function<Result<Report>()>;

/// Adds a verb: declares its options on a subcommand of `app` and puts its work into `job` when it is chosen.
using AddVerb = void (*)(CLI::App& app, Job& job);

void add_info(CLI::App& app, Job& job);
void add_convert(CLI::App& app, Job& job);
void add_analyze(CLI::App& app, Job& job);
void add_metrics(CLI::App& app, Job& job);
void add_picture(CLI::App& app, Job& job);
void add_pose(CLI::App& app, Job& job);
void add_ranges(CLI::App& app, Job& job);
void add_fix(CLI::App& app, Job& job);
void add_retarget(CLI::App& app, Job& job);
void add_edit(CLI::App& app, Job& job);
void add_loop(CLI::App& app, Job& job);
void add_footsteps(CLI::App& app, Job& job);
void add_curves(CLI::App& app, Job& job);
void add_decompose(CLI::App& app, Job& job);
void add_goals(CLI::App& app, Job& job);
void add_recompose(CLI::App& app, Job& job);
void add_compose(CLI::App& app, Job& job);
void add_graph(CLI::App& app, Job& job);
void add_run(CLI::App& app, Job& job);
void add_library(CLI::App& app, Job& job);
void add_project(CLI::App& app, Job& job);
void add_studio(CLI::App& app, Job& job);
void add_demo(CLI::App& app, Job& job);

}  // namespace shosa::cli
