#include "add_verb.h"
#include "input.h"
#include "shosa/documents/contacts_file.h"
#include "shosa/documents/reports.h"
#include "shosa/io/atomic_file.h"

namespace shosa::cli {

namespace {

struct AnalyzeOptions {
  std::string file;
  InputOptions input;
  std::string write_contacts;
};

std::string intervals_text(const std::vector<TimeInterval>& intervals) {
  std::string text;
  for (const TimeInterval& interval : intervals)
    text += fmt::format(" {:.3f}-{:.3f}", interval.begin_s, interval.end_s);
  return text.empty() ? " none" : text;
}

Result<Report> analyze(const AnalyzeOptions& options) {
  auto opened = open_clip(options.file, options.input);
  if (!opened) return std::unexpected(opened.error());
  const Clip& clip = opened->clip();
  const analysis::StudiedClip studied = opened->study();
  const auto found = documents::analyze(studied, opened->core, options.input.fps_is.has_value());
  if (!found) return std::unexpected(found.error());
  for (const Note& warning : found->warnings) opened->motion.warnings.push_back(warning.of(options.file));

  if (!options.write_contacts.empty()) {
    const auto written =
        io::write_file_atomically(options.write_contacts, documents::format_contacts(studied.contacts()));
    if (!written) return std::unexpected(written.error());
  }

  Report report;
  report.json = nlohmann::ordered_json::parse(documents::analysis_report(studied, *found));
  report.notes = std::move(opened->motion.warnings);
  report.text = fmt::format("{}: {} frames, {:.3f} s\n", options.file, clip.frame_count(), clip.duration_s());
  for (const auto& foot : studied.contacts().feet) {
    report.text += fmt::format("  {} stands{}\n", foot.points.name, intervals_text(foot.joined));
  }
  report.text +=
      fmt::format("  flight{}\n  core {:.3f}-{:.3f} s\n  root speed {:.3f} m/s\n", intervals_text(found->flights),
                  found->core.time.begin_s, found->core.time.end_s, found->root_speed_mps);
  report.text += found->cycle.found ? fmt::format("  cycle {:.3f}-{:.3f} s\n", found->cycle.begin_s, found->cycle.end_s)
                                    : "  no cycle\n";
  return report;
}

}  // namespace

void add_analyze(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "analyze", "Find foot contacts, core interval, root speed and cycle", analyze);
  add_clip_file(*verb, options->file, "Motion to analyse");
  verb->add_option("--write-contacts", options->write_contacts, "Also write the contacts to this file, to be edited");
  add_input_options(*verb, options->input);
  verb->footer(
      "Examples:\n"
      "  shosa analyze walk.bvh\n"
      "  shosa analyze walk.bvh --write-contacts walk.contacts.json\n"
      "  shosa analyze 02_01.bvh --as-captured --json");
}

}  // namespace shosa::cli
