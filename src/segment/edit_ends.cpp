#include "segment/edit_ends.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/forward_kinematics.h"

namespace shosa::segment {

namespace {

// An end with free axes that is so near is reached.
constexpr double kReached_m = 1e-4;
// Steps along free axes are lengthened: where a limb is nearly straight it comes but little nearer each time.
constexpr double kLead = 3.0;

// At a clip's end nobody sees the velocity beyond it: the last step is to have the one asked for. With k the share of
// the last velocity at sample n - 1 (negative), x'_n - x'_{n-1} = v_{n-1} + (1 - p) d - k u.
Vec3d last_step_change(const SegmentEditor& editor, int handle, EditMethod method, const EndChange& change,
                       const Vec3d& step) {
  const int n = editor.last();
  const PathCoefficients& c = editor.coefficients(handle);
  const auto before = static_cast<std::size_t>(n) - 1;
  const bool two = method == EditMethod::two_step;
  const double k = two ? c.tail_epsilon[before] : c.epsilon[before];
  if (k > -0.2) return change.velocity;
  const double p = two ? c.delta[before] : c.gamma[before];
  const Vec3d last = editor.source(handle, n) - editor.source(handle, n - 1);
  const Vec3d u = (step - last - (1.0 - p) * change.position) / -k;
  return two ? Vec3d(u + c.end_share * change.position) : u;
}

/// The largest share s <= 1 of a change with which no step of the path is longer than `most_m`, or than it was: of each
/// |v + s u|^2 <= max(most, |v|)^2 the larger root, which is not negative.
double affordable_share(const SegmentEditor& editor, int handle, double most_m) {
  double share = 1.0;
  for (int i = 0; i < editor.last(); ++i) {
    const Vec3d v = editor.source(handle, i + 1) - editor.source(handle, i);
    const Vec3d u = editor.target(handle, i + 1) - editor.target(handle, i) - v;
    const double bound = std::max(most_m, v.norm()), uu = u.squaredNorm(), uv = u.dot(v);
    if ((v + u).norm() <= bound || uu == 0.0) continue;
    share = std::min(share, (-uv + std::sqrt(std::max(0.0, uv * uv + uu * (bound * bound - v.squaredNorm())))) / uu);
  }
  return std::max(share, 0.0);
}

}  // namespace

Vec3d along_asked(const HandleEnd& end, Vec3d v) {
  for (int axis = 0; axis < 3; ++axis) {
    if (end.free[axis]) v[axis] = 0.0;
  }
  return v;
}

bool send(const SegmentEditParams& params, const std::vector<Vec3d>& ends, double dt, SegmentEditor& editor,
          SegmentEdit& edit) {
  const int n = editor.last();
  const bool at_clips_end = edit.first + n + 1 == edit.clip.frame_count();
  edit.handles.resize(params.handles.size());
  bool any = false;
  for (int h = 0; h < editor.handle_count(); ++h) {
    const auto k = static_cast<std::size_t>(h);
    const HandleEnd& end = params.handles[k];
    HandleOutcome& outcome = edit.handles[k];
    EndChange change{.position = ends[k] - editor.source(h, n)};
    if (end.velocity_mps) {
      change.has_velocity = true;
      change.velocity = *end.velocity_mps * dt - (editor.source(h, n + 1) - editor.source(h, n));
      if (at_clips_end) change.velocity = last_step_change(editor, h, params.method, change, *end.velocity_mps * dt);
    }
    editor.set_end(h, change);
    if (params.max_speed_mps) outcome.share = affordable_share(editor, h, *params.max_speed_mps * dt);
    if (outcome.share < 1.0) {
      change.position *= outcome.share;
      change.velocity *= outcome.share;
      editor.set_end(h, change);
      edit.warnings.push_back(fmt::format("'{}' would go faster than {} m/s: {:.0f} % of its change are made",
                                          edit.clip.skeleton().name(end.joint), *params.max_speed_mps,
                                          100.0 * outcome.share));
    }
    for (int i = 0; i < n; ++i) {
      outcome.max_speed_mps =
          std::max(outcome.max_speed_mps, (editor.target(h, i + 1) - editor.target(h, i)).norm() / dt);
    }
    any |= !change.position.isZero(0.0) || !change.velocity.isZero(0.0);
    outcome.eased = editor.coefficients(h).eased;
    if (outcome.eased) {
      edit.warnings.push_back(fmt::format("'{}' never moves in the segment: it is led to its end by a plain ease",
                                          edit.clip.skeleton().name(end.joint)));
    }
  }
  return any;
}

bool lead_free_axes(const SegmentEditParams& params, const SegmentEdit& edit, std::vector<Vec3d>& ends) {
  Pose pose;
  WorldPose at;
  edit.clip.get_frame(edit.last, pose);
  forward_kinematics(edit.clip.skeleton(), pose, at);
  bool any = false;
  for (std::size_t h = 0; h < params.handles.size(); ++h) {
    const HandleEnd& end = params.handles[h];
    const Vec3d off = at.positions[end.joint] - ends[h];
    const bool has_free = std::ranges::any_of(end.free, [](bool free) { return free; });
    if (!has_free || edit.handles[h].share < 1.0 || along_asked(end, off).norm() <= kReached_m) continue;
    ends[h] += kLead * (off - along_asked(end, off));
    any = true;
  }
  return any;
}

}  // namespace shosa::segment
