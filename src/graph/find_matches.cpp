#include "shosa/graph/find_matches.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "graph/window_index.h"
#include "graph/window_tile.h"
#include "shosa/core/parallel.h"

namespace shosa::graph {
namespace {

struct Prepared {
  WindowShape window;
  int radius = 1;
  int separation = 0;
  long threshold = 0;
  std::vector<CloudTrack> tracks;
};

Result<Prepared> prepare(const MotionSet& set, const MatchParams& params) {
  if (set.clips.empty()) return fail(ErrorCode::invalid_argument, "a set without clips");
  const auto rule = [](bool holds, const char* name, double value, const char* expected) -> Result<void> {
    if (holds) return {};
    return fail(ErrorCode::invalid_argument, "{} is {}, expected {}", name, value, expected);
  };
  const double frame_s = set.frame_time_s;
  for (const auto& checked :
       {rule(params.window_s >= 0.0 && params.window_s < 60.0, "window_s", params.window_s, "0 to 60"),
        rule(params.threshold_m > 0.0 && params.threshold_m < 1e3, "threshold_m", params.threshold_m, "> 0"),
        rule(params.radius_s >= 0.0 && params.radius_s < 10.0, "radius_s", params.radius_s, "0 to 10"),
        rule(params.min_separation_s >= 0.0, "min_separation_s", params.min_separation_s, ">= 0")}) {
    if (!checked) return std::unexpected(checked.error());
  }
  const auto joints = static_cast<std::size_t>(set.skeleton->joint_count());
  std::vector<double> shares = params.joint_weights;
  if (shares.empty()) shares.assign(joints, 1.0);
  double total = 0.0;
  for (const double w : shares) {
    if (!(w >= 0.0) || !std::isfinite(w))
      return fail(ErrorCode::invalid_argument, "a joint weight is {}, expected >= 0", w);
    total += w;
  }
  if (shares.size() != joints || !(total > 0.0)) {
    return fail(ErrorCode::invalid_argument, "{} joint weights with sum {}, expected {} with sum > 0", shares.size(),
                total, joints);
  }
  for (double& w : shares) w /= total;
  Prepared prepared;
  prepared.window.half = static_cast<int>(std::lround(0.5 * params.window_s / frame_s));
  prepared.radius = std::max(1, static_cast<int>(std::lround(params.radius_s / frame_s)));
  prepared.separation = std::max(1, static_cast<int>(std::min(1e9, std::round(params.min_separation_s / frame_s))));
  prepared.threshold = std::lround(params.threshold_m / kDistanceStep_m);
  for (const SetClip& clip : set.clips) prepared.tracks.emplace_back(clip.positions(), shares, prepared.window);
  return prepared;
}

/// The minima inside a rectangle, with what lies around it computed too.
struct Searcher {
  const MotionSet& set;
  const MatchParams& params;
  const Prepared& prepared;
  WindowTile tile;
  std::vector<double> distances;
  std::vector<long> steps;
  std::vector<FrameMatch> found;
  std::int64_t compared = 0, other_feet = 0;

