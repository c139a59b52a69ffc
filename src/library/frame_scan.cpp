#include "library/frame_scan.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "library/filter_sql.h"
#include "shosa/io/files_below.h"

namespace shosa::library {

Result<void> scan_frames(const Library& library, const Filter& filter,
                         const std::function<void(const ScannedClip&, std::span<const Feature>)>& visit) {
  const Conditions conditions(filter);
  auto rows = library.database().prepare(
      "SELECT clips.id, files.path, clips.take, files.hash, clips.kind, clips.scale, frames.features FROM clips JOIN "
      "files ON files.id = clips.file JOIN frames ON frames.clip = clips.id" +
      std::string(conditions.has_words() ? " JOIN words ON words.rowid = clips.id" : "") + conditions.text() +
      " ORDER BY clips.id");
  if (!rows) return std::unexpected(rows.error());
  conditions.bind(*rows);
  std::vector<Feature> frames;
  while (true) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    ScannedClip clip{rows->integer(0), rows->text(1),           static_cast<int>(rows->integer(2)),
                     rows->text(3),    body::BodyKind::unknown, rows->number(5)};
    const auto kind = find_kind(rows->text(4));
    const std::string_view bytes = rows->bytes(6);
    if (!kind || !io::stays_below(clip.file) || !(clip.scale > 0.0) || bytes.empty() ||
        bytes.size() % sizeof(Feature) != 0)
      return fail(ErrorCode::bad_file,
                  "{}: clip {}: holds values that no index has; shosa library index --rebuild mends it",
                  library.index_file().string(), clip.id);
    clip.kind = *kind;
    frames.resize(bytes.size() / sizeof(Feature));
    std::memcpy(frames.data(), bytes.data(), bytes.size());
    visit(clip, frames);
  }
}

void squared_distances(std::span<const Feature> frames, const Feature& to, std::span<std::int32_t> sums) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::int16_t* const frame = frames[i].data();
    std::int32_t sum = 0;
    for (int k = 0; k < kFeatureCount; ++k) {
      const std::int32_t difference = frame[k] - to[k];
      sum += difference * difference;
    }
    sums[i] = sum;
  }
}

Feature feature_between(std::span<const Feature> frames, double place) {
  const double last = static_cast<double>(frames.size()) - 1.0;
  place = std::clamp(place, 0.0, last);
  const auto before = static_cast<std::size_t>(place);
  const std::size_t after = std::min(before + 1, frames.size() - 1);
  const double share = place - static_cast<double>(before);
  Feature feature;
  for (int k = 0; k < kFeatureCount; ++k)
    feature[k] =
        static_cast<std::int16_t>(std::lround(frames[before][k] + share * (frames[after][k] - frames[before][k])));
  return feature;
}

}  // namespace shosa::library
