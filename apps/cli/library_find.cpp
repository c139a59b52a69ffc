#include <CLI/CLI.hpp>
#include <set>

#include "input.h"
#include "library_options.h"
#include "shosa/io/read_text.h"
#include "shosa/library/sheet.h"
#include "write_picture.h"

namespace shosa::cli {

namespace {

using nlohmann::ordered_json;

/// Half a second around a match shows what it is part of.
constexpr double kSheetAround_s = 0.5;
ordered_json match_json(const library::Match& match, const FindOptions& options) {
  ordered_json json = {{"file", match.file},
                       {"take", match.take},
                       {"time_s", match.time_s},
                       {"distance", match.distance_m},
                       {"mirrored", match.mirrored}};
  if (match.twin != library::Twin::none) json["twin"] = match.twin == library::Twin::copy ? "copy" : "mirrored";
  if (!match.twin_of.empty()) json["twin_of"] = match.twin_of;
  if (!options.follows.empty()) json.update({{"from_s", match.from_s}, {"cost", match.cost}});
  return json;
}

std::string match_text(const library::Match& match, const FindOptions& options) {
  std::string text =
      fmt::format("{:40} {:7.3f} s  {:.4f} m", take_name(match.file, match.take), match.time_s, match.distance_m);
  if (!options.follows.empty()) text += fmt::format("  from {:.3f} s  cost {:.3f}", match.from_s, match.cost);
  if (match.mirrored) text += "  mirrored";
  if (match.twin == library::Twin::copy) text += "  the same motion";
  if (match.twin == library::Twin::mirrored) text += "  the same motion, mirrored";
  if (!match.twin_of.empty()) text += "  as in " + match.twin_of;
  return text + "\n";
}

Result<std::vector<library::Match>> search_by_example(const library::Library& opened, const FindOptions& options,
                                                      const library::FindParams& params, Notes& notes) {
  if (!options.pose.empty()) {
    const auto text = io::read_text(options.pose);
    if (!text) return std::unexpected(text.error());
    const auto query = library::parse_pose_query(*text, options.pose);
    if (!query) return std::unexpected(query.error());
    return library::find_pose(opened, *query, params);
  }
  const auto example = library::read_example(opened, options.like.empty() ? options.follows : options.like);
  if (!example) return std::unexpected(example.error());
  if (!options.like.empty()) return library::find_like(opened, *example, params);
  auto following = library::find_following(opened, *example, params);
  if (!following) return std::unexpected(following.error());
  notes = std::move(following->warnings);
  return std::move(following->matches);
}

}  // namespace

void add_library_filter(CLI::App& verb, library::FilterText& filter) {
  const auto grouped = [](CLI::Option* option) { return option->group("Which clips"); };
  grouped(verb.add_option("--words", filter.words, "Words of file name, folder and README; all must be there"));
  const auto is_range = [](const std::string& text) {
    const auto range = library::parse_range(text);
    return range ? std::string() : range.error().message;
  };
  const auto is_kind = [](const std::string& text) {
    return library::find_kind(text) ? std::string() : text + ", expected humanoid, quadruped, dog or unknown";
  };
  grouped(verb.add_option("--kind", filter.kind, "humanoid, quadruped (dog) or unknown"))->check(is_kind);
  grouped(verb.add_option("--speed", filter.speed, "Root speed in m/s, LOW:HIGH"))->check(is_range);
  grouped(verb.add_option("--length", filter.length, "Duration in seconds, LOW:HIGH"))->check(is_range);
  grouped(verb.add_option("--turn", filter.turn, "left, right, or degrees LOW:HIGH, left positive"))
      ->check([is_range](const std::string& text) {
        return text == "left" || text == "right" ? std::string() : is_range(text);
      });
  grouped(verb.add_flag("--flight", filter.flight, "Leaves the ground"));
  grouped(verb.add_flag("--cycle", filter.cycle, "Has a cycle of steps"));
}

void add_from_library(CLI::App& verb, FromLibrary& from) {
  CLI::Option* folder =
      verb.add_option("--from-library", from.folder, "Clips of this indexed folder, those that the filter lets through")
          ->group("Which clips");
  verb.add_option("--index", from.index, "Its index file (default: .shosa/index.db in the folder)")
      ->group("Which clips");
  add_library_filter(verb, from.filter);
  for (const char* name : {"--index", "--words", "--kind", "--speed", "--length", "--turn", "--flight", "--cycle"})
    verb.get_option(name)->needs(folder);
}

Result<std::vector<std::string>> files_from_library(const FromLibrary& from) {
  if (from.folder.empty()) return std::vector<std::string>();
  auto filter = library::parse_filter(from.filter);
  if (!filter) return std::unexpected(filter.error());
  const auto opened = library::Library::open(from.folder, from.index);
  if (!opened) return std::unexpected(opened.error());
  const auto clips = opened->clips(*filter);
  if (!clips) return std::unexpected(clips.error());
  std::set<std::string> files;
  for (const library::LibraryClip& clip : *clips) files.insert((opened->folder() / clip.file).string());
  if (files.empty()) return fail(ErrorCode::not_possible, "{}: no clip fits what is asked for", from.folder);
  return std::vector<std::string>(files.begin(), files.end());
}

void add_find_options(CLI::App& verb, FindOptions& options) {
  verb.add_option("folder", options.folder, "Folder of clips")->required();
  verb.add_option("--index", options.index, "Index file (default: .shosa/index.db in the folder)");
  add_library_filter(verb, options.filter);
  auto* like = verb.add_option("--like", options.like, "CLIP@SECONDS: frames that look and move like this one");
  auto* pose = verb.add_option("--pose", options.pose, "JSON file: joints at places (docs/cli.md)");
  auto* follows = verb.add_option("--follows", options.follows,
                                  "Clips that can come after this one, by what compose would pay for the join");
  like->excludes(pose)->excludes(follows);
  pose->excludes(follows);
  verb.add_flag("--mirrored", options.mirrored, "Also frames whose mirror image fits (with --like)");
  verb.add_option("--limit", options.limit, "Most matches")->transform(whole_number(1, 100000));
  verb.add_option("--per-clip", options.per_clip, "Most matches of one clip")->transform(whole_number(1, 1000));
  verb.add_option("--picture", options.picture, "Contact sheet of what was found, .png or .svg")->check(picture_file());
}

Result<Report> find_in_library(const FindOptions& options) {
  auto filter = library::parse_filter(options.filter);
  if (!filter) return std::unexpected(filter.error());
  const auto opened = library::Library::open(options.folder, options.index);
  if (!opened) return std::unexpected(opened.error());
  const library::FindParams params{
      .filter = std::move(*filter), .limit = options.limit, .per_clip = options.per_clip, .mirrored = options.mirrored};
  Report report;
  report.json = {{"matches", ordered_json::array()}};
  std::vector<library::Match> matches;
  const bool by_example = !options.like.empty() || !options.pose.empty() || !options.follows.empty();
  if (by_example) {
    auto found = search_by_example(*opened, options, params, report.notes);
    if (!found) return std::unexpected(found.error());
    matches = std::move(*found);
    for (const library::Match& match : matches) {
      report.json["matches"].push_back(match_json(match, options));
      report.text += match_text(match, options);
    }
  } else {
    auto clips = opened->clips(params.filter);
    if (!clips) return std::unexpected(clips.error());
    clips->resize(std::min(clips->size(), static_cast<std::size_t>(options.limit)));
    for (const library::LibraryClip& clip : *clips) {
      matches.push_back({.id = clip.id, .file = clip.file, .take = clip.take});
      report.json["matches"].push_back(describe_clip(clip));
      report.text += clip_line(clip);
    }
  }
  report.text += fmt::format("{} found\n", matches.size());
  if (options.picture.empty()) return report;
  library::SheetParams sheet;
  if (by_example) sheet.around_s = kSheetAround_s;
  const auto drawn = library::draw_sheet(*opened, matches, sheet);
  if (!drawn) return std::unexpected(drawn.error());
  report.notes.insert(report.notes.end(), drawn->warnings.begin(), drawn->warnings.end());
  if (const auto written = write_picture(options.picture, drawn->canvas); !written)
    return std::unexpected(written.error());
  return report;
}

}  // namespace shosa::cli
