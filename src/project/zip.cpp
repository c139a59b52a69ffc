#include "shosa/project/zip.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "project/utf8.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/files_below.h"
#include "shosa/io/read_text.h"

namespace shosa::project {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 1000;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::unexpected<Error> zip_failed(ErrorCode code, const std::string& name, zip_error_t* error) {
  return fail(code, "{}: {}", name, zip_error_strerror(error));
}

/// An archive over bytes that outlive it.
Result<Archive> open_zip(std::string_view bytes, const std::string& name) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) return zip_failed(ErrorCode::bad_file, name, &error);
  zip_t* archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  if (archive == nullptr) {
    zip_source_free(source);
    return zip_failed(ErrorCode::bad_file, name, &error);
  }
  return Archive(archive);
}

/// Whether the system that packed an entry says that it is something else than a file or a folder.
bool is_special(zip_t* archive, zip_uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0) return true;
  if (system != ZIP_OPSYS_UNIX) return false;
  const unsigned kind = (attributes >> 16) & S_IFMT;
  return kind != 0 && kind != S_IFREG && kind != S_IFDIR;
}

/// Names that need each other as a file and as a folder.
std::string clash(const std::vector<ZipEntry>& entries) {
  std::set<std::string> files, folders;
  for (const ZipEntry& entry : entries) {
    const bool is_folder = entry.name.ends_with('/');
    const std::string name = is_folder ? entry.name.substr(0, entry.name.size() - 1) : entry.name;
    if (!(is_folder ? folders.insert(name) : files.insert(name)).second && !is_folder) return name + " stands twice";
    for (auto at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
      folders.insert(name.substr(0, at));
  }
  for (const std::string& file : files)
    if (folders.contains(file)) return file + " is a file and a folder";
  return {};
}

Result<std::vector<ZipEntry>> list_archive(zip_t* archive, std::uint64_t packed_bytes, const std::string& name,
                                           const ZipLimits& limits) {
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(archive, 0));
  if (count > limits.entries)
    return fail(ErrorCode::bad_file, "{}: {} entries, expected at most {}", name, count, limits.entries);
  std::vector<ZipEntry> entries;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_ENCRYPTION_METHOD | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive, i, ZIP_FL_ENC_RAW, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
      return fail(ErrorCode::bad_file, "{}: entry {}: does not say what it is", name, i);
    const std::string entry = stat.name;
    const auto wrong = [&](const std::string& what) {
      return fail(ErrorCode::bad_file, "{}: entry {}: '{}': {}", name, i, printable(entry), what);
    };
    if (const std::string problem = name_problem(entry); !problem.empty()) return wrong(problem);
    if (stat.encryption_method != ZIP_EM_NONE) return wrong("is encrypted");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
      return wrong("is packed in an unusual way");
    if (is_special(archive, i)) return wrong("is a link or no file");
    if (stat.size > limits.file_bytes)
      return wrong(fmt::format("{} bytes, expected at most {}", stat.size, limits.file_bytes));
    sum += stat.size;
    if (sum > limits.all_bytes)
      return fail(ErrorCode::bad_file, "{}: more than {} bytes together", name, limits.all_bytes);
    entries.push_back({entry, stat.size});
  }
  if (sum > limits.small_bytes && sum / limits.ratio > packed_bytes)
    return fail(ErrorCode::bad_file, "{}: {} bytes in a file of {}: no project packs like that", name, sum,
                packed_bytes);
  if (const std::string problem = clash(entries); !problem.empty())
    return fail(ErrorCode::bad_file, "{}: {}", name, printable(problem));
  return entries;
}

Result<std::string> unpack(zip_t* archive, std::uint64_t index, const ZipEntry& entry, const std::string& name) {
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive, index, 0));
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorCode::bad_file, "{}: '{}': {}", name, printable(entry.name), what);
  };
  if (!file) return wrong(zip_strerror(archive));
  std::string content;
  std::array<char, 1 << 16> piece;
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), piece.data(), piece.size());
    if (got < 0) return wrong(zip_file_strerror(file.get()));  // also a wrong checksum
    if (got == 0) break;
    content.append(piece.data(), static_cast<std::size_t>(got));
    if (content.size() > entry.bytes) return wrong("is larger than it says");
  }
  if (content.size() != entry.bytes) return wrong("is smaller than it says");
  return content;
}

/// A folder of a name that no other has: a program that was stopped may have left one behind.
Result<fs::path> new_folder(const fs::path& parent) {
  std::error_code error;
  for (int i = 0; i < 1000 && !error; ++i) {
    fs::path path = parent / fmt::format(".shosa-unzip-{}-{}", ::getpid(), i);
    if (fs::create_directory(path, error)) return path;
  }
  return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", parent.string(), error.message());
}

/// A folder that is taken away again unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(fs::path path) : path_(std::move(path)) {}
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

}  // namespace

std::string name_problem(const std::string& name) {
  if (name.empty() || name.size() > kLongestName) return "is no name of a file";
  if (!is_utf8(name)) return "is no UTF-8";
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    return "holds control characters";
  if (name.find('\\') != std::string::npos) return "holds a backslash";
  if (name.front() == '/' || (name.size() > 1 && name[1] == ':')) return "is not relative";
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = std::string_view(name).substr(begin, end - begin);
    if (part.empty()) return "has an empty part";
    if (part == "." || part == "..") return "leads outside";
    if (part.front() == '.') return "is hidden";
    if (part.size() > 255) return "has a part that is too long";
    begin = end + 1;
  }
  return {};
}

