#include "shosa/draw/strip.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/strip_layout.h"
#include "shosa/core/sampling.h"

namespace shosa::draw {
namespace {

constexpr double kMarginPx = 24.0;
constexpr double kLabelPx = 11.0;
constexpr double kLevelPitch = 0.03;

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

bool from_above(const RowPlan& row) {
  return std::abs(row.view.pitch_rad) > 1.0;
}
bool sees_ground(const RowPlan& row) {
  return std::abs(row.view.pitch_rad) >= kLevelPitch;
}

/// All that the pieces of one strip need.
struct Drawing {
  const Clip& clip;
  const BodyMap& map;
  const StripParams& params;
  const Postures& postures;
  const Postures* ghost;
  Strip& strip;
};

void draw_path(Drawing& drawing, const Projection& projection, JointIndex joint, const Stroke& stroke) {
  const auto [from_s, to_s] = std::ranges::minmax(drawing.strip.times_s);
  const int first = drawing.clip.nearest_frame(from_s);
  const int last = drawing.clip.nearest_frame(to_s);
  const int step = std::max(1, (last - first) / 600);
  std::vector<Point> points;
  Pose pose;
  WorldPose world;
  for (int frame = first; frame <= last; frame += step) {
    drawing.clip.get_frame(frame, pose);
    forward_kinematics(drawing.clip.skeleton(), pose, world);
    const Vec3d& at = world.positions[static_cast<std::size_t>(joint)];
    points.push_back(projection.to_px({at.x(), drawing.strip.ground_m, at.z()}));
  }
  drawing.strip.canvas.stroke(Path::polyline(points), stroke);
}

void draw_paths(Drawing& drawing, const RowPlan& row, const Projection& projection) {
  draw_path(drawing, projection, drawing.postures.root, {with_alpha(kSoftInk, 0.6), 1.2, {5.0, 4.0}});
  if (!from_above(row)) {
    return;
  }
  const bool four_feet = drawing.map.kind == BodyKind::quadruped;
  const auto foot = [&](Role toes, Role ankle) {
    return drawing.map.has(toes) ? drawing.map.joint(toes) : drawing.map.joint(ankle);
  };
  const std::pair<JointIndex, Colour> feet[] = {{foot(Role::left_toes, Role::left_foot), kLeft},
                                                {foot(Role::right_toes, Role::right_foot), kRight},
                                                {four_feet ? drawing.map.joint(Role::left_hand) : kNoJoint, kLeft},
                                                {four_feet ? drawing.map.joint(Role::right_hand) : kNoJoint, kRight}};
  for (const auto& [joint, colour] : feet) {
    if (joint != kNoJoint) {
      draw_path(drawing, projection, joint, {with_alpha(colour, 0.55), 1.2, {}});
    }
  }
}

/// Where each foot stood: its print in the middle of every contact of the shown time.
void draw_steps(Drawing& drawing, const Projection& projection) {
  const auto [from_s, to_s] = std::ranges::minmax(drawing.strip.times_s);
  Pose pose;
  WorldPose world;
  for (const FootMarks& contact : drawing.params.contacts) {
    for (const TimeInterval& interval : contact.intervals) {
      const double begin_s = std::max(from_s, interval.begin_s);
      const double end_s = std::min(to_s, interval.end_s);
      if (end_s < begin_s) {
        continue;
      }
      sample(drawing.clip, 0.5 * (begin_s + end_s), pose);
      forward_kinematics(drawing.clip.skeleton(), pose, world);
      drawing.strip.canvas.shape(footprint(drawing.clip.skeleton(), drawing.postures.shape, world, contact.joint,
                                           drawing.strip.ground_m, projection),
                                 Fill{.colour = with_alpha(kContact, 0.22), .stops = {}},
                                 Stroke{with_alpha(kContact, 0.75), 1.0, {}});
    }
  }
}

void draw_row_ground(Drawing& drawing, const RowPlan& row, const Point& corner_px) {
  const double scale = drawing.strip.px_per_m;
  PageBox box;
  box.include(corner_px - Point(8.0, 8.0));
  box.include(corner_px + scale * (row.box_m.high - row.box_m.low) + Point(8.0, 8.0));
  const Projection projection = row_projection(row, 0, scale, corner_px);
  if (sees_ground(row) && !from_above(row)) {
    // Only the floor: from the nearest ground point to the farthest, not up behind the heads.
    const double margin_m = 0.32 * drawing.postures.shape.size_m * std::abs(std::sin(row.view.pitch_rad));
    double low_px = 1e300;
    double high_px = -1e300;
    for (std::size_t i = 0; i < row.shifts_m.size(); ++i) {
      const Vec3d& root = drawing.postures.worlds[i].positions[static_cast<std::size_t>(drawing.postures.root)];
      const double y = row_projection(row, i, scale, corner_px).to_px({root.x(), drawing.strip.ground_m, root.z()}).y();
      low_px = std::min(low_px, y - scale * margin_m);
      high_px = std::max(high_px, y + scale * margin_m);
    }
    box.low.y() = low_px;
    box.high.y() = high_px;
  }
  draw_ground(drawing.strip.canvas, drawing.strip.ground_m, box, projection,
              round_length_m(0.35 * drawing.postures.shape.size_m));
}

/// Farther postures first; at about the same depth, earlier first.
std::vector<std::size_t> posture_order(const Drawing& drawing, const RowPlan& row) {
  std::vector<std::size_t> order(row.shifts_m.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto layer = [&](std::size_t i) {
    const Vec3d root = drawing.postures.worlds[i].positions[static_cast<std::size_t>(drawing.postures.root)];
    const double depth_m = (root + row.shifts_m[i]).dot(row.view.towards_viewer());
    return std::floor(depth_m / (0.15 * drawing.postures.shape.size_m));
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return layer(a) < layer(b); });
  return order;
}

void draw_row_figures(Drawing& drawing, const RowPlan& row, const std::vector<Projection>& projections) {
  Canvas& canvas = drawing.strip.canvas;
  const std::vector<std::size_t> order = posture_order(drawing, row);
  for (const std::size_t i : order) {
    draw_shadow(canvas, drawing.postures.shape, drawing.postures.worlds[i], drawing.strip.ground_m, projections[i]);
  }
  if (drawing.ghost) {
    for (const std::size_t i : order) {
      draw_figure(canvas, drawing.ghost->shape, drawing.ghost->worlds[i], projections[i], ghost_colours());
    }
  }
  for (const std::size_t i : order) {
    for (const FootMarks& contact : drawing.params.contacts) {
      const double time_s = drawing.strip.times_s[i];
      if (std::ranges::any_of(contact.intervals, [&](const TimeInterval& in) { return in.contains(time_s); })) {
        draw_contact_mark(canvas, drawing.clip.skeleton(), drawing.postures.shape, drawing.postures.worlds[i],
                          contact.joint, drawing.strip.ground_m, projections[i]);
      }
    }
    draw_figure(canvas, drawing.postures.shape, drawing.postures.worlds[i], projections[i]);
  }
}

/// Times under the postures, in up to two lines; one that fits in neither is left out.
void draw_time_labels(Drawing& drawing, const std::vector<Projection>& projections, double top_px) {
  double free_px[2] = {-1e300, -1e300};
  std::vector<std::size_t> by_place(projections.size());
  std::iota(by_place.begin(), by_place.end(), std::size_t{0});
  const auto place_px = [&](std::size_t i) {
    const auto root = static_cast<std::size_t>(drawing.postures.root);
    return projections[i].to_px(drawing.postures.worlds[i].positions[root]).x();
  };
  std::ranges::stable_sort(by_place, [&](std::size_t a, std::size_t b) { return place_px(a) < place_px(b); });
  for (const std::size_t i : by_place) {
    const std::string text = fmt::format("{:.2f} s", drawing.strip.times_s[i]);
    const double half_px = 0.5 * text_width_px(text, kLabelPx);
    const double x = std::clamp(place_px(i), half_px + 4.0, drawing.strip.canvas.width_px() - half_px - 4.0);
    for (int line = 0; line < 2; ++line) {
      if (x - half_px > free_px[line]) {
        free_px[line] = x + half_px + 6.0;
        drawing.strip.canvas.text({x, top_px + kLabelPx + line * (kLabelPx + 3.0)}, text,
                                  {.size_px = kLabelPx, .colour = kSoftInk, .align = Align::middle});
        break;
      }
    }
  }
}

void draw_scale_bar(Canvas& canvas, double px_per_m, const Point& at) {
  const double length_m = round_length_m(140.0 / px_per_m);
  const double length_px = length_m * px_per_m;
  const Stroke stroke{kInk, 1.4, {}};
  canvas.line(at, at + Point(length_px, 0.0), stroke);
  canvas.line(at + Point(0.0, -4.0), at + Point(0.0, 4.0), stroke);
  canvas.line(at + Point(length_px, -4.0), at + Point(length_px, 4.0), stroke);
  const std::string text = length_m < 0.1 ? fmt::format("{:g} cm", 100.0 * length_m) : fmt::format("{:g} m", length_m);
  canvas.text(at + Point(length_px + 8.0, 4.0), text, {.size_px = kLabelPx, .colour = kInk});
}

void draw_legend(Drawing& drawing, double right_px, double y_px) {
  struct Entry {
    std::string_view text;
    Colour colour;
  };
  std::vector<Entry> entries;
  const auto has_side = [&](Side side) {
    return std::ranges::any_of(drawing.postures.shape.parts,
                               [side](const BodyPart& part) { return part.side == side; });
  };
  if (has_side(Side::left) && has_side(Side::right)) {
    entries = {{"left", kLeft}, {"right", kRight}};
  }
  if (!drawing.params.contacts.empty()) {
    entries.push_back({"contact", kContact});
  }
  if (drawing.ghost) {
    entries.push_back({"before", mixed(kPaper, kGhost, 0.6)});
  }
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    right_px -= text_width_px(entry->text, kLabelPx);
    drawing.strip.canvas.text({right_px, y_px + 4.0}, entry->text, {.size_px = kLabelPx, .colour = kSoftInk});
    right_px -= 17.0;
    drawing.strip.canvas.fill(Path::rectangle({right_px, y_px - 5.0}, 11.0, 11.0), entry->colour);
    right_px -= 14.0;
  }
}

}  // namespace

