#include "segment/segment_editor.h"

#include <algorithm>

namespace shosa::segment {

struct SegmentEditor::Handle {
  int point = 0;
  std::vector<Vec3d> samples;
  PathCoefficients coefficients;
  PlayingPath path;
  EndChange change;

  Handle(int which, std::vector<Vec3d> positions, std::vector<double> speeds)
      : point(which),
        samples(std::move(positions)),
        coefficients(path_coefficients(speeds)),
        path(samples, std::move(speeds)) {}

  Vec3d offset(EditMethod method, int frame) const {
    return method == EditMethod::two_step ? path.offset(frame) : path_offset(coefficients, method, change, frame);
  }
};

namespace {

Result<void> check(const Clip& clip, int first, int last, const SegmentEditorParams& params) {
  if (first < 0 || last >= clip.frame_count() || last - first < 3) {
    return fail(ErrorCode::invalid_argument, "a segment from frame {} to {} of {}; at least 4 frames inside are needed",
                first, last, clip.frame_count());
  }
  for (std::size_t i = 0; i < params.handles.size(); ++i) {
    const EditorHandle& handle = params.handles[i];
    if (handle.joint < 0 || handle.joint >= clip.joint_count()) {
      return fail(ErrorCode::invalid_argument, "handle {}: joint {} of {}", i, handle.joint, clip.joint_count());
    }
    const auto frames = static_cast<std::size_t>(last - first) + 2;
    if (!handle.planted.empty() && handle.planted.size() != frames) {
      return fail(ErrorCode::invalid_argument, "handle {}: {} planted flags, expected {}", i, handle.planted.size(),
                  frames);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (params.handles[j].joint == handle.joint) {
        return fail(ErrorCode::invalid_argument, "handle '{}' is given twice", clip.skeleton().name(handle.joint));
      }
    }
  }
  return {};
}

}  // namespace

Result<SegmentEditor> SegmentEditor::create(const analysis::StudiedClip& studied, int first, int last,
                                            SegmentEditorParams params) {
  const Clip& clip = studied.clip();
  if (const auto ok = check(clip, first, last, params); !ok) return std::unexpected(ok.error());
  auto body = make_point_body(clip, studied.map());
  if (!clip.is_translated(body->carrier)) {
    return fail(ErrorCode::not_possible, "the root's translation does not vary in the clip, so the body cannot move");
  }
  for (const EditorHandle& handle : params.handles) {
    if (const auto point = handle_point(*body, handle.joint); !point) return std::unexpected(point.error());
  }
  return SegmentEditor(studied, first, last, std::move(params), std::move(body));
}

SegmentEditor::SegmentEditor(const analysis::StudiedClip& studied, int first, int last, SegmentEditorParams params,
                             std::shared_ptr<const PointBody> body)
    : studied_(studied),
      first_(first),
      last_(last - first),
      params_(std::move(params)),
      reconstructor_(std::move(body), params_.relax) {
  const PointBody& points = reconstructor_.body();
  for (const Limb& limb : points.limbs) {
    const auto is_handle = [&](const EditorHandle& h) { return h.joint == limb.end || h.joint == limb.toe; };
    if (!limb.leg || !params_.hold_feet || std::ranges::any_of(params_.handles, is_handle)) continue;
    feet_points_.push_back(limb.end_point);
    feet_.emplace_back();
  }
  std::vector<std::vector<Vec3d>> paths(params_.handles.size());
  const ClipPositions& positions = studied_.positions();
  for (int f = first; f <= std::min(last + 1, positions.frame_count() - 1); ++f) {
    for (std::size_t h = 0; h < paths.size(); ++h) paths[h].push_back(positions.joint(f, params_.handles[h].joint));
    for (std::size_t i = 0; i < feet_.size(); ++i)
      feet_[i].push_back(positions.joint(f, points.points[feet_points_[i]]));
  }
  for (std::size_t h = 0; h < paths.size(); ++h) {
    if (static_cast<int>(paths[h].size()) == last_ + 1) paths[h] = with_next_sample(paths[h]);
    auto speeds = path_speeds(paths[h], params_.handles[h].planted);
    handles_.push_back(
        std::make_unique<Handle>(points.point_of(params_.handles[h].joint), std::move(paths[h]), std::move(speeds)));
  }
  goals_.resize(handles_.size() + feet_.size());
}

SegmentEditor::SegmentEditor(SegmentEditor&&) noexcept = default;
SegmentEditor& SegmentEditor::operator=(SegmentEditor&&) noexcept = default;
SegmentEditor::~SegmentEditor() = default;

const Vec3d& SegmentEditor::source(int handle, int frame) const {
  return handles_[handle]->samples[frame];
}

Vec3d SegmentEditor::target(int handle, int frame) const {
  return source(handle, frame) + handles_[handle]->offset(params_.method, frame);
}

const PathCoefficients& SegmentEditor::coefficients(int handle) const {
  return handles_[handle]->coefficients;
}

bool SegmentEditor::set_end(int handle, const EndChange& change, int now) {
  Handle& h = *handles_[handle];
  if (params_.method == EditMethod::two_step && !h.path.set_end(now, change)) return false;
  h.change = change;
  return true;
}

ReconstructReport SegmentEditor::evaluate(int frame, Pose& pose) {
  studied_.clip().get_frame(first_ + frame, pose);
  bool moved = false;
  std::size_t count = 0;
  for (const auto& handle : handles_) {
    const Vec3d offset = handle->offset(params_.method, frame);
    moved |= !offset.isZero(0.0);
    goals_[count++] = {handle->point, handle->samples[frame] + offset, handle->point != 0};
  }
  if (!moved) return {};
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    goals_[count++] = {feet_points_[i], feet_[i][frame], true};
  }
  return reconstructor_.solve(pose, {.points = goals_, .turns = {}}, pose);
}

}  // namespace shosa::segment