  void search(int a, int b, const WindowIndex::Rectangle& area) {
    const int radius = prepared.radius;
    const int frames_a = prepared.tracks[a].frame_count();
    const int frames_b = prepared.tracks[b].frame_count();
    const int row = std::max(0, area.row - radius), row_end = std::min(frames_a, area.row + area.rows + radius);
    const int column = std::max(0, area.column - radius),
              column_end = std::min(frames_b, area.column + area.columns + radius);
    const int rows = row_end - row, columns = column_end - column;
    tile.distances(prepared.tracks[a], row, rows, prepared.tracks[b], column, columns, prepared.window, distances);
    compared += static_cast<std::int64_t>(rows) * columns;
    steps.resize(distances.size());
    for (std::size_t i = 0; i < distances.size(); ++i) steps[i] = std::lround(distances[i] / kDistanceStep_m);
    const auto step = [&](int f, int g) {
      return steps[static_cast<std::size_t>(f - row) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(g - column)];
    };
    for (int f = area.row; f < area.row + area.rows; ++f) {
      for (int g = area.column; g < area.column + area.columns; ++g) {
        const long here = step(f, g);
        if (here > prepared.threshold || (a == b && g - f < prepared.separation)) continue;
        bool least = true;
        for (int u = std::max(row, f - radius); least && u <= std::min(row_end - 1, f + radius); ++u) {
          for (int v = std::max(column, g - radius); least && v <= std::min(column_end - 1, g + radius); ++v) {
            const bool before = u < f || (u == f && v < g);
            least = (u == f && v == g) || (before ? step(u, v) > here : step(u, v) >= here);
          }
        }
        if (!least) continue;
        const auto &first = set.clips[a], &second = set.clips[b];
        if (params.same_feet && first.contact[f] != second.contact[g]) {
          ++other_feet;
          continue;
        }
        found.push_back({a, f, b, g, static_cast<double>(here) * kDistanceStep_m});
      }
    }
  }
};

std::int64_t pair_count(const MotionSet& set) {
  const std::int64_t n = set.frame_count();
  return n * (n - 1) / 2;
}

template <class Visit>
Matches collect(const MotionSet& set, const MatchParams& params, const Prepared& prepared, std::size_t count,
                const Visit& visit) {
  // Each chunk has its own list; the lists are joined in order.
  const std::size_t chunk = std::max<std::size_t>(1, std::min<std::size_t>(64, count / 64));
  const std::size_t chunks = (count + chunk - 1) / chunk;
  std::vector<Matches> parts(chunks);
  parallel_for(chunks, 1, [&](std::size_t begin, std::size_t end) {
    Searcher searcher{set, params, prepared, {}, {}, {}, {}};
    for (std::size_t c = begin; c < end; ++c) {
      searcher.found.clear();
      searcher.compared = searcher.other_feet = 0;
      for (std::size_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) visit(i, searcher);
      parts[c] = {searcher.found, 0, searcher.compared, searcher.other_feet};
    }
  });
  Matches all{.list = {}, .pairs = pair_count(set)};
  for (const Matches& part : parts) {
    all.list.insert(all.list.end(), part.list.begin(), part.list.end());
    all.compared += part.compared;
    all.other_feet += part.other_feet;
  }
  std::sort(all.list.begin(), all.list.end());
  return all;
}

}  // namespace

Result<Matches> find_matches(const MotionSet& set, const MatchParams& params) {
  const auto prepared = prepare(set, params);
  if (!prepared) return std::unexpected(prepared.error());
  const WindowIndex index(prepared->tracks, prepared->window);
  // The bounds are computed in other sums than the distances: a thousandth of a millimetre covers their rounding.
  const double radius_m = params.threshold_m + kDistanceStep_m + 1e-6;
  auto pairs = index.near_blocks(radius_m);
  const auto blocks = index.blocks();
  // Within one clip, blocks too close together hold no match.
  std::erase_if(pairs, [&](const WindowIndex::BlockPair& pair) {
    const auto &a = blocks[pair.a], &b = blocks[pair.b];
    return a.track == b.track && b.first + b.count - 1 - a.first < prepared->separation;
  });
  return collect(set, params, *prepared, pairs.size(), [&](std::size_t i, Searcher& searcher) {
    const auto area = index.candidates(pairs[i], radius_m);
    if (area.rows == 0) return;
    searcher.search(blocks[pairs[i].a].track, blocks[pairs[i].b].track, area);
  });
}

Result<Matches> find_matches_exhaustively(const MotionSet& set, const MatchParams& params) {
  const auto prepared = prepare(set, params);
  if (!prepared) return std::unexpected(prepared.error());
  constexpr int kSide = 128;
  struct Area {
    int a, b;
    WindowIndex::Rectangle at;
  };
  std::vector<Area> areas;
  for (int a = 0; a < static_cast<int>(prepared->tracks.size()); ++a) {
    for (int b = a; b < static_cast<int>(prepared->tracks.size()); ++b) {
      const int rows = prepared->tracks[a].frame_count();
      const int columns = prepared->tracks[b].frame_count();
      for (int r = 0; r < rows; r += kSide) {
        for (int c = a == b ? r : 0; c < columns; c += kSide) {
          areas.push_back({a, b, {r, std::min(kSide, rows - r), c, std::min(kSide, columns - c)}});
        }
      }
    }
  }
  return collect(set, params, *prepared, areas.size(),
                 [&](std::size_t i, Searcher& searcher) { searcher.search(areas[i].a, areas[i].b, areas[i].at); });
}

Result<std::vector<double>> distance_matrix(const MotionSet& set, int clip_a, int clip_b, const MatchParams& params) {
  const auto prepared = prepare(set, params);
  if (!prepared) return std::unexpected(prepared.error());
  const int clips = static_cast<int>(set.clips.size());
  if (clip_a < 0 || clip_a >= clips || clip_b < 0 || clip_b >= clips) {
    return fail(ErrorCode::invalid_argument, "clips {} and {}, expected 0 to {}", clip_a, clip_b, clips - 1);
  }
  const CloudTrack &a = prepared->tracks[clip_a], &b = prepared->tracks[clip_b];
  std::vector<double> all(static_cast<std::size_t>(a.frame_count()) * static_cast<std::size_t>(b.frame_count())), part;
  WindowTile tile;
  constexpr int kSide = 192;
  for (int r = 0; r < a.frame_count(); r += kSide) {
    for (int c = 0; c < b.frame_count(); c += kSide) {
      const int rows = std::min(kSide, a.frame_count() - r), columns = std::min(kSide, b.frame_count() - c);
      tile.distances(a, r, rows, b, c, columns, prepared->window, part);
      for (int i = 0; i < rows; ++i) {
        std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(i) * columns, columns,
                    all.begin() + static_cast<std::ptrdiff_t>(r + i) * b.frame_count() + c);
      }
    }
  }
  return all;
}

}  // namespace shosa::graph
