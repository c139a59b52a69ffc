#include "character/going.h"

#include <algorithm>
#include <cmath>

#include "character/layers.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

constexpr double kLongest_s = 120.0;    ///< A place that is not reached by then is given up.
constexpr double kTurnFirst_rad = 0.8;  ///< A standing body that faces away more than this turns before it goes.
constexpr double kTurned_rad = 0.35;
constexpr double kThere_m = 0.02, kSwaying_m = 0.03, kNearlyThere_m = 0.05, kFaces_rad = 0.03;
constexpr double kTurns_radps = 0.1;              ///< A body that turns faster does not face anything yet.
constexpr double kSways_s = 4.0, kStood_s = 1.0;  ///< To and fro once; who stood so long may only sway.
constexpr double kNear_m = 0.35;                  ///< From here on a body turns to what it faces at the end.
constexpr double kAwayAgain = 0.7;  ///< Of the way that is left: where a faster gait, or one at all, must have room.
constexpr double kMoreRoom = 1.15;  ///< Of its speed: what a gait needs that was left for a slower one.
constexpr double kStopped_mps = 0.05;
constexpr double kUnknownStop_m = 0.3;  ///< What a stop takes where no way to it is known.
constexpr double kShuffle_mps = 0.35, kShuffleGain_per_s = 1.5;
constexpr double kCorner_m = 0.5;                  ///< A point of a path is passed at this distance.
constexpr double kMostAside_rad = 0.5;             ///< Of a body from its path: steps lead aside by no more.
constexpr double kSlowest = 0.85, kFastest = 1.2;  ///< At which shares of its own speed a gait looks right.
constexpr double kRateChange_per_s = 1.5;          ///< Of that share: limbs are not hurried from one frame to the next.

double bearing(const Point& to, const Vec3d& from) {
  return heading_of({to.x_m - from.x(), 0.0, to.z_m - from.z()});
}
double facing_rad(const Facing& facing, const Vec3d& from) {
  return facing.point ? bearing(*facing.point, from) : facing.heading_rad;
}
double distance(const Point& to, const Vec3d& from) {
  return std::hypot(to.x_m - from.x(), to.z_m - from.z());
}

}  // namespace

Going::Going(const CharacterData& data) : data_(&data) {
  command_.targets.reserve(static_cast<std::size_t>(data.graph().node_count()));
  command_.avoided_nodes.reserve(static_cast<std::size_t>(data.graph().node_count()));
}

bool Going::tell(std::span<const graph::NodeIndex> targets, int state, int hurry, graph::Player& player) {
  data_->lead(targets, state, hurry, player.next_node(), command_);
  return player.command(command_).has_value();
}

bool Going::become(int state, int hurry, graph::Player& player) {
  if (state < 0) return false;
  wanted_ = state;
  return tell(data_->states()[state].nodes, state, hurry, player);
}

int Going::on_ground(int gait, const Whereabouts& at) const {
  if (gait < 0 || !data_->states()[gait].gait) return gait;
  // Who has slowed down is at his gait again only where there is some more room for it.
  const double speed_mps = data_->states()[gait].speed_mps;
  const bool slowed = wanted_ >= 0 && wanted_ != gait && data_->states()[wanted_].speed_mps < speed_mps;
  if (speed_mps * (slowed ? kMoreRoom : 1.0) <= at.most_mps) return gait;
  int best = gait;
  for (int i = 0; i < static_cast<int>(data_->states().size()); ++i) {
    const State& state = data_->states()[i];
    const auto off_mps = [&](const State& one) { return std::abs(one.speed_mps - at.most_mps); };
    if (state.gait && state.speed_mps < speed_mps && off_mps(state) < off_mps(data_->states()[best])) best = i;
  }
  return best;
}

void Going::keep_room(double left_m) {
  const auto speed_mps = [&](int state) { return data_->states()[state].speed_mps; };
  if (wanted_ < 0 || !data_->states()[wanted_].gait || speed_mps(wanted_) >= speed_mps(gait_)) return;
  const int fits = data_->state_within(kAwayAgain * left_m, gait_);
  gait_ = fits >= 0 && speed_mps(fits) > speed_mps(wanted_) ? fits : wanted_;
}

void Going::pace(int state, double speed_mps) {
  const double own = data_->states()[state].speed_mps;
  rate_to_ = own > CharacterData::kStill_mps ? std::clamp(speed_mps / own, kSlowest, kFastest) : 1.0;
}

