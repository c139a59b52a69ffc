#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "input.h"
#include "shosa/core/sampling.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/draw/range_region.h"
#include "shosa/io/atomic_file.h"
#include "shosa/posing/articulation.h"
#include "verb.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

struct RangesOptions {
  std::string file, out, picture;
  InputOptions input;
  double at_s = 0.0;
};

Result<void> draw_ranges(const std::string& path, const Clip& clip, const body::BodyMap& map,
                         const std::vector<posing::HumanRange>& ranges, double at_s) {
  Pose pose;
  sample(clip, at_s, pose);
  posing::Articulation body(clip.skeleton_ptr());
  body.set_pose(pose);
  std::vector<draw::RangeRegion> regions;
  for (const posing::HumanRange& entry : ranges) {
    draw::RangeRegion region;
    const auto role = map.role_of(entry.joint);
    region.name = role ? std::string(role_name(*role)) : clip.skeleton().name(entry.joint);
    for (const posing::RangeVertex& corner : entry.range.vertices())
      region.corners.emplace_back(corner.a_y, corner.a_z);
    region.triangles = entry.range.triangles();
    const posing::SwingTwist now = posing::swing_twist(entry.range.parent_from_zero().conjugate() *
                                                       body.rotation(entry.joint) * entry.range.joint_from_frame());
    region.now = draw::Point(now.a_y, now.a_z);
    region.violated = !entry.range.nearest(body.rotation(entry.joint)).inside;
    regions.push_back(std::move(region));
  }
  const auto canvas = draw::draw_range_regions(regions, {.title = fmt::format("Joint ranges at {:.2f} s", at_s)});
  if (!canvas) return std::unexpected(canvas.error());
  return write_picture(path, *canvas);
}

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
  // The picture first: it is what can fail, and then nothing has been written.
  if (!options.picture.empty()) {
    const auto drawn = draw_ranges(options.picture, clip, map, *set, options.at_s);
    if (!drawn) return std::unexpected(drawn.error());
  }
  const auto text = documents::format_joint_ranges(*set, clip.skeleton(), map);
  if (const auto written = io::write_file_atomically(options.out, text); !written) {
    return std::unexpected(written.error());
  }
  Report report;
  report.json = {{"joints", nlohmann::ordered_json::array()}, {"output", options.out}};
  report.notes = opened->motion.warnings;
  for (const posing::HumanRange& entry : *set) report.json["joints"].push_back(clip.skeleton().name(entry.joint));
  report.text = fmt::format("{}: ranges of {} joints\n", options.out, set->size());
  return report;
}

}  // namespace

void add_ranges(CLI::App& app, Job& job) {
  auto options = std::make_shared<RangesOptions>();
  CLI::App* verb =
      app.add_subcommand("ranges", "Write the standard joint ranges of a humanoid, to edit and to pose with");
  verb->add_option("clip", options->file, "Motion file")->required();
  verb->add_option("-o,--output", options->out, "Joint ranges to write (JSON)")->required();
  verb->add_option("--picture", options->picture, "Draws the regions (.svg or .png)");
  verb->add_option("--at", options->at_s, "Seconds: the posture that is marked in the picture");
  add_input_options(*verb, options->input);
  verb->footer("Example:\n  shosa ranges walk.bvh -o ranges.json --picture ranges.png");
  verb->callback([options, &job] { job = [options] { return ranges(*options); }; });
}

}  // namespace shosa::cli
