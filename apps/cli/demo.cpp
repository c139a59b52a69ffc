#include <cmath>
#include <filesystem>
#include <memory>

#include "contacts.h"
#include "progress.h"
#include "report_page.h"
#include "scenes/scenes.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/metrics.h"
#include "shosa/draw/strip.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/motion_file.h"
#include "speed_plot.h"
#include "verb.h"

namespace shosa::cli {

namespace {

namespace fs = std::filesystem;

struct DemoScene {
  std::string name;
  std::string title;
  scenes::Scene scene;
};

std::vector<DemoScene> demo_scenes() {
  std::vector<DemoScene> list;
  list.push_back({"walk", "A level walk", scenes::walk({.duration_s = 3.2})});
  list.push_back({"run", "A run, with flight", scenes::run()});
  list.push_back({"stairs", "A walk up stairs of 15 cm",
                  scenes::walk({.duration_s = 3.0, .speed_mps = 0.7, .rise_per_step_m = 0.15})});
  list.push_back({"jump", "A jump forward", scenes::jump()});
  list.push_back({"dog_walk", "A dog's walk", scenes::dog_walk({.duration_s = 2.4})});
  return list;
}

// Largest distance between a planned contact edge and the nearest found one, frames; edges at the clip's ends do not
// count.
double worst_edge_frames(const scenes::Scene& scene, const analysis::FootContacts& contacts) {
  double worst = 0.0;
  const Clip& clip = scene.clip;
  for (const scenes::FootPlan& plan : scene.feet) {
    const JointIndex joint = clip.skeleton().find(plan.foot);
    for (const auto& track : contacts.feet) {
      if (track.points.joint != joint) continue;
      const auto nearest = [&](double edge_s) {
        double best = clip.duration_s();
        for (const TimeInterval& found : track.joined) {
          best = std::min({best, std::abs(found.begin_s - edge_s), std::abs(found.end_s - edge_s)});
        }
        return best / clip.frame_time_s();
      };
      for (const TimeInterval& stance : plan.standing) {
        const double margin_s = 3.0 * clip.frame_time_s();
        if (stance.begin_s > margin_s) worst = std::max(worst, nearest(stance.begin_s));
        if (stance.end_s < clip.last_time_s() - margin_s) worst = std::max(worst, nearest(stance.end_s));
      }
    }
  }
  return worst;
}

// For `shosa pose`: docs/cli.md shows it.
constexpr std::string_view kDuckScript = R"({"clip": "walk.bvh",
 "pins": [{"joint": "left_foot"}, {"joint": "left_toes"}, {"joint": "right_foot"}, {"joint": "right_toes"}],
 "drags": [{"joint": "head", "relative": true, "keys": [[0.8, [0, 0, 0]], [1.4, [0, -0.2, 0]], [2.0, [0, 0, 0]]]}]}
)";

// For `shosa footsteps`, likewise.
constexpr std::string_view kStairsPlan = R"({"stairs": {"rise_m": 0.15, "tread_m": 0.3, "count": 4}}
)";

// For `shosa compose`, likewise.
constexpr std::string_view kScore = R"({"smoothness": 0.5, "motions": [
  {"clip": "walk.bvh", "core": [0.9, 2.2], "at": 0.0},
  {"clip": "run.bvh", "core": [1.0, 2.4], "at": "auto"},
  {"clip": "jump.bvh"}]}
)";

class Demo {
 public:
  explicit Demo(std::string folder) : folder_(std::move(folder)) {}

  Result<Report> run() {
    std::error_code made;
    fs::create_directories(folder_, made);
    if (made) return fail(ErrorCode::cannot_write, "{}: {}", folder_.string(), made.message());
    const auto scenes = demo_scenes();
    {
      Progress progress(scenes.size());
      for (std::size_t i = 0; i < scenes.size(); ++i) {
        progress.show(i, scenes[i].title);
        if (const auto shown = show(scenes[i]); !shown) return std::unexpected(shown.error());
      }
    }
    for (const auto& [name, text] : {std::pair{"duck.json", std::string(kDuckScript)},
                                     {"stairs.json", std::string(kStairsPlan)},
                                     {"score.json", std::string(kScore)},
                                     {"report.html", page_.html()}}) {
      if (const auto saved = io::write_file_atomically(folder_ / name, text); !saved)
        return std::unexpected(saved.error());
    }
    report_.text += fmt::format("{}\n", (folder_ / "report.html").string());
    if (!failures_.empty()) return fail(ErrorCode::not_possible, "demo: {}", failures_);
    return std::move(report_);
  }

