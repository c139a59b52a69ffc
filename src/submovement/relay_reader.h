#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "relay_knots.h"
#include "shosa/core/types.h"

namespace shosa::submovement::detail {

/// Reads relays and steps from samples that were made of them (docs/methods/submovements.md, "Relays").
///
/// At every moment it is known when the link under way ends, and thereby when the next but one begins: of the next one
/// only the end is looked for. What cannot go on is taken back.
///
/// `Space` has a type `Value` and
///   int size();  const Value& at(int frame);
///   Vec3d between(const Value& from, const Value& to);  Value moved(const Value& from, const Vec3d& move);
///   int step_length(int frame);  how many frames a step from rest lasts there
///   bool is_longest(int from, int to);  whether a step that were longer by a frame would miss its samples
///   void refit(int begin, const std::vector<Value>& before, Value* start, std::span<Link> links);
///     the moves of links anew, from the samples from `begin` on, one for each value that stands before the links;
///     with `start` also that, in the place of what stands before.
template <class Space>
class RelayReader {
 public:
  using Value = typename Space::Value;

  /// `noise` is that of the samples, per coordinate.
  RelayReader(const Space& space, double noise) : space_(space), noise_(noise), last_(space.size() - 1) {}

  /// Links, and in `start` what stands before them; none where the samples are no relay, or nothing moves.
  std::optional<std::vector<Link>> read(Value& start) {
    start_ = space_.at(0);
    push(begin());
    int farthest_seen = 0;
    for (int tries = 0; !nodes_.empty() && tries <= kTries + kTriesEach * farthest_seen; ++tries) {
      Node& node = nodes_.back();
      farthest_seen = std::max(farthest_seen, node.a);
      if (node.finished && is_met()) {
        start = start_;
        return links_.empty() ? std::nullopt : std::optional(links_);
      }
      restore(node);
      if (node.next == node.options.size() || node.finished) {
        nodes_.pop_back();
        continue;
      }
      take(Option(node.options[node.next++]), node.unproven);
    }
    return std::nullopt;
  }

 private:
  static constexpr double kSeen = 15.0;        // Times the noise: what is no rest.
  static constexpr double kMet = 3.0;          // Times the noise, root mean square: what all links leave, …
  static constexpr double kMissed = 6.0;       // … a first one by itself …
  static constexpr double kHopeful = 80.0;     // … and the next ones, before those around them are fitted anew; …
  static constexpr double kNear = 500.0;       // … of a single sample; …
  static constexpr double kStill = 150.0;      // … what is left where none begins, likewise.
  static constexpr std::size_t kRefitted = 6;  // Links that are fitted together.
  static constexpr int kWindow = 1000;         // Frames, for these.
  static constexpr std::size_t kLooked = 3;    // Options after a first link that are fitted with it.
  static constexpr std::size_t kRanked = 200;  // Options that are fitted with the links around them.
  static constexpr std::size_t kOptions = 12;  // That are tried from one place.
  static constexpr int kTries = 60, kTriesEach = 1;  // In all, and for each sample that was reached.
  static constexpr int kUnproven = 2;                // Steps in a row that nothing tells to be some.
  static constexpr int kBefore = 4;                  // Frames before it is seen that a link may have begun.
  static constexpr int kUnseen = 6;                  // Frames that the next one may have begun before it is seen.
  static constexpr int kLastRows = 3;                // Samples in which what begins next is seen.
  static constexpr int kFirstRows = 3;               // Samples that tell whether it is worth looking at more.
  static constexpr double kLittle = 0.01;  // Frames more that an error of the noise outweighs, of a link by itself, …
  static constexpr double kSharp = 100.0;  // … and of two that were fitted together.

  struct Option {
    Link link = {};    // Lasts no time: none begins.
    int a = 0, b = 0;  // Of the next node.
    double bad = 0.0;
    bool unproven = false;  // A step that any sample would fit.
    std::optional<Value> start = {};
  };
  // What is under way at frame `a` ends at `b`, and the next link begins at `a`; where both are the same nothing is
  // under way, and the next one begins when it is seen.
  struct Node {
    int a = 0, b = 0;
    bool finished = false;
    int unproven = 0;        // Steps before it, in a row.
    std::size_t count = 0;   // Of links when it was reached, …
    std::vector<Link> tail;  // … and the last of these, as they were.
    Value start;
    std::vector<Option> options;
    bool uncertain = false;  // Which option it is shows only after the links around it are fitted anew.
    std::size_t next = 0;
  };

