#include "draw/round_hull.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shosa::draw {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

double into_turn(double angle_rad) {
  const double angle = std::fmod(angle_rad, kTurn);
  return angle < 0.0 ? angle + kTurn : angle;
}

/// The directions in which two discs support equally far, in [0, 2 pi).
void add_changes(const Disc& a, const Disc& b, std::vector<double>& angles_rad) {
  const Point apart = a.centre - b.centre;
  const double distance = apart.norm();
  const double ratio = distance > 0.0 ? (b.radius_px - a.radius_px) / distance : 2.0;
  if (std::abs(ratio) >= 1.0) {
    return;
  }
  const double middle = std::atan2(apart.y(), apart.x());
  const double half = std::acos(ratio);
  angles_rad.push_back(into_turn(middle - half));
  angles_rad.push_back(into_turn(middle + half));
}

std::size_t outermost(std::span<const Disc> discs, double angle_rad) {
  const Point direction(std::cos(angle_rad), std::sin(angle_rad));
  std::size_t best = 0;
  double best_support = discs[0].centre.dot(direction) + discs[0].radius_px;
  for (std::size_t i = 1; i < discs.size(); ++i) {
    const double support = discs[i].centre.dot(direction) + discs[i].radius_px;
    if (support > best_support) {
      best = i;
      best_support = support;
    }
  }
  return best;
}

}  // namespace

std::vector<HullArc> round_hull(std::span<const Disc> discs) {
  std::vector<HullArc> arcs;
  if (discs.empty()) {
    return arcs;
  }
  std::vector<double> angles_rad;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      add_changes(discs[i], discs[j], angles_rad);
    }
  }
  if (angles_rad.empty()) {
    return {HullArc{outermost(discs, 0.0), 0.0, kTurn}};
  }
  std::ranges::sort(angles_rad);
  angles_rad.push_back(angles_rad.front() + kTurn);

  // Between two neighbouring angles one disc is outermost throughout.
  for (std::size_t i = 0; i + 1 < angles_rad.size(); ++i) {
    const double begin = angles_rad[i];
    const double end = angles_rad[i + 1];
    if (end - begin < 1e-12) {
      continue;
    }
    const std::size_t disc = outermost(discs, 0.5 * (begin + end));
    if (!arcs.empty() && arcs.back().disc == disc) {
      arcs.back().end_rad = end;
    } else {
      arcs.push_back({disc, begin, end});
    }
  }
  if (arcs.size() > 1 && arcs.front().disc == arcs.back().disc) {
    arcs.front().begin_rad = arcs.back().begin_rad - kTurn;
    arcs.pop_back();
  }
  return arcs;
}

Path round_hull_path(std::span<const Disc> discs) {
  Path path;
  for (const HullArc& arc : round_hull(discs)) {
    const Disc& disc = discs[arc.disc];
    // Its own begin, so that several outlines can stand in one path.
    if (path.empty()) {
      path.move_to(disc.centre + disc.radius_px * Point(std::cos(arc.begin_rad), std::sin(arc.begin_rad)));
    }
    path.arc(disc.centre, disc.radius_px, arc.begin_rad, arc.end_rad);
  }
  if (!path.empty()) {
    path.close();
  }
  return path;
}

}  // namespace shosa::draw
