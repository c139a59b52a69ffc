#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shosa/core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace shosa::cli {

/// Before anything is computed: fails where a file that the command line names as an output cannot be put where it is
/// asked for, where two outputs have one name, or where one is read (unless `overwrite`).
Result<void> check_outputs(const CLI::App& app, bool overwrite);

/// A file of a verb, and what writes it.
struct Output {
  std::string path;
  std::function<Result<void>()> write;
};
/// All or none: where one cannot be written, those before it are as they were.
Result<void> write_all(const std::vector<Output>& outputs);

}  // namespace shosa::cli
