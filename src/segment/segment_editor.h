#pragma once

#include <memory>
#include <span>
#include <vector>

#include "segment/path_edit.h"
#include "segment/reconstruct.h"
#include "shosa/analysis/studied_clip.h"

namespace shosa::segment {

/// A handle of a segment: a joint whose end is constrained.
struct EditorHandle {
  JointIndex joint = kNoJoint;  ///< One of the body's points. Required.
  std::vector<char> planted;    ///< One flag per frame of the segment and one more, or empty: at rest by decree.
};

struct SegmentEditorParams {
  std::vector<EditorHandle> handles;
  EditMethod method = EditMethod::two_step;
  bool hold_feet = true;  ///< Feet that are no handles stay on their own path, whatever the body does.
  RelaxParams relax = {};
};

/// One segment with its coefficients: frames are edited one at a time, in any order, while the end may still change.
///
/// Transformation (each handle by itself), reconstruction, mapping: docs/methods/segment_editing.md. `evaluate`
/// allocates nothing once the pose has its size. Not thread-safe: one per character.
class SegmentEditor {
 public:
  /// Frames `first`..`last` of the clip (`last` - `first` >= 3); the frame after `last` gives the last velocity where
  /// there is one. Fails on a joint that is no handle, on one given twice, or where the clip's root cannot move.
  static Result<SegmentEditor> create(const analysis::StudiedClip& studied, int first, int last,
                                      SegmentEditorParams params);

  SegmentEditor(SegmentEditor&&) noexcept;
  SegmentEditor& operator=(SegmentEditor&&) noexcept;
  ~SegmentEditor();

  int last() const { return last_; }  ///< Frames are 0..last().
  int handle_count() const { return static_cast<int>(handles_.size()); }
  const PointBody& body() const { return reconstructor_.body(); }

  /// A handle's own position at a frame (last() + 1 is the one beyond), and where the edit puts it.
  const Vec3d& source(int handle, int frame) const;
  Vec3d target(int handle, int frame) const;
  const PathCoefficients& coefficients(int handle) const;

  /// Asks for another end. `now` is the frame being shown, -1 before the start. Two-step edits keep what was played
  /// (path_edit.h); false when it comes too late. The other methods are for comparison and edit the whole segment.
  bool set_end(int handle, const EndChange& change, int now = -1);

  /// The edited posture of one frame. A frame that no handle moves comes back bit for bit.
  ReconstructReport evaluate(int frame, Pose& pose);

 private:
  struct Handle;
  SegmentEditor(const analysis::StudiedClip& studied, int first, int last, SegmentEditorParams params,
                std::shared_ptr<const PointBody> body);

  analysis::StudiedClip studied_;
  int first_, last_;
  SegmentEditorParams params_;
  Reconstructor reconstructor_;
  std::vector<std::unique_ptr<Handle>> handles_;
  std::vector<std::vector<Vec3d>> feet_;  // paths of held feet, by frame
  std::vector<int> feet_points_;
  std::vector<PointGoal> goals_;
};

}  // namespace shosa::segment
