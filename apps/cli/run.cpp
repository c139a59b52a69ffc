#include "add_verb.h"
#include "input.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/run_script.h"
#include "shosa/shosa.h"

namespace shosa::cli {
namespace {

struct RunOptions {
  std::string script, out;
  InputOptions input;
};

Result<Report> run(const RunOptions& options) {
  const auto script = documents::read_document(options.script, documents::parse_run_script);
  if (!script) return std::unexpected(script.error());
  const auto ran =
      documents::evaluate(*script, documents::FilesBeside(options.script, options.input), usual_postures());
  if (!ran) return std::unexpected(ran.error());
  if (const auto written = io::write_motion(options.out, ran->motion); !written)
    return std::unexpected(written.error());
  Report report;
  const Clip& clip = ran->motion.clips.front();
  for (const documents::RanCommand& command : ran->commands) {
    report.text += fmt::format("{:7.2f} s  {} {}: {}", command.at_s, command.what, command.word,
                               status_name(command.outcome.status));
    report.text += command.reached_s ? fmt::format(" at {:.2f} s\n", *command.reached_s) : "\n";
  }
  report.json = nlohmann::ordered_json::parse(documents::run_report(*ran));
  report.text += fmt::format("{}: {} frames\n", options.out, clip.frame_count());
  report.notes = ran->notes;
  return report;
}

}  // namespace

void add_run(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "run", "Play a running character that is told what to do, on a ground", run);
  verb->add_option("script", options->script, "What it is told, and when: a run script (JSON)")->required();
  add_output(*verb, options->out);
  add_input_options(*verb, options->input);
  verb->footer("Examples:\n  shosa run stairs.json -o stairs.bvh\n  shosa run chase.json -o chase.glb");
}

}  // namespace shosa::cli
