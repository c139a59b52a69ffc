#pragma once

#include <memory>
#include <optional>

#include "graph_play.h"
#include "shosa/documents/graph_clips.h"
#include "shosa/documents/play_script.h"
#include "shosa/graph/end_condition.h"

namespace shosa::cli {

/// A graph, its clips, who plays it, and what became of each command.
struct GraphStage {
  GraphStage(documents::GraphFile graph_file, documents::PlayScript what, documents::GraphClips with)
      : file(std::move(graph_file)), script(std::move(what)), clips(std::move(with)), warnings(file.warnings) {
    warnings.insert(warnings.end(), clips.set.warnings.begin(), clips.set.warnings.end());
  }

  documents::GraphFile file;
  documents::PlayScript script;
  documents::GraphClips clips;
  std::optional<graph::Player> player;
  /// One entry for each command with a target, in the order in which they ended.
  nlohmann::ordered_json commands = nlohmann::ordered_json::array();
  std::vector<std::string> warnings;
  double there_s = 0.0;  ///< When a place that was asked for is reached.

  /// Gives the commands whose time has come.
  Result<void> tell(double now_s);
  /// Looks, after a frame was played, which commands have ended.
  void note(double now_s);
  /// Commands that had not ended, or not begun, when playing did.
  void close();
  /// True while a place is on the way to, and nothing else is to be told.
  bool last_way() const { return way_.has_value() && next_ == script.commands.size(); }

 private:
  Result<void> go_to_place(const documents::TimedCommand& timed, double now_s);
  nlohmann::ordered_json place_entry(double now_s);

  std::size_t next_ = 0;                    // command
  std::optional<double> open_s_;            // when the command was told that is being carried out
  bool on_the_way_ = false;                 // to a target, at any place
  bool stranded_ = false;                   // that was said
  std::optional<graph::EndCondition> way_;  // to a place, …
  graph::EndConditionParams wanted_;        // … and what it was searched for
};

/// The commands come from the command line where `files.commands` is empty.
Result<std::unique_ptr<GraphStage>> open_stage(const PlayFiles& files, const InputOptions& input, bool as_captured);

}  // namespace shosa::cli
