#include <algorithm>
#include <filesystem>

#include "add_verb.h"
#include "demo/composition_picture.h"
#include "input.h"
#include "library_options.h"
#include "outputs.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/score.h"
#include "shosa/io/atomic_file.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

struct ComposeOptions {
  std::vector<std::string> inputs;  ///< A score, or two clips or more.
  std::string out, report, picture;
  std::string method;
  std::optional<double> smoothness;
  bool no_bridge = false;
  InputOptions input;
  FromLibrary library;
};

// Outputs that would overwrite each other or what they are made of.
Result<void> check_not_read(const ComposeOptions& options, const std::vector<std::string>& files) {
  const auto canonical = [](const std::string& name) {
    std::error_code error;
    return std::filesystem::weakly_canonical(name, error);
  };
  for (const std::string& name : {options.out, options.report, options.picture}) {
    const auto is_name = [&](const std::string& other) { return canonical(name) == canonical(other); };
    if (!name.empty() && std::ranges::any_of(files, is_name))
      return fail(ErrorCode::invalid_argument, "{}: is read, expected another name for an output", name);
  }
  return {};
}

// Without a score the clips follow each other as early as they can.
Result<documents::Score> score_of(const ComposeOptions& options) {
  if (options.inputs.size() == 1) return documents::read_document(options.inputs.front(), documents::parse_score);
  documents::Score score;
  for (const std::string& clip : options.inputs) score.motions.emplace_back().clip = clip;
  return score;
}

Result<Report> compose(const ComposeOptions& asked) {
  ComposeOptions options = asked;
  const auto more = files_from_library(options.library);
  if (!more) return std::unexpected(more.error());
  options.inputs.insert(options.inputs.end(), more->begin(), more->end());
  if (!more->empty() && options.inputs.size() < 2)
    return fail(ErrorCode::not_possible, "{}: only {} fits, expected two motions or more", options.library.folder,
                options.inputs.front());
  auto score = score_of(options);
  if (!score) return std::unexpected(score.error());
  if (options.smoothness) score->smoothness = *options.smoothness;
  if (options.no_bridge) score->bridge = false;
  if (!options.method.empty()) score->technique = *blend::find_technique(options.method);
  const documents::FilesBeside source(score->file, options.input);
  std::vector<std::string> files = options.inputs;
  for (const auto& line : score->motions) files.push_back(source.path(line.clip));
  for (const auto& line : score->layers) files.push_back(source.path(line.clip));
  if (const auto ok = check_not_read(options, files); !ok) return std::unexpected(ok.error());

  auto made = documents::evaluate(*score, source);
  if (!made) return std::unexpected(made.error());
  const Clip& clip = made->motion.clips.front();
  const bool planned =
      made->params.technique == blend::Technique::optimal || made->params.technique == blend::Technique::constraint;
  Report report;
  report.json = {{"output", options.out}};
  report.json.update(nlohmann::ordered_json::parse(documents::compose_report(*made)));
  report.text = fmt::format("{}: {} frames, {:.3f} s\n", options.out, clip.frame_count(), clip.duration_s());
  for (const blend::Join& join : made->composition.joins) {
    if (!join.report.executed) continue;
    report.text +=
        fmt::format("  {:.3f} s  {:24} {}\n", join.report.at_s,
                    planned ? method_name(join.report.method) : technique_name(score->technique), made->names[join.to]);
  }
  report.notes = made->warnings;

  std::optional<draw::Canvas> picture;
  if (!options.picture.empty()) {
    auto drawn = demo::draw_composition(made->motions, made->composition, made->params);
    if (!drawn) return std::unexpected(drawn.error());
    picture = std::move(*drawn);
  }
  const std::string& named_after = score->file.empty() ? options.out : score->file;
  made->motion.clips.front().set_name(std::filesystem::path(named_after).stem().string());
  std::vector<Output> outputs = {{options.out, [&] { return io::write_motion(options.out, made->motion); }}};
  if (picture) outputs.push_back({options.picture, [&] { return write_picture(options.picture, *picture); }});
  if (!options.report.empty())
    outputs.push_back(
        {options.report, [&] { return io::write_file_atomically(options.report, whole_json(report).dump(2) + "\n"); }});
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  return report;
}

}  // namespace

void add_compose(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "compose", "Join motions into one: two clips or more, or as a score says", compose);
  verb->add_option("score_or_clips", options->inputs, "Score to play, .json; or motions in their order");
  add_output(*verb, options->out);
  verb->add_option("--method", options->method, "optimal, or what it is compared with; instead of the score's")
      ->check(CLI::IsMember({"optimal", "constraint", "pose", "inertial", "dead"}));
  verb->add_option("--smoothness", options->smoothness, "0 is fast, 1 is smooth; instead of the score's")
      ->check(CLI::Range(0.0, 1.0));
  verb->add_flag("--no-bridge", options->no_bridge, "Gaps between clips as the method has them, without bridging");
  verb->add_option("--report", options->report, "File for the JSON report");
  verb->add_option("--picture", options->picture,
                   "Time line of cores, contacts and blends with the speeds of three techniques, .png or .svg")
      ->check(picture_file());
  add_input_options(*verb, options->input, false);
  add_from_library(*verb, options->library);
  verb->footer(
      "Examples:\n"
      "  shosa compose walk.bvh jump.bvh run.bvh -o dance.bvh\n"
      "  shosa compose score.json -o dance.bvh\n"
      "  shosa compose score.json -o dance.bvh --method pose --picture dance.png --json");
  verb->parse_complete_callback([options] {
    const bool from_library = !options->library.folder.empty();
    if (options->inputs.empty() && !from_library)
      throw CLI::ValidationError("score_or_clips", "is needed, or --from-library");
    const bool is_one = options->inputs.size() == 1 && !from_library;
    const auto extension = is_one ? std::filesystem::path(options->inputs.front()).extension() : ".json";
    if (!extension.empty() && extension != ".json")
      throw CLI::ValidationError("score_or_clips", "one motion, expected a score (.json) or two motions or more");
  });
}

}  // namespace shosa::cli