  void take(const Option& option, int unproven) {
    if (option.link.tf > option.link.t0) links_.push_back(option.link);
    if (option.start) start_ = *option.start;
    if (!links_.empty()) refit(std::min(option.a, last_));
    Node node;
    node.a = option.a;
    node.b = option.b;
    if (option.unproven) node.unproven = unproven + 1;
    if (node.unproven > kUnproven) return;
    if (node.a < node.b)
      go_on(node);
    else
      set_out(node);
    push(std::move(node));
  }

  void push(Node node) {
    node.count = links_.size();
    node.tail.assign(links_.end() - static_cast<std::ptrdiff_t>(std::min(kRefitted, links_.size())), links_.end());
    node.start = start_;
    if (node.uncertain) {
      keep_best(node.options, kRanked);
      rank(node);
    }
    keep_best(node.options, kOptions);
    nodes_.push_back(std::move(node));
  }

  static void keep_best(std::vector<Option>& options, std::size_t most) {
    std::stable_sort(options.begin(), options.end(), [](const Option& x, const Option& y) { return x.bad < y.bad; });
    if (options.size() > most) options.resize(most);
  }

  // Many fit until the links before them, or after a weak first one, are fitted too: these are, and put in the order of
  // what that leaves.
  void rank(Node& node) {
    for (Option& option : node.options) {
      if (option.link.tf > option.link.t0) links_.push_back(option.link);
      if (option.start) start_ = *option.start;
      const int to = std::min(option.a, last_);
      if (links_.empty()) {
        // Rest at the first sample, after every link that may have been under way there.
        option.bad = std::numeric_limits<double>::infinity();
      } else {
        refit(to);
        option.bad = option.start ? best_after(option) : left(node.a + 1, to);
        if (option.a == option.b && option.bad < kMet * noise_) option.bad = 0.0;
      }
      restore(node);
    }
  }

  // How well the first link goes together with another, and how far.
  double best_after(const Option& first) {
    Node next;
    next.a = first.a;
    next.b = first.b;
    go_on(next);
    double best = next.finished ? kSharp * left(0, last_) / noise_ - last_ : std::numeric_limits<double>::infinity();
    keep_best(next.options, kLooked);
    const Link under_way = links_.front();
    const Value start = start_;
    for (const Option& second : next.options) {
      links_.assign(1, under_way);
      start_ = start;
      if (second.link.tf > second.link.t0) links_.push_back(second.link);
      const int to = std::min(second.a, last_);
      refit(to);
      best = std::min(best, kSharp * left(0, to) / noise_ - to);
    }
    return best;
  }

  void restore(const Node& node) {
    links_.resize(node.count);
    std::copy(node.tail.begin(), node.tail.end(), links_.end() - static_cast<std::ptrdiff_t>(node.tail.size()));
    start_ = node.start;
    reach(node.count - node.tail.size());
  }

  // What is reached after each link, from number `first` on.
  void reach(std::size_t first) {
    reached_.resize(first);
    for (std::size_t k = first; k < links_.size(); ++k) reached_.push_back(space_.moved(reached(k), links_[k].move));
  }
  Value reached(std::size_t count) const { return count == 0 ? start_ : reached_[count - 1]; }

  // What the first `count` links make of a frame at which no more than two of them are under way.
  Value made(std::size_t count, int frame) const {
    const std::size_t ended = count - std::min<std::size_t>(2, count);
    Value value = reached(ended);
    for (std::size_t k = ended; k < count; ++k) value = space_.moved(value, links_[k].share(frame) * links_[k].move);
    return value;
  }

  void refit(int last_frame) {
    std::size_t first = links_.size() - std::min(kRefitted, links_.size());
    while (first + 1 < links_.size() && last_frame - links_[first].t0 > kWindow) ++first;
    reach(first);
    const int from = std::max(0, links_[first].t0);
    std::vector<Value> before;
    for (int i = from; i <= last_frame; ++i) before.push_back(made(first, i));
    const bool under_way = first == 0 && links_[0].t0 < 0;
    space_.refit(from, before, under_way ? &start_ : nullptr, std::span(links_).subspan(first));
    reach(first);
  }

