#include "shosa/project/project.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "input.h"
#include "said_of.h"
#include "shosa/project/zip.h"
#include "verb.h"

namespace shosa::cli {

namespace {

using nlohmann::ordered_json;

struct ProjectOptions {
  std::string folder, file;
  bool mend = false;
};

Result<Report> check_project_folder(const ProjectOptions& options) {
  const auto checked = project::check_project(options.folder, {.mend = options.mend});
  if (!checked) return std::unexpected(checked.error());
  Report report;
  report.json = {{"clips", checked->clips},
                 {"documents", checked->documents},
                 {"problems", ordered_json::array()},
                 {"unused", checked->unused},
                 {"mended", ordered_json::array()}};
  for (const project::Problem& problem : checked->problems) {
    report.json["problems"].push_back({{"kind", project::problem_name(problem.kind)},
                                       {"file", problem.file},
                                       {"place", problem.place},
                                       {"message", problem.message}});
    const std::string where = problem.place.empty() ? problem.message : problem.place + ": " + problem.message;
    report.text += fmt::format("{}: {}\n", project::problem_name(problem.kind), said_of(problem.file, where));
  }
  for (const project::Mended& mended : checked->mended) {
    if (!options.mend) continue;
    report.json["mended"].push_back({{"file", mended.file},
                                     {"place", mended.place},
                                     {"before", mended.before},
                                     {"after", mended.after},
                                     {"by", mended.by_content ? "content" : "name"}});
    report.text +=
        fmt::format("mended: {}: {}: {} is now {}\n", mended.file, mended.place, mended.before, mended.after);
    if (!mended.by_content)
      report.notes.push_back(
          fmt::format("{}: {}: {} was found by its name alone", mended.file, mended.place, mended.after));
  }
  for (const std::string& file : checked->unused) report.text += fmt::format("unused: {}\n", file);
  report.text += fmt::format("{}, {}, {}\n", counted(static_cast<std::size_t>(checked->clips), "clip"),
                             counted(static_cast<std::size_t>(checked->documents), "document"),
                             counted(checked->problems.size(), "problem"));
  if (!checked->problems.empty()) report.failure = options.folder + ": " + counted(checked->problems.size(), "problem");
  return report;
}

Result<Report> say_packed(const Result<project::ZipReport>& packed, const std::string& output) {
  if (!packed) return std::unexpected(packed.error());
  Report report;
  report.json = {
      {"output", output}, {"files", packed->files}, {"bytes", packed->bytes}, {"problems", ordered_json::array()}};
  report.text = fmt::format("{}: {} files, {} bytes\n", output, packed->files, packed->bytes);
  return report;
}

}  // namespace

void add_project(CLI::App& app, Job& job) {
  CLI::App* verb = app.add_subcommand("project", "Check a folder of clips and documents, or put it into one file");
  verb->require_subcommand(1);
  auto options = std::make_shared<ProjectOptions>();

  CLI::App* check = verb->add_subcommand("check", "Say what is broken, missing and unused");
  check->add_option("folder", options->folder, "Project")->required();
  check->add_flag("--mend", options->mend, "Write references anew whose file was moved");
  check->callback([options, &job] { job = [options] { return check_project_folder(*options); }; });

  CLI::App* zip = verb->add_subcommand("zip", "Put a project into one file");
  zip->add_option("folder", options->folder, "Project")->required();
  add_output(*zip, options->file, "File to write, .shosa or .zip");
  zip->callback([options, &job] {
    job = [options] { return say_packed(project::zip_project(options->folder, options->file), options->file); };
  });

  CLI::App* unzip = verb->add_subcommand("unzip", "Make a project's folder from its file");
  unzip->add_option("file", options->file, "File of a project")->required();
  add_output(*unzip, options->folder, "Folder to make");
  unzip->callback([options, &job] {
    job = [options] { return say_packed(project::unzip_project(options->file, options->folder), options->folder); };
  });
  verb->footer(
      "Examples:\n"
      "  shosa project check dance\n"
      "  shosa project check dance --mend\n"
      "  shosa project zip dance -o dance.shosa\n"
      "  shosa project unzip dance.shosa -o copy");
}

}  // namespace shosa::cli
