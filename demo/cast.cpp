#include "demo/cast.h"

#include <algorithm>

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

namespace {

/// The contacts that are found, with the planned times in place of the found ones: sliding feet of a Noh walk are on
/// the floor, but do not stand.
analysis::FootContacts planned_contacts(const motions::Motion& motion, analysis::FootContacts contacts) {
  for (auto& foot : contacts.feet) {
    const auto plan = std::find_if(motion.feet.begin(), motion.feet.end(), [&](const scenes::FootPlan& one) {
      return motion.clip.skeleton().find(one.foot) == foot.points.joint;
    });
    if (plan == motion.feet.end()) continue;
    const auto ground_at = [&, found = foot.stances](const TimeInterval& stance) {
      for (const auto& one : found) {
        if (one.time.begin_s < stance.end_s && one.time.end_s > stance.begin_s) return one.ground_m;
      }
      return contacts.ground_m;
    };
    foot.joined = plan->standing;
    foot.heel = foot.points.heel < 0 ? std::vector<TimeInterval>() : plan->heel;
    foot.toe = foot.points.toe < 0 ? std::vector<TimeInterval>() : plan->toes;
    foot.stances.clear();
    for (const TimeInterval& stance : plan->standing) foot.stances.push_back({stance, ground_at(stance)});
  }
  return contacts;
}

}  // namespace

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
    // Elsewhere the contacts that are found are as good.
    analysis::StudiedClip studied = analysis::study(motion.clip, motion.body_map);
    if (names[i].starts_with("noh_")) {
      auto planned = analysis::study(motion.clip, motion.body_map, planned_contacts(motion, studied.contacts()));
      if (!planned) return std::unexpected(planned.error());
      studied = std::move(*planned);
    }
    cast.set(names[i], {std::move(studied), motion.core, names[i]});
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
