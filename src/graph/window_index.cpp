#include "graph/window_index.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "shosa/core/parallel.h"

namespace shosa::graph {
namespace {

/// Orthonormal joint modes: columns, most varied first. Ground modes are orthogonal to `constant`, the direction in
/// which all joints move alike.
struct Modes {
  Eigen::MatrixXcd ground;
  Eigen::MatrixXd height;
  Eigen::VectorXd mean_height;
  Eigen::VectorXd constant;
};

Modes principal_modes(std::span<const CloudTrack> tracks) {
  const int points = tracks.front().points();
  const auto scale = tracks.front().scale();
  Modes modes;
  modes.constant = Eigen::Map<const Eigen::VectorXd>(scale.data(), points);
  Eigen::MatrixXcd ground = Eigen::MatrixXcd::Zero(points, points);
  Eigen::MatrixXd height = Eigen::MatrixXd::Zero(points, points);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(points);
  int count = 0;
  Eigen::VectorXcd a(points);
  // Every eighth frame is enough to find directions; any orthonormal ones are right.
  for (const CloudTrack& track : tracks) {
    for (int f = 0; f < track.frame_count(); f += 8, ++count) {
      const Eigen::Map<const Eigen::VectorXd> z(track.frame(f), points), x(track.frame(f) + points, points),
          y(track.frame(f) + 2 * points, points);
      a.real() = z - modes.constant * modes.constant.dot(z);
      a.imag() = x - modes.constant * modes.constant.dot(x);
      ground += a * a.adjoint();
      height += y * y.transpose();
      mean += y;
    }
  }
  mean /= std::max(1, count);
  height -= count * mean * mean.transpose();
  modes.mean_height = mean;
  // The constant direction gets a negative value, so that it comes last and is never among the modes taken.
  const double total = ground.trace().real() + 1.0;
  ground -= (total * modes.constant * modes.constant.transpose()).cast<std::complex<double>>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> of_ground(ground);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_height(height);
  modes.ground = of_ground.eigenvectors().rowwise().reverse().leftCols(
      std::min<Eigen::Index>(WindowIndex::kGroundModes, points - 1));
  modes.height =
      of_height.eigenvectors().rowwise().reverse().leftCols(std::min<Eigen::Index>(WindowIndex::kHeightModes, points));
  return modes;
}

}  // namespace

WindowIndex::WindowIndex(std::span<const CloudTrack> tracks, const WindowShape& window) {
  const Modes modes = principal_modes(tracks);
  const int ground_modes = static_cast<int>(modes.ground.cols()), height_modes = static_cast<int>(modes.height.cols());
  const int points = tracks.front().points();
  double spread = 0.0;
  for (int k = -window.half; k <= window.half; ++k) spread += window.weight(k) * k * k;
  const double slope = spread > 0.0 ? 1.0 / std::sqrt(spread) : 0.0;

  std::size_t windows = 0;
  for (const CloudTrack& track : tracks) {
    first_window_.push_back(windows);
    windows += static_cast<std::size_t>(track.frame_count());
  }
  features_.assign(windows * kFeatures, 0.0);
  complex_.assign(windows * 2 * kComplex, 0.0);
  energy_.assign(windows, 0.0);

  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const CloudTrack& track = tracks[t];
    const int frames = track.frame_count() + 2 * window.half;
    // Coefficients of single frames: ground modes, the mean, height modes, and squares for what is left over.
    const int width = 2 * ground_modes + 2 + height_modes + 2;
    Eigen::MatrixXd single(width, frames);
    const double* first = track.frame(0);
    const double shift_z = modes.constant.dot(Eigen::Map<const Eigen::VectorXd>(first, points));
    const double shift_x = modes.constant.dot(Eigen::Map<const Eigen::VectorXd>(first + points, points));
    parallel_for(static_cast<std::size_t>(frames), 64, [&](std::size_t begin, std::size_t end) {
      Eigen::VectorXcd a(points);
      for (std::size_t f = begin; f < end; ++f) {
        const double* values = track.frame(static_cast<int>(f) - window.half);
        const Eigen::Map<const Eigen::VectorXd> z(values, points), x(values + points, points),
            y(values + 2 * points, points);
        a.real() = z - modes.constant * shift_z;
        a.imag() = x - modes.constant * shift_x;
        const Eigen::VectorXd heights = y - modes.mean_height;
        auto out = single.col(static_cast<Eigen::Index>(f));
        for (int m = 0; m < ground_modes; ++m) {
          const std::complex<double> c = modes.ground.col(m).dot(a);
          out[2 * m] = c.real(), out[2 * m + 1] = c.imag();
        }
        out[2 * ground_modes] = modes.constant.dot(a.real());
        out[2 * ground_modes + 1] = modes.constant.dot(a.imag());
        for (int m = 0; m < height_modes; ++m) out[2 * ground_modes + 2 + m] = modes.height.col(m).dot(heights);
        out[width - 2] = a.squaredNorm();
        out[width - 1] = heights.squaredNorm();
      }
    });
    parallel_for(static_cast<std::size_t>(track.frame_count()), 64, [&](std::size_t begin, std::size_t end) {
      Eigen::VectorXd even(width), odd(width);
      for (std::size_t f = begin; f < end; ++f) {
        even.setZero(), odd.setZero();
        for (int k = -window.half; k <= window.half; ++k) {
          const auto column = single.col(static_cast<Eigen::Index>(f) + window.half + k);
          even += window.weight(k) * column;
          odd += window.weight(k) * slope * k * column;
        }
        const std::size_t window_at = first_window_[t] + f;
        double* feature = features_.data() + window_at * kFeatures;
        double* re = complex_.data() + window_at * 2 * kComplex;
        double* im = re + kComplex;
        int c = 0;
        const auto put = [&](const Eigen::VectorXd& from, int m) {
          re[c] = from[2 * m], im[c] = from[2 * m + 1];
          feature[c] = std::hypot(re[c], im[c]);
          energy_[window_at] += re[c] * re[c] + im[c] * im[c];
          ++c;
        };
        put(odd, ground_modes);  // the speed of the mean path: the best single feature
        for (int m = 0; m < ground_modes; ++m) put(even, m), put(odd, m);
        const double mean_square =
            even[2 * ground_modes] * even[2 * ground_modes] + even[2 * ground_modes + 1] * even[2 * ground_modes + 1];
        feature[kComplex] = std::sqrt(std::max(0.0, even[width - 2] - mean_square - energy_[window_at]));
        double height_energy = 0.0;
        for (int m = 0; m < height_modes; ++m) {
          const double e = even[2 * ground_modes + 2 + m], o = odd[2 * ground_modes + 2 + m];
          feature[kComplex + 1 + 2 * m] = e, feature[kComplex + 2 + 2 * m] = o;
          height_energy += e * e + o * o;
        }
        feature[kFeatures - 1] = std::sqrt(std::max(0.0, even[width - 1] - height_energy));
      }
    });
    for (int f = 0; f < track.frame_count(); f += kBlock) {
      blocks_.push_back({static_cast<std::int32_t>(t), f, std::min(kBlock, track.frame_count() - f)});
    }
  }
  std::vector<std::int32_t> order(blocks_.size());
  std::iota(order.begin(), order.end(), 0);
  tree_.reserve(2 * blocks_.size());
  root_ = build(order);
}

