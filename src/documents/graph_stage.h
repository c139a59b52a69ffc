#pragma once

#include <memory>
#include <optional>

#include "shosa/documents/graph_play.h"
#include "shosa/graph/end_condition.h"

namespace shosa::documents {

/// A script whose nodes were found in the graph, its commands in the order of time.
struct StagedScript {
  struct StagedCommand {
    PlayCommand told;
    std::vector<graph::NodeIndex> targets, impossible;
  };
  graph::NodeIndex start = 0;
  double duration_s = 0.0;
  std::vector<StagedCommand> commands;
};

/// Who plays a graph, and what became of each command.
class GraphStage {
 public:
  /// What `part` refers to must outlive the stage.
  static Result<std::unique_ptr<GraphStage>> open(const GraphPart& part);

  /// Gives the commands whose time has come.
  Result<void> tell(double now_s);
  /// Looks, after a frame was played, which commands have ended.
  void note(double now_s);
  /// Commands that had not ended, or not begun, when playing did.
  void close();
  /// True while a place is on the way to, and nothing else is to be told.
  bool last_way() const { return way_.has_value() && next_ == script_.commands.size(); }
  double duration_s() const { return script_.duration_s; }
  double frame_time_s() const { return part.script.params.frame_time_s; }

  const GraphPart part;
  GraphClips clips;
  std::optional<graph::Player> player;
  std::vector<PlayedCommand> commands;
  Notes warnings;
  double there_s = 0.0;  ///< When a place that was asked for is reached.

 private:
  GraphStage(const GraphPart& of, StagedScript script, GraphClips with);
  Result<void> go_to_place(const StagedScript::StagedCommand& command, double now_s);
  PlayedCommand met_place(double now_s);

  StagedScript script_;
  std::size_t next_ = 0;                    // command
  std::optional<double> open_s_;            // when the command was told that is being carried out
  bool on_the_way_ = false;                 // to a target, at any place …
  bool to_state_ = false;                   // … of several nodes, which one can stay in
  bool stranded_ = false;                   // that was said
  std::optional<graph::EndCondition> way_;  // to a place, …
  graph::EndConditionParams wanted_;        // … and what it was searched for
};

}  // namespace shosa::documents
