#pragma once

#include <string>

#include "input.h"
#include "verb.h"

namespace shosa::cli {

/// Files of a graph and of what its character is told.
struct PlayFiles {
  std::string graph, commands;
};
/// `graph play`: writes the motion to `out`. The upper body follows a graph of its own where `upper` names one.
Result<Report> play_graph(const PlayFiles& files, const PlayFiles& upper, const std::string& out,
                          const InputOptions& input, bool as_captured);

}  // namespace shosa::cli