std::int32_t WindowIndex::build(std::span<std::int32_t> blocks) {
  TreeNode node{-1, -1, -1, {}, {}};
  std::fill(std::begin(node.low), std::end(node.low), 1e300);
  std::fill(std::begin(node.high), std::end(node.high), -1e300);
  if (blocks.size() == 1) {
    node.block = blocks[0];
    const Block& block = blocks_[node.block];
    for (int f = block.first; f < block.first + block.count; ++f) {
      const double* feature = features_.data() + at(block.track, f) * kFeatures;
      for (int d = 0; d < kFeatures; ++d) {
        node.low[d] = std::min(node.low[d], feature[d]);
        node.high[d] = std::max(node.high[d], feature[d]);
      }
    }
  } else {
    // Halves along the feature in which the blocks' first windows differ most.
    const auto value = [&](std::int32_t b, int d) {
      const Block& block = blocks_[b];
      return features_[at(block.track, block.first + block.count / 2) * kFeatures + static_cast<std::size_t>(d)];
    };
    int widest = 0;
    double most = -1.0;
    for (int d = 0; d < kFeatures; ++d) {
      double low = 1e300, high = -1e300;
      for (const std::int32_t b : blocks) low = std::min(low, value(b, d)), high = std::max(high, value(b, d));
      if (high - low > most) most = high - low, widest = d;
    }
    const auto middle = static_cast<std::ptrdiff_t>(blocks.size() / 2);
    std::nth_element(blocks.begin(), blocks.begin() + middle, blocks.end(), [&](std::int32_t l, std::int32_t r) {
      const double x = value(l, widest), y = value(r, widest);
      return x != y ? x < y : l < r;
    });
    node.left = build(blocks.first(static_cast<std::size_t>(middle)));
    node.right = build(blocks.subspan(static_cast<std::size_t>(middle)));
    for (const std::int32_t child : {node.left, node.right}) {
      const TreeNode& part = tree_[child];
      for (int d = 0; d < kFeatures; ++d) {
        node.low[d] = std::min(node.low[d], part.low[d]);
        node.high[d] = std::max(node.high[d], part.high[d]);
      }
    }
  }
  tree_.push_back(node);
  return static_cast<std::int32_t>(tree_.size()) - 1;
}

