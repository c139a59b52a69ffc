#include "demo/graph_picture.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "shosa/draw/palette.h"

namespace shosa::demo {
namespace {

using draw::Point;
using graph::NodeIndex;

constexpr double kWidth = 1100.0, kLeft = 150.0, kRow = 90.0, kTop = 50.0;

std::vector<Point> layout(const graph::MotionGraph& graph, double& height) {
  std::vector<Point> places(static_cast<std::size_t>(graph.node_count()), Point::Zero());
  double longest = 1e-9;
  int bare = 0;
  for (const graph::Node& node : graph.nodes()) {
    if (node.clip == graph::kNoClip) ++bare;
    longest = std::max(longest, node.time_s);
  }
  const double rows_height = kTop + kRow * static_cast<double>(graph.clips().size());
  const double circle = bare > 0 ? std::max(140.0, 9.0 * bare / std::numbers::pi) : 0.0;
  const double radius = std::min(circle, 420.0);
  height = std::max(rows_height + (bare > 0 ? 2.0 * radius + 80.0 : 0.0), 160.0) + 30.0;
  int next = 0;
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    const graph::Node& node = graph.node(n);
    Point& place = places[n];
    if (node.clip == graph::kNoClip) {
      const double angle = 2.0 * std::numbers::pi * next++ / bare - 0.5 * std::numbers::pi;
      place = Point(0.5 * kWidth + radius * std::cos(angle), rows_height + radius + 30.0 + radius * std::sin(angle));
    } else {
      place = Point(kLeft + (kWidth - kLeft - 40.0) * node.time_s / longest, kTop + kRow * (node.clip + 0.5));
    }
  }
  return places;
}

/// The file without its folder and ending, as far as there is room.
std::string row_name(const std::string& file) {
  constexpr std::size_t kRoom = 20;
  const std::string name = std::filesystem::path(file).stem().string();
  return name.size() <= kRoom ? name : name.substr(0, kRoom - 1) + "…";
}

/// A curve between two dots, bent to one side so that both directions can be told apart; `t` in [0, 1].
Point curve_at(const Point& a, const Point& b, double bend, double t) {
  const Point side = Point(-(b - a).y(), (b - a).x()) * bend;
  return a + (b - a) * t + side * (4.0 * t * (1.0 - t)) * 0.5;
}

draw::Path curve(const Point& a, const Point& b, double bend) {
  std::vector<Point> points;
  for (int i = 0; i <= 12; ++i) points.push_back(curve_at(a, b, bend, i / 12.0));
  return draw::Path::polyline(points);
}

/// The head of an arrow that ends at the dot's edge; empty where the dots are too near each other for one.
std::vector<Point> arrow_head(const Point& a, const Point& b, double bend, double size, double dot) {
  const double length = (b - a).norm();
  if (length < dot + 2.0 * size) return {};
  const Point tip = curve_at(a, b, bend, 1.0 - dot / length);
  const Point back = curve_at(a, b, bend, 1.0 - (dot + size) / length);
  const Point along = tip - back, side = 0.4 * Point(-along.y(), along.x());
  return {tip, back + side, back - side};
}

constexpr double kBend = 0.12;  ///< Of links that do not play a clip on.

}  // namespace

