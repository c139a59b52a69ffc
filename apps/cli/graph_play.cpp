#include "graph_play.h"

#include "shosa/documents/graph_play.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"

namespace shosa::cli {
namespace {

struct OpenedPart {
  documents::GraphFile graph;
  documents::PlayScript script;
  documents::FilesBeside clips;
};
Result<OpenedPart> open_part(const PlayFiles& files, const InputOptions& input) {
  auto graph = documents::read_document(files.graph, documents::parse_graph);
  if (!graph) return std::unexpected(graph.error());
  auto script = files.commands.empty() ? Result<documents::PlayScript>(files.typed)
                                       : documents::read_document(files.commands, documents::parse_play_script);
  if (!script) return std::unexpected(script.error());
  return OpenedPart{std::move(*graph), std::move(*script), documents::FilesBeside(files.graph, input)};
}

}  // namespace

Result<Report> play_graph(const PlayFiles& files, const PlayFiles& upper_files, const std::string& out,
                          const InputOptions& input) {
  const auto opened = open_part(files, input);
  if (!opened) return std::unexpected(opened.error());
  const documents::GraphPart body{opened->graph, opened->script, opened->clips};
  std::optional<OpenedPart> opened_upper;
  std::optional<documents::GraphPart> upper;
  if (!upper_files.graph.empty()) {
    auto other = open_part(upper_files, input);
    if (!other) return std::unexpected(other.error());
    opened_upper = std::move(*other);
    upper.emplace(opened_upper->graph, opened_upper->script, opened_upper->clips);
  }
  const auto played = documents::evaluate(body, upper ? &*upper : nullptr);
  if (!played) return std::unexpected(played.error());
  if (const auto written = io::write_motion(out, played->motion); !written) return std::unexpected(written.error());

  const Clip& clip = played->motion.clips.front();
  Report report;
  report.json = nlohmann::ordered_json::parse(documents::play_report(*played, opened->graph.graph, upper.has_value()));
  report.notes = played->warnings;
  report.text = fmt::format("{}: {} frames, {} links played\n", out, clip.frame_count(), played->path.size());
  return report;
}

}  // namespace shosa::cli
