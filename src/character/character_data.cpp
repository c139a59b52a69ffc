#include "shosa/character/character_data.h"

#include <algorithm>
#include <cmath>

#include "character/fingerprint.h"
#include "character/footing.h"
#include "character/ways.h"
#include "shosa/analysis/core_interval.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

/// Whether one can stay among these nodes for ever.
bool can_last(const graph::MotionGraph& graph, std::span<const graph::NodeIndex> nodes) {
  std::vector<bool> in(static_cast<std::size_t>(graph.node_count()), false);
  for (const graph::NodeIndex n : nodes) in[n] = true;
  std::size_t left = nodes.size();
  for (bool changed = true; changed;) {
    changed = false;
    for (const graph::NodeIndex n : nodes) {
      if (!in[n]) continue;
      const auto stays = [&](graph::LinkIndex l) { return in[graph.link(l).to]; };
      if (std::ranges::any_of(graph.links_from(n), stays)) continue;
      in[n] = false, changed = true, --left;
    }
  }
  return left > 0;
}

/// Along where the body faces.
double mean_forward_speed_mps(const graph::SetClip& clip) {
  const auto& places = clip.root().places;
  double sum = 0.0;
  for (std::size_t f = 1; f < places.size(); ++f) {
    const double heading = places[f].heading_rad;
    sum += std::sin(heading) * (places[f].x_m - places[f - 1].x_m) +
           std::cos(heading) * (places[f].z_m - places[f - 1].z_m);
  }
  return sum / (static_cast<double>(std::max<std::size_t>(2, places.size()) - 1) * clip.clip().frame_time_s());
}

double mean_joint_speed_mps(const graph::SetClip& clip) {
  const ClipPositions& at = clip.positions();
  double sum = 0.0;
  for (int f = 1; f < at.frame_count(); ++f)
    for (JointIndex j = 0; j < at.joint_count(); ++j) sum += (at.joint(f, j) - at.joint(f - 1, j)).norm();
  return sum / (at.joint_count() * std::max(1, at.frame_count() - 1) * clip.clip().frame_time_s());
}

}  // namespace

Result<std::shared_ptr<const CharacterData>> CharacterData::create(std::shared_ptr<const graph::MotionGraph> graph,
                                                                   std::shared_ptr<const graph::MotionSet> set,
                                                                   const CharacterDataParams& params) {
  if (!graph || !set) return fail(ErrorCode::invalid_argument, "no graph, or no clips");
  std::shared_ptr<CharacterData> data(new CharacterData);
  data->params_ = params;
  data->graph_ = std::move(graph), data->set_ = std::move(set);
  auto player = graph::Player::create(*data->graph_, *data->set_, 0, {.frame_time_s = params.frame_time_s});
  if (!player) return std::unexpected(player.error());
  data->player_.emplace(std::move(*player));
  auto feet = make_foot_model(*data->set_);
  if (!feet) return std::unexpected(feet.error());
  data->feet_ = std::make_shared<const FootModel>(std::move(*feet));
  data->carried_.resize(static_cast<std::size_t>(data->skeleton().joint_count()));
  for (JointIndex j = 0; j < data->skeleton().joint_count(); ++j) {
    for (JointIndex above = j; above != kNoJoint; above = data->skeleton().parent(above))
      data->carried_[above].push_back(j);
  }
  data->edit_ = posing::body_edit(data->skeleton(), data->set_->body_map);
  if (params.ranges && data->set_->body_map.kind == body::BodyKind::humanoid) {
    if (auto ranges = posing::human_ranges(data->skeleton(), data->set_->body_map))
      data->edit_.ranges = std::move(*ranges);
  }
  data->find_states();
  data->find_stop_ways();
  data->find_least_ways();
  data->find_fingerprint();
  return std::shared_ptr<const CharacterData>(std::move(data));
}

void CharacterData::find_fingerprint() {
  Fingerprint print;
  print.add(params_.frame_time_s).add(params_.ranges).add(params_.prior ? params_.prior->size() : 0);
  for (JointIndex j = 0; j < skeleton().joint_count(); ++j) {
    print.add(skeleton().name(j)).add(skeleton().parent(j));
    print.add(std::as_bytes(std::span(skeleton().joint(j).rest_translation_m.data(), 3)));
  }
  Pose pose;
  for (const graph::SetClip& clip : set_->clips) {
    print.add(clip.name).add(clip.clip().frame_time_s());
    for (int f = 0; f < clip.clip().frame_count(); ++f) {
      clip.clip().get_frame(f, pose);
      print.add(std::as_bytes(pose.rotation_lanes())).add(std::as_bytes(pose.translation_lanes()));
    }
  }
  for (graph::NodeIndex n = 0; n < graph_->node_count(); ++n)
    print.add(graph_->node(n).name)
        .add(graph_->node(n).clip)
        .add(graph_->node(n).time_s)
        .add(graph_->node(n).default_link);
  for (const graph::Link& link : graph_->links()) print.add(link.from).add(link.to).add(link.time_s).add(link.hurry);
  fingerprint_ = print.value();
}