  // What the links leave of these samples, per coordinate, where only the last six of them matter.
  double left(int from, int to) const {
    std::vector<Vec3d> rows;
    std::size_t begun = links_.size() - std::min(kRefitted, links_.size());
    for (int i = from; i <= to; ++i) {
      while (begun < links_.size() && links_[begun].t0 < i) ++begun;
      rows.push_back(space_.between(made(begun, i), space_.at(i)));
    }
    return rms(rows);
  }

  // Whether the row in the middle is about where it would be by the last one: most links are told by that.
  bool is_near(const std::vector<Vec3d>& rows, int from, int count, double offset, const Link& link) const {
    const int last = count - 1, middle = last / 2;
    const double whole = link.share(from + last) - offset, half = link.share(from + middle) - offset;
    const Vec3d off = whole * rows[static_cast<std::size_t>(middle)] - half * rows[static_cast<std::size_t>(last)];
    return off.norm() <= kNear * noise_ * std::abs(whole);
  }

  // The move that meets `count` rows best, the first of them at frame `from`, and how far they, or the last few of
  // them, are off it, per coordinate: what begins next is seen there first.
  double fit(const std::vector<Vec3d>& rows, int from, int count, double offset, Link& link) const {
    if (!is_near(rows, from, count, offset, link)) return std::numeric_limits<double>::infinity();
    Vec3d sum = Vec3d::Zero();
    double weights = 0.0, off = 0.0, last_off = 0.0;
    const int few = std::min(count, kLastRows);
    const auto weight = [&](int k) { return link.share(from + k) - offset; };
    for (int k = 0; k < count; ++k) {
      const double w = weight(k);
      sum += w * rows[static_cast<std::size_t>(k)];
      weights += w * w;
    }
    link.move = sum / std::max(weights, 1e-300);
    for (int k = 0; k < count; ++k) {
      const double square = (rows[static_cast<std::size_t>(k)] - weight(k) * link.move).squaredNorm();
      off += square;
      if (k >= count - few) last_off += square;
    }
    return std::sqrt(std::max(off / count, last_off / few) / 3.0);
  }

  static double rms(const std::vector<Vec3d>& rows) {
    double sum = 0.0;
    for (const Vec3d& row : rows) sum += row.squaredNorm();
    return std::sqrt(sum / (3.0 * static_cast<double>(rows.size())));
  }

  // The first two samples of one link are on a line with where it begins, and those of hardly anything else.
  bool is_straight(const Value& start, int from) const {
    if (from + 2 > last_) return true;
    const Vec3d one = space_.between(start, space_.at(from + 1)), two = space_.between(start, space_.at(from + 2));
    return one.cross(two).norm() <= kSeen * noise_ * std::max(one.norm(), two.norm());
  }

  // From the first sample: at rest, or with one link under way.
  Node begin() const {
    Node node;
    node.options.push_back({});
    if (last_ < kFirstRows || !is_straight(space_.at(0), 0)) return node;
    std::vector<Vec3d> rows;
    for (int i = 0; i <= std::min(last_, kLongestApart); ++i)
      rows.push_back(space_.between(space_.at(0), space_.at(i)));
    for (int first = kCalm; first < static_cast<int>(rows.size()); ++first) {
      if (rms(std::vector(rows.begin(), rows.begin() + first + 1)) < kSeen * noise_) continue;
      for (int next = first + kLeastApart; next <= first + farthest(2 * first); ++next) {
        Link link{-first, next};
        const double offset = link.share(0), one = link.share(1) - offset, two = link.share(2) - offset;
        if ((one * rows[2] - two * rows[1]).norm() > kSeen * noise_ * (one + two)) continue;
        if (fit(rows, 0, std::min(first, kFirstRows) + 1, offset, link) > kMissed * noise_) continue;
        const double bad = fit(rows, 0, first + 1, offset, link);
        if (bad > kMissed * noise_) continue;
        node.options.push_back({.link = link,
                                .a = first,
                                .b = next,
                                .bad = kLittle * bad / noise_ - first,
                                .start = space_.moved(space_.at(0), -offset * link.move)});
      }
    }
    node.uncertain = node.options.size() > kOptions;
    return node;
  }

