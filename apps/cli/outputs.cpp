#include "outputs.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace shosa::cli {

namespace {

namespace fs = std::filesystem;

struct Files {
  std::vector<std::string> read, written;
};

void collect(const CLI::App& verb, Files& files) {
  constexpr const char* kWritten[] = {"-o",           "--picture",     "--report",
                                      "--write-plan", "--root-motion", "--write-contacts"};
  for (const CLI::Option* option : verb.get_options()) {
    const bool out = std::ranges::any_of(kWritten, [&](const char* name) { return option->check_name(name); });
    for (const std::string& text : option->results()) (out ? files.written : files.read).push_back(text);
    // convert IN... OUT
    if (option->check_name("files") && !files.read.empty()) {
      files.written.push_back(files.read.back());
      files.read.pop_back();
    }
  }
  for (const CLI::App* part : verb.get_subcommands()) collect(*part, files);
}

// Verbs that write into a folder make it where it is not there.
bool writes_folder(const CLI::App& app) {
  return std::ranges::any_of(app.get_subcommands(), [](const CLI::App* verb) {
    return verb->get_name() == "demo" || (verb->get_name() == "project" && verb->got_subcommand("unzip")) ||
           (verb->get_name() == "convert" && verb->count("--format") > 0);
  });
}

Result<void> check_place(const std::string& name) {
  const fs::path path(name);
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", name, std::strerror(EISDIR));
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) return {};
  // A link that leads nowhere yet is followed to the folder of what it names.
  const fs::path target = fs::weakly_canonical(path, ignored);
  const fs::path folder = ignored || !target.has_parent_path() ? fs::path(".") : target.parent_path();
  if (::access(folder.c_str(), W_OK) != 0)
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}: {}", name, folder.string(), std::strerror(errno));
  if (!fs::is_directory(folder, ignored))
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", name, std::strerror(ENOTDIR));
  return {};
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none_a, none_b;
  return fs::weakly_canonical(fs::absolute(a), none_a) == fs::weakly_canonical(fs::absolute(b), none_b) && !none_a &&
         !none_b;
}

// Whether a value somewhere in a document names this file, as documents name their clips: from their own folder.
bool names_file(const nlohmann::json& value, const fs::path& folder, const std::string& file) {
  std::error_code ignored;
  if (value.is_string()) return fs::equivalent(folder / value.get<std::string>(), file, ignored);
  return value.is_structured() &&
         std::ranges::any_of(value, [&](const nlohmann::json& part) { return names_file(part, folder, file); });
}

// Whether a file is read: it is the input, or a document that is the input names it.
bool reads(const std::string& in, const std::string& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return false;
  if (fs::equivalent(in, file, ignored)) return true;
  if (fs::path(in).extension() != ".json") return false;
  std::ifstream stream(in, std::ios::binary);
  const auto document = nlohmann::json::parse(stream, nullptr, false);
  return !document.is_discarded() && names_file(document, fs::path(in).parent_path(), file);
}

// A second name for the file at `path`, under which it can be put back; empty: there is none.
std::optional<fs::path> keep_aside(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const fs::path aside = path.parent_path() / fmt::format(".shosa-{}-{}.old", ::getpid(), path.filename().string());
  fs::create_hard_link(path, aside, error);
  return error ? std::nullopt : std::optional(aside);
}

}  // namespace

Result<void> check_outputs(const CLI::App& app, bool overwrite) {
  if (writes_folder(app)) return {};
  Files files;
  collect(app, files);
  for (std::size_t i = 0; i < files.written.size(); ++i) {
    const std::string& out = files.written[i];
    for (std::size_t k = 0; k < i; ++k)
      if (same_file(out, files.written[k]))
        return fail(ErrorCode::invalid_argument, "{}: two outputs have this name", out);
    for (const std::string& in : files.read) {
      if (!overwrite && reads(in, out))
        return fail(ErrorCode::not_possible, "{}: is read and would be written over (--overwrite allows that)", out);
    }
    if (const auto ok = check_place(out); !ok) return ok;
  }
  return {};
}

Result<void> write_all(const std::vector<Output>& outputs) {
  struct Before {
    fs::path path;
    bool was_there = false;
    std::optional<fs::path> aside;
  };
  std::vector<Before> before;
  std::error_code ignored;
  Result<void> result;
  for (const Output& output : outputs) {
    const fs::path path = fs::weakly_canonical(output.path, ignored);
    before.push_back({path, fs::exists(path, ignored), keep_aside(path)});
    result = output.write();
    if (!result) break;
  }
  for (const Before& file : before) {
    if (!result && file.aside) fs::rename(*file.aside, file.path, ignored);
    if (!result && !file.was_there) fs::remove(file.path, ignored);
    if (file.aside) fs::remove(*file.aside, ignored);
  }
  return result;
}

}  // namespace shosa::cli
