#include "rotation_ways.h"

#include <algorithm>

#include "found_again.h"
#include "frames.h"
#include "rotation_frames.h"

namespace shosa::submovement::detail {

namespace {

// How a region is followed.
struct Way {
  double share;  // Of the bound.
  int gap;       // Frames between starts.
  bool shorter;  // Turns may be as short as those of what shakes.

  SearchParams of(const SearchParams& params, double step_s) const {
    SearchParams own = params;
    own.start_gap = gap;
    if (shorter) own.min_duration_s = shortest_on_frames_s(params.min_duration_s, step_s);
    return own;
  }
};
constexpr Way kPlain = {1.0, kStartGap, false};
// Those first that most often are found again.
constexpr Way kOthers[] = {{1.0, kStartGap, true}, {0.75, kStartGap, false}, {1.0, 6, false}, {0.75, 6, false}};
constexpr std::size_t kFewWays = 2;
constexpr std::size_t kMany = 30;  // Turns of a joint that are rather followed by a relay than once more.
constexpr double kLong_s = 4.0;    // What is longer is rather followed by a relay at once.

// Tries ways until one is found again.
class Ways {
 public:
  Ways(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few)
      : samples_(samples), step_s_(step_s), params_(params), few_(few) {}

  // Starts may be as near each other as they like as long as they can be put on frames, or are kept apart from the
  // outset: the thorough search does with fewer where they are. Where neither will do, a few more on frames will.
  Followed run() {
    for (const bool apart : {params_.thorough, !params_.thorough}) {
      follow(kPlain, apart);
      if (!found_.front().within || is_good(found_.back(), kPlain, false)) return chosen();
      if (!params_.thorough && count(found_.back()) > kMany) return chosen();
    }
    for (Followed& followed : found_)
      if (!followed.settled && is_good(followed, kPlain, true)) return chosen();
    for (const Way& way : others()) {
      if (way.shorter && way.of(params_, step_s_).min_duration_s == params_.min_duration_s) continue;
      follow(way, true);
      Followed completed = found_.back();
      if (is_good(found_.back(), way, false) || (!found_.back().settled && is_good(completed, way, true)))
        return chosen();
    }
    std::stable_sort(spare_.begin(), spare_.end(),
                     [](const Followed& a, const Followed& b) { return count(a) < count(b); });
    return chosen();
  }

 private:
  // A body's joints have relays for the rest; what shakes keeps to no tighter bound.
  std::span<const Way> others() const {
    const std::span<const Way> all(kOthers);
    if (params_.thorough) return all.first(spare_.empty() ? 0 : all.size());
    return all.first(params_.shaking || static_cast<double>(samples_.size()) * step_s_ > kLong_s ? 0 : kFewWays);
  }

  void follow(const Way& way, bool apart) {
    SearchParams own = way.of(params_, step_s_);
    if (apart) own.start_gap_s = way.gap * step_s_;
    own.max_error *= way.share;
    found_.push_back(follow_in_stretches(samples_, step_s_, own, few_));
    evaluations_ += found_.back().result.evaluations;
  }

  // True, and the first of `spare_`, where it is what we look for.
  bool is_good(Followed& followed, const Way& way, bool complete) {
    if (!followed.within) return false;
    if (!followed.settled) {
      RotationModel& model = followed.result.model;
      followed.settled = put_on_frames(samples_, step_s_, way.of(params_, step_s_), complete, model, evaluations_);
      if (!followed.settled) return false;
      const auto weak = [&](const RotationSubmovement& s) {
        return s.rotation_rad.norm() < kWeakest * params_.max_error;
      };
      if (!params_.thorough && std::erase_if(model.submovements, weak) > 0) {
        followed.settled = put_on_frames(samples_, step_s_, way.of(params_, step_s_), complete, model, evaluations_);
        if (!followed.settled) return false;
      }
      if (!is_easily_told(model.submovements, samples_.size(), step_s_) &&
          !is_found_again(model, samples_.size(), step_s_, params_, Roundings::several, evaluations_)) {
        spare_.push_back(followed);
        return false;
      }
    }
    followed.sure = true;
    spare_.assign(1, followed);
    return true;
  }

  static std::size_t count(const Followed& followed) { return followed.result.model.submovements.size(); }

  Followed chosen() {
    Followed& best = spare_.empty() ? found_.front() : spare_.front();
    best.result.evaluations = evaluations_;
    return best;
  }

  std::span<const Quatd> samples_;
  double step_s_;
  const SearchParams& params_;
  std::size_t few_;
  std::vector<Followed> found_;
  std::vector<Followed> spare_;  // On frames, but not found again; or the one that is.
  long evaluations_ = 0;
};

}  // namespace

Followed follow_smoothly(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few) {
  Followed followed = Ways(samples, step_s, params, few).run();
  if (followed.within) return followed;
  SearchParams shorter = params;
  shorter.min_duration_s = shortest_on_frames_s(params.min_duration_s, step_s);
  shorter.shaking = !params.thorough;
  if (shorter.min_duration_s == params.min_duration_s) return followed;
  return Ways(samples, step_s, shorter, few).run();
}

}  // namespace shosa::submovement::detail
