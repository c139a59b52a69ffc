#include "graph/window_tile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

// One source for every processor: the widest registers are chosen when the program starts. Products and sums are
// plain IEEE operations in one order on all of them, so the bits do not depend on the choice.
#if defined(__x86_64__) && defined(__gnu_linux__)
#define SHOSA_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SHOSA_WIDE
#endif

namespace shosa::graph {
namespace {

constexpr int kWide = 4;
typedef double Wide __attribute__((vector_size(kWide * sizeof(double)), aligned(8)));

int rounded_up(int n) {
  return (n + 2 * kWide - 1) / (2 * kWide) * (2 * kWide);
}

/// real = sum (az bz + ax bx), imaginary = sum (ax bz - az bx), height = sum ay by of every row with every column.
/// `packed` holds three rows of `stride` columns per point. Two rows by two registers at a time.
SHOSA_WIDE void multiply(const double* rows, int row_count, int points, const double* packed, int stride, double* real,
                         double* imaginary, double* height) {
  for (int r = 0; r < row_count; r += 2) {
    const double* a0 = rows + static_cast<std::ptrdiff_t>(r) * 3 * points;
    const double* a1 = r + 1 < row_count ? a0 + 3 * points : a0;
    for (int c = 0; c < stride; c += 2 * kWide) {
      Wide re[2][2] = {}, im[2][2] = {}, hi[2][2] = {};
      const double* b = packed + c;
      for (int p = 0; p < points; ++p, b += 3 * static_cast<std::ptrdiff_t>(stride)) {
        for (int v = 0; v < 2; ++v) {
          const Wide bz = *reinterpret_cast<const Wide*>(b + v * kWide);
          const Wide bx = *reinterpret_cast<const Wide*>(b + stride + v * kWide);
          const Wide by = *reinterpret_cast<const Wide*>(b + 2 * stride + v * kWide);
          re[0][v] += a0[p] * bz;
          re[1][v] += a1[p] * bz;
          im[0][v] += a0[points + p] * bz;
          im[1][v] += a1[points + p] * bz;
          re[0][v] += a0[points + p] * bx;
          re[1][v] += a1[points + p] * bx;
          im[0][v] -= a0[p] * bx;
          im[1][v] -= a1[p] * bx;
          hi[0][v] += a0[2 * points + p] * by;
          hi[1][v] += a1[2 * points + p] * by;
        }
      }
      for (int k = 0; k < 2 && r + k < row_count; ++k) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r + k) * stride + c;
        for (int v = 0; v < 2; ++v) {
          *reinterpret_cast<Wide*>(real + at + v * kWide) = re[k][v];
          *reinterpret_cast<Wide*>(imaginary + at + v * kWide) = im[k][v];
          *reinterpret_cast<Wide*>(height + at + v * kWide) = hi[k][v];
        }
      }
    }
  }
}

/// Every element becomes the sum of itself and all before it on its diagonal, twice.
SHOSA_WIDE void sum_diagonals_twice(double* values, int rows, int columns, int stride) {
  for (int pass = 0; pass < 2; ++pass) {
    for (int r = 1; r < rows; ++r) {
      double* row = values + static_cast<std::ptrdiff_t>(r) * stride;
      const double* above = row - stride;
      int c = 1;
      for (; c + kWide <= columns; c += kWide) {
        Wide here = *reinterpret_cast<const Wide*>(row + c);
        here += *reinterpret_cast<const Wide*>(above + c - 1);
        *reinterpret_cast<Wide*>(row + c) = here;
      }
      for (; c < columns; ++c) row[c] += above[c - 1];
    }
  }
}

}  // namespace

CloudTrack::CloudTrack(const ClipPositions& positions, std::span<const double> joint_shares, const WindowShape& window)
    : frames_(positions.frame_count()), points_(0), half_(window.half) {
  std::vector<JointIndex> joints;
  for (JointIndex j = 0; j < static_cast<JointIndex>(joint_shares.size()); ++j) {
    if (joint_shares[j] > 0.0) joints.push_back(j);
  }
  points_ = static_cast<int>(joints.size());
  for (const JointIndex j : joints) scale_.push_back(std::sqrt(joint_shares[j]));
  values_.resize(static_cast<std::size_t>(frames_ + 2 * half_) * stride());
  for (int f = -half_; f < frames_ + half_; ++f) {
    double* out = values_.data() + static_cast<std::size_t>(f + half_) * stride();
    const int source = std::clamp(f, 0, frames_ - 1);
    for (int p = 0; p < points_; ++p) {
      const Vec3d& point = positions.joint(source, joints[p]);
      const double s = scale_[p];
      out[p] = s * point.z();
      out[points_ + p] = s * point.x();
      out[2 * points_ + p] = s * point.y();
    }
  }
}

