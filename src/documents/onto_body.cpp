#include "documents/onto_body.h"

#include "shosa/retarget/retarget.h"

namespace shosa::documents {

bool on_body_of(const Clip& clip, const Clip& first) {
  return same_skeleton(first.skeleton(), clip.skeleton(), 1e-3);
}

Result<MovedClip> onto_body(const analysis::StudiedClip& studied, const std::string& name,
                            const analysis::StudiedClip& first, const std::string& first_name) {
  if (on_body_of(studied.clip(), first.clip())) return MovedClip{studied, false, {}};
  auto moved = retarget::retarget_motion(studied, first.clip().skeleton_ptr(), first.map(), {.target_motion = first});
  if (!moved) return fail(moved.error().code, "{}: {}", name, moved.error().message);
  auto carried = analysis::study(std::move(moved->clip), first.map(), std::move(moved->contacts));
  if (!carried) return fail(carried.error().code, "{}: {}", name, carried.error().message);
  MovedClip result{std::move(*carried), true, {}};
  result.warnings.push_back(Note::done(fmt::format("{}: retargeted onto the skeleton of {}", name, first_name)));
  for (const std::string& warning : moved->warnings) result.warnings.push_back(fmt::format("{}: {}", name, warning));
  return result;
}

}  // namespace shosa::documents