 private:
  // Every figure is checked on what comes back from the written file, not on what went in.
  Result<void> show(const DemoScene& demo) {
    io::MotionFile source;
    source.skeleton = demo.scene.clip.skeleton_ptr();
    source.clips = {demo.scene.clip};
    source.clips[0].set_name(demo.name);
    source.body_map = guess_body_map(*source.skeleton);
    const fs::path bvh = folder_ / (demo.name + ".bvh"), glb = folder_ / (demo.name + ".glb");
    for (const fs::path& file : {bvh, glb}) {
      if (const auto written = io::write_motion(file, source); !written) return written;
    }
    const auto motion = io::read_motion(bvh);
    if (!motion) return std::unexpected(motion.error());
    const Clip& clip = motion->clips[0];

    const auto contacts = analysis::find_foot_contacts(clip, motion->body_map);
    if (!contacts) return std::unexpected(contacts.error());
    const double edges = worst_edge_frames(demo.scene, *contacts);
    const auto quality = analysis::measure_quality(clip, clip_positions(clip), &*contacts);
    check(demo.name + "-contacts", edges <= 2.0, fmt::format("contact edges within {:.1f} frames of the plan", edges));
    check(demo.name + "-foot-skate", quality.foot_skate_mps <= 0.01,
          fmt::format("foot skate {:.4f} m/s", quality.foot_skate_mps));

    draw::StripParams params;
    params.views = {draw::ViewName::side, draw::ViewName::top};
    params.contacts = foot_marks(clip, motion->body_map);
    params.title = demo.title;
    const auto strip = draw::draw_strip(clip, motion->body_map, params);
    if (!strip) return std::unexpected(strip.error());
    const auto plot = speed_plot(clip, motion->body_map, 1200.0);
    if (!plot) return std::unexpected(plot.error());
    page_.section(demo.title, fmt::format("{}.bvh, {}.glb: {} frames at {:.0f} fps, {:.2f} s", demo.name, demo.name,
                                          clip.frame_count(), clip.fps(), clip.duration_s()));
    for (const auto& [suffix, canvas] : {std::pair{"", &strip->canvas}, std::pair{"_feet", &*plot}}) {
      const auto png = draw::encode(*canvas, {.format = draw::Format::png});
      if (!png) return std::unexpected(png.error());
      const std::string name = demo.name + suffix + ".png";
      if (const auto saved = io::write_file_atomically(folder_ / name, *png); !saved) return saved;
      page_.picture(*png, name);
    }
    for (const auto& line : lines_) page_.line(line);
    lines_.clear();
    return {};
  }

  void check(const std::string& id, bool ok, const std::string& what) {
    report_.json["figures"].push_back({{"id", id}, {"ok", ok}, {"value", what}});
    report_.text += fmt::format("{} {}: {}\n", ok ? "ok  " : "FAIL", id, what);
    lines_.push_back(fmt::format("{}: {}", ok ? "ok" : "FAIL", what));
    if (!ok) failures_ += fmt::format("{}{}: {}", failures_.empty() ? "" : "; ", id, what);
  }

  fs::path folder_;
  Report report_;
  ReportPage page_{"Shosa: what the foundation does"};
  std::vector<std::string> lines_;
  std::string failures_;
};

}  // namespace

void add_demo(CLI::App& app, Job& job) {
  auto folder = std::make_shared<std::string>("shosa_demo");
  CLI::App* verb = app.add_subcommand("demo", "Make motions, pictures and a report, and check them");
  verb->add_option("-o,--output", *folder, "Folder to write into")->capture_default_str();
  verb->footer("Example:\n  shosa demo -o out/demo");
  verb->callback([folder, &job] { job = [folder] { return Demo(*folder).run(); }; });
}

}  // namespace shosa::cli
