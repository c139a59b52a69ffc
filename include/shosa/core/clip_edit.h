#pragma once

#include <cstddef>
#include <span>

#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa {

/// The same motion at another rate. Samples stand at i / fps from the clip's start up to its last sample.
/// Fails when `fps` is not finite and positive, or would need more than `kMaxFrames` samples or `kMaxSampleBytes`.
Result<Clip> resample(const Clip& clip, double fps);

/// The samples from `begin_s` to `end_s` (both to the nearest sample, both kept). Fails when the interval is empty,
/// reversed or lies outside the clip by more than half a step.
Result<Clip> cut(const Clip& clip, double begin_s, double end_s);

/// Samples [first, first + count). Fails when the range is not inside the clip or is empty.
Result<Clip> cut_frames(const Clip& clip, int first, int count);

/// The motion seen in a mirror: left becomes right across the plane x = 0 of the root's parent frame.
///
/// `partner[j]` is the joint that joint j changes places with (itself for the spine); see `mirror_partners` in
/// body_map.h. Every joint is where its partner was, seen in the mirror, as far as the bones of both sides are alike;
/// how joints turn for that, whatever their frames are, is in mirror.h. Fails when `partner` is not an involution over
/// the joints that keeps the root.
Result<Clip> mirror(const Clip& clip, std::span<const JointIndex> partner);

/// More than this many samples is taken for a mistake (10 hours at 120 Hz is 4.3 million).
inline constexpr int kMaxFrames = 100'000'000;
/// The most that the samples of one clip may take: 8 GiB, two hours of a hundred joints at 600 Hz; 1 GiB in 32-bit
/// programs.
inline constexpr std::size_t kMaxSampleBytes = std::size_t{1} << (sizeof(std::size_t) > 4 ? 33 : 30);

}  // namespace shosa
