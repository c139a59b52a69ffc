#include "demo/cast.h"

#include "motions/motions.h"
#include "shosa/core/parallel.h"

namespace shosa::demo {

void Cast::set(const std::string& part, SourceMotion motion) {
  missing_.erase(part);
  parts_.insert_or_assign(part, std::move(motion));
}

void Cast::set_missing(const std::string& part, std::string reason) {
  missing_.insert_or_assign(part, std::move(reason));
}

Result<const SourceMotion*> Cast::find(std::string_view part) const {
  if (const auto found = parts_.find(part); found != parts_.end()) return &found->second;
  const auto reason = missing_.find(part);
  return fail(ErrorCode::not_possible, "nothing plays '{}'{}", part,
              reason == missing_.end() ? "" : ": " + reason->second);
}

Result<Cast> shipped_cast() {
  const auto& names = motions::names();
  std::vector<std::optional<Result<motions::Motion>>> made(names.size());
  parallel_for(names.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) made[i].emplace(motions::make(names[i]));
  });
  Cast cast;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!*made[i]) return std::unexpected(made[i]->error());
    motions::Motion& motion = **made[i];
    motion.clip.set_name(names[i]);
    cast.set(names[i], {std::move(motion.clip), std::move(motion.body_map), motion.core, names[i]});
  }
  return cast;
}

Result<std::vector<const SourceMotion*>> find_all(const Cast& cast, std::initializer_list<const char*> parts) {
  std::vector<const SourceMotion*> found;
  for (const char* part : parts) {
    const auto motion = cast.find(part);
    if (!motion) return std::unexpected(motion.error());
    found.push_back(*motion);
  }
  return found;
}

}  // namespace shosa::demo