draw::Canvas draw_graph(const graph::MotionGraph& graph, const graph::Plan* plan) {
  double height = 0.0;
  const auto places = layout(graph, height);
  draw::Canvas canvas(kWidth, height);
  canvas.fill(draw::Path::rectangle(Point(0, 0), kWidth, height), draw::kPaper);
  for (std::size_t c = 0; c < graph.clips().size(); ++c) {
    const double y = kTop + kRow * (static_cast<double>(c) + 0.5);
    canvas.text(Point(14.0, y + 4.0), row_name(graph.clips()[c]), {.size_px = 12.0, .colour = draw::kInk});
    canvas.line(Point(kLeft, y), Point(kWidth - 30.0, y), {.colour = draw::kGrid, .width_px = 1.0});
  }
  const bool few = graph.node_count() <= 60;
  const double dot = few ? 6.0 : 2.5;
  const auto at = [&](NodeIndex n) -> const Point& { return places[n]; };
  const double faint = std::clamp(60.0 / std::max(1, graph.link_count()), 0.12, 0.8);
  for (graph::LinkIndex l = 0; l < graph.link_count(); ++l) {
    const graph::Link& link = graph.link(l);
    if (link.from == link.to) continue;
    const bool on = graph::plays_on(graph, l);
    const auto colour =
        link.hurry > 0 && !on ? draw::mixed(draw::kSeries[0], draw::kSeries[1], link.hurry / 100.0) : draw::kSoftInk;
    const double bend = on ? 0.0 : kBend;
    const auto shade = draw::with_alpha(colour, on ? 0.8 : faint);
    canvas.stroke(curve(at(link.from), at(link.to), bend),
                  {.colour = shade, .width_px = link.hurry > 0 && !on ? 1.4 : 1.0});
    const auto head = few ? arrow_head(at(link.from), at(link.to), bend, 8.0, dot) : std::vector<Point>();
    if (!head.empty()) canvas.fill(draw::Path::polygon(head), shade);
  }
  if (plan != nullptr) {
    for (const graph::PlanStep& step : plan->steps) {
      const graph::Link& link = graph.link(step.link);
      const double bend = graph::plays_on(graph, step.link) ? 0.0 : kBend;
      canvas.stroke(curve(at(link.from), at(link.to), bend), {.colour = draw::kContact, .width_px = 3.5});
      const auto head = arrow_head(at(link.from), at(link.to), bend, few ? 12.0 : 8.0, dot);
      if (!head.empty()) canvas.fill(draw::Path::polygon(head), draw::kContact);
    }
  }
  // Hurry values lie over the path.
  for (graph::LinkIndex l = 0; l < graph.link_count() && graph.link_count() <= 80; ++l) {
    const graph::Link& link = graph.link(l);
    if (link.hurry == 0 || link.from == link.to || graph::plays_on(graph, l)) continue;
    const Point middle = curve_at(at(link.from), at(link.to), 2.0 * kBend, 0.5);
    canvas.text(middle, std::to_string(link.hurry),
                {.size_px = 11.0,
                 .colour = draw::mixed(draw::kSeries[0], draw::kSeries[1], link.hurry / 100.0),
                 .align = draw::Align::middle});
  }
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    const bool chosen = plan != nullptr && std::find(plan->nodes.begin(), plan->nodes.end(), n) != plan->nodes.end();
    canvas.fill(draw::Path::circle(at(n), dot), chosen ? draw::kContact : draw::kInk);
    if (few) {
      canvas.text(at(n) + Point(0.0, chosen ? -16.0 : -10.0), std::to_string(graph.node(n).id),
                  {.size_px = 11.0, .colour = draw::kInk, .align = draw::Align::middle});
    }
  }
  canvas.text(Point(14.0, 26.0),
              plan == nullptr
                  ? fmt::format("{} nodes, {} links", graph.node_count(), graph.link_count())
                  : fmt::format("{} nodes, {} links; path of {} links, {:.2f} s, weight {:.3f}", graph.node_count(),
                                graph.link_count(), plan->steps.size(), plan->duration_s, plan->weight),
              {.size_px = 14.0, .colour = draw::kInk, .bold = true});
  if (plan != nullptr && !plan->nodes.empty()) {
    // A ring where the path begins, two where it ends.
    canvas.stroke(draw::Path::circle(at(plan->nodes.front()), dot + 4.0), {.colour = draw::kContact, .width_px = 1.5});
    for (const double wider : {4.0, 7.0}) {
      canvas.stroke(draw::Path::circle(at(plan->nodes.back()), dot + wider),
                    {.colour = draw::kContact, .width_px = 1.5});
    }
  }
  return canvas;
}

}  // namespace shosa::demo
