#include <algorithm>
#include <cmath>

#include "segment/footstep_feet.h"
#include "segment/footstep_motion.h"
#include "segment/path_edit.h"
#include "shosa/segment/footsteps.h"
#include "shosa/segment/loop.h"

namespace shosa::segment {
namespace {

// A foot that comes down this soon stands from the clip's begin on: there is no swing to lead it elsewhere.
constexpr double kBegin_s = 0.15;
// Steps whose middles lie closer than this are one knot of the body's path: standing on both feet.
constexpr double kTogether_s = 0.12;

/// Heading of the body, averaged over `half` frames to both sides so that its sway does not count.
std::vector<double> way_headings(const analysis::StudiedClip& studied, int half) {
  const int frames = studied.clip().frame_count();
  std::vector<double> smooth(static_cast<std::size_t>(frames));
  for (int f = 0; f < frames; ++f) {
    const int reach = std::min({half, f, frames - 1 - f});
    double sum = 0.0;
    for (int g = f - reach; g <= f + reach; ++g) sum += studied.heading_rad(g);
    smooth[f] = sum / (2 * reach + 1);
  }
  return smooth;
}

}  // namespace

Result<std::shared_ptr<const FootstepSource>> footstep_source(const analysis::StudiedClip& studied) {
  return FootstepSource::create(studied);
}

Result<std::shared_ptr<const FootstepSource>> looped_source(const FootstepSource& source, int cycles) {
  return source.looped(cycles);
}

int cycles_of(const FootstepSource& source) {
  return source.cycles();
}

Result<std::shared_ptr<const FootstepSource>> FootstepSource::create(const analysis::StudiedClip& studied) {
  return make(studied, 0);
}

Result<std::shared_ptr<const FootstepSource>> FootstepSource::looped(int cycles) const {
  auto loop = make_loop(studied_, {.cycles = cycles});
  if (!loop) return std::unexpected(loop.error());
  return make(analysis::study(std::move(loop->clip), studied_.map()), cycles);
}

Result<std::shared_ptr<const FootstepSource>> FootstepSource::make(const analysis::StudiedClip& studied, int cycles) {
  const Clip& clip = studied.clip();
  auto body = make_point_body(clip, studied.map());
  if (!clip.is_translated(body->carrier)) {
    return fail(ErrorCode::not_possible, "the root's translation does not vary in the clip, so the body cannot move");
  }
  auto feet = standing_feet(studied, *body);
  if (!feet) return std::unexpected(feet.error());
  for (StandingFoot& foot : feet->feet) roll_as_captured(clip, foot);
  auto out = std::shared_ptr<FootstepSource>(new FootstepSource(studied, cycles, body, std::move(*feet)));
  for (int f = 0; f < clip.frame_count(); ++f) out->hips_m_.push_back(studied.positions().joint(f, body->hips));

  // Steps by landing; the way is averaged over about a cycle of steps.
  const std::vector<double> way = way_headings(studied, static_cast<int>(0.55 / clip.frame_time_s()));
  for (const StandingFoot& foot : out->feet_.feet) {
    Sole sole{1e9, 1e9, 1e9};
    const bool any_flat = std::ranges::any_of(foot.stances, &StillStance::flat);
    for (const StillStance& stance : foot.stances) {
      if (any_flat && !stance.flat) continue;
      const auto f = static_cast<std::size_t>(stance.flat_first);
      const Vec3d ball = stance.place_m + stance.turn * foot.ball_in_foot;
      sole.heel = std::min(sole.heel, (stance.place_m + stance.turn * foot.heel_in_foot).y() - stance.ground_m);
      sole.ball = std::min(sole.ball, ball.y() - stance.ground_m);
      for (const Vec3d& tip : foot.tips_in_toes) {
        const Vec3d at = foot.toe_local.empty() ? Vec3d(stance.place_m + stance.turn * tip)
                                                : Vec3d(ball + stance.turn * (foot.toe_local[f] * tip));
        sole.tip = std::min(sole.tip, at.y() - stance.ground_m);
      }
    }
    out->sole_m_.push_back(sole);
  }
  bool lands = false;
  for (std::size_t i = 0; i < out->feet_.feet.size(); ++i) {
    const StandingFoot& foot = out->feet_.feet[i];
    for (std::size_t s = 0; s < foot.stances.size(); ++s) {
      const StillStance& stance = foot.stances[s];
      SourceStep step{.foot = static_cast<int>(i),
                      .stance = static_cast<int>(s),
                      .lands = stance.first * clip.frame_time_s() > kBegin_s};
      step.place_m = {stance.place_m.x(), stance.ground_m, stance.place_m.z()};
      step.heading_rad = way[(stance.first + stance.last) / 2];
      lands |= step.lands;
      out->steps_.push_back(step);
    }
  }
  if (!lands)
    return fail(ErrorCode::not_possible, "no foot lands in the clip's {:.3f} s, expected a walk with a step or more",
                clip.last_time_s());
  const auto landing = [&](const SourceStep& step) { return out->feet_.feet[step.foot].stances[step.stance].first; };
  std::ranges::stable_sort(out->steps_,
                           [&](const SourceStep& a, const SourceStep& b) { return landing(a) < landing(b); });
  out->find_swings();
  out->find_knots();
  out->find_legs();
  out->find_ankle_limits();
  return std::shared_ptr<const FootstepSource>(std::move(out));
}

void FootstepSource::find_swings() {
  const int frames = clip().frame_count();
  for (std::size_t i = 0; i < feet_.feet.size(); ++i) {
    const StandingFoot& foot = feet_.feet[i];
    step_at_.emplace_back(static_cast<std::size_t>(frames), -1);
    swing_at_.emplace_back(static_cast<std::size_t>(frames), -1);
    std::vector<int> own;  // steps of this foot, in order
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      if (steps_[s].foot == static_cast<int>(i)) own.push_back(static_cast<int>(s));
    }
    for (std::size_t k = 0; k <= own.size(); ++k) {
      Swing swing{.from = k == 0 ? -1 : own[k - 1], .to = k == own.size() ? -1 : own[k], .share = {}};
      const auto stance = [&](int s) -> const StillStance& { return foot.stances[steps_[s].stance]; };
      swing.first = swing.from < 0 ? 0 : stance(swing.from).last;
      swing.last = swing.to < 0 ? frames - 1 : stance(swing.to).first;
      if (swing.to >= 0) {
        for (int f = stance(swing.to).first; f <= stance(swing.to).last; ++f) step_at_.back()[f] = swing.to;
      }
      const int begin = swing.from < 0 ? 0 : swing.first + 1, end = swing.to < 0 ? frames : swing.last;
      for (int f = begin; f < end; ++f) swing_at_.back()[f] = static_cast<int>(swings_.size());
      const auto a = foot.place_m.begin() + swing.first, b = foot.place_m.begin() + swing.last + 1;
      swing.share.assign(static_cast<std::size_t>(swing.last - swing.first + 1), 1.0);
      if (swing.last - swing.first >= 1) {
        const auto speeds = path_speeds(std::vector<Vec3d>(a, b));
        double total = 0.0, sum = 0.0;
        for (const double r : speeds) total += r;
        for (std::size_t f = 0; f < swing.share.size(); ++f) {
          swing.share[f] = total > 0.0 ? sum / total : static_cast<double>(f) / static_cast<double>(speeds.size());
          if (f < speeds.size()) sum += speeds[f];
        }
      }
      swings_.push_back(std::move(swing));
    }
  }
}

