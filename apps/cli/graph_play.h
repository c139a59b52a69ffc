#pragma once

#include <string>

#include "input.h"
#include "shosa/documents/play_script.h"
#include "verb.h"

namespace shosa::cli {

/// Files of a graph and of what its character is told.
struct PlayFiles {
  std::string graph, commands;
  documents::PlayScript typed;  ///< In place of a commands file, where that is empty.
};
/// `graph play`: writes the motion to `out`. The upper body follows a graph of its own where `upper` names one.
Result<Report> play_graph(const PlayFiles& files, const PlayFiles& upper, const std::string& out,
                          const InputOptions& input);

}  // namespace shosa::cli
