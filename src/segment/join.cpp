#include "shosa/segment/join.h"

#include <algorithm>
#include <cmath>
#include <memory>

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
  std::vector<Meeting> meetings;
  int frames = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const JoinPart& part = params.parts[i];
    const auto segment = MeetingSegment::create(part.studied, part.first, part.last, params.still_feet);
    if (!segment) return fail(segment.error().code, "part {}: {}", i, segment.error().message);
    meetings.emplace_back(*segment);
    frames += (*segment)->last();
  }
  JoinedSegments out{.clip = Clip(first.skeleton_ptr(), frames, first.frame_time_s(), first.translated()),
                     .seams = {},
                     .placed = {GroundMove{}}};
  const PointBody& body = *meetings[0].segment().body();

  // From the last part back: how a part begins depends on how it is to end.
  std::vector<GroundMove> onto(count);  // the next part, in the world of this one
  for (std::size_t i = count - 1; i-- > 0;) {
    const Clip &own = meetings[i].segment().clip(), &next = meetings[i + 1].segment().clip();
    const WorldPose end = forward_kinematics(skeleton, own.frame(meetings[i].segment().last()));
    const WorldPose begin = forward_kinematics(skeleton, next.frame(0));
    onto[i] = match_postures(end, begin, 0.0);
    MotionStart start = meetings[i + 1].start();
    start.move(body, onto[i]);
    meetings[i].set_end(start);
    JoinSeam seam;
    for (std::size_t j = 0; j < end.positions.size(); ++j) {
      seam.apart_m +=
          (onto[i] * begin.positions[j] - end.positions[j]).norm() / static_cast<double>(end.positions.size());
    }
    out.seams.insert(out.seams.begin(), seam);
  }

  // Forward: play, and look at every seam as it came out.
  int frame = 0;
  Pose pose;
  for (std::size_t i = 0; i < count; ++i) {
    const int n = meetings[i].segment().last();
    for (int f = 0; f < n + (i + 1 == count ? 1 : 0); ++f) {
      meetings[i].evaluate(f, pose);
      move_posture(skeleton, body.carrier, out.placed[i], pose);
      out.clip.set_frame(frame++, pose);
    }
    if (i + 1 == count) break;
    WorldPose at[2], next[2];
    for (int k = 0; k < 2; ++k) {
      meetings[i].evaluate(n + k, pose);
      forward_kinematics(skeleton, pose, at[k]);
      meetings[i + 1].evaluate(k, pose);
      move_posture(skeleton, body.carrier, onto[i], pose);
      forward_kinematics(skeleton, pose, next[k]);
    }
    JoinSeam& seam = out.seams[i];
    seam.frame = frame;
    for (std::size_t j = 0; j < at[0].positions.size(); ++j) {
      seam.position_m = std::max(seam.position_m, (at[0].positions[j] - next[0].positions[j]).norm());
      const Vec3d jump = (at[1].positions[j] - at[0].positions[j]) - (next[1].positions[j] - next[0].positions[j]);
      seam.velocity_mps = std::max(seam.velocity_mps, jump.norm() / out.clip.frame_time_s());
    }
    out.placed.push_back(out.placed[i] * onto[i]);
  }
  return out;
}

}  // namespace shosa::segment
