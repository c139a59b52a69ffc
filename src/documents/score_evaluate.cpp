#include <algorithm>
#include <cmath>

#include "documents/onto_body.h"
#include "shosa/core/clip_edit.h"
#include "shosa/documents/fit_motion.h"
#include "shosa/documents/score.h"

namespace shosa::documents {

namespace {

/// Reads what a score names, puts it on the body and at the rate of the first, and composes it.
class ScorePlayer {
 public:
  ScorePlayer(const Score& score, const ClipSource& source) : score_(score), source_(source) {}

  Result<ComposedScore> play() {
    for (std::size_t i = 0; i < score_.motions.size(); ++i) {
      if (const auto added = add_motion(score_.motions[i], fmt::format("/motions/{}", i)); !added)
        return std::unexpected(added.error());
    }
    for (std::size_t i = 0; i < score_.layers.size(); ++i) {
      if (const auto added = add_layer(score_.layers[i], fmt::format("/layers/{}", i)); !added)
        return std::unexpected(added.error());
    }
    blend::ComposeParams params;
    params.plan.smoothness = score_.smoothness;
    params.plan.bridge = score_.bridge;
    params.technique = score_.technique;
    auto made = blend::compose(motions_, params);
    if (!made) return at_place("", made.error());
    if (!layers_.empty()) {
      for (std::size_t i = 0; i < layers_.size(); ++i) layers_[i].clip = &layer_clips_[i];
      auto layered = blend::apply_layers(made->clip, layers_);
      if (!layered) return at_place("", layered.error());
      made->clip = std::move(*layered);
    }
    for (const blend::Join& join : made->joins) {
      if (join.report.executed) continue;
      warnings_.push_back(fmt::format("{}: not executed: {}; possible from {:.3f} s on", names_[join.to],
                                      join.report.reason, join.report.earliest_s));
    }
    auto wanted = wanted_of(made->clip);
    if (!wanted) return std::unexpected(wanted.error());
    form_.clips = {std::move(*wanted)};
    return ComposedScore{.motion = std::move(form_),
                         .begin_s = score_.trim ? score_.trim->begin_s : 0.0,
                         .composition = std::move(*made),
                         .motions = std::move(motions_),
                         .names = std::move(names_),
                         .params = params,
                         .warnings = std::move(warnings_)};
  }

 private:
  std::unexpected<Error> at_place(const std::string& place, const Error& error) const {
    if (score_.file.empty()) return std::unexpected(error);
    return fail(error.code, "{}: {}{}{}", score_.file, place, place.empty() ? "" : ": ", error.message);
  }
  template <class... Args>
  std::unexpected<Error> wrong(const std::string& place, fmt::format_string<Args...> text, Args&&... args) const {
    return at_place(place, {ErrorCode::bad_file, fmt::format(text, std::forward<Args>(args)...)});
  }
  void warn(Note note) {
    if (std::ranges::find(warnings_, note) == warnings_.end()) warnings_.push_back(std::move(note));
  }

  /// The part of the whole that the score wants.
  Result<Clip> wanted_of(const Clip& whole) {
    if (score_.trim) {
      if (!within(*score_.trim, whole))
        return wrong("/trim", "{} s to {} s, expected an interval within 0 s to {:.4f} s, as long as the whole is",
                     score_.trim->begin_s, score_.trim->end_s, whole.last_time_s());
      return cut(whole, std::max(0.0, score_.trim->begin_s), std::min(score_.trim->end_s, whole.last_time_s()));
    }
    if (!score_.duration_s) return whole;
    const double frames = std::round(*score_.duration_s / whole.frame_time_s());
    if (frames > whole.frame_count())
      warn(fmt::format("the motions are {:.3f} s long together, less than the {:g} s that are asked for",
                       whole.duration_s(), *score_.duration_s));
    return cut_frames(whole, 0, std::clamp(static_cast<int>(frames), 1, whole.frame_count()));
  }

