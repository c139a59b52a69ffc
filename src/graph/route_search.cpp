#include "graph/route_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "graph/meeting_bound.h"

namespace shosa::graph {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

}  // namespace

double hurry_weight(const Link& link, int command_hurry) {
  if (command_hurry == kNoHurry || link.hurry == 0) return link.time_s;
  const double difference = command_hurry - link.hurry;
  return difference * difference * (link.time_s == 0.0 ? 1.0 : link.time_s);
}

RouteGraph::RouteGraph(const MotionGraph& graph) {
  // A longest simple way has node_count - 1 links; none weighs more than 100^2 times its time, or 100^2 s at time 0.
  double longest_s = 1.0;
  for (const Link& link : graph.links()) longest_s = std::max(longest_s, link.time_s);
  const double heaviest = longest_s * kMaxHurry * kMaxHurry * std::max(1, graph.node_count());
  for (int k = 0; k < 12 && heaviest * static_cast<double>(ticks_per_s_) * 10.0 < 0x1p62; ++k) ticks_per_s_ *= 10;

  const auto links = static_cast<std::size_t>(graph.link_count());
  begin_.assign(static_cast<std::size_t>(graph.node_count()) + 1, 0);
  entries_.reserve(links);
  links_.reserve(links);
  ranks_.reserve(links);
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    for (const LinkIndex l : graph.links_to(n)) {
      const Link& link = graph.link(l);
      if (link.from == link.to) continue;  // never part of a least way
      auto ticks = static_cast<std::int64_t>(std::llround(link.time_s * static_cast<double>(ticks_per_s_)));
      if (link.time_s > 0.0) ticks = std::max<std::int64_t>(ticks, 1);
      const bool no_time = ticks == 0 && link.hurry != 0;
      entries_.push_back({no_time ? ticks_per_s_ : ticks, link.from, link.hurry + (no_time ? kNoTime : 0)});
      links_.push_back(l);
      ranks_.push_back(graph.canonical_rank(l));
    }
    begin_[static_cast<std::size_t>(n) + 1] = static_cast<std::int32_t>(entries_.size());
  }
}

std::array<std::int64_t, RouteGraph::kKinds> RouteGraph::factors(int command_hurry) {
  std::array<std::int64_t, kKinds> factor{};
  for (int c = 0; c <= kMaxHurry; ++c) {
    const std::int64_t square = (command_hurry - c) * (command_hurry - c);
    const bool plain = command_hurry == kNoHurry || c == 0;
    factor[c] = plain ? 1 : square;
    factor[c + kNoTime] = plain ? 0 : square;
  }
  return factor;
}

RouteSearch::RouteSearch(const RouteGraph& graph)
    : graph_(&graph),
      weight_(static_cast<std::size_t>(graph.node_count()), kFar),
      state_(weight_.size(), kUnseen),
      labels_(weight_.size()),
      heap_(weight_.size() + 1),
      blocked_(weight_.size(), 0) {}

void RouteSearch::start(std::span<const NodeIndex> targets, int command_hurry, std::span<const std::uint8_t> blocked) {
  assert(blocked.empty() || blocked.size() == weight_.size());
  std::fill(weight_.begin(), weight_.end(), kFar);
  std::fill(state_.begin(), state_.end(), kUnseen);
  hurry_ = command_hurry;
  factor_ = RouteGraph::factors(hurry_);
  heap_size_ = 0;
  pruned_ = false;
  any_blocked_ = !blocked.empty();
  if (any_blocked_) std::copy(blocked.begin(), blocked.end(), blocked_.begin());
  for (const NodeIndex target : targets) {
    const auto t = static_cast<std::size_t>(target);
    if (weight_[t] == 0 || (any_blocked_ && blocked_[t])) continue;
    weight_[t] = 0;
    labels_[t] = Label{};
    sift_up(heap_size_++, {0, target});
  }
}

bool RouteSearch::before(const HeapItem& a, const HeapItem& b) const {
  if (a.weight != b.weight) return a.weight < b.weight;
  const Label &l = labels_[a.node], &r = labels_[b.node];
  if (l.hurry != r.hurry) return l.hurry > r.hurry;
  if (l.time != r.time) return l.time < r.time;
  return l.links < r.links;
}

void RouteSearch::sift_up(std::int32_t place, HeapItem item) {
  while (place > 0) {
    const std::int32_t parent = (place - 1) / 4;
    if (!before(item, heap_[parent])) break;
    heap_[place] = heap_[parent];
    state_[heap_[place].node] = place;
    place = parent;
  }
  heap_[place] = item;
  state_[item.node] = place;
}

void RouteSearch::sift_down(std::int32_t place, HeapItem item) {
  for (;;) {
    const std::int32_t first = 4 * place + 1;
    if (first >= heap_size_) break;
    std::int32_t least = first;
    for (std::int32_t child = first + 1; child < std::min(first + 4, heap_size_); ++child) {
      if (before(heap_[child], heap_[least])) least = child;
    }
    if (!before(heap_[least], item)) break;
    heap_[place] = heap_[least];
    state_[heap_[place].node] = place;
    place = least;
  }
  heap_[place] = item;
  state_[item.node] = place;
}

void RouteSearch::relax(NodeIndex node, NodeIndex until, const MeetingBound* bound) {
  const std::size_t end = until == kNoNode ? 0 : static_cast<std::size_t>(until);
  const std::int64_t weight_here = weight_[node];
  const Label here = labels_[node];
  const auto entering = graph_->entering(node);
  const std::int32_t first = graph_->first_entry(node);
  for (std::size_t e = 0; e < entering.size(); ++e) {
    const RouteGraph::Entry& entry = entering[e];
    const auto from = static_cast<std::size_t>(entry.from);
    const std::int64_t weight = weight_here + entry.base * factor_[entry.kind];
    if (weight > weight_[from] || state_[from] == kSettled) continue;
    if (until != kNoNode && (weight > weight_[end] || (bound != nullptr && !bound->allows(entry.from, weight)))) {
      pruned_ = true;
      continue;
    }
    const bool counts = hurry_ != kNoHurry && entry.hurry() != hurry_;
    const Label label{here.time + entry.ticks(), here.hurry + (counts ? entry.hurry() : 0), here.links + 1,
                      first + static_cast<std::int32_t>(e)};
    if (weight == weight_[from]) {
      const Label& old = labels_[from];
      if (label.hurry < old.hurry) continue;
      if (label.hurry == old.hurry) {
        if (label.time > old.time) continue;
        if (label.time == old.time) {
          if (label.links > old.links) continue;
          if (label.links == old.links && graph_->rank(label.entry) > graph_->rank(old.entry)) continue;
        }
      }
    }
    weight_[from] = weight;
    labels_[from] = label;
    const std::int32_t place = state_[from] == kUnseen ? heap_size_++ : state_[from];
    sift_up(place, {weight, entry.from});
  }
}

bool RouteSearch::run(int max_nodes, NodeIndex until, const MeetingBound* bound) {
  for (int settled = 0; heap_size_ > 0; ++settled) {
    if (until != kNoNode && is_settled(until)) return true;
    if (settled == max_nodes) return false;
    const NodeIndex node = heap_[0].node;
    state_[node] = kSettled;
    const HeapItem last = heap_[--heap_size_];
    if (heap_size_ > 0) sift_down(0, last);
    if (!any_blocked_ || !blocked_[node]) relax(node, until, bound);
  }
  return true;
}

}  // namespace shosa::graph
