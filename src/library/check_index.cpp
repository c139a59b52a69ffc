#include "library/clip_rows.h"
#include "library/database.h"
#include "library/scan_folder.h"
#include "library/study_file.h"
#include "shosa/core/parallel.h"
#include "shosa/library/library.h"

namespace shosa::library {

namespace {

constexpr int kMostFaults = 20;

/// Pages, tables and blobs.
Result<std::vector<std::string>> faults_inside(const Library& library) {
  std::vector<std::string> faults;
  Database& database = library.database();
  auto rows = database.prepare(fmt::format("PRAGMA quick_check({})", kMostFaults));
  if (!rows) return std::unexpected(rows.error());
  while (true) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    if (rows->text(0) != "ok") faults.push_back(rows->text(0));
  }
  auto lost = database.prepare(
      "SELECT (SELECT count(*) FROM clips WHERE id NOT IN (SELECT clip FROM frames)), "
      "(SELECT count(*) FROM clips WHERE id NOT IN (SELECT rowid FROM words)), "
      "(SELECT count(*) FROM frames WHERE clip NOT IN (SELECT id FROM clips)), "
      "(SELECT count(*) FROM clips WHERE file NOT IN (SELECT id FROM files))");
  if (!lost) return std::unexpected(lost.error());
  if (const auto row = lost->step(); !row) return std::unexpected(row.error());
  constexpr std::array kLost = {"clips without features", "clips without words", "features without a clip",
                                "clips without a file"};
  for (int i = 0; i < 4; ++i)
    if (lost->integer(i) > 0) faults.push_back(fmt::format("{} {}", lost->integer(i), kLost[i]));
  const auto clips = library.clips();
  if (!clips) return std::unexpected(clips.error());
  for (const LibraryClip& clip : *clips) {
    const auto features = library.features(clip.id);
    if (!features) {
      faults.push_back(features.error().message);
    } else if (const double frames = clip.facts.frames / clip.facts.fps * kFeatureRate_hz;
               std::abs(static_cast<double>(features->size()) - frames) > 0.01 * frames + 2.0) {
      faults.push_back(fmt::format("{}: {} frames of features, expected {:.0f}", clip.file, features->size(), frames));
    }
    if (static_cast<int>(faults.size()) >= kMostFaults) break;
  }
  return faults;
}

}  // namespace

Result<std::vector<IndexProblem>> check_index(const std::filesystem::path& folder,
                                              const std::filesystem::path& index_file, bool contents) {
  const auto found = clip_files(folder);
  if (!found) return std::unexpected(found.error());
  const std::vector<ClipFile>& files = found->files;
  const std::string name = (index_file.empty() ? usual_index_file(folder) : index_file).string();
  std::vector<IndexProblem> problems;
  for (const std::string& path : found->closed) problems.push_back({path, kClosed});
  const auto of_index = [&](const Error& error) {
    problems.push_back({name, error.message});
    return problems;
  };
  const auto library = Library::open(folder, index_file);
  if (!library) return of_index(library.error());
  const auto inside = faults_inside(*library);
  if (!inside) return of_index(inside.error());
  for (const std::string& fault : *inside)
    problems.push_back({name, fault + "; shosa library index --rebuild mends it"});
  auto stored = stored_files(library->database());
  if (!stored) return of_index(stored.error());

  // A file without a stamp was too new to be told by its time: its content says whether it changed.
  std::vector<char> changed(files.size(), 0);
  parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ClipFile& file = files[i];
      const auto known = stored->find(file.path);
      if (known == stored->end() || (!contents && known->second.stamp == file.stamp)) continue;
      const FileRow now = hash_file(folder, file);
      changed[i] = now.hash != known->second.hash || now.companions != known->second.companions;
    }
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    const ClipFile& file = files[i];
    const auto known = stored->find(file.path);
    if (known == stored->end()) {
      problems.push_back({file.path, "is not in the index"});
      continue;
    }
    if (changed[i]) problems.push_back({file.path, "has changed since it was indexed"});
    if (!known->second.problem.empty()) problems.push_back({file.path, known->second.problem});
    stored->erase(known);
  }
  for (const auto& [path, row] : *stored) problems.push_back({path, "is in the index and not in the folder"});
  return problems;
}

}  // namespace shosa::library
