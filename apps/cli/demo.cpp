#include <filesystem>

#include "add_verb.h"
#include "demo/figure_numbers.h"
#include "demo/make_figures.h"
#include "demo/manual_files.h"
#include "demo/real_cast.h"
#include "demo/report_page.h"
#include "progress.h"
#include "shosa/io/atomic_file.h"

namespace shosa::cli {

namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  std::string folder = "shosa_demo";
  std::string real;
  std::vector<std::string> figures;
};

std::vector<std::string> figure_ids() {
  std::vector<std::string> ids;
  for (const demo::FigureMaker& maker : demo::figure_makers()) ids.emplace_back(maker.id);
  return ids;
}

// All of them where none is named; each one once.
std::vector<const demo::FigureMaker*> chosen_makers(const std::vector<std::string>& ids) {
  std::vector<const demo::FigureMaker*> chosen;
  for (const demo::FigureMaker& maker : demo::figure_makers()) {
    if (ids.empty() || std::find(ids.begin(), ids.end(), maker.id) != ids.end()) chosen.push_back(&maker);
  }
  return chosen;
}

// Nothing may be written into a folder of captured clips.
Result<void> check_folders(const DemoOptions& options) {
  if (options.real.empty()) return {};
  std::error_code error;
  if (!fs::is_directory(options.real, error))
    return fail(ErrorCode::cannot_read, "{}: no folder of clips", options.real);
  const auto out = fs::weakly_canonical(options.folder, error), real = fs::canonical(options.real, error);
  for (fs::path up = out; !up.empty(); up = up.parent_path()) {
    if (up == real)
      return fail(ErrorCode::invalid_argument, "{}: lies inside {}, into which nothing is written", options.folder,
                  options.real);
    if (up == up.parent_path()) break;
  }
  return {};
}

void add_checks(Report& report, const demo::Figure& figure) {
  report.json["figures"].push_back(nlohmann::ordered_json::parse(demo::figure_numbers_json(figure)));
  report.text += fmt::format("{} {}: {}\n", figure.ok() ? "ok  " : "FAIL", figure.id, figure.title);
  for (const demo::Check& check : figure.checks) {
    if (check.ok()) continue;
    report.text += fmt::format("       {}: {:.4g} {}, expected at {} {:.4g}\n", check.name, check.value, check.unit,
                               check.kind == demo::Check::Kind::at_most ? "most" : "least", check.bound);
  }
  if (!figure.ok())
    report.failure += fmt::format("{}{}", report.failure.empty() ? "not as it should be: " : ", ", figure.id);
}

// Takes away what it made of the output folder and nothing was written into.
class OutputFolder {
 public:
  explicit OutputFolder(const fs::path& folder) : folder_(fs::absolute(folder).lexically_normal()) {
    std::error_code error;
    for (fs::path up = folder_; !up.empty() && !fs::exists(up, error); up = up.parent_path()) made_.push_back(up);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() {
    std::error_code error;
    for (const fs::path& one : made_) {
      if (fs::is_empty(one, error) && !error) fs::remove(one, error);
    }
  }

  Result<void> make() const {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return fail(ErrorCode::cannot_write, "{}: {}", folder_.string(), error.message());
    return {};
  }

 private:
  fs::path folder_;
  std::vector<fs::path> made_;  // Innermost first.
};

Result<Report> run_demo(const DemoOptions& options) {
  if (const auto ok = check_folders(options); !ok) return std::unexpected(ok.error());
  const auto makers = chosen_makers(options.figures);
  const OutputFolder output(options.folder);
  if (const auto made = output.make(); !made) return std::unexpected(made.error());
  const auto cast = options.real.empty() ? demo::shipped_cast() : demo::real_cast(options.real);
  if (!cast) return std::unexpected(cast.error());
  const fs::path folder = options.folder;
  if (options.real.empty()) {
    if (const auto written = demo::write_manual_files(folder, *cast); !written) return std::unexpected(written.error());
  }

  std::vector<demo::MadeFigure> outcome;
  {
    Progress progress(makers.size());
    std::size_t begun = 0;
    outcome = demo::make_figures(makers, *cast, demo::Workshop(folder),
                                 [&](std::string_view title) { progress.show(begun++, title); });
  }
  Report report;
  report.json = {
      {"output", options.folder}, {"figures", nlohmann::json::array()}, {"not_made", nlohmann::json::array()}};
  std::vector<demo::Figure> figures;
  for (demo::MadeFigure& one : outcome) {
    if (one.figure) {
      add_checks(report, *one.figure);
      figures.push_back(std::move(*one.figure));
      continue;
    }
    // From captured clips a figure may lack a part; from the motions that ship each one must come out.
    const std::string& reason = one.figure.error().message;
    if (options.real.empty()) return fail(one.figure.error().code, "{}: {}", one.maker->id, reason);
    report.json["not_made"].push_back({{"id", one.maker->id}, {"reason", reason}});
    report.text += fmt::format("--   {}: not made: {}\n", one.maker->id, reason);
  }
  if (!options.real.empty()) {
    for (const auto& [part, motion] : cast->parts()) report.json["parts"][part] = motion.from;
    report.json["not_used"] = nlohmann::json::array();
    for (const auto& [file, reason] : cast->unusable) {
      report.json["not_used"].push_back({{"file", file}, {"reason", reason}});
      report.text += fmt::format("--   {}: not used: {}\n", file, reason);
    }
    for (const auto& [file, warnings] : cast->warnings)
      for (const Note& note : warnings) report.notes.push_back(note.of(file));
  }
  if (figures.empty()) {
    report.failure = fmt::format(
        "{}: no figure could be made of its clips; which part a file can play is told by its name or by a README.md's "
        "table",
        options.real);
    return report;
  }
  demo::ReportParams page;
  if (!options.real.empty()) page.subtitle = "Figures remade from captured clips, and checked";
  const auto html = demo::report_html(figures, page);
  if (!html) return std::unexpected(html.error());
  if (const auto saved = io::write_file_atomically(folder / "report.html", *html); !saved)
    return std::unexpected(saved.error());
  report.text += fmt::format("{}\n", (folder / "report.html").string());
  return report;
}

}  // namespace

void add_demo(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "demo", "Remake every figure of the methods: clips, pictures and a page, checked", run_demo);
  verb->add_option("-o,--output", options->folder, "Folder to write into")
      ->capture_default_str()
      ->check([](const std::string& name) { return name.empty() ? "a folder's name is expected" : ""; });
  verb->add_option("--real", options->real, "Use the captured clips of this folder instead of the motions that ship")
      ->check([](const std::string& name) { return name.empty() ? "a folder's name is expected" : ""; });
  verb->add_option("--figure", options->figures, "Only this figure, such as 000-fig-6; may be repeated")
      ->type_name("ID")
      ->check(CLI::IsMember(figure_ids()))
      ->take_all();
  verb->footer(
      "Examples:\n"
      "  shosa demo -o out/demo\n"
      "  shosa demo --figure 002-fig-10 -o dodge\n"
      "  shosa demo --real captured -o out/real");
}

}  // namespace shosa::cli
