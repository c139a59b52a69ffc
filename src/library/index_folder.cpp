#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <set>

#include "library/clip_rows.h"
#include "library/clip_words.h"
#include "library/scan_folder.h"
#include "library/schema.h"
#include "library/study_file.h"
#include "shosa/core/parallel.h"
#include "shosa/library/library.h"

namespace shosa::library {

namespace {

namespace fs = std::filesystem;

/// Files of one transaction: what is lost at most when the program is stopped.
constexpr std::size_t kBatch = 16;
/// A file that changed this shortly before it was looked at may change again within the same tick of its clock.
constexpr std::int64_t kTick_ns = 2'000'000'000;

/// Held while a program indexes; freed by the system when it ends, however it ends.
class IndexLock {
 public:
  static Result<IndexLock> take(const fs::path& index_file) {
    const std::string name = index_file.string() + ".lock";
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
      return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", index_file.string(), std::strerror(errno));
    IndexLock lock(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
      return fail(ErrorCode::not_possible, "{}: another program is indexing into it", index_file.string());
    return lock;
  }
  IndexLock(IndexLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~IndexLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

 private:
  explicit IndexLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

/// The stamp to keep: none where the file is so new that a later change might not show.
std::string lasting_stamp(const ClipFile& file) {
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
  return file.newest_ns + kTick_ns < now.count() ? file.stamp : "";
}

/// READMEs may have changed while clips did not.
Result<void> refresh_words(Database& database, RowWriter& writer, const ReadmeWords& readme) {
  auto rows = database.prepare(
      "SELECT clips.id, files.path, clips.name, words.text FROM clips JOIN files ON files.id = clips.file "
      "JOIN words ON words.rowid = clips.id");
  if (!rows) return std::unexpected(rows.error());
  std::vector<std::pair<std::int64_t, std::string>> changed;
  while (true) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    std::string words = clip_words(rows->text(1), rows->text(2), readme);
    if (words != rows->text(3)) changed.emplace_back(rows->integer(0), std::move(words));
  }
  rows->reset();
  if (changed.empty()) return {};
  auto transaction = Transaction::begin(database);
  if (!transaction) return std::unexpected(transaction.error());
  for (const auto& [clip, words] : changed)
    if (const auto ok = writer.set_words(clip, words); !ok) return ok;
  return transaction->commit();
}

Result<void> remove_old(const fs::path& index_file) {
  std::error_code error;
  for (const char* part : {"", "-wal", "-shm"}) {
    fs::remove(index_file.string() + part, error);
    if (error) return fail(ErrorCode::cannot_write, "{}{}: {}", index_file.string(), part, error.message());
  }
  return {};
}

Result<void> make_folder(const fs::path& folder, const fs::path& index_file) {
  if (index_file != usual_index_file(folder)) return {};
  std::error_code error;
  fs::create_directory(index_file.parent_path(), error);
  if (error)
    return fail(ErrorCode::cannot_write, "{}: {}; --index puts the index elsewhere", index_file.parent_path().string(),
                error.message());
  return {};
}

}  // namespace

fs::path usual_index_file(const fs::path& folder) {
  return folder / ".shosa" / "index.db";
}

Result<IndexReport> index_folder(const fs::path& folder, const IndexParams& params) {
  const auto found = clip_files(folder);
  if (!found) return std::unexpected(found.error());
  const std::vector<ClipFile>& files = found->files;
  const fs::path index_file = params.index_file.empty() ? usual_index_file(folder) : params.index_file;
  if (const auto ok = make_folder(folder, index_file); !ok) return std::unexpected(ok.error());
  const auto lock = IndexLock::take(index_file);
  if (!lock) return std::unexpected(lock.error());
  if (params.rebuild)
    if (const auto ok = remove_old(index_file); !ok) return std::unexpected(ok.error());
  auto database = Database::open(index_file, Database::Access::write);
  if (!database) return std::unexpected(database.error());
  if (const auto ok = prepare_schema(*database); !ok) return std::unexpected(ok.error());
  auto writer = RowWriter::create(*database);
  if (!writer) return std::unexpected(writer.error());
  auto known = stored_files(*database);
  if (!known) return std::unexpected(known.error());

  IndexReport report;
  report.index_file = index_file.string();
  report.files = static_cast<int>(files.size());
  const ReadmeWords readme(folder);
  std::vector<const ClipFile*> changed;
  std::set<std::string> here;
  for (const ClipFile& file : files) {
    here.insert(file.path);
    const auto before = known->find(file.path);
    const bool same = before != known->end() && before->second.stamp == file.stamp;
    if (!same) changed.push_back(&file);
  }
  report.unchanged = report.files - static_cast<int>(changed.size());

  // What is gone goes first: its place on a full disk may be needed.
  {
    auto transaction = Transaction::begin(*database);
    if (!transaction) return std::unexpected(transaction.error());
    for (const auto& [path, row] : *known) {
      if (here.contains(path)) continue;
      if (const auto ok = writer->remove(path); !ok) return std::unexpected(ok.error());
      ++report.removed;
    }
    if (const auto ok = transaction->commit(); !ok) return std::unexpected(ok.error());
  }

  for (std::size_t begin = 0; begin < changed.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, changed.size() - begin);
    if (params.progress) params.progress(begin, changed.size(), changed[begin]->path);
    std::vector<FileRow> rows(count);
    std::vector<char> as_before(count, 0);
    parallel_for(count, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const ClipFile& file = *changed[begin + i];
        rows[i] = hash_file(folder, file);
        const auto before = known->find(file.path);
        as_before[i] = before != known->end() && !rows[i].hash.empty() && before->second.hash == rows[i].hash &&
                       before->second.companions == rows[i].companions;
        if (!as_before[i]) study_file(folder, file, rows[i]);
      }
    });
    auto transaction = Transaction::begin(*database);
    if (!transaction) return std::unexpected(transaction.error());
    for (std::size_t i = 0; i < count; ++i) {
      const ClipFile& file = *changed[begin + i];
      rows[i].stamp = lasting_stamp(file);
      if (as_before[i]) {
        ++report.unchanged;
        if (const auto ok = writer->set_stamp(file.path, rows[i].stamp); !ok) return std::unexpected(ok.error());
        continue;
      }
      ++report.read;
      std::vector<std::string> words;
      for (const ClipFacts& clip : rows[i].clips) words.push_back(clip_words(file.path, clip.name, readme));
      if (const auto ok = writer->put(rows[i], words); !ok) return std::unexpected(ok.error());
    }
    if (const auto ok = transaction->commit(); !ok) return std::unexpected(ok.error());
  }
  if (const auto ok = refresh_words(*database, *writer, readme); !ok) return std::unexpected(ok.error());
  // The journal goes into the file where no reader holds it back.
  if (const auto ok = database->integer("PRAGMA wal_checkpoint(TRUNCATE)"); !ok) return std::unexpected(ok.error());
  const auto clips = database->integer("SELECT count(*) FROM clips");
  if (!clips) return std::unexpected(clips.error());
  report.clips = static_cast<int>(*clips);
  auto broken = broken_files(*database);
  if (!broken) return std::unexpected(broken.error());
  report.broken = std::move(*broken);
  for (const std::string& path : found->closed) report.broken.push_back({path, fmt::format("{}: {}", path, kClosed)});
  return report;
}

}  // namespace shosa::library
