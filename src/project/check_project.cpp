#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "project/contents.h"
#include "shosa/core/parallel.h"
#include "shosa/documents/body_map.h"
#include "shosa/documents/clip_file.h"
#include "shosa/documents/contacts_file.h"
#include "shosa/documents/footstep_plan.h"
#include "shosa/documents/graph_file.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/documents/play_script.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/run_script.h"
#include "shosa/documents/score.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/content_hash.h"
#include "shosa/io/files_below.h"
#include "shosa/io/motion_file.h"
#include "shosa/io/read_text.h"
#include "shosa/library/find.h"
#include "shosa/project/project.h"

namespace shosa::project {

namespace {

namespace fs = std::filesystem;

/// The complaint of a document's own reader.
std::optional<std::string> complaint(const std::string& text, const std::string& file, DocumentKind kind) {
  const auto of = [](const auto& read) { return read ? std::nullopt : std::optional(read.error().message); };
  switch (kind) {
    case DocumentKind::score:
      return of(documents::parse_score(text, file));
    case DocumentKind::pose_script:
      return of(documents::parse_pose_script(text, file));
    case DocumentKind::footstep_plan:
      return of(documents::parse_footstep_plan(text, file));
    case DocumentKind::graph:
      return of(documents::parse_graph(text, file));
    case DocumentKind::commands:
      return of(documents::parse_play_script(text, file));
    case DocumentKind::run_script:
      return of(documents::parse_run_script(text, file));
    case DocumentKind::joint_ranges:
      return of(documents::parse_joint_ranges(text, file));
    case DocumentKind::body_map:
      return of(documents::parse_body_map(text, file));
    case DocumentKind::submovements:
      return of(documents::parse_submovements(text, file));
    case DocumentKind::pose_query:
      return of(library::parse_pose_query(text, file));
    case DocumentKind::contacts:
      return of(documents::parse_contacts(text, file));
    case DocumentKind::none:
      break;
  }
  // JSON that is nobody's document is fine; what is no JSON is not, and any reader says where.
  return nlohmann::json::accept(text) ? std::nullopt : of(documents::parse_score(text, file));
}

/// One file of a project, looked at.
struct SeenFile {
  std::string path, hash, problem;
  DocumentKind kind = DocumentKind::none;
  std::string text;  ///< Of documents that can be read and have references.
  std::vector<Reference> references;
};

SeenFile look_at(const fs::path& folder, const fs::path& relative) {
  SeenFile seen;
  seen.path = relative.generic_string();
  auto bytes = io::read_text(folder / relative);
  const std::string extension = io::lower_extension(relative);
  if (!bytes) {
    seen.problem = bytes.error().message;
    return seen;
  }
  seen.hash = io::content_hash(*bytes);
  if (io::is_clip_file(relative)) {
    if (const auto motion = io::read_motion(folder / relative); !motion) seen.problem = motion.error().message;
  } else if (extension == ".submove") {
    seen.kind = DocumentKind::submovements;
    seen.problem = complaint(*bytes, seen.path, seen.kind).value_or("");
  } else if (extension == ".json") {
    seen.kind = kind_of(*bytes);
    seen.problem = complaint(*bytes, seen.path, seen.kind).value_or("");
    if (seen.problem.empty()) seen.references = references_in(*bytes, seen.kind);
    if (!seen.references.empty()) seen.text = std::move(*bytes);
  }
  const std::string prefix = folder.string() + "/";
  if (seen.problem.starts_with(prefix)) seen.problem.erase(0, prefix.size());
  return seen;
}

/// Where a reference of a document leads, relative to the project.
std::string target_of(const std::string& document, const std::string& reference) {
  return (fs::path(document).parent_path() / reference).lexically_normal().generic_string();
}

class Checker {
 public:
  Checker(const fs::path& folder, const CheckParams& params)
      : folder_(folder), params_(params), before_(read_contents(folder)) {}

