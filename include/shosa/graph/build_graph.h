#pragma once

#include <map>
#include <string>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/find_matches.h"
#include "shosa/graph/motion_graph.h"

namespace shosa::graph {

enum class NodeChoice {
  every,    ///< A keyframe each `node_step_s`.
  extremal  ///< Keyframes where the posture changes fastest or slowest.
};

/// Makes a graph of a set of clips: keyframes in lines, and links between them where `find_matches` finds a match.
///
/// A match of frame i of clip A with frame j of clip B gives two links, A_i → B_(j+T) and B_j → A_(i+T), which play the
/// second clip from the matching frame on; a direction whose end lies beyond the clip is left out. Proposed:
/// - play time T = what the change takes at `comfortable_mps2` and at `ease_mps`, within [min, max]_link_time_s;
/// - hurry from `calm_hurry` to `most_hurry`, in proportion to |dv| / max |dv| over all links, dv being the change of
///   speed over the ground; `calm_hurry` below `characteristic_mps`, and for links that play a clip on. Above all
///   values of a graph the weights come the nearer to the times the more hurried a command is: there more hurry is
///   hardly ever slower. With a calm hurry of 0 such links weigh their time alone, and a hurried command may wait for
///   long to take the link that fits it.
/// Nodes are the chosen keyframes, the ends of the links and each clip's first and last frame, named after their clip.
/// The largest strongly connected part is kept; the rest (dead ends) is cut and listed. Default links play the clip on
/// and go back into it by its last link that does so while it moves as it does at its end; where there is none, its
/// last keyframe takes the link of least distance.
struct BuildParams {
  MatchParams match;
  NodeChoice nodes = NodeChoice::every;
  double node_step_s = 0.1;  ///< > 0.
  double min_link_time_s = 0.1;
  double max_link_time_s = 0.5;     ///< >= min_link_time_s, both > 0.
  double comfortable_mps2 = 6.0;    ///< > 0.
  double ease_mps = 0.35;           ///< Mean distance of the postures over this is time that a change needs; > 0.
  double characteristic_mps = 0.2;  ///< >= 0.
  int calm_hurry = 1;               ///< 0 to 100.
  int most_hurry = 30;              ///< 1 to 100, >= calm_hurry.
  std::map<std::string, std::string> names = {};  ///< Of nodes, by clip; else that of the file without its extension.
};

struct CutNode {
  std::string clip;
  double time_s = 0.0;
};
struct BuiltGraph {
  MotionGraph graph;
  std::vector<CutNode> cut;  ///< Keyframes that would strand.
  Matches matches;
  int links_between = 0;  ///< Links of the graph that change over, not counting lines of keyframes.
};

/// Fails when a rule is broken, or no part of the set can be left and reached again.
Result<BuiltGraph> build_graph(const MotionSet& set, const BuildParams& params = {});

/// The least threshold, of the one given times 1.25, 1.25^2, … up to `most_m`, at which as many clips of the set are in
/// the graph as at any of them; 0 where the given one does as well, and where the set has so many frames that trying
/// would take long.
double connecting_threshold_m(const MotionSet& set, const BuildParams& params, double most_m = 0.4);

/// Frames of one clip at which the posture, seen from the pelvis, changes fastest or slowest; ascending.
std::vector<int> extremal_frames(const SetClip& clip);

}  // namespace shosa::graph