  Result<ChosenClip> open(const ClipReference& line, const std::string& place) {
    ClipReference whole = line;
    whole.from_s = whole.to_s = std::nullopt;
    whole.given.clear();
    auto opened = source_.open(whole);
    if (!opened) return at_place(place, opened.error());
    const double length_s = opened->clip().duration_s();
    if (const auto part = cut_clip(*opened, source_.path(line.clip), line); !part) {
      const bool from = line.from_s && *line.from_s > length_s;
      return wrong(place + (from ? "/from" : "/to"), "{} s, expected a time within 0 s to {:.4f} s, which {} has",
                   from ? *line.from_s : line.to_s.value_or(length_s), length_s, source_.path(line.clip));
    }
    if (const auto given = give_contacts(*opened, line); !given)
      return fail(given.error().code, "{}: {}/{}", score_.file, place, given.error().message);
    return opened;
  }

  static bool within(const TimeInterval& interval, const Clip& clip) {
    const double slack_s = 0.5 * clip.frame_time_s();
    return interval.begin_s >= -slack_s && interval.end_s <= clip.duration_s() + slack_s;
  }

  Result<MovedClip> onto_first(const analysis::StudiedClip& studied, const std::string& file,
                               const std::string& place) {
    auto moved = onto_body(studied, file, motions_.front().motion->studied, names_.front());
    if (!moved) return at_place(place, moved.error());
    for (Note& warning : moved->warnings) warn(std::move(warning));
    return moved;
  }

  /// One that was read and prepared before.
  std::shared_ptr<const blend::Motion> find_motion(const ScoreLine& line) const {
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      const ScoreLine& known = score_.motions[i];
      if (static_cast<const ClipReference&>(known) == line && known.core == line.core) return motions_[i].motion;
    }
    return nullptr;
  }

  Result<void> add_motion(const ScoreLine& line, const std::string& place) {
    const std::string file = source_.path(line.clip);
    if (const auto known = find_motion(line)) {
      motions_.push_back({known, line.at_s, line.keep_place, line.blend});
      names_.push_back(file);
      return {};
    }
    auto opened = open(line, place);
    if (!opened) return std::unexpected(opened.error());
    if (line.core && !within(*line.core, opened->clip()))
      return wrong(place + "/core", "{} s to {} s, expected an interval within 0 s to {:.4f} s, which {} has",
                   line.core->begin_s, line.core->end_s, opened->clip().last_time_s(), file);
    FitParams params{.core = line.core ? line.core : opened->core, .fps = score_.fps};
    if (!motions_.empty()) {
      params.first = motions_.front().motion.get();
      params.first_name = names_.front();
    }
    auto fitted = fit_motion(std::move(*opened), file, params);
    if (!fitted) return at_place(place, fitted.error());
    for (Note& note : fitted->warnings) warn(std::move(note));
    if (motions_.empty()) {
      form_ = std::move(fitted->form);
      form_.clips = {fitted->motion->clip()};
    }
    motions_.push_back({fitted->motion, line.at_s, line.keep_place, line.blend});
    names_.push_back(file);
    return {};
  }

  Result<void> add_layer(const ScoreLayer& line, const std::string& place) {
    const std::string file = source_.path(line.clip);
    auto opened = open(line, place);
    if (!opened) return std::unexpected(opened.error());
    for (const Note& note : opened->motion.warnings) warn(note.of(file));
    auto moved = onto_first(opened->study(), file, place);
    if (!moved) return std::unexpected(moved.error());
    blend::ClipLayer layer = line.layer;
    const Skeleton& skeleton = *form_.skeleton;
    const body::BodyMap& map = form_.body_map;
    if (line.mask == "upper_body") layer.mask = blend::upper_body_mask(skeleton, map);
    if (line.mask == "lower_body") layer.mask = blend::lower_body_mask(skeleton, map);
    if (!line.mask_roles.empty()) {
      auto mask = blend::mask_below(skeleton, map, line.mask_roles);
      if (!mask) return at_place(place + "/mask", mask.error());
      layer.mask = std::move(*mask);
    }
    layer_clips_.push_back(moved->studied.clip());
    layers_.push_back(std::move(layer));
    return {};
  }

  const Score& score_;
  const ClipSource& source_;
  io::MotionFile form_;  // of the first clip
  std::vector<blend::ScoreMotion> motions_;
  std::vector<std::string> names_;
  Notes warnings_;
  std::vector<Clip> layer_clips_;
  std::vector<blend::ClipLayer> layers_;  // without their clips, which lie in `layer_clips_`
};

}  // namespace

Result<ComposedScore> evaluate(const Score& score, const ClipSource& source) {
  return ScorePlayer(score, source).play();
}

}  // namespace shosa::documents
