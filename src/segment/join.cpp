#include "shosa/segment/join.h"

#include <algorithm>
#include <cmath>

#include "segment/laid_parts.h"
#include "segment/match_postures.h"
#include "segment/meeting_segment.h"

namespace shosa::segment {
namespace {

Result<void> check(const JoinParams& params) {
  if (params.parts.empty()) return fail(ErrorCode::invalid_argument, "nothing to join; expected at least one part");
  for (std::size_t i = 0; i < params.parts.size(); ++i) {
    const Clip &part = params.parts[i].studied.clip(), &first = params.parts[0].studied.clip();
    if (!same_skeleton(part.skeleton(), first.skeleton())) {
      return fail(ErrorCode::not_possible, "part {}: another skeleton than the first", i);
    }
    if (part.translated() != first.translated()) {
      return fail(ErrorCode::not_possible, "part {}: other joints translate than in the first", i);
    }
    if (std::abs(part.frame_time_s() / first.frame_time_s() - 1.0) > 1e-3) {
      return fail(ErrorCode::not_possible, "part {}: {:.6g} Hz, the first has {:.6g} Hz; resample first", i, part.fps(),
                  first.fps());
    }
  }
  return {};
}

}  // namespace

Result<JoinedSegments> join_segments(const JoinParams& params) {
  if (const auto ok = check(params); !ok) return std::unexpected(ok.error());
  const std::size_t count = params.parts.size();
  const Clip& first = params.parts[0].studied.clip();
  const Skeleton& skeleton = first.skeleton();
  std::vector<MeetingSegment> segments;
  int frames = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const JoinPart& part = params.parts[i];
    auto segment = MeetingSegment::create(part.studied, part.first, part.last);
    if (!segment) return fail(segment.error().code, "part {}: {}", i, segment.error().message);
    frames += segment->last();
    segments.push_back(std::move(*segment));
  }
  JoinedSegments out{.clip = Clip(first.skeleton_ptr(), frames, first.frame_time_s(), first.translated()),
                     .seams = {},
                     .placed = {GroundMove{}},
                     .warnings = {}};

  // Where each next part comes to lie, in the world of the one before, and where both meet.
  std::vector<GroundMove> onto(count);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const WorldPose end = forward_kinematics(skeleton, segments[i].clip().frame(segments[i].last()));
    const WorldPose begin = forward_kinematics(skeleton, segments[i + 1].clip().frame(0));
    onto[i] = match_postures(end, begin);
    onto[i].shift_m.y() = height_apart_m(end, begin);
    MeetingSegment::meet(segments[i], segments[i + 1], onto[i]);
    JoinSeam seam;
    for (std::size_t j = 0; j < end.positions.size(); ++j) {
      seam.apart_m +=
          (onto[i] * begin.positions[j] - end.positions[j]).norm() / static_cast<double>(end.positions.size());
    }
    out.seams.push_back(seam);
    out.placed.push_back(out.placed[i] * onto[i]);
  }
  // From the last part back: how a short part starts depends on the velocity with which it ends.
  for (std::size_t i = count - 1; i-- > 0;) MeetingSegment::meet_velocity(segments[i], segments[i + 1], onto[i]);

  int frame = 0;
  Pose pose;
  std::vector<LaidPart> laid;
  for (std::size_t i = 0; i < count; ++i) {
    const int n = segments[i].last();
    laid.push_back({params.parts[i].studied, params.parts[i].first, params.parts[i].last, frame, out.placed[i]});
    for (int f = 0; f < n + (i + 1 == count ? 1 : 0); ++f) {
      segments[i].evaluate(f, pose);
      move_posture(skeleton, segments[i].carrier(), out.placed[i], pose);
      out.clip.set_frame(frame++, pose);
    }
    if (i + 1 == count) break;
    // The seam as it came out.
    JoinSeam& seam = out.seams[i];
    seam.frame = frame;
    WorldPose at[2], next[2];
    for (int k = 0; k < 2; ++k) {
      segments[i].evaluate(n + k, pose);
      forward_kinematics(skeleton, pose, at[k]);
      segments[i + 1].evaluate(k, pose);
      move_posture(skeleton, segments[i].carrier(), onto[i], pose);
      forward_kinematics(skeleton, pose, next[k]);
    }
    for (std::size_t j = 0; j < at[0].positions.size(); ++j) {
      seam.position_m = std::max(seam.position_m, (at[0].positions[j] - next[0].positions[j]).norm());
      const Vec3d jump = (at[1].positions[j] - at[0].positions[j]) - (next[1].positions[j] - next[0].positions[j]);
      seam.velocity_mps = std::max(seam.velocity_mps, jump.norm() / out.clip.frame_time_s());
    }
  }
  if (!params.still_feet) return out;
  auto stood = stand_laid_parts(out.clip, laid);
  if (stood) {
    out.clip = std::move(stood->clip);
  } else {
    out.warnings.push_back(fmt::format("standing feet are left as they are: {}", stood.error().message));
  }
  return out;
}

}  // namespace shosa::segment
