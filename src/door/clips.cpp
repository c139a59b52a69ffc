#include "shosa/analysis/on_the_spot.h"
#include "shosa/shosa.h"

namespace shosa {

namespace {

/// A foot that misses its place by more is worth a warning.
constexpr double kMissed_m = 1e-3;

/// The clip alone, as documents take motions from memory.
io::MotionFile alone(const MotionClip& clip) {
  io::MotionFile motion = clip.motion;
  motion.clips = {clip.clip()};
  return motion;
}

template <class Report>
MadeClip<Report> made(io::MotionFile motion, Report report) {
  return {{std::move(motion)}, std::move(report)};
}

}  // namespace

Result<MotionClip> read_clip(const std::string& path, const ClipOptions& options) {
  return documents::open_clip(path, options);
}

Result<MotionClip> parse_clip(std::string_view bytes, const std::string& name, const ClipOptions& options) {
  const bool as_captured = options.as_captured.value_or(false);
  auto motion = io::parse_motion(bytes, name, {.drop_tpose = options.drop_tpose.value_or(!as_captured)});
  if (!motion) return std::unexpected(motion.error());
  const auto chosen = documents::choose_clip(*motion, name, options);
  if (!chosen) return std::unexpected(chosen.error());
  return MotionClip{std::move(*motion), *chosen, as_captured};
}

Result<io::MotionFile> read_body(const std::string& path, const ClipOptions& options) {
  return documents::read_input(path, options);
}

Result<void> write_clip(const std::string& path, const MotionClip& clip) {
  return io::write_motion(path, clip.motion);
}

Result<MadeClip<FixReport>> fix_clip(MotionClip clip, const feet::CapturedStanceParams& params) {
  const analysis::StudiedClip studied = clip.study();
  if (const auto known = studied.needs_feet(); !known) return std::unexpected(known.error());
  if (clip.contacts.empty())
    if (const auto still = analysis::needs_still_ground(studied); !still) return std::unexpected(still.error());
  const auto plan = feet::captured_stances(clip.clip(), studied.positions(), studied.contacts(), params);
  if (!plan) return std::unexpected(plan.error());
  auto placed = feet::place_feet(clip.clip(), clip.motion.body_map, *plan);
  if (!placed) return std::unexpected(placed.error());
  // When the feet should stand is the source's word: a foot that slides is not found to stand.
  const auto fixed = analysis::study(placed->clip, clip.motion.body_map, studied.contacts());
  if (!fixed) return std::unexpected(fixed.error());
  if (placed->max_foot_error_m > kMissed_m) {
    clip.motion.warnings.push_back(fmt::format("at {:.3f} s a standing foot is {:.4f} m off its place",
                                               placed->worst_frame * clip.clip().frame_time_s(),
                                               placed->max_foot_error_m));
  }
  clip.motion.clips[clip.index] = placed->clip;
  FixReport report{std::move(*placed), analysis::measure_quality(studied), analysis::measure_quality(*fixed)};
  return MadeClip<FixReport>{std::move(clip), std::move(report)};
}

Result<MadeClip<segment::Loop>> loop_clip(MotionClip clip, const segment::LoopParams& params) {
  auto loop = segment::make_loop(clip.study_standing(), params);
  if (!loop) return std::unexpected(loop.error());
  clip.motion.clips = {loop->clip};
  clip.motion.warnings.insert(clip.motion.warnings.end(), loop->warnings.begin(), loop->warnings.end());
  return made(std::move(clip.motion), std::move(*loop));
}

Result<MadeClip<blend::Composition>> join_clips(const std::vector<MotionClip>& clips,
                                                std::optional<double> smoothness) {
  documents::ClipsInMemory source;
  documents::Score score;
  score.smoothness = smoothness.value_or(score.smoothness);
  for (const MotionClip& clip : clips) {
    documents::ScoreLine& line = score.motions.emplace_back();
    line.clip = fmt::format("clip {} '{}'", score.motions.size() - 1, clip.clip().name());
    line.as_captured = clip.as_captured;
    source.add(line.clip, alone(clip), clip.contacts, clip.core);
  }
  auto composed = documents::evaluate(score, source);
  if (!composed) return std::unexpected(composed.error());
  composed->motion.warnings = std::move(composed->warnings);
  return made(std::move(composed->motion), std::move(composed->composition));
}

Result<MadeClip<posing::MotionEditResult>> drag_joint(const MotionClip& clip, const std::string& joint,
                                                      std::vector<posing::DragKey> keys) {
  documents::PoseScript script;
  script.goals.drags.push_back({.joint = joint, .keys = std::move(keys), .fade_in_s = {}, .fade_out_s = {}});
  script.goals.keep_feet = true;
  return pose_clip(clip, std::move(script));
}

Result<MadeClip<posing::MotionEditResult>> pose_clip(const MotionClip& clip, documents::PoseScript script) {
  documents::ClipsInMemory source;
  source.add("clip", alone(clip), clip.contacts, clip.core);
  script.clip = {};
  script.clip.clip = "clip";
  if (script.file.empty()) script.file = "script";
  auto posed = documents::evaluate(script, source, usual_postures());
  if (!posed) return std::unexpected(posed.error());
  return made(std::move(posed->motion), std::move(posed->edited));
}

Result<MadeClip<retarget::RetargetResult>> retarget_clip(MotionClip clip, io::MotionFile onto,
                                                         retarget::RetargetParams params) {
  // A body's motion is asked for how its limbs bend; a skeleton alone will do for most.
  if (!params.target_motion && !onto.clips.empty())
    params.target_motion = analysis::study(onto.clips.front(), onto.body_map);
  auto result = retarget::retarget_motion(clip.study_standing(), onto.skeleton, onto.body_map, params);
  if (!result) return std::unexpected(result.error());
  result->clip.set_name(clip.clip().name());
  Notes warnings = std::move(clip.motion.warnings);
  warnings.insert(warnings.end(), onto.warnings.begin(), onto.warnings.end());
  warnings.insert(warnings.end(), result->warnings.begin(), result->warnings.end());
  onto.warnings = std::move(warnings);
  onto.clips = {result->clip};
  return made(std::move(onto), std::move(*result));
}

}  // namespace shosa