void WindowTile::prepare(Side& side, const CloudTrack& track, int first, int count, const WindowShape& window) {
  // The distance does not change when all frames are shifted alike; small numbers keep small differences exact.
  const int points = track.points(), frames = count + 2 * window.half;
  const auto scale = track.scale();
  const double* middle = track.frame(first + count / 2);
  double shift_z = 0.0, shift_x = 0.0;
  for (int p = 0; p < points; ++p) {
    shift_z += middle[p] * scale[p];
    shift_x += middle[points + p] * scale[p];
  }
  side.values.resize(static_cast<std::size_t>(frames) * track.stride());
  std::vector<double>& square = side.variance;
  side.mean_z.assign(static_cast<std::size_t>(frames), 0.0);
  side.mean_x.assign(static_cast<std::size_t>(frames), 0.0);
  square.assign(static_cast<std::size_t>(frames), 0.0);
  for (int f = 0; f < frames; ++f) {
    const double* in = track.frame(first - window.half + f);
    double* out = side.values.data() + static_cast<std::size_t>(f) * track.stride();
    double sum_z = 0.0, sum_x = 0.0, sum = 0.0;
    for (int p = 0; p < points; ++p) {
      const double s = scale[p];
      const double z = in[p] - s * shift_z, x = in[points + p] - s * shift_x, y = in[2 * points + p];
      out[p] = z, out[points + p] = x, out[2 * points + p] = y;
      sum_z += s * z, sum_x += s * x, sum += z * z + x * x + y * y;
    }
    const auto at = static_cast<std::size_t>(f);
    side.mean_z[at] = sum_z, side.mean_x[at] = sum_x, square[at] = sum;
  }
  // From frames to windows, in place: output i needs frames i … i + 2 half, all still there.
  for (int i = 0; i < count; ++i) {
    double z = 0.0, x = 0.0, sum = 0.0;
    for (int k = -window.half; k <= window.half; ++k) {
      const auto f = static_cast<std::size_t>(i + window.half + k);
      const double w = window.weight(k);
      z += w * side.mean_z[f], x += w * side.mean_x[f], sum += w * square[f];
    }
    const auto at = static_cast<std::size_t>(i);
    side.mean_z[at] = z, side.mean_x[at] = x, square[at] = sum - z * z - x * x;
  }
}

void WindowTile::distances(const CloudTrack& a, int row, int rows, const CloudTrack& b, int column, int columns,
                           const WindowShape& window, std::vector<double>& out) {
  assert(a.points() == b.points());
  prepare(a_, a, row, rows, window);
  prepare(b_, b, column, columns, window);
  const int points = a.points(), h = window.half;
  const int frames_a = rows + 2 * h, frames_b = columns + 2 * h, stride = rounded_up(frames_b);
  packed_.assign(static_cast<std::size_t>(3 * points) * static_cast<std::size_t>(stride), 0.0);
  for (int f = 0; f < frames_b; ++f) {
    const double* in = b_.values.data() + static_cast<std::size_t>(f) * b.stride();
    for (int p = 0; p < points; ++p) {
      double* to = packed_.data() + static_cast<std::ptrdiff_t>(3 * p) * stride + f;
      to[0] = in[p], to[stride] = in[points + p], to[2 * stride] = in[2 * points + p];
    }
  }
  const std::size_t size = static_cast<std::size_t>(frames_a) * static_cast<std::size_t>(stride);
  for (auto* values : {&real_, &imaginary_, &height_}) values->resize(size);
  multiply(a_.values.data(), frames_a, points, packed_.data(), stride, real_.data(), imaginary_.data(), height_.data());
  for (auto* values : {&real_, &imaginary_, &height_}) sum_diagonals_twice(values->data(), frames_a, frames_b, stride);

  // sum_k (1 - |k| / (h + 1)) g(i + k) is the second difference, h + 1 apart, of the twice summed g.
  const auto at = [&](int f, int g) -> std::ptrdiff_t { return static_cast<std::ptrdiff_t>(f) * stride + g; };
  const double norm = 1.0 / ((h + 1.0) * (h + 1.0));
  out.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const std::ptrdiff_t last = at(i + 2 * h, j + 2 * h);
      const bool has_middle = i + h >= 1 && j + h >= 1, has_first = i >= 2 && j >= 2;
      const std::ptrdiff_t middle = has_middle ? at(i + h - 1, j + h - 1) : 0, first = has_first ? at(i - 2, j - 2) : 0;
      const auto windowed = [&](const auto& values) {
        double sum = values[last];
        if (has_middle) sum -= 2.0 * values[middle];
        if (has_first) sum += values[first];
        return sum * norm;
      };
      const auto ia = static_cast<std::size_t>(i), jb = static_cast<std::size_t>(j);
      const double re = windowed(real_) - (a_.mean_z[ia] * b_.mean_z[jb] + a_.mean_x[ia] * b_.mean_x[jb]);
      const double im = windowed(imaginary_) - (a_.mean_x[ia] * b_.mean_z[jb] - a_.mean_z[ia] * b_.mean_x[jb]);
      const double square =
          a_.variance[ia] + b_.variance[jb] - 2.0 * std::sqrt(re * re + im * im) - 2.0 * windowed(height_);
      out[ia * static_cast<std::size_t>(columns) + jb] = std::sqrt(std::max(0.0, square));
    }
  }
}

}  // namespace shosa::graph