double Going::rate() {
  const double most = kRateChange_per_s * data_->params().frame_time_s;
  return rate_ += std::clamp(rate_to_ - rate_, -most, most);
}

void Going::start(Handle handle, const Order& order, const Whereabouts& at, graph::Player& player) {
  const bool was_acting = phase_ == Phase::acting && std::holds_alternative<PlayOnce>(order_);
  // Not the slower gait that it is in on stairs.
  const auto* kept = std::get_if<GoState>(&order_);
  const int lasting = was_acting ? before_ : kept != nullptr ? kept->state : wanted_;
  handle_ = handle, order_ = order, phase_ = Phase::going, since_s_ = at.time_s, next_point_ = 0, gait_ = -1;
  wish_ = {}, aims_ = {};
  core_reached_ = missed_ = false, lifted_s_ = kNotYet_s;
  rate_to_ = 1.0;
  if (const auto* go = std::get_if<GoState>(&order_)) {
    become(go->state, go->hurry, player);
  } else if (auto* stop = std::get_if<Stop>(&order_)) {
    if (stop->ahead_m) {
      GoPlace place;
      place.place = {at.hips_m.x() + *stop->ahead_m * std::sin(at.facing_rad),
                     at.hips_m.z() + *stop->ahead_m * std::cos(at.facing_rad)};
      place.speed_mps = at.speed_mps > CharacterData::kStill_mps ? at.speed_mps : 1.3;
      order_ = place;
    } else {
      become(data_->still_state(), graph::kNoHurry, player);
    }
  } else if (std::holds_alternative<PlayOnce>(order_)) {
    before_ = lasting >= 0 && data_->states()[lasting].lasting ? lasting : data_->still_state();
    wanted_ = -1;
  }
}

bool Going::face_aside(double path_rad, const Facing& facing, const Whereabouts& at) {
  const double off = wrap_angle(facing_rad(facing, at.hips_m) - path_rad);
  if (std::abs(off) > kMostAside_rad + Layers::kMostTwist_rad) return false;
  const double aside = std::clamp(off, -kMostAside_rad, kMostAside_rad);
  wish_.heading_rad = path_rad + aside;
  wish_.twist_rad = off - aside;
  // The clips go where the body faces; the rest of the way is a drift, which the steps follow.
  const double turned = std::clamp(wrap_angle(at.facing_rad - path_rad), -kMostAside_rad, kMostAside_rad);
  wish_.drift_mps = at.clip_speed_mps * (toward(at.facing_rad - turned) - toward(at.facing_rad));
  return true;
}

void Going::shuffle(const Vec3d& velocity_mps, const Facing& facing, const Whereabouts& at, graph::Player& player) {
  if (wanted_ != data_->still_state()) become(data_->still_state(), graph::kNoHurry, player);
  wish_.heading_rad = facing_rad(facing, at.hips_m);
  if (data_->is_in(data_->still_state(), player)) wish_.drift_mps = velocity_mps;
}

Vec3d Going::stops_at(const Whereabouts& at, const graph::Player& player) const {
  const StopWay& way = data_->stop_way(player.next_node());
  return at.speed_mps * player.until_next_s() * toward(at.facing_rad) +
         about_y(at.facing_rad) * (way.known ? Vec3d(way.aside_m, 0.0, way.ahead_m) : Vec3d(0.0, 0.0, kUnknownStop_m));
}

void Going::drift_to(const Vec3d& error_m, double within_s) {
  wish_.drift_mps = error_m / within_s;
  if (wish_.drift_mps.norm() > kShuffle_mps) wish_.drift_mps *= kShuffle_mps / wish_.drift_mps.norm();
}

