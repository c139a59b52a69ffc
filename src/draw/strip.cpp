#include "shosa/draw/strip.h"

#include <algorithm>
#include <cmath>

#include "draw/strip_drawing.h"

namespace shosa::draw {
namespace {

constexpr double kRowHeadPx = 26.0;
constexpr double kRowGapPx = 12.0;
constexpr double kTimeLabelsPx = 38.0;

Result<void> check(const Clip& clip, const StripParams& params) {
  if (params.views.empty()) {
    return fail(ErrorCode::invalid_argument, "no views: expected at least one");
  }
  if (!(params.width_px >= 200.0 && params.width_px <= 10000.0)) {
    return fail(ErrorCode::invalid_argument, "width {} px: expected 200 to 10000", params.width_px);
  }
  if (!(params.max_body_px >= 20.0 && params.max_body_px <= 4000.0)) {
    return fail(ErrorCode::invalid_argument, "body height {} px: expected 20 to 4000", params.max_body_px);
  }
  for (const FootMarks& contact : params.contacts) {
    if (contact.joint < 0 || contact.joint >= clip.joint_count()) {
      return fail(ErrorCode::invalid_argument, "contact of joint {}: the skeleton has joints 0 to {}", contact.joint,
                  clip.joint_count() - 1);
    }
  }
  for (const JointIndex joint : params.joint_paths) {
    if (joint < 0 || joint >= clip.joint_count()) {
      return fail(ErrorCode::invalid_argument, "path of joint {}: the skeleton has joints 0 to {}", joint,
                  clip.joint_count() - 1);
    }
  }
  if (params.heading_rad && !std::isfinite(*params.heading_rad)) {
    return fail(ErrorCode::invalid_argument, "heading {} rad: expected a finite number", *params.heading_rad);
  }
  if (params.ground_m && !std::isfinite(*params.ground_m)) {
    return fail(ErrorCode::invalid_argument, "ground at {} m: expected a finite number", *params.ground_m);
  }
  if ((params.ghost.clip == nullptr) != (params.ghost.body_map == nullptr)) {
    return fail(ErrorCode::invalid_argument, "ghost: expected both a clip and its body map");
  }
  return {};
}

/// The sheet before anything is drawn: rows, scale and size.
struct SheetPlan {
  std::vector<RowPlan> rows;
  bool same_columns = false;  ///< One line of time labels serves all rows.
  double px_per_m = 1.0;
  double title_px = 0.0;
  double width_px = 0.0;
  double height_px = 0.0;