void WindowIndex::join(std::int32_t a, std::int32_t b, double square, std::vector<BlockPair>& out) const {
  const TreeNode &l = tree_[a], &r = tree_[b];
  double sum = 0.0;
  for (int d = 0; d < kFeatures; ++d) {
    const double gap = std::max(l.low[d] - r.high[d], r.low[d] - l.high[d]);
    if (gap > 0.0) sum += gap * gap;
    if (sum > square) return;
  }
  if (l.block >= 0 && r.block >= 0) {
    out.push_back({std::min(l.block, r.block), std::max(l.block, r.block)});
  } else if (a == b) {
    join(l.left, l.left, square, out);
    join(l.right, l.right, square, out);
    join(l.left, l.right, square, out);
  } else if (l.block >= 0) {
    join(a, r.left, square, out);
    join(a, r.right, square, out);
  } else {
    join(l.left, b, square, out);
    join(l.right, b, square, out);
  }
}

std::vector<WindowIndex::BlockPair> WindowIndex::near_blocks(double radius_m) const {
  std::vector<BlockPair> pairs;
  join(root_, root_, radius_m * radius_m, pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double WindowIndex::lower_bound_m(int track_a, int frame_a, int track_b, int frame_b) const {
  const std::size_t a = at(track_a, frame_a), b = at(track_b, frame_b);
  const double *fa = features_.data() + a * kFeatures, *fb = features_.data() + b * kFeatures;
  // With the turn common to all ground coefficients: sum |a|^2 + |b|^2 - 2 |sum a conj(b)|.
  const double *ra = complex_.data() + a * 2 * kComplex, *rb = complex_.data() + b * 2 * kComplex;
  double re = 0.0, im = 0.0, square = 0.0;
  for (int c = 0; c < kComplex; ++c) {
    re += ra[c] * rb[c] + ra[kComplex + c] * rb[kComplex + c];
    im += ra[kComplex + c] * rb[c] - ra[c] * rb[kComplex + c];
  }
  for (int d = kComplex; d < kFeatures; ++d) square += (fa[d] - fb[d]) * (fa[d] - fb[d]);
  square += std::max(0.0, energy_[a] + energy_[b] - 2.0 * std::sqrt(re * re + im * im));
  return std::sqrt(square);
}

WindowIndex::Rectangle WindowIndex::candidates(const BlockPair& pair, double radius_m) const {
  const Block &a = blocks_[pair.a], &b = blocks_[pair.b];
  const double square = radius_m * radius_m;
  int row_low = a.count, row_high = -1, column_low = b.count, column_high = -1;
  for (int i = 0; i < a.count; ++i) {
    const double* fa = features_.data() + at(a.track, a.first + i) * kFeatures;
    for (int j = 0; j < b.count; ++j) {
      // Already inside the rectangle: it would not grow.
      if (i >= row_low && i <= row_high && j >= column_low && j <= column_high) continue;
      const double* fb = features_.data() + at(b.track, b.first + j) * kFeatures;
      double sum = 0.0;
      for (int d = 0; d < kFeatures && sum <= square; ++d) sum += (fa[d] - fb[d]) * (fa[d] - fb[d]);
      if (sum > square || lower_bound_m(a.track, a.first + i, b.track, b.first + j) > radius_m) continue;
      row_low = std::min(row_low, i), row_high = std::max(row_high, i);
      column_low = std::min(column_low, j), column_high = std::max(column_high, j);
    }
  }
  if (row_high < 0) return {};
  return {a.first + row_low, row_high - row_low + 1, b.first + column_low, column_high - column_low + 1};
}

}  // namespace shosa::graph
