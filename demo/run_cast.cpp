#include "demo/run_cast.h"

#include "demo/workshop.h"

namespace shosa::demo {

Result<CastRun> run_cast(const Cast& cast, std::string_view text) {
  CastRun made;
  auto script = documents::parse_run_script(text, "the script of the figure");
  if (!script) return std::unexpected(script.error());
  made.script = std::move(*script);
  documents::ClipsInMemory clips;
  for (const auto& [state, reference] : made.script.clips) {
    const auto part = cast.find(reference.clip);
    if (!part) return std::unexpected(part.error());
    io::MotionFile motion;
    motion.skeleton = (*part)->clip().skeleton_ptr();
    motion.clips = {(*part)->clip()};
    motion.body_map = (*part)->body_map();
    clips.add(reference.clip, std::move(motion));
    made.sources.take_worst(unevenness((*part)->clip()));
  }
  const auto bends = find_all(cast, {"pick_up", "bow", "idle"});
  if (!bends) return std::unexpected(bends.error());
  std::vector<analysis::StudiedClip> prior;
  for (const SourceMotion* part : *bends) prior.push_back(part->studied);
  auto ran = documents::evaluate(made.script, clips, prior);
  if (!ran) return std::unexpected(ran.error());
  made.ran = std::move(*ran);
  return made;
}

void all_met(Figure& figure, const documents::RanScript& ran) {
  int met = 0;
  for (const documents::RanCommand& command : ran.commands)
    met += command.reached_s && command.outcome.status != character::Status::given_up;
  at_least(figure, "commands met", met, static_cast<double>(ran.commands.size()), "");
}

}  // namespace shosa::demo