void FootstepSource::find_knots() {
  std::vector<std::pair<double, int>> middles;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const StillStance& stance = feet_.feet[steps_[s].foot].stances[steps_[s].stance];
    // A stance that the clip's begin cuts has its middle where a whole one would.
    int whole = 0;
    for (const StillStance& other : feet_.feet[steps_[s].foot].stances)
      whole = std::max(whole, other.last - other.first);
    double middle = 0.5 * (stance.first + stance.last);
    if (stance.first == 0) middle = std::max(stance.last - 0.5 * whole, 0.0);
    middles.push_back({middle, static_cast<int>(s)});
  }
  std::ranges::sort(middles);
  for (const auto& [frame, step] : middles) {
    if (!knots_.empty() && frame - knots_.back().frame < kTogether_s / clip().frame_time_s()) {
      Knot& knot = knots_.back();
      knot.frame += (frame - knot.frame) / static_cast<double>(knot.steps.size() + 1);
      knot.steps.push_back(step);
    } else {
      knots_.push_back({.frame = frame, .steps = {step}});
    }
  }
  for (Knot& knot : knots_) {
    const int f = static_cast<int>(knot.frame);
    const double x = knot.frame - f;
    const auto i = static_cast<std::size_t>(f), j = std::min(i + 1, hips_m_.size() - 1);
    knot.hips_m = (1.0 - x) * hips_m_[i] + x * hips_m_[j];
  }
}

}  // namespace shosa::segment