Going::Ended Going::go_to(const Point& place, std::optional<double> heading_rad, double speed_mps, bool last,
                          const Whereabouts& at, graph::Player& player) {
  const int still = data_->still_state(), fastest = data_->state_at_speed(std::max(speed_mps, 0.5));
  if (fastest < 0 || !data_->states()[fastest].gait) return {true, Status::given_up, Reason::no_such_speed};
  if (last && still < 0) return {true, Status::given_up, Reason::no_still_state};
  if (at.time_s - since_s_ > kLongest_s) return {true, Status::given_up, Reason::too_long};
  const double left = distance(place, at.hips_m), to = bearing(place, at.hips_m);
  const double off = std::abs(wrap_angle(to - at.facing_rad));
  const bool stands = data_->is_in(still, player);
  wish_ = {};
  if (phase_ != Phase::settling || !stands) stood_s_ = 0.0;
  const auto* aside = std::get_if<GoPlace>(&order_);
  if (aside != nullptr && aside->facing && speed_mps <= kShuffle_mps && left > kNear_m && still >= 0) {
    shuffle(speed_mps * toward(to), *aside->facing, at, player);
    return player.state().unreachable ? Ended{true, Status::given_up, Reason::unreachable} : Ended{};
  }
  switch (phase_) {
    case Phase::going:
    case Phase::acting:
    case Phase::returning: {
      // Who stands goes in a gait that has room to start and to stop; where none has, small steps do.
      if (gait_ < 0 || stands) gait_ = stands && last ? data_->state_within(left, fastest) : fastest;
      if (gait_ < 0) {
        phase_ = Phase::settling;
        break;
      }
      if (last) keep_room(left);
      const int gait = on_ground(gait_, at);
      const bool starts = wanted_ != gait;
      if (starts && stands && off > kTurnFirst_rad) {
        phase_ = Phase::turning;
        break;
      }
      if (starts) become(gait, graph::kNoHurry, player);
      if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
      pace(gait, gait == gait_ ? speed_mps : data_->states()[gait].speed_mps);
      wish_.heading_rad = to;
      if (aside != nullptr && aside->facing && left > kNear_m && !face_aside(to, *aside->facing, at))
        return {true, Status::given_up, Reason::too_far_aside};
      // Inside the circle that it can turn on it would go round for ever: such a corner is cut, and at the end of its
      // way it stands and turns.
      const double circle = at.speed_mps / Steering::most_turn_radps(at.speed_mps);
      const bool misses = off > kTurnFirst_rad && left < 2.0 * circle;
      if (!last) {
        if (left < kCorner_m || misses) ++next_point_;
        break;
      }
      const Vec3d stop = stops_at(at, player);
      if (misses || left * std::cos(std::min(off, 1.5)) <= stop.dot(toward(at.facing_rad))) {
        stop_ends_m_ = at.world_from_plane.inverse() * Vec3d(at.hips_m + stop);
        const StopWay& way = data_->stop_way(player.next_node());
        stopped_s_ = at.time_s + player.until_next_s() + way.time_s;
        become(still, graph::kNoHurry, player);
        rate_to_ = 1.0;
        phase_ = Phase::stopping;
      }
      break;
    }
    case Phase::turning:
      wish_.heading_rad = to;
      if (off < kTurned_rad) phase_ = Phase::going;
      break;
    case Phase::stopping: {
      if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
      if (stands) {
        phase_ = Phase::going, wanted_ = still;
        break;
      }
      if (off < kTurnFirst_rad && left > 0.1) wish_.heading_rad = to;
      // The stop is bent so that it ends at the place.
      const Vec3d ends = at.world_from_plane * stop_ends_m_;
      drift_to({place.x_m - ends.x(), 0.0, place.z_m - ends.z()},
               std::max(1.0 / kShuffleGain_per_s, stopped_s_ - at.time_s));
      break;
    }
    case Phase::settling: {
      // A push may have carried it away.
      if (stands && data_->state_within(kAwayAgain * left, fastest) >= 0) phase_ = Phase::going;
      // Who stands sways: where he stands is the middle of that.
      const GroundMove& world = at.world_from_plane;
      const double step_s = data_->params().frame_time_s, facing_rad = at.facing_rad - world.yaw_rad;
      stood_s_ = std::min(stood_s_ + step_s, kStood_s + kSways_s);
      const double share = std::min(1.0, step_s / std::max(stood_s_ - kStood_s, step_s));
      stands_m_ += share * (world.inverse() * at.hips_m - stands_m_);
      faces_rad_ += share * wrap_angle(facing_rad - faces_rad_);
      const bool rests = stood_s_ > 2.0 * kStood_s;
      const Vec3d error = level(Vec3d(place.x_m, 0.0, place.z_m) - (rests ? Vec3d(world * stands_m_) : at.hips_m));
      drift_to(error, 1.0 / kShuffleGain_per_s);
      if (heading_rad) wish_.heading_rad = *heading_rad + (rests ? wrap_angle(facing_rad - faces_rad_) : 0.0);
      const double faced_rad = rests ? faces_rad_ + world.yaw_rad : at.facing_rad;
      const bool faces = !heading_rad || std::abs(wrap_angle(*heading_rad - faced_rad)) < kFaces_rad;
      const bool shown = level(at.hips_m - at.shown_m + error).norm() < kNearlyThere_m;
      if (error.norm() < (rests ? kSwaying_m : kThere_m) && shown && faces && at.drift_mps < kStopped_mps) {
        wish_ = {};
        return {true, Status::done, Reason::none};
      }
      break;
    }
  }
  return {};
}

