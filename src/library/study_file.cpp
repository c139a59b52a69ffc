#include "library/study_file.h"

#include <exception>

#include "shosa/io/content_hash.h"
#include "shosa/io/motion_file.h"
#include "shosa/io/read_text.h"

namespace shosa::library {

namespace {

/// What was read on from a file's name is of no use to its owner.
std::string without_folder(std::string message, const std::filesystem::path& folder) {
  const std::string prefix = folder.string() + "/";
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  return message;
}

}  // namespace

FileRow hash_file(const std::filesystem::path& folder, const ClipFile& file) {
  FileRow row;
  row.path = file.path;
  row.bytes = file.bytes;
  const auto bytes = io::read_text(folder / file.path);
  if (!bytes) {
    row.problem = without_folder(bytes.error().message, folder);
    return row;
  }
  row.hash = io::content_hash(*bytes);
  for (const std::string& companion : file.companions) {
    const auto more = io::read_text(folder / companion);
    row.companions += more ? io::content_hash(*more) : "?";
  }
  return row;
}

void study_file(const std::filesystem::path& folder, const ClipFile& file, FileRow& row) {
  if (!row.problem.empty()) return;
  try {
    const auto motion = io::read_motion(folder / file.path, {.drop_tpose = true});
    if (!motion) {
      row.problem = without_folder(motion.error().message, folder);
      return;
    }
    for (const Clip& clip : motion->clips) {
      ClipFacts facts = facts_of(analysis::study(clip, motion->body_map));
      facts.unit_m = motion->unit_m;
      for (const Note& note : motion->warnings)
        if (!note.is_done()) facts.warnings.push_back(without_folder(note.text, folder));
      row.clips.push_back(std::move(facts));
    }
  } catch (const std::exception& error) {  // out of memory
    row.clips.clear();
    row.problem = error.what();
  }
}

}  // namespace shosa::library