  bool labelled(std::size_t row) const { return !same_columns || row + 1 == rows.size(); }
};

/// One scale for all rows: the widest fits, no row is taller than one and a half times the width, and the body is not
/// taller than asked.
SheetPlan plan_sheet(std::vector<RowPlan> rows, const StripParams& params, double size_m) {
  SheetPlan sheet;
  sheet.rows = std::move(rows);
  sheet.same_columns = align_columns(sheet.rows, params.layout);
  double widest_m = 0.0;
  double tallest_m = 0.0;
  for (const RowPlan& row : sheet.rows) {
    widest_m = std::max(widest_m, row.box_m.width_px());
    tallest_m = std::max(tallest_m, row.box_m.height_px());
  }
  const double room_px = params.width_px - 2.0 * kStripMarginPx;
  sheet.px_per_m = std::min({room_px / widest_m, 1.5 * params.width_px / tallest_m, params.max_body_px / size_m});
  sheet.width_px = std::ceil(
      std::clamp(widest_m * sheet.px_per_m + 2.0 * kStripMarginPx, std::min(360.0, params.width_px), params.width_px));
  sheet.title_px = params.title.empty() ? 10.0 : 36.0;
  sheet.height_px = sheet.title_px + (params.scale_bar || params.legend ? 30.0 : 8.0);
  for (std::size_t i = 0; i < sheet.rows.size(); ++i) {
    sheet.height_px += kRowHeadPx + sheet.rows[i].box_m.height_px() * sheet.px_per_m;
    sheet.height_px += params.time_labels && sheet.labelled(i) ? kTimeLabelsPx : kRowGapPx;
  }
  sheet.height_px = std::ceil(sheet.height_px);
  return sheet;
}

void draw_sheet(Drawing& drawing, const SheetPlan& sheet) {
  Strip& strip = drawing.strip;
  const StripParams& params = drawing.params;
  strip.canvas.text({kStripMarginPx, 27.0}, params.title, {.size_px = 16.0, .colour = kInk, .bold = true});
  double top_px = sheet.title_px;
  for (std::size_t k = 0; k < sheet.rows.size(); ++k) {
    const RowPlan& row = sheet.rows[k];
    const double row_width_px = row.box_m.width_px() * sheet.px_per_m;
    const Point corner_px(0.5 * (sheet.width_px - row_width_px), top_px + kRowHeadPx);
    StripRow done{row.label, row.true_place, {}, {}};
    for (std::size_t i = 0; i < strip.times_s.size(); ++i) {
      done.projections.push_back(row_projection(row, i, sheet.px_per_m, corner_px));
    }
    done.box.include(corner_px + sheet.px_per_m * (row.figures_m.low - row.box_m.low));
    done.box.include(corner_px + sheet.px_per_m * (row.figures_m.high - row.box_m.low));
    draw_row(drawing, row, done.projections, corner_px);

    const bool moved = params.layout == StripLayout::world && !row.true_place;
    strip.canvas.text({kStripMarginPx, top_px + 15.0}, row.label + (moved ? " (set side by side)" : ""),
                      {.size_px = kStripLabelPx, .colour = kSoftInk});
    top_px = corner_px.y() + row.box_m.height_px() * sheet.px_per_m;
    if (params.time_labels && sheet.labelled(k)) {
      draw_time_labels(drawing, done.projections, top_px + 9.0);
      top_px += kTimeLabelsPx;
    } else {
      top_px += kRowGapPx;
    }
    strip.rows.push_back(std::move(done));
  }
  const double foot_px = sheet.height_px - 16.0;
  if (params.scale_bar) {
    draw_scale_bar(strip.canvas, sheet.px_per_m, {kStripMarginPx, foot_px});
  }
  if (params.legend) {
    draw_legend(drawing, sheet.width_px - kStripMarginPx, foot_px);
  }
}

}  // namespace

Result<Strip> draw_strip(const Clip& clip, const body::BodyMap& map, const StripParams& params) {
  if (const Result<void> checked = check(clip, params); !checked) {
    return std::unexpected(checked.error());
  }
  const Result<std::vector<double>> times_s = strip_times(clip, params);
  if (!times_s) {
    return std::unexpected(times_s.error());
  }
  const Result<Postures> postures = make_postures(clip, map, *times_s);
  if (!postures) {
    return std::unexpected(postures.error());
  }
  std::optional<Postures> ghost;
  if (params.ghost.clip) {
    Result<Postures> made = make_postures(*params.ghost.clip, *params.ghost.body_map, *times_s);
    if (!made) {
      return std::unexpected(made.error());
    }
    ghost = std::move(*made);
  }
  const Postures* ghost_postures = ghost ? &*ghost : nullptr;
  const auto [from_s, to_s] = std::ranges::minmax(*times_s);
  const double heading_rad = params.heading_rad.value_or(find_heading_rad(*postures, map));
  const double ground_m = params.ground_m.value_or(find_ground_m(clip, postures->shape, from_s, to_s));
  const std::vector<Way> ways = params.paths ? find_ways(clip, map, postures->root, from_s, to_s) : std::vector<Way>();
  const std::vector<JointPath> joint_paths = find_joint_paths(clip, params, from_s, to_s);

  std::vector<RowPlan> rows;
  for (const StripView& view : params.views) {
    rows.push_back(plan_row(view, params.layout, *postures, ghost_postures, heading_rad, ground_m));
    if (rows.back().true_place && sees_ground(rows.back().view)) {
      include_ways(rows.back(), ways, ground_m);
    }
    if (rows.back().true_place) include_joint_paths(rows.back(), joint_paths);
  }
  const SheetPlan sheet = plan_sheet(std::move(rows), params, postures->shape.size_m);
  Strip strip{Canvas(sheet.width_px, sheet.height_px), *times_s, sheet.px_per_m, heading_rad, ground_m, {}};
  Drawing drawing{clip, map, params, *postures, ghost_postures, ways, joint_paths, strip};
  draw_sheet(drawing, sheet);
  return strip;
}

}  // namespace shosa::draw
