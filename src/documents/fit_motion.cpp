#include "shosa/documents/fit_motion.h"

#include <cmath>

#include "documents/onto_body.h"
#include "shosa/core/clip_edit.h"

namespace shosa::documents {

namespace {

/// Headers round their frame time: rates nearer than this are one and the same.
constexpr double kSameRate = 1e-3;

Result<Clip> at_rate(const Clip& clip, double fps, const std::string& name, Notes& warnings) {
  warnings.push_back(Note::done(fmt::format("{}: resampled from {:.6g} to {:.6g} fps", name, clip.fps(), fps)));
  auto resampled = resample(clip, fps);
  if (!resampled) return fail(resampled.error().code, "{}: {}", name, resampled.error().message);
  return resampled;
}

}  // namespace

Result<FittedMotion> fit_motion(ChosenClip opened, const std::string& name, const FitParams& params) {
  const analysis::StudiedClip* const first = params.first == nullptr ? nullptr : &params.first->studied;
  FittedMotion fitted;
  blend::MotionParams motion_params{.core = params.core};
  const double fps = params.fps.value_or(first != nullptr ? first->clip().fps() : opened.clip().fps());
  bool other_rate = std::abs(opened.clip().frame_time_s() * fps - 1.0) > kSameRate;
  if (!other_rate) opened.motion.clips[opened.index].set_frame_time_s(1.0 / fps);
  analysis::StudiedClip studied = opened.study_standing();
  for (const Note& note : opened.motion.warnings) fitted.warnings.push_back(note.of(name));
  // Contacts are found in what is played, unless they come from elsewhere: by hand, or from another body.
  if (other_rate && opened.contacts.empty() && (first == nullptr || on_body_of(studied.clip(), first->clip()))) {
    auto timed = at_rate(studied.clip(), fps, name, fitted.warnings);
    if (!timed) return std::unexpected(timed.error());
    studied = analysis::study(std::move(*timed), studied.map());
    other_rate = false;
  }
  if (first != nullptr) {
    auto moved = onto_body(studied, name, *first, params.first_name);
    if (!moved) return std::unexpected(moved.error());
    for (Note& warning : moved->warnings) fitted.warnings.push_back(std::move(warning));
    // What must survive is found on the body that did it.
    if (moved->retargeted && !motion_params.core) {
      const auto source = blend::prepare_motion(studied);
      if (!source) return std::unexpected(source.error());
      const double dt = studied.clip().frame_time_s();
      motion_params.core = TimeInterval{(*source)->core.begin * dt, (*source)->core.end * dt};
    }
    studied = std::move(moved->studied);
  }
  if (other_rate) {
    auto timed = at_rate(studied.clip(), fps, name, fitted.warnings);
    if (!timed) return std::unexpected(timed.error());
    auto again = analysis::study(std::move(*timed), studied.map(), studied.contacts());
    if (!again) return std::unexpected(again.error());
    studied = std::move(*again);
  }
  if (const auto feet = studied.needs_feet(); !feet)
    fitted.warnings.push_back(fmt::format("{}: {}", name, feet.error().message));
  auto motion = blend::prepare_motion(studied, motion_params);
  if (!motion) return fail(motion.error().code, "{}: {}", name, motion.error().message);
  fitted.motion = std::move(*motion);
  fitted.form = std::move(opened.motion);
  return fitted;
}

}  // namespace shosa::documents
