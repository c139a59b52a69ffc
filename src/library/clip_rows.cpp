#include "library/clip_rows.h"

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "shosa/body/kind_name.h"
#include "shosa/core/json_depth.h"
#include "shosa/io/files_below.h"

namespace shosa::library {

namespace {

using nlohmann::json;

enum Sql {
  kRemoveWords,
  kRemoveFile,
  kAddFile,
  kAddClip,
  kAddFrames,
  kAddWords,
  kSetStamp,
  kSetWords
};
constexpr std::array kSql = {
    "DELETE FROM words WHERE rowid IN (SELECT clips.id FROM clips JOIN files ON files.id = clips.file WHERE path = ?1)",
    "DELETE FROM files WHERE path = ?1",
    "INSERT INTO files(path, stamp, bytes, hash, companions, problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    "INSERT INTO clips(file, take, name, kind, joints, frames, fps, duration_s, unit_m, scale, speed_mps, turn_deg, "
    "flight_s, cycle_s, details, strip) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    "INSERT INTO frames(clip, features) VALUES (?1, ?2)",
    "INSERT INTO words(rowid, text) VALUES (?1, ?2)",
    "UPDATE files SET stamp = ?2 WHERE path = ?1",
    "UPDATE words SET text = ?2 WHERE rowid = ?1",
};

// Features are stored as they lie in memory.
static_assert(std::endian::native == std::endian::little);

json intervals_json(const std::vector<TimeInterval>& intervals) {
  json list = json::array();
  // Microseconds: a tenth of the digits of a double.
  const auto rounded = [](double s) { return std::round(s * 1e6) / 1e6; };
  for (const TimeInterval& interval : intervals) list.push_back({rounded(interval.begin_s), rounded(interval.end_s)});
  return list;
}

std::string details_of(const ClipFacts& facts) {
  json details = {{"flights", intervals_json(facts.flights)},
                  {"cycle", {facts.cycle.begin_s, facts.cycle.end_s}},
                  {"core", {facts.core.begin_s, facts.core.end_s}},
                  {"foot_skate_mps", facts.foot_skate_mps},
                  {"penetration_m", facts.penetration_m},
                  {"mean_jerk_mps3", facts.mean_jerk_mps3},
                  {"peak_acceleration_mps2", facts.peak_acceleration_mps2},
                  {"warnings", facts.warnings},
                  {"contacts", json::array()}};
  for (const NamedIntervals& foot : facts.contacts)
    details["contacts"].push_back({{"foot", foot.name}, {"stands", intervals_json(foot.intervals)}});
  return details.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool read_interval(const json& value, TimeInterval& interval) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) return false;
  interval = {value[0].get<double>(), value[1].get<double>()};
  return true;
}

bool read_intervals(const json& value, std::vector<TimeInterval>& intervals) {
  if (!value.is_array()) return false;
  for (const json& one : value)
    if (!read_interval(one, intervals.emplace_back())) return false;
  return true;
}

/// False where this is not what `details_of` writes.
bool read_details(const std::string& text, ClipFacts& facts) {
  if (too_deep_at(text)) return false;
  const json details = json::parse(text, nullptr, false);
  if (!details.is_object()) return false;
  const auto at = [&](const char* key) -> const json& {
    static const json kNothing;
    const auto found = details.find(key);
    return found == details.end() ? kNothing : *found;
  };
  const auto number = [&](const char* key, double& to) {
    const json& value = at(key);
    if (value.is_number()) to = value.get<double>();
    return value.is_number();
  };
  if (!read_intervals(at("flights"), facts.flights) || !read_interval(at("cycle"), facts.cycle) ||
      !read_interval(at("core"), facts.core) || !number("foot_skate_mps", facts.foot_skate_mps) ||
      !number("penetration_m", facts.penetration_m) || !number("mean_jerk_mps3", facts.mean_jerk_mps3) ||
      !number("peak_acceleration_mps2", facts.peak_acceleration_mps2) || !at("warnings").is_array() ||
      !at("contacts").is_array())
    return false;
  for (const json& warning : at("warnings")) {
    if (!warning.is_string()) return false;
    facts.warnings.push_back(warning.get<std::string>());
  }
  for (const json& foot : at("contacts")) {
    if (!foot.is_object() || !foot.contains("foot") || !foot["foot"].is_string() || !foot.contains("stands"))
      return false;
    NamedIntervals& read = facts.contacts.emplace_back();
    read.name = foot["foot"].get<std::string>();
    if (!read_intervals(foot["stands"], read.intervals)) return false;
  }
  return true;
}

template <class T>
std::span<const char> bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

Result<RowWriter> RowWriter::create(Database& database) {
  std::vector<Statement> statements;
  for (const char* sql : kSql) {
    auto statement = database.prepare(sql);
    if (!statement) return std::unexpected(statement.error());
    statements.push_back(std::move(*statement));
  }
  return RowWriter(database, std::move(statements));
}

Result<void> RowWriter::remove(const std::string& path) {
  for (const Sql sql : {kRemoveWords, kRemoveFile})
    if (const auto ok = statements_[sql].bind(1, std::string_view(path)).run(); !ok) return ok;
  return {};
}

Result<void> RowWriter::put(const FileRow& row, const std::vector<std::string>& words) {
  if (const auto ok = remove(row.path); !ok) return ok;
  Statement& add_file = statements_[kAddFile];
  add_file.bind(1, row.path).bind(2, row.stamp).bind(3, row.bytes).bind(4, row.hash).bind(5, row.companions);
  if (const auto ok = add_file.bind(6, row.problem).run(); !ok) return ok;
  const std::int64_t file = database_->last_row();
  for (std::size_t take = 0; take < row.clips.size(); ++take) {
    const ClipFacts& facts = row.clips[take];
    Statement& add_clip = statements_[kAddClip];
    add_clip.bind(1, file)
        .bind(2, static_cast<std::int64_t>(take))
        .bind(3, facts.name)
        .bind(4, body::kind_name(facts.kind));
    add_clip.bind(5, std::int64_t{facts.joints}).bind(6, std::int64_t{facts.frames}).bind(7, facts.fps);
    add_clip.bind(8, facts.duration_s).bind(9, facts.unit_m).bind(10, facts.scale).bind(11, facts.root_speed_mps);
    add_clip.bind(12, facts.turn_deg).bind(13, facts.flight_s()).bind(14, facts.cycle.length_s());
    if (const auto ok = add_clip.bind(15, details_of(facts)).bind_bytes(16, bytes_of(facts.strip)).run(); !ok)
      return ok;
    const std::int64_t clip = database_->last_row();
    if (const auto ok = statements_[kAddFrames].bind(1, clip).bind_bytes(2, bytes_of(facts.features)).run(); !ok)
      return ok;
    if (const auto ok = statements_[kAddWords].bind(1, clip).bind(2, words[take]).run(); !ok) return ok;
  }
  return {};
}

Result<void> RowWriter::set_stamp(const std::string& path, const std::string& stamp) {
  return statements_[kSetStamp].bind(1, path).bind(2, stamp).run();
}

Result<void> RowWriter::set_words(std::int64_t clip, const std::string& words) {
  return statements_[kSetWords].bind(1, clip).bind(2, words).run();
}

const std::string_view kClipColumns =
    "clips.id, files.path, clips.take, files.hash, clips.name, clips.kind, clips.joints, clips.frames, clips.fps, "
    "clips.duration_s, clips.unit_m, clips.scale, clips.speed_mps, clips.turn_deg, clips.details, clips.strip";

Result<LibraryClip> read_clip_row(const Statement& row, const std::string& index_file) {
  LibraryClip clip;
  clip.id = row.integer(0);
  clip.file = row.text(1);
  clip.take = static_cast<int>(row.integer(2));
  clip.hash = row.text(3);
  ClipFacts& facts = clip.facts;
  facts.name = row.text(4);
  const auto kind = find_kind(row.text(5));
  facts.kind = kind.value_or(body::BodyKind::unknown);
  facts.joints = static_cast<int>(row.integer(6));
  facts.frames = static_cast<int>(row.integer(7));
  facts.fps = row.number(8);
  facts.duration_s = row.number(9);
  facts.unit_m = row.number(10);
  facts.scale = row.number(11);
  facts.root_speed_mps = row.number(12);
  facts.turn_deg = row.number(13);
  const std::string_view strip = row.bytes(15);
  facts.strip.assign(strip.begin(), strip.end());
  const bool right = kind && io::stays_below(clip.file) && clip.take >= 0 && facts.frames > 0 && facts.fps > 0.0 &&
                     facts.scale > 0.0 && std::isfinite(facts.duration_s) && std::isfinite(facts.root_speed_mps) &&
                     strip.size() == 2 * kStripPostures * kStripPoints && read_details(row.text(14), facts);
  if (!right)
    return fail(ErrorCode::bad_file,
                "{}: clip {}: holds values that no index has; shosa library index --rebuild mends it", index_file,
                clip.id);
  return clip;
}

Result<std::map<std::string, StoredFile>> stored_files(Database& database) {
  auto rows = database.prepare("SELECT path, stamp, hash, companions, problem FROM files");
  if (!rows) return std::unexpected(rows.error());
  std::map<std::string, StoredFile> files;
  while (true) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return files;
    files[rows->text(0)] = {rows->text(1), rows->text(2), rows->text(3), rows->text(4)};
  }
}

Result<std::vector<BrokenFile>> broken_files(Database& database) {
  const auto files = stored_files(database);
  if (!files) return std::unexpected(files.error());
  std::vector<BrokenFile> broken;
  for (const auto& [path, file] : *files)
    if (!file.problem.empty()) broken.push_back({path, file.problem});
  return broken;
}

}  // namespace shosa::library
