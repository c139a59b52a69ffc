#include "shosa/draw/foot_plot.h"

#include <algorithm>

#include "shosa/draw/palette.h"
#include "shosa/draw/plot.h"

namespace shosa::draw {

namespace {

struct Curve {
  std::vector<double> height_m;
  std::vector<double> speed_mps;  // central differences; one-sided at the ends
};

struct Frames {
  int first = 0, last = 0;
};

Curve curve_of(const ClipPositions& positions, int point, double frame_time_s, const Frames& shown) {
  Curve curve;
  const int last = positions.frame_count() - 1;
  for (int f = shown.first; f <= shown.last; ++f) {
    const int before = std::max(f - 1, 0), after = std::min(f + 1, last);
    curve.height_m.push_back(positions.point(f, point).y());
    const double span_s = std::max(after - before, 1) * frame_time_s;
    curve.speed_mps.push_back((positions.point(after, point) - positions.point(before, point)).norm() / span_s);
  }
  return curve;
}

}  // namespace

Result<Canvas> draw_feet_over_time(const analysis::StudiedClip& studied, const TimeInterval& shown, double width_px) {
  const Clip& clip = studied.clip();
  const TimeInterval range{std::max(shown.begin_s, 0.0),
                           std::min(shown.end_s, std::max(clip.last_time_s(), clip.frame_time_s()))};
  if (!(range.begin_s < range.end_s)) {
    return fail(ErrorCode::invalid_argument, "{} s to {} s, expected a stretch of the clip's 0 s to {:.4f} s",
                shown.begin_s, shown.end_s, clip.last_time_s());
  }
  const Frames frames{clip.nearest_frame(range.begin_s), clip.nearest_frame(range.end_s)};
  if (const auto feet = studied.needs_feet(); !feet) return std::unexpected(feet.error());
  const ClipPositions& positions = studied.positions();

  std::vector<double> times;
  for (int f = frames.first; f <= frames.last; ++f) times.push_back(f * clip.frame_time_s());
  PlotParams params;
  params.width_px = width_px;
  params.panel_height_px = 90.0;
  params.range = range;
  for (const analysis::FootContactTrack& foot : studied.contacts().feet) {
    Panel height;
    height.title = foot.points.name + " foot, height";
    height.unit = "m";
    Panel speed;
    speed.title = foot.points.name + " foot, speed";
    speed.unit = "m/s";
    for (const auto& [name, point] : {std::pair{"heel", foot.points.heel}, std::pair{"toe", foot.points.toe}}) {
      if (point < 0) continue;
      Curve curve = curve_of(positions, point, clip.frame_time_s(), frames);
      height.series.push_back({.name = name, .times_s = times, .values = std::move(curve.height_m)});
      speed.series.push_back({.name = name, .times_s = times, .values = std::move(curve.speed_mps)});
    }
    for (TimeInterval contact : foot.joined) {
      contact = {std::max(contact.begin_s, range.begin_s), std::min(contact.end_s, range.end_s)};
      if (contact.begin_s > contact.end_s) continue;
      for (Panel* panel : {&height, &speed}) {
        panel->bands.push_back({.interval = contact, .colour = with_alpha(kContact, 0.15)});
      }
    }
    params.panels.push_back(std::move(height));
    params.panels.push_back(std::move(speed));
  }
  Panel hips;
  hips.title = "hips, speed";
  hips.unit = "m/s";
  const JointIndex root = root_joint(studied.map());
  hips.series.push_back({.times_s = times, .values = curve_of(positions, root, clip.frame_time_s(), frames).speed_mps});
  params.panels.push_back(std::move(hips));

  auto plot = draw_plot(params);
  if (!plot) return std::unexpected(plot.error());
  return std::move(plot->canvas);
}

}  // namespace shosa::draw