Result<std::vector<ZipEntry>> list_zip(std::string_view bytes, const std::string& name, const ZipLimits& limits) {
  const auto archive = open_zip(bytes, name);
  if (!archive) return std::unexpected(archive.error());
  return list_archive(archive->get(), bytes.size(), name, limits);
}

Result<ZipReport> unzip_project(const fs::path& file, const fs::path& folder) {
  const auto bytes = io::read_text(file);
  if (!bytes) return std::unexpected(bytes.error());
  const std::string name = file.string();
  const auto archive = open_zip(*bytes, name);
  if (!archive) return std::unexpected(archive.error());
  const auto entries = list_archive(archive->get(), bytes->size(), name, {});
  if (!entries) return std::unexpected(entries.error());
  std::error_code error;
  const auto cannot = [&](const fs::path& path) {
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", path.string(), error.message());
  };
  if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    return fail(ErrorCode::cannot_write, "{}: is there already, expected a new or empty folder", folder.string());

  // Beside the folder, under a name that nobody looks at, until all of it is there.
  const fs::path beside = fs::absolute(folder, error).lexically_normal();
  const fs::path parent = beside.has_filename() ? beside.parent_path() : beside.parent_path().parent_path();
  const auto hidden = new_folder(parent);
  if (!hidden) return std::unexpected(hidden.error());
  NewFolder made(*hidden);
  ZipReport report;
  for (std::uint64_t i = 0; i < entries->size(); ++i) {
    const ZipEntry& entry = (*entries)[i];
    const fs::path path = made.path() / entry.name;
    fs::create_directories(entry.name.ends_with('/') ? path : path.parent_path(), error);
    if (error) return cannot(path);
    if (entry.name.ends_with('/')) continue;
    const auto content = unpack(archive->get(), i, entry, name);
    if (!content) return std::unexpected(content.error());
    if (const auto ok = io::write_file_atomically(path, *content); !ok) return std::unexpected(ok.error());
    ++report.files;
    report.bytes += entry.bytes;
  }
  fs::remove(folder, error);  // an empty one
  fs::rename(made.path(), beside.has_filename() ? beside : beside.parent_path(), error);
  if (error) return cannot(folder);
  made.keep();
  return report;
}

Result<ZipReport> zip_project(const fs::path& folder, const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return fail(ErrorCode::cannot_read, "{}: is no folder that can be read", folder.string());
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* out = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (out == nullptr) return zip_failed(ErrorCode::cannot_write, file.string(), &error);
  zip_source_keep(out);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(out, zip_source_free);
  Archive archive(zip_open_from_source(out, ZIP_TRUNCATE, &error));
  if (!archive) return zip_failed(ErrorCode::cannot_write, file.string(), &error);

  ZipReport report;
  const ZipLimits limits;
  std::map<std::string, std::string> contents;  // must outlive zip_close
  const io::FilesBelow below = io::files_below(folder);
  if (!below.closed.empty())
    return fail(ErrorCode::cannot_read, "{}: the folder cannot be read", (folder / below.closed.front()).string());
  // What is mailed holds nothing that somebody's link fetched from elsewhere.
  if (!below.outside.empty())
    return fail(ErrorCode::not_possible, "{}: is a link that leads out of the project",
                (folder / below.outside.front()).string());
  for (const fs::path& path : below.files) {
    const std::string name = path.generic_string();
    if (fs::equivalent(folder / path, file, ignored)) continue;  // an older zip of itself
    if (const std::string problem = name_problem(name); !problem.empty())
      return fail(ErrorCode::not_possible, "{}: its name {}", (folder / path).string(), problem);
    auto content = io::read_text(folder / path);
    if (!content) return std::unexpected(content.error());
    report.bytes += content->size();
    if (++report.files > static_cast<int>(limits.entries) || report.bytes > limits.all_bytes ||
        content->size() > limits.file_bytes)
      return fail(ErrorCode::not_possible, "{}: more than fits a project's file", folder.string());
    const std::string& bytes = contents.emplace(name, std::move(*content)).first->second;
    zip_source_t* source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    const zip_int64_t index =
        source == nullptr ? -1 : zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      return fail(ErrorCode::cannot_write, "{}: {}", file.string(), zip_strerror(archive.get()));
    }
    // No times: the same content gives the same bytes.
    zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, 0x21, 0);
  }
  if (report.files == 0) return fail(ErrorCode::not_possible, "{}: holds no files", folder.string());
  if (zip_close(archive.get()) != 0)
    return fail(ErrorCode::cannot_write, "{}: {}", file.string(), zip_strerror(archive.get()));
  (void)archive.release();
  zip_stat_t stat;
  if (zip_source_stat(out, &stat) != 0 || zip_source_open(out) != 0)
    return zip_failed(ErrorCode::cannot_write, file.string(), zip_source_error(out));
  std::string bytes(stat.size, '\0');
  const zip_int64_t got = zip_source_read(out, bytes.data(), bytes.size());
  zip_source_close(out);
  if (got != static_cast<zip_int64_t>(bytes.size()))
    return fail(ErrorCode::cannot_write, "{}: could not be packed", file.string());
  if (const auto ok = io::write_file_atomically(file, bytes); !ok) return std::unexpected(ok.error());
  return report;
}

}  // namespace shosa::project
