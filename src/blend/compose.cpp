#include "shosa/blend/compose.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blend/baselines.h"
#include "shosa/core/clip_edit.h"

namespace shosa::blend {

namespace {

constexpr std::pair<Technique, std::string_view> kNames[] = {{Technique::optimal, "optimal"},
                                                             {Technique::constraint, "constraint"},
                                                             {Technique::pose, "pose"},
                                                             {Technique::inertial, "inertial"},
                                                             {Technique::dead, "dead"}};

Result<std::vector<int>> playing_order(std::span<const ScoreMotion> score) {
  if (score.empty()) return fail(ErrorCode::invalid_argument, "the score has no motions, expected at least one");
  bool all_timed = true;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (score[i].motion == nullptr) return fail(ErrorCode::invalid_argument, "motion {} of the score is empty", i);
    if (score[i].at_s && !std::isfinite(*score[i].at_s)) {
      return fail(ErrorCode::invalid_argument, "motion {} of the score is at {} s, expected a finite time", i,
                  *score[i].at_s);
    }
    all_timed = all_timed && (score[i].at_s.has_value() || i == 0);
    if (i == 0) continue;
    if (const auto why = mismatch(*score[0].motion, *score[i].motion)) {
      return fail(ErrorCode::not_possible, "motion {} of the score does not fit motion 0: {}", i, *why);
    }
  }
  std::vector<int> order(score.size());
  std::iota(order.begin(), order.end(), 0);
  if (all_timed) {
    // By their cores: what comes before a core may reach back beyond the motion that is played until then.
    std::ranges::stable_sort(order, {}, [&](int i) {
      const ScoreMotion& line = score[i];
      return line.at_s.value_or(0.0) + line.motion->core.begin * line.motion->clip().frame_time_s();
    });
  }
  const auto first_at_s = score[order.front()].at_s;
  if (first_at_s.value_or(0.0) < 0.0) {
    return fail(ErrorCode::invalid_argument,
                "motion {} of the score, the first to be played, is at {} s, expected a time >= 0", order.front(),
                *first_at_s);
  }
  return order;
}

Clip empty_clip(const Clip& like, const body::BodyMap& map, int frames) {
  std::vector<JointIndex> translated = like.translated();
  for (const JointIndex joint : {JointIndex{0}, root_joint(map)}) {
    const auto place = std::ranges::lower_bound(translated, joint);
    if (place == translated.end() || *place != joint) translated.insert(place, joint);
  }
  return Clip(like.skeleton_ptr(), frames, like.frame_time_s(), std::move(translated));
}

}  // namespace

std::string_view technique_name(Technique technique) {
  for (const auto& [value, name] : kNames) {
    if (value == technique) return name;
  }
  return "";
}

std::optional<Technique> find_technique(std::string_view wanted) {
  for (const auto& [value, name] : kNames) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

Result<Composition> compose(std::span<const ScoreMotion> score, const ComposeParams& params) {
  const auto order = playing_order(score);
  if (!order) return std::unexpected(order.error());
  const auto& first = score[order->front()];
  auto player = MotionPlayer::create(first.motion, params.plan, first.at_s.value_or(0.0));
  if (!player) return std::unexpected(player.error());
  std::vector<Join> joins;
  std::vector<TimedMotion> played = {{first.motion.get(), player->begin_s()}};
  int last = order->front();
  for (std::size_t i = 1; i < order->size(); ++i) {
    const int index = (*order)[i];
    const ScoreMotion& line = score[index];
    auto report = player->add(line.motion, {.at_s = line.at_s, .keep_place = line.keep_place, .given = line.given});
    if (!report) return std::unexpected(report.error());
    joins.push_back({last, index, std::move(*report)});
    if (!joins.back().report.executed) continue;
    played.push_back({line.motion.get(), joins.back().report.at_s, line.keep_place});
    last = index;
  }
  if (params.technique == Technique::constraint) {
    PlanParams plain = params.plan;
    plain.search = false;
    auto again = MotionPlayer::create(first.motion, plain, first.at_s.value_or(0.0));
    for (Join& join : joins) {
      if (!join.report.executed) continue;
      const ScoreMotion& line = score[join.to];
      auto report = again->add(line.motion, {.at_s = join.report.at_s, .keep_place = line.keep_place});
      if (!report) return std::unexpected(report.error());
      join.report = std::move(*report);
    }
    player = std::move(again);
  }

  const double dt = player->frame_time_s();
  const auto frames = static_cast<std::int64_t>(std::lround(player->end_s() / dt)) + 1;
  if (frames > kMaxFrames) return fail(ErrorCode::not_possible, "the score lasts {} frames, too many", frames);
  Composition made{.clip = empty_clip(first.motion->clip(), first.motion->map(), static_cast<int>(frames)),
                   .joins = std::move(joins),
                   .contacts = player->contacts()};
  if (params.technique == Technique::optimal || params.technique == Technique::constraint) {
    Pose pose;
    for (int f = 0; f < made.clip.frame_count(); ++f) {
      player->frame(f * dt, pose);
      made.clip.set_frame(f, pose);
    }
  } else {
    made.contacts = compose_baseline(params.technique, played, made.clip);
  }
  return made;
}

}  // namespace shosa::blend
