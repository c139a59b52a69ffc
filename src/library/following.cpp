#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <tuple>

#include "library/frame_scan.h"
#include "shosa/blend/join_cost.h"
#include "shosa/core/parallel.h"
#include "shosa/documents/fit_motion.h"
#include "shosa/library/find.h"

namespace shosa::library {

namespace {

constexpr int kLeast = 15;  // frames after and before a core that are looked at where it leaves fewer: half a second
constexpr int kMost = 10'000;

/// The least sum of squares between frames of two short runs.
std::int32_t nearest_pair(std::span<const Feature> a, std::span<const Feature> b, std::vector<std::int32_t>& sums) {
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  sums.resize(b.size());
  for (const Feature& frame : a) {
    squared_distances(b, frame, sums);
    least = std::min(least, *std::ranges::min_element(sums));
  }
  return least;
}

struct Candidate {
  std::int32_t sum_mm2 = 0;
  std::int64_t id = 0;
  std::string file;
  int take = 0;
  bool operator<(const Candidate& other) const {
    return std::tie(sum_mm2, file, take) < std::tie(other.sum_mm2, other.file, other.take);
  }
};

/// The clips with a frame before their core that is nearest to one after the example's.
Result<std::vector<Candidate>> shortlist(const Library& library, const Example& example, const Filter& filter,
                                         int most) {
  const auto count = static_cast<int>(example.features.size());
  const int exit =
      std::clamp(static_cast<int>(std::ceil(example.core.end_s * kFeatureRate_hz)), 0, std::max(count - 1 - kLeast, 0));
  const std::span<const Feature> exits = std::span(example.features).subspan(exit);
  const auto clips = library.clips(filter);
  if (!clips) return std::unexpected(clips.error());
  std::map<std::int64_t, TimeInterval> cores;
  for (const LibraryClip& clip : *clips) cores[clip.id] = clip.facts.core;
  std::vector<Candidate> list;
  std::vector<std::int32_t> sums;
  const auto visit = [&](const ScannedClip& clip, std::span<const Feature> frames) {
    if (clip.kind != example.kind) return;
    const auto core = cores.find(clip.id);
    const int entry = core == cores.end() ? 0 : static_cast<int>(core->second.begin_s * kFeatureRate_hz);
    const auto entries = std::min<std::size_t>(std::clamp(entry, kLeast, kMost) + 1, frames.size());
    list.push_back({nearest_pair(exits, frames.first(entries), sums), clip.id, clip.file, clip.take});
  };
  if (const auto ok = scan_frames(library, filter, visit); !ok) return std::unexpected(ok.error());
  std::sort(list.begin(), list.end());
  if (static_cast<int>(list.size()) > most) list.resize(most);
  return list;
}

Result<documents::FittedMotion> read_motion(const std::filesystem::path& path, int take,
                                            const documents::FitParams& fit) {
  // As captured: cleaning moves feet by centimetres and takes longer than all the rest.
  documents::ClipOptions options{.as_captured = true, .drop_tpose = true};
  if (take > 0) options.take = std::to_string(take);
  auto opened = documents::open_clip(path.string(), options);
  if (!opened) return std::unexpected(opened.error());
  return documents::fit_motion(std::move(*opened), path.string(), fit);
}

}  // namespace

Result<Following> find_following(const Library& library, const Example& example, const FindParams& params) {
  const auto list = shortlist(library, example, params.filter, std::max(kShortlist, params.limit));
  if (!list) return std::unexpected(list.error());
  const auto first = read_motion(example.path, example.take, {});
  if (!first) return std::unexpected(first.error());
  std::vector<Result<blend::JoinCost>> costs(list->size());
  parallel_for(list->size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        const Candidate& candidate = (*list)[i];
        const auto next = candidate.id == example.id
                              ? first
                              : read_motion(library.folder() / candidate.file, candidate.take,
                                            {.first = first->motion.get(), .first_name = example.file});
        if (next) {
          costs[i] = blend::join_cost(*first->motion, *next->motion);
        } else {
          costs[i] = std::unexpected(next.error());
        }
      } catch (const std::exception& error) {  // out of memory
        costs[i] = fail(ErrorCode::not_possible, "{}", error.what());
      }
    }
  });
  Following following;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Candidate& candidate = (*list)[i];
    if (!costs[i]) following.warnings.push_back(fmt::format("{}: {}", candidate.file, costs[i].error().message));
    if (!costs[i] || !costs[i]->executed) continue;
    Match match{candidate.id, candidate.file, candidate.take, costs[i]->enter_s, costs[i]->distance_m};
    match.from_s = costs[i]->leave_s;
    match.cost = costs[i]->cost;
    following.matches.push_back(std::move(match));
  }
  std::ranges::sort(following.matches, [](const Match& a, const Match& b) {
    return std::tie(a.cost, a.file, a.take) < std::tie(b.cost, b.file, b.take);
  });
  if (static_cast<int>(following.matches.size()) > params.limit) following.matches.resize(params.limit);
  if (const auto ok = name_twins(library, following.matches); !ok) return std::unexpected(ok.error());
  return following;
}

}  // namespace shosa::library