int CharacterData::find_state(std::string_view name) const {
  const auto found = std::ranges::find(states_, name, &State::name);
  return found == states_.end() ? -1 : static_cast<int>(found - states_.begin());
}

int CharacterData::state_at_speed(double speed_mps) const {
  int best = -1;
  for (int i = 0; i < static_cast<int>(states_.size()); ++i) {
    if (!states_[i].gait && i != still_) continue;
    if (best < 0 || std::abs(states_[i].speed_mps - speed_mps) < std::abs(states_[best].speed_mps - speed_mps))
      best = i;
  }
  return best;
}

int CharacterData::state_within(double way_m, int fastest) const {
  int best = -1;
  for (int i = 0; i < static_cast<int>(states_.size()); ++i) {
    const State& state = states_[i];
    if (!state.gait || state.least_way_m > way_m) continue;
    if (fastest >= 0 && state.speed_mps > states_[fastest].speed_mps) continue;
    if (best < 0 || state.speed_mps > states_[best].speed_mps) best = i;
  }
  return best;
}

void CharacterData::find_states() {
  state_of_.assign(static_cast<std::size_t>(graph_->node_count()), -1);
  for (graph::NodeIndex n = 0; n < graph_->node_count(); ++n) {
    const graph::Node& node = graph_->node(n);
    if (node.name.empty()) continue;
    int state = find_state(node.name);
    if (state < 0) {
      state = static_cast<int>(states_.size());
      states_.push_back({.name = node.name});
    }
    states_[state].nodes.push_back(n);
    state_of_[n] = state;
  }
  for (int i = 0; i < static_cast<int>(states_.size()); ++i) {
    State& state = states_[i];
    state.lasting = can_last(*graph_, state.nodes);
    double sum = 0.0, ahead = 0.0, still = 0.0;
    std::vector<int> clips;
    for (const graph::NodeIndex n : state.nodes) {
      const int c = set_->find(graph_->clips()[graph_->node(n).clip]);
      const graph::SetClip& clip = set_->clips[c];
      const double speed_mps = clip.speed_mps[clip.clip().nearest_frame(graph_->node(n).time_s)];
      sum += speed_mps, still += speed_mps < kStill_mps;
      ahead += mean_forward_speed_mps(clip);
      if (std::ranges::find(clips, c) == clips.end()) clips.push_back(c);
    }
    state.speed_mps = sum / static_cast<double>(state.nodes.size());
    for (const int c : clips) {
      state.stir_mps += mean_joint_speed_mps(set_->clips[c]) / static_cast<double>(clips.size());
      const analysis::StudiedClip& studied = set_->clips[c].studied;
      const auto core = analysis::suggest_core(studied, {});
      const TimeInterval time = core ? core->time : TimeInterval{0.0, studied.clip().last_time_s()};
      graph::NodeIndex best = graph::kNoNode;
      for (const graph::NodeIndex n : state.nodes) {
        const graph::Node& node = graph_->node(n);
        if (set_->find(graph_->clips()[node.clip]) != c) continue;
        const auto off = [&](graph::NodeIndex m) { return std::abs(graph_->node(m).time_s - time.begin_s); };
        if (best == graph::kNoNode || off(n) < off(best)) best = n;
      }
      state.core_nodes.push_back(best);
      state.core_length_s = std::max(state.core_length_s, time.length_s());
    }
    // A jump goes ahead too, but in one bound: a gait is hardly ever still.
    state.gait = state.lasting && ahead / static_cast<double>(state.nodes.size()) > kStill_mps &&
                 still < static_cast<double>(state.nodes.size()) / 4.0;
    if (state.lasting && state.speed_mps < kStill_mps && (still_ < 0 || state.stir_mps < states_[still_].stir_mps))
      still_ = i;
  }
  for (const State& state : states_) {
    const Ways ways = ways_to(*this, state.core_nodes);
    auto& times = times_to_core_s_.emplace_back();
    for (const double time_s : ways.time_s) times.push_back(std::isfinite(time_s) ? static_cast<float>(time_s) : -1.0f);
  }
}

}  // namespace shosa::character
