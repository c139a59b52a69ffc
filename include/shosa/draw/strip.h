#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/draw/canvas.h"
#include "shosa/draw/projection.h"

namespace shosa::draw {

/// When a foot stands. `joint` is a foot or its toes.
struct FootMarks {
  JointIndex joint = kNoJoint;
  std::vector<TimeInterval> intervals;
};

/// One row of a strip. Angles turn with the body's heading: yaw 0 sees the front of a body that moves along its
/// heading.
struct StripView {
  StripView(ViewName name)
      : view(make_view(name, 0.0)), label(name == ViewName::three_quarter ? "three-quarter" : view_name(name)) {}
  StripView(const View& view_from_heading, std::string text) : view(view_from_heading), label(std::move(text)) {}

  View view;
  std::string label;
};

enum class StripLayout {
  world,  ///< Where the motion takes the body; side by side where postures would lie on each other.
  cells   ///< Side by side in equal cells, each centred on the body's root.
};

/// A second motion behind the first, faint, at the same times and in the same world.
struct Ghost {
  const Clip* clip = nullptr;
  const body::BodyMap* body_map = nullptr;
  std::string label = "before";  ///< In the legend.
};

struct StripParams {
  std::vector<StripView> views = {ViewName::side};  ///< One row each. At least one.
  StripLayout layout = StripLayout::world;
  int count = 9;                 ///< Postures at equal times from `from_s` to `to_s`, both included. In [1, 200].
  std::vector<double> times_s;   ///< Instead of `count`: these times, within the clip.
  std::optional<double> from_s;  ///< The clip's begin when empty.
  std::optional<double> to_s;    ///< The clip's last sample when empty. Must be >= from_s.
  std::vector<FootMarks> contacts;
  Ghost ghost;
  std::optional<double> heading_rad;  ///< Direction (sin, 0, cos) that points right in side view; found when empty.
  std::optional<double> ground_m;     ///< Height of the ground; found when empty.
  std::string title;
  double width_px = 1200.0;    ///< The picture is at most this wide. In [200, 10000].
  double max_body_px = 250.0;  ///< The body is drawn at most this tall. In [20, 4000].
  bool time_labels = true;
  bool scale_bar = true;
  bool legend = true;  ///< Which colour is left, right, contact; only where the body has sides.
  /// Ways of these joints through space over the shown time, with a dot at each posture; the ghost's are dashed. Where
  /// postures are set side by side each shows what its joint has done since the one before.
  std::vector<JointIndex> joint_paths;
  bool paths = true;  ///< In views from above: the way of root and feet.
};

struct StripRow {
  std::string label;
  bool true_place = true;               ///< Every posture stands where the motion has it.
  PageBox box;                          ///< What the figures of the row cover.
  std::vector<Projection> projections;  ///< One per posture.
};

struct Strip {
  Canvas canvas;
  std::vector<double> times_s;
  double px_per_m = 0.0;
  double heading_rad = 0.0;
  double ground_m = 0.0;
  std::vector<StripRow> rows;
};

/// Draws postures of a clip in one or several views, at one scale, framed so that nothing is cut off.
///
/// The heading is the direction from the first root position to the last where that is at least half a body size away,
/// else where the body faces on average (analysis/heading.h). The ground is the 15th percentile of the lowest drawn
/// point over the shown time, or the 2nd where that is much lower (stairs). In views from above, every contact leaves
/// its footprint, not only those at the drawn times. Postures stand at their true place where the motion takes them at
/// least half a figure's width apart on average. Fails when a rule above is broken, or a contact's joint is not in the
/// skeleton, or a joint position is not finite. The method and its limits: docs/methods/pictures.md
Result<Strip> draw_strip(const Clip& clip, const body::BodyMap& map, const StripParams& params = {});

}  // namespace shosa::draw