  Result<ProjectReport> run() {
    const io::FilesBelow below = io::files_below(folder_);
    const std::vector<fs::path>& paths = below.files;
    for (const fs::path& path : below.closed)
      report_.problems.push_back({ProblemKind::broken, path.generic_string(), "", "the folder cannot be read"});
    for (const fs::path& path : below.outside)
      report_.problems.push_back({ProblemKind::outside, path.generic_string(), "", "is a link that leads outside"});
    files_.resize(paths.size());
    parallel_for(paths.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) files_[i] = look_at(folder_, paths[i]);
    });
    for (const SeenFile& file : files_) {
      by_path_[file.path] = &file;
      by_hash_[file.hash].push_back(file.path);
      by_name_[fs::path(file.path).filename().string()].push_back(file.path);
    }
    for (SeenFile& file : files_)
      if (const auto ok = check_file(file); !ok) return std::unexpected(ok.error());
    find_unused();
    for (const SeenFile& file : files_)
      if (!file.hash.empty() &&
          (io::is_clip_file(file.path) || file.kind != DocumentKind::none || used_.contains(file.path)))
        after_[file.path] = file.hash;
    if (after_ != before_) keep_contents(folder_, after_);
    return std::move(report_);
  }

 private:
  Result<void> check_file(SeenFile& file) {
    const bool clip = io::is_clip_file(file.path), document = file.kind != DocumentKind::none;
    report_.clips += clip;
    report_.documents += document;
    if (!file.problem.empty()) report_.problems.push_back({ProblemKind::broken, file.path, "", file.problem});
    // From the back, so that places of references before do not move.
    std::string text = file.text;
    std::vector<Problem> problems;
    std::vector<Mended> mended;
    for (auto reference = file.references.rbegin(); reference != file.references.rend(); ++reference) {
      const std::string target = target_of(file.path, reference->file);
      if (fs::path(reference->file).is_absolute() || !io::stays_below(target)) {
        problems.push_back(
            {ProblemKind::outside, file.path, reference->place, reference->file + " lies outside the project"});
        continue;
      }
      used_.insert(target);
      if (by_path_.contains(target)) continue;
      if (const auto known = before_.find(target); known != before_.end()) after_[target] = known->second;
      const auto found = find_again(target);
      if (found) {
        const std::string now =
            fs::path(found->first).lexically_relative(fs::path(file.path).parent_path()).generic_string();
        mended.push_back({file.path, reference->place, reference->file, now, found->second});
        text.replace(reference->begin, reference->end - reference->begin, nlohmann::json(now).dump());
        used_.insert(found->first);
        if (params_.mend) continue;
      }
      problems.push_back({ProblemKind::missing, file.path, reference->place,
                          fmt::format("{} is not there{}", reference->file,
                                      found ? fmt::format("; {} is the same (--mend)", found->first) : std::string())});
    }
    std::ranges::reverse(problems);
    std::ranges::reverse(mended);
    report_.problems.insert(report_.problems.end(), problems.begin(), problems.end());
    report_.mended.insert(report_.mended.end(), mended.begin(), mended.end());
    if (!params_.mend || mended.empty()) return {};
    file.hash = io::content_hash(text);
    return io::write_file_atomically(folder_ / file.path, text);
  }

  /// A file that holds what the missing one held; else the only one of its name.
  std::optional<std::pair<std::string, bool>> find_again(const std::string& target) const {
    const std::string name = fs::path(target).filename().string();
    if (const auto hash = before_.find(target); hash != before_.end()) {
      if (const auto same = by_hash_.find(hash->second); same != by_hash_.end()) {
        const auto named = std::ranges::find_if(
            same->second, [&](const std::string& path) { return fs::path(path).filename() == name; });
        return std::pair(named != same->second.end() ? *named : same->second.front(), true);
      }
    }
    const auto named = by_name_.find(name);
    if (named != by_name_.end() && named->second.size() == 1) return std::pair(named->second.front(), false);
    return std::nullopt;
  }

  void find_unused() {
    if (report_.documents == 0) return;
    for (const SeenFile& file : files_)
      if (io::is_clip_file(file.path)) used_.insert(documents::body_map_beside(file.path));  // by every verb
    for (const SeenFile& file : files_) {
      const bool helps =
          io::is_clip_file(file.path) || file.kind == DocumentKind::joint_ranges || file.kind == DocumentKind::body_map;
      if (helps && !used_.contains(file.path)) report_.unused.push_back(file.path);
    }
  }

  const fs::path& folder_;
  const CheckParams& params_;
  Contents before_, after_;
  std::vector<SeenFile> files_;
  std::map<std::string, const SeenFile*> by_path_;
  std::map<std::string, std::vector<std::string>> by_hash_, by_name_;
  std::set<std::string> used_;
  ProjectReport report_;
};

}  // namespace

Result<ProjectReport> check_project(const fs::path& folder, const CheckParams& params) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorCode::cannot_read, "{}: is no folder that can be read", folder.string());
  return Checker(folder, params).run();
}

}  // namespace shosa::project
