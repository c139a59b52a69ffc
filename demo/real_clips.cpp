#include "demo/real_clips.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "shosa/analysis/cycle.h"
#include "shosa/analysis/ground.h"
#include "shosa/core/clip_edit.h"
#include "shosa/io/motion_file.h"

namespace shosa::demo {

namespace {

namespace fs = std::filesystem;

constexpr double kRate_hz = 60.0;
constexpr double kShortest_s = 0.5;
constexpr double kLongest_s = 60.0;

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = std::min(line.find(" |", at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 3;
  }
  return cells;
}

/// What tables of a README say about files: the cell under "motion" where there is one, else the whole row; by the file
/// name in the first cell.
std::map<std::string, std::string> readme_rows(const fs::path& readme) {
  std::map<std::string, std::string> rows;
  std::ifstream in(readme);
  std::size_t column = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ")) continue;
    const auto cells = cells_of(line);
    if (cells.empty()) continue;
    if (cells[0] == "file") {
      const auto motion = std::find(cells.begin(), cells.end(), "motion");
      column = motion == cells.end() ? 0 : static_cast<std::size_t>(motion - cells.begin());
    } else {
      rows[cells[0]] = lower_case(column > 0 && column < cells.size() ? cells[column] : line);
    }
  }
  return rows;
}

Result<std::unique_ptr<RealClip>> look_at(const fs::path& path, const std::string& file) {
  auto motion = io::read_motion(path, {.drop_tpose = true});
  if (!motion) return std::unexpected(motion.error());
  if (motion->clips.empty()) return fail(ErrorCode::not_possible, "{}: holds no motion", path.string());
  const double duration_s = motion->clips[0].last_time_s();
  if (duration_s < kShortest_s || duration_s > kLongest_s) {
    std::string odd;
    for (const Note& note : motion->warnings) odd += fmt::format("{}{}", odd.empty() ? " (" : "; ", note.text);
    if (!odd.empty()) odd += ")";
    return fail(ErrorCode::not_possible, "{}: lasts {:.3g} s, clips of {} to {} s are used{}", path.string(),
                duration_s, kShortest_s, kLongest_s, odd);
  }
  auto clip = resample(motion->clips[0], kRate_hz);
  if (!clip) return std::unexpected(clip.error());
  if (auto grounded = analysis::put_on_ground(*clip, motion->body_map)) *clip = std::move(*grounded);
  const analysis::StudiedClip studied = analysis::study(std::move(*clip), motion->body_map);
  if (const auto feet = studied.needs_feet(); !feet) return std::unexpected(feet.error());
  auto found = std::make_unique<RealClip>(RealClip{file, studied});
  found->warnings = motion->warnings;
  if (const auto cycle = analysis::find_cycle(studied)) found->cyclic = cycle->found;
  const auto& root = studied.root();
  found->speed_mps = analysis::root_speed_mps(root);
  found->turn_rad = std::abs(root.places.back().heading_rad - root.places.front().heading_rad);
  const TimeInterval whole{0.0, studied.clip().last_time_s()};
  found->flies = !analysis::flight_intervals(studied.contacts(), whole, 0.05).empty();
  const analysis::FootContact *first = nullptr, *last = nullptr;
  for (const auto& foot : studied.contacts().feet) {
    for (const auto& stance : foot.stances) {
      if (first == nullptr || stance.time.begin_s < first->time.begin_s) first = &stance;
      if (last == nullptr || stance.time.begin_s > last->time.begin_s) last = &stance;
    }
  }
  if (first != nullptr) found->drop_m = first->ground_m - last->ground_m;
  if (motion->body_map.has(body::Role::right_hand)) {
    double lowest = 1e300;
    for (int f = 0; f < studied.positions().frame_count(); ++f) {
      const double y = studied.positions().joint(f, motion->body_map.joint(body::Role::right_hand)).y();
      lowest = std::min(lowest, y);
      found->hand_rise_m = std::max(found->hand_rise_m, y - lowest);
    }
  }
  return found;
}

}  // namespace

Result<RealClips> RealClips::open(const fs::path& folder) {
  RealClips clips;
  clips.folder_ = folder;
  std::error_code error;
  std::map<std::string, std::string> rows;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    const std::string ending = lower_case(it->path().extension().string());
    if (lower_case(it->path().filename().string()) == "readme.md") rows.merge(readme_rows(it->path()));
    if (ending == ".bvh" || ending == ".amc" || ending == ".glb" || ending == ".gltf" || ending == ".fbx")
      files.push_back(it->path());
  }
  if (error) return fail(ErrorCode::cannot_read, "{}: {}", folder.string(), error.message());
  for (const fs::path& file : files) {
    const std::string name = fs::relative(file, folder, error).generic_string();
    clips.words_[name] = lower_case(name) + " " + rows[file.filename().string()];
  }
  return clips;
}

std::vector<std::string> RealClips::with_words(const std::vector<std::string>& any,
                                               const std::vector<std::string>& without) const {
  const auto holds = [](const std::string& text, const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& word) { return text.find(word) != std::string::npos; });
  };
  std::vector<std::string> files;
  for (const auto& [file, text] : words_) {
    if (holds(text, any) && !holds(text, without)) files.push_back(file);
  }
  return files;
}

const RealClip* RealClips::get(const std::string& file) {
  auto at = read_.find(file);
  if (at == read_.end()) {
    auto seen = look_at(folder_ / file, file);
    if (!seen) unusable_[file] = seen.error().message;
    at = read_.emplace(file, seen ? std::move(*seen) : nullptr).first;
  }
  return at->second.get();
}

void RealClips::check_others(int most) {
  for (const auto& [file, words] : words_) {
    if (read_.contains(file)) continue;
    if (most-- <= 0) return;
    if (const auto motion = io::read_motion(folder_ / file); !motion) unusable_[file] = motion.error().message;
  }
}

}  // namespace shosa::demo