Going::Ended Going::act(const PlayOnce& order, const Whereabouts& at, graph::Player& player) {
  const State& state = data_->states()[order.state];
  core_reached_ = false;
  switch (phase_) {
    case Phase::going: {
      // The way there is taken when it must be.
      const float way_s = data_->time_to_core_s(order.state, player.next_node());
      if (way_s < 0.0f) return {true, Status::given_up, Reason::unreachable};
      const double there_s = at.time_s + player.until_next_s() + static_cast<double>(way_s);
      if (order.core_at_s && there_s < *order.core_at_s) break;
      if (!tell(state.core_nodes, order.state, graph::kNoHurry, player))
        return {true, Status::given_up, Reason::unreachable};
      phase_ = Phase::acting;
      break;
    }
    case Phase::acting:
      if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
      if (player.state().commanded || player.state().searching) break;
      core_reached_ = true;
      since_s_ = at.time_s;
      phase_ = Phase::returning;
      break;
    case Phase::returning:
      if (at.time_s - since_s_ < state.core_length_s) break;
      if (before_ >= 0) become(before_, graph::kNoHurry, player);
      return {true, Status::done, Reason::none};
    case Phase::turning:
    case Phase::stopping:
    case Phase::settling:
      break;
  }
  return {};
}

Going::Ended Going::step(const Whereabouts& at, graph::Player& player) {
  if (const auto* go = std::get_if<GoState>(&order_)) {
    const int state = on_ground(go->state, at);
    if (wanted_ != state) become(state, go->hurry, player);
    if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
    return data_->is_in(go->state, player) ? Ended{true, Status::done, Reason::none} : Ended{};
  }
  if (const auto* go = std::get_if<GoSteps>(&order_)) return go_steps(*go, at, player);
  if (const auto* go = std::get_if<GoDirection>(&order_)) {
    if (go->facing && go->speed_mps <= kShuffle_mps && data_->still_state() >= 0) {
      wish_ = {};
      shuffle(go->speed_mps * toward(go->heading_rad), *go->facing, at, player);
      return player.state().unreachable ? Ended{true, Status::given_up, Reason::unreachable} : Ended{};
    }
    const int asked = data_->state_at_speed(go->speed_mps), state = on_ground(asked, at);
    if (state < 0) return {true, Status::given_up, Reason::no_such_speed};
    if (wanted_ != state) become(state, graph::kNoHurry, player);
    if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
    pace(state, state == asked ? go->speed_mps : data_->states()[state].speed_mps);
    wish_ = {.heading_rad = go->heading_rad};
    if (go->facing && !face_aside(go->heading_rad, *go->facing, at))
      return {true, Status::given_up, Reason::too_far_aside};
    return {};
  }
  if (const auto* go = std::get_if<GoPlace>(&order_))
    return go_to(go->place, go->heading_rad, go->speed_mps, true, at, player);
  if (const auto* go = std::get_if<GoPath>(&order_)) {
    const int point = std::min(next_point_, go->count - 1);
    return go_to(go->points[point], std::nullopt, go->speed_mps, point == go->count - 1, at, player);
  }
  if (std::holds_alternative<Stop>(order_)) {
    if (data_->still_state() < 0) return {true, Status::given_up, Reason::no_still_state};
    if (player.state().unreachable) return {true, Status::given_up, Reason::unreachable};
    return data_->is_in(data_->still_state(), player) ? Ended{true, Status::done, Reason::none} : Ended{};
  }
  if (const auto* face = std::get_if<Face>(&order_)) {
    wish_.heading_rad = face->point ? bearing(*face->point, at.hips_m) : face->heading_rad;
    if (std::abs(wrap_angle(*wish_.heading_rad - at.facing_rad)) > kFaces_rad ||
        std::abs(at.turn_radps) > kTurns_radps) {
      if (at.time_s - since_s_ > kLongest_s) return {true, Status::given_up, Reason::too_long};
      return {};
    }
    wish_ = {};
    return {true, Status::done, Reason::none};
  }
  if (const auto* once = std::get_if<PlayOnce>(&order_)) return act(*once, at, player);
  return {};
}

}  // namespace shosa::character
