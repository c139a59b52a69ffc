#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "graph_options.h"
#include "outputs.h"
#include "shosa/documents/graph_clips.h"
#include "shosa/documents/reports.h"
#include "shosa/io/atomic_file.h"

namespace shosa::cli {

using namespace shosa::graph;

namespace {

/// Names typed as NAME=FILE, by the clips that they are for.
Result<std::map<std::string, std::string>> names_of(const GraphOptions& options,
                                                    const std::vector<documents::ClipReference>& references) {
  std::map<std::string, std::string> names;
  for (const std::string& typed : options.names) {
    const auto at = typed.find('=');
    const std::string name = typed.substr(0, at), file = at == std::string::npos ? "" : typed.substr(at + 1);
    const auto found = std::ranges::find_if(options.clips, [&](const std::string& clip) {
      return clip == file || std::filesystem::path(clip).filename() == file;
    });
    if (name.empty() || found == options.clips.end())
      return fail(ErrorCode::invalid_argument, "--name {}: expected NAME=FILE, FILE one of the clips", typed);
    names[references[static_cast<std::size_t>(found - options.clips.begin())].clip] = name;
  }
  return names;
}

/// Which clips have nodes in a graph.
std::set<std::string> clips_in(const MotionGraph& graph) {
  std::set<std::string> clips;
  for (const Node& node : graph.nodes())
    if (node.clip != kNoClip) clips.insert(graph.clips()[node.clip]);
  return clips;
}

}  // namespace

Result<Report> build_graph_file(const GraphOptions& options) {
  const auto references = documents::references_beside(options.out, options.clips, options.input);
  if (!references) return std::unexpected(references.error());
  const documents::FilesBeside source(options.out);
  auto opened = documents::open_graph_clips(*references, source);
  if (!opened) return std::unexpected(opened.error());
  BuildParams params = options.build;
  params.match.same_feet = !options.any_feet;
  if (options.extremal) params.nodes = NodeChoice::extremal;
  auto names = names_of(options, *references);
  if (!names) return std::unexpected(names.error());
  params.names = std::move(*names);
  auto built = build_graph(opened->set, params);
  double connecting_m = 0.0;
  if (!built || clips_in(built->graph).size() < references->size())
    connecting_m = connecting_threshold_m(opened->set, params);
  if (options.threshold == "auto" && connecting_m > 0.0) {
    params.match.threshold_m = connecting_m;
    built = build_graph(opened->set, params);
  }
  if (!built) return std::unexpected(built.error());
  const std::filesystem::path kept_file = std::filesystem::path(options.out).filename() += ".clips";
  const auto kept = documents::keep_graph_clips(built->graph, *references, source, opened->set, kept_file.string());
  if (!kept) return std::unexpected(kept.error());
  std::vector<Output> outputs;
  for (const auto& [file, bytes] : {std::pair(source.path(kept_file.string()), kept->bytes),
                                    std::pair(options.out, documents::format_graph(built->graph, kept->said))})
    outputs.push_back({file, [file, bytes] { return io::write_file_atomically(file, bytes); }});
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  Report report;
  Notes warnings = opened->set.warnings;
  const std::set<std::string> left = clips_in(built->graph);
  for (const auto& reference : *references) {
    if (left.contains(reference.clip)) continue;
    warnings.push_back(
        fmt::format("{}: is not in the graph: it cannot be left and reached again below {:.3g} m (--threshold)",
                    reference.clip, params.match.threshold_m));
  }
  if (left.size() < references->size()) {
    if (connecting_m > params.match.threshold_m) {
      warnings.push_back(Note::done(fmt::format("with --threshold {:.3f} more clips are in the graph", connecting_m)));
    } else {
      warnings.push_back("clips that lead from one to the other (a start, a stop) may be missing");
    }
  }
  report.json = nlohmann::ordered_json::parse(documents::build_report(*built, params.match.threshold_m));
  report.json["kept"] = kept->said.file;
  report.notes = std::move(warnings);
  report.text =
      fmt::format("{}: {} nodes, {} links, {} of them change over; {} keyframes cut as dead ends\n", options.out,
                  built->graph.node_count(), built->graph.link_count(), built->links_between, built->cut.size());
  return report;
}

}  // namespace shosa::cli
