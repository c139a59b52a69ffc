#include "motions/motions.h"

#include <algorithm>

#include "motions/assemble.h"
#include "motions/dog.h"
#include "motions/parse.h"
#include "motions/texts.h"
#include "shosa/core/clip_edit.h"

namespace shosa::motions {
namespace {

std::string mirrored_name(const std::string& joint) {
  if (joint.starts_with("left_")) return "right_" + joint.substr(5);
  if (joint.starts_with("right_")) return "left_" + joint.substr(6);
  return joint;
}

Result<Motion> mirrored_motion(std::string_view name, const Description& description) {
  auto source = make(description.mirror_of);
  if (!source) return source;
  const auto partners = mirror_partners(source->clip.skeleton(), source->body_map);
  auto clip = mirror(source->clip, partners);
  if (!clip) return std::unexpected(clip.error());
  Motion motion = std::move(*source);
  motion.clip = std::move(*clip);
  motion.name = name;
  motion.clip.set_name(motion.name);
  motion.about = description.about;
  for (auto& foot : motion.feet) foot.foot = mirrored_name(foot.foot);
  // Left stays before right, hind before front.
  for (std::size_t i = 0; i + 1 < motion.feet.size(); i += 2) std::swap(motion.feet[i], motion.feet[i + 1]);
  return motion;
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> found;
    for (const auto& text : texts()) found.emplace_back(text.name);
    return found;
  }();
  return list;
}

std::string_view description_text(std::string_view name) {
  for (const auto& text : texts()) {
    if (text.name == name) return text.text;
  }
  return {};
}

Result<Motion> make(std::string_view name) {
  const std::string_view text = description_text(name);
  if (text.empty()) {
    return fail(ErrorCode::invalid_argument, "no motion '{}' ships; there are {}", name, fmt::join(names(), ", "));
  }
  return make_from_text(name, text, std::string(name) + ".motion");
}

Result<Motion> make_from_text(std::string_view name, std::string_view text, const std::string& name_for_errors) {
  if (is_dog_text(text)) {
    const auto dog = parse_dog(text, name_for_errors);
    if (!dog) return std::unexpected(dog.error());
    return assemble_dog(name, *dog);
  }
  const auto description = parse_description(text, name_for_errors);
  if (!description) return std::unexpected(description.error());
  if (!description->mirror_of.empty()) return mirrored_motion(name, *description);
  return assemble_human(name, *description);
}

}  // namespace shosa::motions