  // One link is under way, and another begins, or none.
  void go_on(Node& node) const {
    if (node.a >= last_) {
      node.finished = true;
      return;
    }
    std::vector<Vec3d> rows;
    for (int i = node.a + 1; i <= std::min(node.b, last_); ++i)
      rows.push_back(space_.between(made(links_.size(), i), space_.at(i)));
    const int count = static_cast<int>(rows.size());
    if (const double off = rms(rows); off < kStill * noise_) {
      node.options.push_back({.a = node.b, .b = node.b, .bad = off});
      if (off < kSeen * noise_) return;
      node.uncertain = true;
    }
    const auto add = [&](int end) {
      Link link{node.a, end};
      const double bad = fit(rows, node.a + 1, count, 0.0, link);
      if (bad < kHopeful * noise_) node.options.push_back({.link = link, .a = node.b, .b = end, .bad = bad});
    };
    if (node.b >= last_) {
      add(last_link_end(node.a, last_));
    } else {
      for (int end = node.b + kLeastApart; end <= node.b + farthest(node.b - node.a); ++end) add(end);
    }
    node.uncertain = (node.uncertain && node.options.size() > 1) || node.options.size() > kOptions;
  }

  // Nothing is under way.
  void set_out(Node& node) const {
    const Value rest = made(links_.size(), node.a);
    int seen = node.a + 1;
    while (seen <= last_ && space_.between(rest, space_.at(seen)).norm() < kSeen * noise_) ++seen;
    if (seen > last_) {
      node.finished = true;
      return;
    }
    for (int from = std::max(node.a, seen - kBefore); from < seen; ++from) {
      if (!is_straight(rest, from)) continue;
      std::vector<Vec3d> rows;
      for (int i = from + 1; i <= std::min(last_, from + 2 * kLongestApart); ++i)
        rows.push_back(space_.between(rest, space_.at(i)));
      for (int end = from + 2 * kLeastApart; end <= from + 2 * kLongestApart; ++end) {
        Link link{from, end};
        int alone = goes_alone(rows, link);
        if (from + alone < seen) continue;
        if (alone == end - from) {
          node.options.push_back(lone(rows, link, alone, end));
          continue;
        }
        for (const int least = std::max(kLeastApart, alone - kUnseen); alone >= least; --alone)
          if (end - from - alone <= farthest(alone) && from + alone >= seen)
            node.options.push_back(lone(rows, link, alone, from + alone));
      }
    }
    const int length = space_.step_length(seen - 1), to = seen - 1 + length;
    node.options.push_back({.link = {seen - 1, to, space_.between(rest, space_.at(to))},
                            .a = to,
                            .b = to,
                            .unproven = length <= 2 && !space_.is_longest(seen - 1, to)});
  }

  // For how many rows, from the frame after its start on, a link that begins at rest explains them.
  int goes_alone(const std::vector<Vec3d>& rows, Link& link) const {
    const int most = std::min(static_cast<int>(rows.size()), link.tf - link.t0);
    const auto fits = [&](int count) { return fit(rows, link.t0 + 1, count, 0.0, link) <= kMissed * noise_; };
    int good = std::min(kFirstRows, most), bad = most + 1;
    if (!fits(good)) return kLeastApart <= most && fits(kLeastApart) ? kLeastApart : 0;
    while (good + 1 < bad) {
      const int middle = bad > most ? std::min(2 * good, most) : (good + bad) / 2;
      (fits(middle) ? good : bad) = middle;
    }
    return good;
  }

  Option lone(const std::vector<Vec3d>& rows, Link link, int alone, int next) const {
    const double bad = fit(rows, link.t0 + 1, alone, 0.0, link);
    return {.link = link, .a = next, .b = link.tf, .bad = kLittle * bad / noise_ - alone};
  }

  bool is_met() const {
    double sum = 0.0;
    std::size_t begun = 0;
    for (int i = 0; i <= last_; ++i) {
      while (begun < links_.size() && links_[begun].t0 < i) ++begun;
      sum += space_.between(made(begun, i), space_.at(i)).squaredNorm();
    }
    return std::sqrt(sum / (3.0 * (last_ + 1))) < kMet * noise_;
  }

  const Space& space_;
  double noise_;
  int last_;
  Value start_;
  std::vector<Link> links_;
  std::vector<Value> reached_;
  std::vector<Node> nodes_;
};

}  // namespace shosa::submovement::detail
