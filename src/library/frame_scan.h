#pragma once

#include <functional>
#include <span>

#include "library/database.h"
#include "shosa/library/find.h"

namespace shosa::library {

/// What a search asks of a clip before its frames.
struct ScannedClip {
  std::int64_t id = 0;
  std::string file;
  int take = 0;
  std::string hash;
  body::BodyKind kind = body::BodyKind::unknown;
  double scale = 1.0;
};

/// Calls `visit` with the frames of every clip that the filter lets through, in the order of their ids. Reads each
/// frame once.
Result<void> scan_frames(const Library& library, const Filter& filter,
                         const std::function<void(const ScannedClip&, std::span<const Feature>)>& visit);

/// Matches that are the same motion as one before them say so.
Result<void> name_twins(const Library& library, std::vector<Match>& matches);

/// Sums of squares of differences, mm^2: `sums` has one entry a frame. Whole numbers, so that the order does not
/// matter and any processor gives the same.
void squared_distances(std::span<const Feature> frames, const Feature& to, std::span<std::int32_t> sums);

/// Between two frames, and clamped to the first and last.
Feature feature_between(std::span<const Feature> frames, double place);

}  // namespace shosa::library
