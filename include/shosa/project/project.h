#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::project {

/// A project is a folder: clips in the formats that they have, and documents as JSON beside them that refer to clips
/// and to each other by relative path. Nothing hidden is needed to open it. What is below is written down in
/// docs/projects.md

enum class DocumentKind {
  none,  ///< Some other JSON.
  score,
  pose_script,
  footstep_plan,
  graph,
  commands,
  run_script,
  joint_ranges,
  body_map,
  submovements,
  pose_query,
  contacts
};
std::string_view kind_name(DocumentKind kind);

/// By its keys alone; `none` where they are nobody's, or the text is no JSON object.
DocumentKind kind_of(std::string_view text);

/// A file that a document names.
struct Reference {
  std::string place;               ///< "/motions/0/clip"
  std::string file;                ///< As it stands there.
  std::size_t begin = 0, end = 0;  ///< Of the text with its quotes, bytes.
};
/// All of them, in their order. `text` is a document that can be read.
std::vector<Reference> references_in(std::string_view text, DocumentKind kind);

enum class ProblemKind {
  broken,   ///< A clip or document that cannot be read.
  missing,  ///< A reference to a file that is not there.
  outside,  ///< A reference that leads out of the project: it would not go with it.
};
std::string_view problem_name(ProblemKind kind);

struct Problem {
  ProblemKind kind = ProblemKind::broken;
  std::string file;   ///< Relative to the project.
  std::string place;  ///< Of a reference; empty for a whole file.
  std::string message;
};
struct Mended {
  std::string file, place, before, after;
  bool by_content = true;  ///< Otherwise by its name, the only one of its kind.
};
struct ProjectReport {
  int clips = 0, documents = 0;
  std::vector<Problem> problems;
  std::vector<std::string> unused;  ///< Clips and helping files that no document names, where there are documents.
  std::vector<Mended> mended;       ///< What was mended, or could be.
};

struct CheckParams {
  bool mend = false;  ///< Writes references anew whose file is found again.
};

/// Reads every clip and document of a project, and follows their references.
///
/// A file that is missing is looked for by its content, which the project's last check wrote down
/// (.shosa/contents.json; no loss where it is not there), else by its name where only one file has it. Fails when the
/// folder cannot be read or a mended document cannot be written; documents are written whole or not at all.
Result<ProjectReport> check_project(const std::filesystem::path& folder, const CheckParams& params = {});

}  // namespace shosa::project
