#include <algorithm>
#include <cmath>
#include <utility>

#include "segment/foot_cleaner.h"
#include "shosa/analysis/intervals.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {
FootCleaner::FootCleaner(const Clip& clip, const analysis::FootContactTrack& track, const Limb& limb, double scale)
    : clip_(clip), track_(track), limb_(limb), frames_(clip.frame_count()), captured_(captured_foot(clip, limb)) {
  out_.name = track.points.name;
  out_.limb = &limb;
  find_stances();
  find_points(scale);
}

StandingFoot FootCleaner::clean() {
  out_.place_m = captured_.place_m;
  out_.turn = captured_.turn;
  out_.toe_local = captured_.toe_local;
  for (StillStance& stance : out_.stances) stand(stance);
  swing();
  return std::move(out_);
}

bool FootCleaner::stands(const std::vector<TimeInterval>& list, int f) const {
  return analysis::find_interval(list, f * clip_.frame_time_s()) >= 0;
}

void FootCleaner::find_stances() {
  const double dt = clip_.frame_time_s();
  for (const TimeInterval& time : track_.joined) {
    StillStance stance;
    stance.first = std::clamp(static_cast<int>(std::ceil(time.begin_s / dt - 1e-6)), 0, frames_ - 1);
    stance.last = std::clamp(static_cast<int>(std::floor(time.end_s / dt + 1e-6)), stance.first, frames_ - 1);
    int first = -1, last = -1;
    for (int f = stance.first; f <= stance.last; ++f) {
      const bool flat = stands(track_.heel, f) && (limb_.toe == kNoJoint || stands(track_.toe, f));
      if (!flat) continue;
      if (first < 0) first = f;
      last = f;
    }
    const int middle = (stance.first + stance.last) / 2;
    stance.flat_first = first < 0 ? middle : first;
    stance.flat_last = first < 0 ? middle : last;
    stance.flat = first >= 0;
    keep_still_part(stance);
    stance.turn = mean_rotation(captured_.turn, stance.flat_first, stance.flat_last);
    for (int f = stance.flat_first; f <= stance.flat_last; ++f) {
      stance.place_m += captured_.place_m[f] / (stance.flat_last - stance.flat_first + 1);
    }
    out_.stances.push_back(stance);
  }
}

// A foot that turns on the spot is not frozen while it does: the flat part shrinks to where it keeps its turn.
void FootCleaner::keep_still_part(StillStance& stance) const {
  constexpr double kStill_rad = 0.2;
  while (stance.flat_last > stance.flat_first) {
    const Quatd mean = mean_rotation(captured_.turn, stance.flat_first, stance.flat_last);
    const auto off = [&](int f) { return captured_.turn[f].angularDistance(mean); };
    double most = 0.0;
    for (int f = stance.flat_first; f <= stance.flat_last; ++f) most = std::max(most, off(f));
    if (most <= kStill_rad) return;
    if (off(stance.flat_first) > off(stance.flat_last)) {
      ++stance.flat_first;
    } else {
      --stance.flat_last;
    }
  }
}

// Heel, ball and tips in the frame of the foot, from the longest flat stance.
void FootCleaner::find_points(double scale) {
  const Skeleton& skeleton = clip_.skeleton();
  const JointIndex tip_joint = limb_.toe != kNoJoint ? limb_.toe : limb_.end;
  for (const EndSite& site : skeleton.end_sites()) {
    if (site.parent == tip_joint) out_.tips_in_toes.push_back(site.offset_m.cast<double>());
  }
  if (!captured_.ball_in_foot.empty()) out_.ball_in_foot = captured_.ball_in_foot[captured_.ball_in_foot.size() / 2];
  if (out_.stances.empty()) return;
  const auto longest =
      std::max_element(out_.stances.begin(), out_.stances.end(), [](const StillStance& a, const StillStance& b) {
        return std::pair(a.flat, a.flat_last - a.flat_first) < std::pair(b.flat, b.flat_last - b.flat_first);
      });
  Vec3d along = longest->turn *
                (out_.ball_in_foot.isZero() && !out_.tips_in_toes.empty() ? out_.tips_in_toes[0] : out_.ball_in_foot);
  along.y() = 0.0;
  along = along.norm() > 1e-9 ? Vec3d(along.normalized()) : Vec3d::UnitZ();
  const Vec3d heel = -body::kHeelBelowAnkle_m * scale * Vec3d::UnitY() - body::kHeelBehindAnkle_m * scale * along;
  out_.heel_in_foot = longest->turn.conjugate() * heel;
  for (StillStance& stance : out_.stances) {
    if (!stance.flat && longest->flat) lay_flat(stance, *longest, along);
    const Vec3d forward = stance.turn * (longest->turn.conjugate() * along);
    stance.heading_rad = heading_of(forward);
    stance.ground_m = lowest(stance);
  }
  Vec3d sum = Vec3d::Zero();
  for (const StillStance& stance : out_.stances) sum += toward(stance.heading_rad);
  if (sum.norm() > 1e-6) out_.forward = sum.normalized();
}

