#pragma once

/// The front door: every method in a call or two, with the defaults of the command line. docs/front_door.md
///
/// What is wrong comes back as `Result`: a code, and one line that says what was found, expected and where. Functions
/// keep no state and may be called from several threads at once; some use several threads themselves, and none gives
/// other bits for that. They allocate; what does not is said to.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/analysis/metrics.h"
#include "shosa/documents/clip_file.h"
#include "shosa/documents/graph_clips.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/score.h"
#include "shosa/feet/place_feet.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/player.h"
#include "shosa/retarget/retarget.h"
#include "shosa/segment/loop.h"

namespace shosa {

/// A clip on a body, as a file holds it: `clip()`, its roles (`motion.body_map`), what was odd about the file or was
/// done to the clip (`motion.warnings`), and all that is needed to write it back in the file's own form. A value.
using MotionClip = documents::ChosenClip;
using documents::ClipOptions;

/// A clip that a call made, and what the call says about it (whose own clip is the same one).
template <class Report>
struct MadeClip : MotionClip {
  Report report;
};

/// Reads .bvh .asf .amc .glb .gltf .vrma .vrm .fbx. An added T-pose is left out unless `options.as_captured`.
Result<MotionClip> read_clip(const std::string& path, const ClipOptions& options = {});
/// The same from memory, where `io::parse_motion` can; the extension of `name` says what the bytes are. Of the options
/// only take, as_captured and drop_tpose count.
Result<MotionClip> parse_clip(std::string_view bytes, const std::string& name, const ClipOptions& options = {});
/// A body to put motions onto: any file with a skeleton, with or without motion.
Result<io::MotionFile> read_body(const std::string& path, const ClipOptions& options = {});
/// Writes .bvh .glb .gltf .vrma .csv by extension; the file appears whole or not at all.
Result<void> write_clip(const std::string& path, const MotionClip& clip);

/// Takes foot slide and floor penetration out of a clip (`shosa fix`).
struct FixReport {
  feet::PlacedFeet placed;
  analysis::MotionQuality before, after;  ///< In the contacts of the clip as it was.
};
Result<MadeClip<FixReport>> fix_clip(MotionClip clip, const feet::CapturedStanceParams& params = {});

/// A seamless cycle (`shosa loop`).
Result<MadeClip<segment::Loop>> loop_clip(MotionClip clip, const segment::LoopParams& params = {});

/// Clips one after the other, as early as they can (`shosa compose a.bvh b.bvh`): on the body and at the rate of the
/// first. 0 is fast, 1 is smooth. Errors call clips by number and name.
Result<MadeClip<blend::Composition>> join_clips(const std::vector<MotionClip>& clips,
                                                std::optional<double> smoothness = std::nullopt);

/// Postures of the motions that ship, from which `pose_clip` and `drag_joint` take how people bend for what limbs alone
/// do not reach (docs/methods/pin_and_drag.md). Made once, at the first call.
const std::vector<analysis::StudiedClip>& usual_postures();

/// Leads a joint (its name, or a role as "right_hand") along keys while the clip plays; feet stay where they stand. As
/// a script {"drags": [{"joint", "keys"}], "keep_feet": true} of `shosa pose`.
Result<MadeClip<posing::MotionEditResult>> drag_joint(const MotionClip& clip, const std::string& joint,
                                                      std::vector<posing::DragKey> keys);
/// All that a script can say (`shosa pose`); `script.clip` is not looked at.
Result<MadeClip<posing::MotionEditResult>> pose_clip(const MotionClip& clip, documents::PoseScript script);

/// A clip on another body (`shosa retarget`). `params.target_motion`, where empty, is the body's own first clip.
Result<MadeClip<retarget::RetargetResult>> retarget_clip(MotionClip clip, io::MotionFile onto,
                                                         retarget::RetargetParams params = {});

/// Clips on one body, linked where they are alike. Constant once made; players share it.
struct LinkedClips {
  documents::GraphFile file;  ///< `file.graph`: keyframes and links. Nodes bear the names of their clips ("walk").
  documents::GraphClips clips;
};
/// `shosa graph build`: what was odd is in `clips.set.warnings`.
Result<std::shared_ptr<const LinkedClips>> build_graph(const std::vector<std::string>& files,
                                                       const graph::BuildParams& params = {},
                                                       const ClipOptions& options = {});
/// A graph that was written by `shosa graph build` or by hand; its clips are read too.
Result<std::shared_ptr<const LinkedClips>> read_graph(const std::string& path, const ClipOptions& options = {});

/// A character that plays a graph for ever and takes commands. One thread at a time.
class GraphPlayer {
 public:
  /// From now on to any node of this id or name; `hurry` 0 to 100, the shortest time when left out.
  Result<void> go_to(const std::string& target, int hurry = graph::kNoHurry);
  /// The next frame. Allocates nothing once the pose has its size.
  void step(Pose& pose) { player_.step(pose); }
  /// The frames of the next `duration_s`, as a clip in the form of the graph's first file. Fails above an hour.
  Result<MotionClip> record(double duration_s);

  const LinkedClips& linked() const { return *linked_; }
  /// Where it is, what it is at, and finer commands.
  graph::Player& player() { return player_; }

 private:
  friend Result<GraphPlayer> play_graph(std::shared_ptr<const LinkedClips>, const std::string&,
                                        const graph::PlayerParams&);
  GraphPlayer(std::shared_ptr<const LinkedClips> linked, graph::Player player, double frame_time_s)
      : linked_(std::move(linked)), player_(std::move(player)), frame_time_s_(frame_time_s) {}

  std::shared_ptr<const LinkedClips> linked_;
  graph::Player player_;
  double frame_time_s_;
};
/// Starts at a node of this id or name; at the first node when empty.
Result<GraphPlayer> play_graph(std::shared_ptr<const LinkedClips> linked, const std::string& start = {},
                               const graph::PlayerParams& params = {});

}  // namespace shosa
