#include "body/body_map_shape.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/angles.h"

namespace shosa::body::body_map_detail {

Shape::Shape(const Skeleton& skeleton) : joint_count(skeleton.joint_count()) {
  for (JointIndex j = 0; j < joint_count; ++j) {
    parent.push_back(skeleton.parent(j));
    length.push_back(j == 0 ? 0.0 : skeleton.joint(j).rest_translation_m.cast<double>().norm());
  }
  rest = skeleton.rest_positions();
  for (const EndSite& site : skeleton.end_sites()) {
    const double site_length = site.offset_m.cast<double>().norm();
    if (site_length <= 0.0) continue;
    parent.push_back(site.parent);
    length.push_back(site_length);
    rest.push_back(at(rest, site.parent) + at(skeleton.rest_rotations(), site.parent) * site.offset_m.cast<double>());
  }
  const std::size_t count = parent.size();
  children.resize(count);
  reach.assign(count, 0.0);
  size.assign(count, 1);
  depth.assign(count, 0);
  for (std::size_t i = 1; i < count; ++i) {
    const auto up = static_cast<std::size_t>(parent[i]);
    children[up].push_back(static_cast<int>(i));
    depth[i] = depth[up] + 1;
  }
  // End sites come last and joints follow their parents, so this order is leaves first.
  for (std::size_t i = count; i-- > 1;) {
    const auto up = static_cast<std::size_t>(parent[i]);
    reach[up] = std::max(reach[up], reach[i] + length[i]);
    size[up] += size[i];
  }
}

std::vector<int> Shape::longest_chain(int node) const {
  std::vector<int> chain = {node};
  while (!at(children, chain.back()).empty()) {
    const auto& next = at(children, chain.back());
    chain.push_back(*std::ranges::max_element(next, {}, [&](int child) { return extent(child); }));
  }
  return chain;
}

bool Shape::is_below(int node, int ancestor) const {
  while (node > ancestor && node >= 0) node = at(parent, node);
  return node == ancestor;
}

namespace {

// Beyond these a tree is no body; they keep the search short whatever a file holds.
constexpr int kMaxLimbJoints = 24;
constexpr std::size_t kMaxBranches = 64;
constexpr std::size_t kMaxPairs = 64;

double ratio(double a, double b) {
  return std::max(a, b) > 0.0 ? std::min(a, b) / std::max(a, b) : 1.0;
}

/// 1 for equal bone lengths along both chains, falling to 0.
double profile_likeness(const Shape& shape, int a, int b) {
  const auto chain_a = shape.longest_chain(a);
  const auto chain_b = shape.longest_chain(b);
  double difference = 0.0;
  for (std::size_t i = 0; i < std::max(chain_a.size(), chain_b.size()); ++i) {
    const double length_a = i < chain_a.size() ? Shape::at(shape.length, chain_a[i]) : 0.0;
    const double length_b = i < chain_b.size() ? Shape::at(shape.length, chain_b[i]) : 0.0;
    difference += std::abs(length_a - length_b);
  }
  const double total = shape.extent(a) + shape.extent(b);
  return total > 0.0 ? std::max(0.0, 1.0 - difference / total) : 0.0;
}

double square(double x) {
  return x * x;
}
double outside(double x, double low, double high) {
  return std::max({0.0, low - x, x - high});
}

/// No bend of more than 25 degrees at the joints strictly between two places of a chain: twist links lie on the bone.
bool is_straight(const std::vector<int>& chain, int from, int to, const std::vector<Vec3d>& positions) {
  const double kCosine = std::cos(25.0 * kRadPerDeg);
  for (int i = from + 1; i < to; ++i) {
    const Vec3d& here = Shape::at(positions, Shape::at(chain, i));
    const Vec3d in = here - Shape::at(positions, Shape::at(chain, i - 1));
    const Vec3d out = Shape::at(positions, Shape::at(chain, i + 1)) - here;
    if (in.norm() > 0.0 && out.norm() > 0.0 && in.normalized().dot(out.normalized()) < kCosine) return false;
  }
  return true;
}

/// How unlike a limb the three joints are; the bounds are those of human and dog skeletons with a margin.
double limb_cost(const Shape& shape, LimbKind kind, const std::vector<int>& chain, int upper, int lower, int end,
                 const std::vector<Vec3d>& positions) {
  const auto between = [&](int from, int to) {
    double sum = 0.0;
    for (int i = from + 1; i <= to; ++i) sum += Shape::at(shape.length, Shape::at(chain, i));
    return sum;
  };
  const double upper_length = between(upper, lower);
  const double lower_length = between(lower, end);
  const double limb = upper_length + lower_length;
  if (upper_length <= 0.0 || lower_length <= 0.0) return 1e9;
  const bool leg = kind == LimbKind::leg;
  const double log_ratio = std::log(upper_length / lower_length);
  const int attachment = Shape::at(shape.parent, chain.front());
  const double above = (Shape::at(positions, Shape::at(chain, upper)) - Shape::at(positions, attachment)).norm() / limb;
  // As the crow flies: exporters insert helper joints that lead there and back. End sites have no position in a
  // posture.
  int last = static_cast<int>(chain.size()) - 1;
  double beyond = 0.0;
  if (static_cast<std::size_t>(Shape::at(chain, last)) >= positions.size())
    beyond = Shape::at(shape.length, Shape::at(chain, last--));
  beyond += (Shape::at(positions, Shape::at(chain, last)) - Shape::at(positions, Shape::at(chain, end))).norm();
  beyond /= limb;
  // Some captured arms have an upper arm nearly twice the forearm; the other way round does not happen.
  double cost = 4.0 * square(outside(log_ratio, leg ? -0.25 : -0.3, leg ? 0.25 : 0.6)) + 0.1 * square(log_ratio);
  cost += square(outside(above, 0.0, leg ? 0.3 : 0.5));
  cost += 16.0 * square(outside(beyond, leg ? 0.1 : 0.05, 1.0));
  cost += 4.0 * square(outside(beyond, 0.0, leg ? 0.45 : 0.4));
  // Fingers and toes: the wrist is where the arm first divides into chains.
  int branching = 0;
  for (const int child : Shape::at(shape.children, Shape::at(chain, end)))
    branching += Shape::at(shape.size, child) > 1 ? 1 : 0;
  return branching >= 2 ? cost - (leg ? 0.05 : 0.3) : cost;
}

}  // namespace

std::vector<MirrorPair> find_mirror_pairs(const Shape& shape) {
  std::vector<MirrorPair> pairs;
  for (int node = 0; node < shape.joint_count; ++node) {
    const auto& children = Shape::at(shape.children, node);
    if (children.size() > kMaxBranches) continue;
    for (std::size_t i = 0; i < children.size(); ++i) {
      for (std::size_t k = i + 1; k < children.size(); ++k) {
        const int a = children[i];
        const int b = children[k];
        if (!shape.is_joint(a) || !shape.is_joint(b)) continue;
        const double extents = ratio(shape.extent(a), shape.extent(b));
        const double sizes = ratio(Shape::at(shape.size, a), Shape::at(shape.size, b));
        const double likeness = extents * sizes * profile_likeness(shape, a, b);
        const double extent = 0.5 * (shape.extent(a) + shape.extent(b));
        if (extents > 0.8 && sizes > 0.7 && likeness > 0.6) {
          pairs.push_back({node, a, b, extent, likeness});
        }
      }
    }
  }
  std::ranges::stable_sort(pairs, std::greater{}, [](const MirrorPair& pair) { return pair.extent * pair.likeness; });
  if (pairs.size() > kMaxPairs) pairs.resize(kMaxPairs);
  return pairs;
}

LimbJoints split_limb(const Shape& shape, LimbKind kind, const std::vector<int>& chain_a,
                      const std::vector<int>& chain_b, const std::vector<Vec3d>& positions) {
  const auto joints_in = [&](const std::vector<int>& chain) {
    return static_cast<int>(std::ranges::count_if(chain, [&](int node) { return shape.is_joint(node); }));
  };
  const int count = std::min({joints_in(chain_a), joints_in(chain_b), kMaxLimbJoints});
  // Half the distance between the two upper joints, as a part of the limb's length.
  const auto half_width = [&](int upper, int end) {
    double limb = 0.0;
    for (int i = upper + 1; i <= end; ++i) limb += Shape::at(shape.length, Shape::at(chain_a, i));
    const Vec3d across =
        Shape::at(positions, Shape::at(chain_a, upper)) - Shape::at(positions, Shape::at(chain_b, upper));
    return limb > 0.0 ? 0.5 * across.norm() / limb : 0.0;
  };
  LimbJoints best;
  double best_cost = 1e6;
  for (int upper = 0; upper < count; ++upper) {
    for (int lower = upper + 1; lower < count; ++lower) {
      for (int end = lower + 1; end < count; ++end) {
        bool straight = true;
        double cost = 0.0;
        for (const auto* chain : {&chain_a, &chain_b}) {
          straight =
              straight && is_straight(*chain, upper, lower, positions) && is_straight(*chain, lower, end, positions);
          cost += limb_cost(shape, kind, *chain, upper, lower, end, positions);
        }
        // Arms leave the trunk beside it, not from its middle; where fingers carry the arm straight on, the nearer
        // joint is the wrist.
        if (kind == LimbKind::arm) {
          cost += 8.0 * square(outside(half_width(upper, end), 0.15, 1e9)) + 0.02 * (end - upper - 2);
        }
        if (!straight || cost >= best_cost) continue;
        best_cost = cost;
        best = {upper, lower, end};
      }
    }
  }
  return best;
}

}  // namespace shosa::body::body_map_detail
