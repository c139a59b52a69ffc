// Documents of every kind, carried out.

#include <algorithm>

#include "c/objects.h"
#include "shosa/c/methods.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/shosa.h"

namespace shosa::c {
namespace {

/// What a document became.
struct Made {
  io::MotionFile motion;  ///< Its warnings are all that there is to say.
  std::string report;
};

struct Document {
  const FolderObject& folder;
  const std::string& text;
  const std::string& name;
};

Result<Made> evaluate_score(const Document& document) {
  const auto score = documents::parse_score(document.text, document.name);
  if (!score) return std::unexpected(score.error());
  auto made = documents::evaluate(*score, document.folder);
  if (!made) return std::unexpected(made.error());
  made->motion.warnings = made->warnings;
  std::string report = documents::compose_report(*made);
  return Made{std::move(made->motion), std::move(report)};
}

Result<Made> evaluate_pose(const Document& document) {
  const auto script = documents::parse_pose_script(document.text, document.name);
  if (!script) return std::unexpected(script.error());
  auto made = documents::evaluate(*script, document.folder, usual_postures());
  if (!made) return std::unexpected(made.error());
  return Made{std::move(made->motion), documents::pose_report(made->edited)};
}

Result<Made> evaluate_footsteps(const Document& document) {
  const auto plan = documents::parse_footstep_plan(document.text, document.name);
  if (!plan) return std::unexpected(plan.error());
  documents::ClipReference walk;
  walk.clip = "clip";
  auto source = document.folder.open(walk);
  if (!source) return std::unexpected(source.error());
  const auto made = documents::evaluate(*plan, source->study_standing());
  if (!made) return std::unexpected(made.error());
  io::MotionFile motion = std::move(source->motion);
  motion.clips = {made->walked.clip};
  motion.warnings.insert(motion.warnings.end(), made->walked.warnings.begin(), made->walked.warnings.end());
  return Made{std::move(motion), documents::footsteps_report(made->walked)};
}

Result<documents::GraphFile> open_graph(const FolderObject& folder, const std::string& name) {
  const auto text = folder.text(name);
  if (!text) return std::unexpected(text.error());
  return documents::parse_graph(*text, folder.path(name));
}

Result<Made> evaluate_play(const Document& document) {
  const FolderObject& folder = document.folder;
  const auto script = documents::parse_play_script(document.text, document.name);
  if (!script) return std::unexpected(script.error());
  const auto graph = open_graph(folder, "graph");
  if (!graph) return std::unexpected(graph.error());
  std::optional<documents::GraphFile> upper_graph;
  std::optional<documents::PlayScript> upper_script;
  std::optional<documents::GraphPart> upper;
  if (folder.has_text("upper_graph")) {
    auto other = open_graph(folder, "upper_graph");
    if (!other) return std::unexpected(other.error());
    const auto text = folder.text("upper_commands");
    if (!text) return std::unexpected(text.error());
    auto told = documents::parse_play_script(*text, "upper_commands");
    if (!told) return std::unexpected(told.error());
    upper_graph = std::move(*other);
    upper_script = std::move(*told);
    upper.emplace(*upper_graph, *upper_script, folder);
  }
  auto made = documents::evaluate({*graph, *script, folder}, upper ? &*upper : nullptr);
  if (!made) return std::unexpected(made.error());
  made->motion.warnings = made->warnings;
  std::string report = documents::play_report(*made, graph->graph, upper.has_value());
  return Made{std::move(made->motion), std::move(report)};
}

Result<Made> evaluate_run(const Document& document) {
  const auto script = documents::parse_run_script(document.text, document.name);
  if (!script) return std::unexpected(script.error());
  auto made = documents::evaluate(*script, document.folder);
  if (!made) return std::unexpected(made.error());
  made->motion.warnings = made->notes;
  std::string report = documents::run_report(*made);
  return Made{std::move(made->motion), std::move(report)};
}

Result<Made> evaluate_submovements(const Document& document) {
  const auto body = documents::parse_submovements(document.text, document.name);
  if (!body) return std::unexpected(body.error());
  io::MotionFile motion;
  motion.skeleton = body->skeleton;
  motion.body_map = body::guess_body_map(*body->skeleton);
  auto played = documents::evaluate(*body, motion.body_map);
  if (!played) return std::unexpected(played.error());
  motion.clips = {played->clip};
  motion.warnings = played->warnings;
  return Made{std::move(motion), documents::recompose_report(*body, *played)};
}

struct DocumentKind {
  std::string_view name;
  Result<Made> (*evaluate)(const Document&);
};
constexpr DocumentKind kDocuments[] = {
    {"score", evaluate_score}, {"pose", evaluate_pose}, {"footsteps", evaluate_footsteps},
    {"play", evaluate_play},   {"run", evaluate_run},   {"submovements", evaluate_submovements}};

}  // namespace
}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

shosa_status shosa_evaluate(shosa_context* context, shosa_folder folder, const char* kind, const char* name,
                            const char* text, shosa_clip* out, shosa_buffer* report) {
  return call(context, "shosa_evaluate", [&](Call& c) {
    c.clear_if_given(out);
    c.clear_if_given(report);
    const FolderObject empty;
    const FolderObject* object = folder == 0 ? &empty : c.find<FolderObject>(folder);
    const std::string wanted = c.text(kind, "kind");
    const std::string called = c.text(name, "name");
    if (c.failed()) return;
    const auto* known = std::ranges::find(kDocuments, wanted, &DocumentKind::name);
    if (known == std::end(kDocuments))
      return c.fail(SHOSA_BAD_ARGUMENT, "kind is '{}', expected score, pose, footsteps, play, run or submovements",
                    wanted);
    const auto own = text != nullptr ? std::optional<std::string>(text) : c.take(object->text(called));
    if (!own) return;
    auto made = c.take(known->evaluate({*object, *own, called}));
    if (made) give_made(c, std::move(made->motion), made->report, out, report);
  });
}
