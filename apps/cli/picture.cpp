#include "add_verb.h"
#include "input.h"
#include "shosa/draw/foot_plot.h"
#include "shosa/draw/studied_strip.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

struct PictureOptions {
  std::string file;
  std::string out;
  std::string ghost;
  InputOptions input;
  std::vector<std::string> views = {"side"};
  int count = 9;
  std::optional<double> from_s;
  std::optional<double> to_s;
  std::vector<std::string> paths;
  bool cells = false;
  bool plot = false;
  double width_px = 1200.0;
};

const std::map<std::string, draw::ViewName> kViews = {{"side", draw::ViewName::side},
                                                      {"front", draw::ViewName::front},
                                                      {"top", draw::ViewName::top},
                                                      {"three_quarter", draw::ViewName::three_quarter}};

Result<Report> picture(const PictureOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  const Clip& clip = opened->clip();

  Report report;
  report.json = {{"output", options.out}};
  if (options.plot) {
    const auto canvas = draw::draw_feet_over_time(
        opened->study(), {options.from_s.value_or(0.0), options.to_s.value_or(clip.last_time_s())}, options.width_px);
    if (!canvas) return fail(canvas.error().code, "{}: {}", options.file, canvas.error().message);
    if (const auto saved = write_picture(options.out, *canvas); !saved) return std::unexpected(saved.error());
  } else {
    draw::StripParams params;
    params.views.clear();
    for (const std::string& view : options.views) params.views.push_back(kViews.at(view));
    params.count = options.count;
    params.from_s = options.from_s;
    params.to_s = options.to_s;
    params.layout = options.cells ? draw::StripLayout::cells : draw::StripLayout::world;
    params.width_px = options.width_px;
    for (const std::string& name : options.paths) {
      const auto joint = resolve_joint(clip.skeleton(), opened->motion.body_map, name);
      if (!joint) return fail(joint.error().code, "{}: --path: {}", options.file, joint.error().message);
      params.joint_paths.push_back(*joint);
    }
    std::optional<ChosenClip> ghost;
    if (!options.ghost.empty()) {
      auto second = open_clip(options.ghost, options.input);
      if (!second) return std::unexpected(second.error());
      ghost = std::move(*second);
      params.ghost = {&ghost->clip(), &ghost->motion.body_map};
    }
    const auto strip = draw::draw_strip(opened->study(), params);
    if (!strip) return fail(strip.error().code, "{}: {}", options.file, strip.error().message);
    if (const auto saved = write_picture(options.out, strip->canvas); !saved) return std::unexpected(saved.error());
    report.json["times_s"] = strip->times_s;
  }
  report.notes = opened->motion.warnings;
  report.text = fmt::format("{}\n", options.out);
  return report;
}

}  // namespace

void add_picture(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "picture", "Draw a strip of postures, or a plot of the feet, as PNG or SVG", picture);
  add_clip_file(*verb, options->file, "Motion to draw");
  add_output(*verb, options->out, "Picture to write, .png or .svg");
  std::vector<std::string> names;
  for (const auto& [name, view] : kViews) names.push_back(name);
  verb->add_option("--views", options->views, "One row each: side, front, top, three_quarter")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  verb->add_option("--count", options->count, "Number of postures")->check(CLI::Range(1, 200))->capture_default_str();
  verb->add_option("--from", options->from_s, "First posture, seconds from the clip's start");
  verb->add_option("--to", options->to_s, "Last posture, seconds from the clip's start");
  verb->add_option("--width", options->width_px, "Width in pixels")
      ->check(CLI::Range(200, 10000))
      ->capture_default_str();
  verb->add_option("--ghost", options->ghost, "A second motion, drawn faintly behind the first");
  verb->add_option("--path", options->paths, "Joint or role whose way through space is drawn; repeat for several")
      ->take_all();
  verb->add_flag("--cells", options->cells, "Side by side in equal cells instead of in their place");
  verb->add_flag("--plot", options->plot, "Heights and speeds of the feet over time, with the contacts");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa picture walk.bvh -o walk.png\n"
      "  shosa picture kick.bvh -o kick.svg --views side,front --count 7 --from 1 --to 2.5\n"
      "  shosa picture reach.bvh -o reach.png --path right_hand --ghost walk.bvh\n"
      "  shosa picture walk.bvh -o feet.png --plot");
}

}  // namespace shosa::cli
