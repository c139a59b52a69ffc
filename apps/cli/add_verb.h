#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "verb.h"

namespace shosa::cli {

template <class Options>
struct AddedVerb {
  CLI::App* verb;
  std::shared_ptr<Options> options;  ///< Filled when the command line was read, and handed to the work.
};

/// A subcommand whose work is `run(options)`. What must hold between options is for `parse_complete_callback`.
template <class Options>
AddedVerb<Options> add_verb(CLI::App& app, Job& job, std::string name, std::string what,
                            Result<Report> (*run)(const Options&)) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(std::move(name), std::move(what));
  verb->callback([options, run, &job] { job = [options, run] { return run(*options); }; });
  return {verb, std::move(options)};
}

}  // namespace shosa::cli
