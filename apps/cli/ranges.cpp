#include <filesystem>

#include "add_verb.h"
#include "demo/range_picture.h"
#include "input.h"
#include "outputs.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/io/atomic_file.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

struct RangesOptions {
  std::string file, out, picture;
  InputOptions input;
  double at_s = 0.0;
};

Result<Report> ranges(const RangesOptions& options) {
  if (std::filesystem::path(options.out).extension() != ".json") {
    return fail(ErrorCode::invalid_argument, "{}: expected a name that ends in .json", options.out);
  }
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  const Clip& clip = opened->clip();
  const body::BodyMap& map = opened->motion.body_map;
  const auto set = posing::human_ranges(clip.skeleton(), map);
  if (!set) return fail(set.error().code, "{}: {}", options.file, set.error().message);
  if (!(options.at_s >= 0.0) || options.at_s > clip.duration_s()) {
    return fail(ErrorCode::invalid_argument, "--at {}: expected a time from 0 to {:.3f} s", options.at_s,
                clip.duration_s());
  }
  std::vector<Output> outputs = {{options.out, [&] {
                                    return io::write_file_atomically(
                                        options.out, documents::format_joint_ranges(*set, clip.skeleton(), map));
                                  }}};
  if (!options.picture.empty()) {
    auto drawn = demo::draw_ranges(clip, map, *set, options.at_s);
    if (!drawn) return std::unexpected(drawn.error());
    outputs.push_back(
        {options.picture, [&options, canvas = std::move(*drawn)] { return write_picture(options.picture, canvas); }});
  }
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  Report report;
  report.json = {{"joints", nlohmann::ordered_json::array()}, {"output", options.out}};
  report.notes = opened->motion.warnings;
  for (const posing::HumanRange& entry : *set) report.json["joints"].push_back(clip.skeleton().name(entry.joint));
  report.text = fmt::format("{}: ranges of {} joints\n", options.out, set->size());
  return report;
}

}  // namespace

void add_ranges(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "ranges", "Write the standard joint ranges of a humanoid, to edit and to pose with", ranges);
  verb->add_option("clip", options->file, "Motion file")->required();
  add_output(*verb, options->out, "Joint ranges to write (JSON)");
  verb->add_option("--picture", options->picture, "Draws the regions (.svg or .png)")->check(picture_file());
  verb->add_option("--at", options->at_s, "Seconds: the posture that is marked in the picture");
  add_input_options(*verb, options->input);
  verb->footer("Example:\n  shosa ranges walk.bvh -o ranges.json --picture ranges.png");
}

}  // namespace shosa::cli
