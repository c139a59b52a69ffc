#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shosa/analysis/body_motion.h"
#include "shosa/analysis/core_interval.h"
#include "shosa/analysis/cycle.h"
#include "shosa/analysis/metrics.h"
#include "shosa/documents/footstep_plan.h"
#include "shosa/documents/graph_play.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/run_script.h"
#include "shosa/documents/score.h"
#include "shosa/documents/submovement_play.h"
#include "shosa/feet/place_feet.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/link_gaits.h"
#include "shosa/retarget/retarget.h"
#include "shosa/segment/loop.h"

namespace shosa::documents {

// What was found or made, as the text of one JSON object, with the keys that the command line's `--json` has for it:
// every door says the same. Texts that are no UTF-8 have what is wrong in them replaced.

/// The same report with the texts of notes in "warnings" and "notes".
std::string with_notes(const std::string& report, const Notes& notes);

/// Of a file, and of its clip `index` where it has any.
std::string info_report(const io::MotionFile& motion, std::size_t index);

/// When feet stand, what repeats, what matters.
struct ClipAnalysis {
  analysis::Cycle cycle;
  analysis::CoreInterval core;
  double root_speed_mps = 0.0;
  std::vector<TimeInterval> flights;
  Notes warnings;  ///< No feet; a frame rate that falls do not fit; steps on the spot.
};
/// `core`: somebody's word, instead of what is found. `rate_is_sure`: the frame rate was told, and is not doubted.
Result<ClipAnalysis> analyze(const analysis::StudiedClip& studied, std::optional<TimeInterval> core = std::nullopt,
                             bool rate_is_sure = false);
std::string analysis_report(const analysis::StudiedClip& studied, const ClipAnalysis& analysis);

/// Quality figures, alone and against a reference.
struct ClipMeasures {
  analysis::MotionQuality quality;
  analysis::BodyFigures figures;
  std::optional<analysis::ReferenceError> distance;
  std::optional<analysis::BodyChange> change;
  Notes warnings;  ///< No feet.
};
Result<ClipMeasures> measure(const analysis::StudiedClip& studied, const analysis::StudiedClip* reference = nullptr);
std::string measures_report(const ClipMeasures& measures);

std::string fix_report(const feet::PlacedFeet& placed, const analysis::MotionQuality& before,
                       const analysis::MotionQuality& after);
std::string loop_report(const segment::Loop& loop);
std::string retarget_report(const retarget::RetargetResult& result, const Skeleton& source, const Skeleton& target);
std::string compose_report(const ComposedScore& made);
std::string pose_report(const posing::MotionEditResult& edited);
std::string footsteps_report(const segment::Footsteps& walked);
std::string run_report(const RanScript& ran);
std::string play_report(const PlayedGraph& played, const graph::MotionGraph& graph, bool with_upper);
std::string decompose_report(const submovement::BodyResult& made);
std::string recompose_report(const submovement::BodyDecomposition& body, const PlayedSubmovements& played);
std::string link_report(const graph::LinkedGaits& linked, const graph::MotionSet& set);
std::string build_report(const graph::BuiltGraph& built, double threshold_m);
std::string plan_report(const graph::MotionGraph& graph, const graph::Plan& plan);

}  // namespace shosa::documents
