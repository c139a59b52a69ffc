#pragma once

#include <string>
#include <vector>

#include "input.h"
#include "verb.h"

namespace shosa::cli {

/// One command on the command line, in place of a file.
struct PlayOrder {
  std::string start, to, impossible;  ///< Nodes by ids or names, separated by commas; empty: not told.
  double at_s = 1.0;
  int hurry = -1;             ///< < 0: not told.
  double ahead_m = -1.0;      ///< < 0: not told.
  std::vector<double> reach;  ///< x, z, and perhaps degrees.
  double duration_s = -1.0;   ///< < 0: not told.
};
/// As the text of a commands file.
std::string script_of(const PlayOrder& order);

/// Files of a graph and of what its character is told.
struct PlayFiles {
  std::string graph, commands;
  std::string script;  ///< In place of a commands file, where that is empty.
};
/// `graph play`: writes the motion to `out`. The upper body follows a graph of its own where `upper` names one.
Result<Report> play_graph(const PlayFiles& files, const PlayFiles& upper, const std::string& out,
                          const InputOptions& input, bool as_captured);

}  // namespace shosa::cli