// The flat foot of a stance that shows only a heel or a ball: that of another, turned to this one's heading and with
// the point that stands where it stands.
void FootCleaner::lay_flat(StillStance& stance, const StillStance& other, const Vec3d& along) const {
  const auto f = static_cast<std::size_t>(stance.flat_first);
  const Vec3d forward = captured_.turn[f] * (other.turn.conjugate() * along);
  const double turn = heading_of(forward) - heading_of(along);
  stance.turn = about_y(turn) * other.turn;
  const bool ball = stands(track_.toe, stance.flat_first);
  const Vec3d& point = ball ? out_.ball_in_foot : out_.heel_in_foot;
  stance.place_m = captured_.place_m[f] + captured_.turn[f] * point - stance.turn * point;
}

double FootCleaner::lowest(const StillStance& stance) const {
  double y = std::min(stance.place_m.y(), (stance.place_m + stance.turn * out_.ball_in_foot).y());
  for (const Vec3d& tip : out_.tips_in_toes) {
    const Vec3d at = limb_.toe == kNoJoint ? Vec3d(stance.turn * tip)
                                           : Vec3d(stance.turn * out_.ball_in_foot + flat_toes(stance) * tip);
    y = std::min(y, (stance.place_m + at).y());
  }
  return y;
}

// world_from_toes while flat.
Quatd FootCleaner::flat_toes(const StillStance& stance) const {
  if (stance.flat) return mean_rotation(captured_.toe_world, stance.flat_first, stance.flat_last);
  for (const StillStance& other : out_.stances) {
    if (other.flat) return stance.turn * other.turn.conjugate() * flat_toes(other);
  }
  return captured_.toe_world[stance.flat_first];
}

// Freezes the flat part and rolls from it to both ends over whatever point stands.
void FootCleaner::stand(StillStance& stance) {
  if (stance.flat) {
    for (int f = stance.flat_first; f <= stance.flat_last; ++f) put(f, stance.place_m, stance.turn);
  }
  stance.ball_last = stance.flat_last;
  stance.heel_first = stance.flat_first;
  for (const int way : {1, -1}) {
    const int edge = way > 0 ? stance.flat_last : stance.flat_first;
    const Quatd held = stance.flat ? stance.turn * captured_.turn[edge].conjugate() : Quatd::Identity();
    Vec3d pivot = way > 0 ? out_.ball_in_foot : out_.heel_in_foot;
    for (int f = edge + way; way > 0 ? f <= stance.last : f >= stance.first; f += way) {
      const auto i = static_cast<std::size_t>(f), from = static_cast<std::size_t>(f - way);
      if (stands(track_.toe, f)) {
        pivot = out_.ball_in_foot;
        if (way > 0 && stance.ball_last == f - 1) stance.ball_last = f;
      } else if (stands(track_.heel, f)) {
        pivot = out_.heel_in_foot;
        if (way < 0 && stance.heel_first == f + 1) stance.heel_first = f;
      }
      const Quatd turn = held * captured_.turn[i];
      put(f, out_.place_m[from] + out_.turn[from] * pivot - turn * pivot, turn);
    }
  }
  centre_stance(captured_, stance, out_);
  if (limb_.toe == kNoJoint) return;
  // Toes lie on the ground from the flat part on; before it they keep what they then need.
  const Quatd toes = flat_toes(stance);
  for (int f = stance.flat_first; f <= stance.last; ++f) {
    const auto i = static_cast<std::size_t>(f);
    if (!stance.flat && !stands(track_.toe, f)) continue;
    out_.toe_local[i] = ((out_.turn[i] * captured_.toe_parent[i]).conjugate() * toes).normalized();
  }
  const auto first = static_cast<std::size_t>(stance.flat_first);
  const Quatd change = captured_.toe_local[first].conjugate() * out_.toe_local[first];
  for (int f = stance.first; f < stance.flat_first; ++f) {
    const auto i = static_cast<std::size_t>(f);
    out_.toe_local[i] = captured_.toe_local[i] * change;
  }
}

void FootCleaner::put(int f, const Vec3d& place, const Quatd& turn) {
  out_.place_m[f] = place;
  out_.turn[f] = turn.normalized();
}

Result<StandingFeet> standing_feet(const analysis::StudiedClip& studied, const PointBody& body) {
  if (const auto feet = studied.needs_feet(); !feet) return std::unexpected(feet.error());
  const analysis::FootContacts& contacts = studied.contacts();
  StandingFeet out{.feet = {}, .ground_m = contacts.ground_m};
  bool any = false;
  for (const auto& track : contacts.feet) {
    const Limb* limb = body.limb_of_end(track.points.joint);
    if (limb == nullptr) continue;
    out.feet.push_back(FootCleaner(studied.clip(), track, *limb, contacts.scale).clean());
    any |= !out.feet.back().stances.empty();
  }
  if (!any) return fail(ErrorCode::not_possible, "no foot of the clip ever stands");
  return out;
}

}  // namespace shosa::segment