Result<Strip> draw_strip(const Clip& clip, const BodyMap& map, const StripParams& params) {
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

  // One scale for all rows: the widest fits, and the body is not taller than asked.
  std::vector<RowPlan> rows;
  for (const StripView& view : params.views) {
    rows.push_back(plan_row(view, params.layout, *postures, ghost_postures, heading_rad, ground_m));
  }
  const bool same_columns = align_columns(rows, params.layout);
  double widest_m = 0.0;
  for (const RowPlan& row : rows) {
    widest_m = std::max(widest_m, row.box_m.width_px());
  }
  const double room_px = params.width_px - 2.0 * kMarginPx;
  const double px_per_m = std::min(room_px / widest_m, params.max_body_px / postures->shape.size_m);
  const double width_px =
      std::clamp(widest_m * px_per_m + 2.0 * kMarginPx, std::min(360.0, params.width_px), params.width_px);

  const double title_px = params.title.empty() ? 10.0 : 36.0;
  const double label_px = params.time_labels ? 38.0 : 12.0;
  const bool has_foot_line = params.scale_bar || params.legend;
  double height_px = title_px + (has_foot_line ? 30.0 : 8.0);
  constexpr double kRowHeadPx = 26.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool labelled = !same_columns || i + 1 == rows.size();
    height_px += kRowHeadPx + rows[i].box_m.height_px() * px_per_m + (labelled ? label_px : 12.0);
  }

  Strip strip{Canvas(std::ceil(width_px), std::ceil(height_px)), *times_s, px_per_m, heading_rad, ground_m, {}};
  Drawing drawing{clip, map, params, *postures, ghost_postures, strip};
  if (!params.title.empty()) {
    strip.canvas.text({kMarginPx, 27.0}, params.title, {.size_px = 16.0, .colour = kInk, .bold = true});
  }
  double top_px = title_px;
  for (const RowPlan& row : rows) {
    const Point corner_px(0.5 * (strip.canvas.width_px() - row.box_m.width_px() * px_per_m), top_px + kRowHeadPx);
    StripRow done{row.label, row.true_place, {}, {}};
    for (std::size_t i = 0; i < times_s->size(); ++i) {
      done.projections.push_back(row_projection(row, i, px_per_m, corner_px));
    }
    done.box.include(corner_px + px_per_m * (row.figures_m.low - row.box_m.low));
    done.box.include(corner_px + px_per_m * (row.figures_m.high - row.box_m.low));

    draw_row_ground(drawing, row, corner_px);
    if (row.true_place && sees_ground(row)) {
      if (from_above(row)) {
        draw_steps(drawing, done.projections.front());
      }
      if (params.paths) {
        draw_paths(drawing, row, done.projections.front());
      }
    }
    draw_row_figures(drawing, row, done.projections);
    const bool moved = params.layout == StripLayout::world && !row.true_place;
    const std::string note = moved ? " (set side by side)" : "";
    strip.canvas.text({kMarginPx, top_px + 15.0}, row.label + note, {.size_px = kLabelPx, .colour = kSoftInk});
    const double bottom_px = corner_px.y() + row.box_m.height_px() * px_per_m;
    const bool last_row = strip.rows.size() + 1 == rows.size();
    if (params.time_labels && (last_row || !same_columns)) {
      draw_time_labels(drawing, done.projections, bottom_px + 9.0);
    }
    top_px = bottom_px + (last_row || !same_columns ? label_px : 12.0);
    strip.rows.push_back(std::move(done));
  }
  if (params.scale_bar) {
    draw_scale_bar(strip.canvas, px_per_m, {kMarginPx, strip.canvas.height_px() - 16.0});
  }
  if (params.legend) {
    draw_legend(drawing, strip.canvas.width_px() - kMarginPx, strip.canvas.height_px() - 16.0);
  }
  return strip;
}

}  // namespace shosa::draw
