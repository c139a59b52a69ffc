#include "documents/onto_body.h"

#include "shosa/retarget/retarget.h"

namespace shosa::documents {

bool on_body_of(const Clip& clip, const Clip& first) {
  return same_skeleton(first.skeleton(), clip.skeleton(), 1e-3);
}

Result<MovedClip> onto_body(const Clip& clip, const body::BodyMap& map, const std::string& name,
                            const LeadingMotion& first) {
  if (on_body_of(clip, first.clip)) return MovedClip{clip, map, {}, {}};
  auto moved =
      retarget::retarget_motion(clip, map, first.clip.skeleton_ptr(), first.map, {.target_motion = &first.clip});
  if (!moved) return fail(moved.error().code, "{}: {}", name, moved.error().message);
  MovedClip result{std::move(moved->clip), first.map, std::move(moved->contacts), {}};
  result.warnings.push_back(fmt::format("{}: retargeted onto the skeleton of {}", name, first.name));
  for (const std::string& warning : moved->warnings) result.warnings.push_back(fmt::format("{}: {}", name, warning));
  return result;
}

}  // namespace shosa::documents
