#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shosa/documents/clip_file.h"

namespace shosa::documents {

/// A clip as a document names it.
struct ClipReference : ClipOptions {
  std::string clip;               ///< File, as `asf`, `body_map` and `contacts` relative to the document.
  analysis::GivenContacts given;  ///< Contacts that the document itself gives; times of the part that is used.
  bool operator==(const ClipReference&) const = default;
};

/// Contacts that the document gives take the place of those that the clip came with. Fails when they do not fit it; the
/// message begins with their place below that of the clip.
Result<void> give_contacts(ChosenClip& chosen, const ClipReference& reference);

/// Where the clips of a document come from, and the texts that it names.
class ClipSource {
 public:
  virtual ~ClipSource() = default;
  /// Fails with what the clip is called in messages.
  virtual Result<ChosenClip> open(const ClipReference& reference) const = 0;
  virtual Result<std::string> text(const std::string& name) const = 0;
  /// Of the files behind a clip and of how they are read, so that a change of either is noticed. Empty: not known.
  virtual Result<std::string> hash_of(const ClipReference&) const { return std::string(); }
  /// What a name of the document is called in messages.
  virtual std::string path(const std::string& name) const { return name; }
};

/// Files, named relative to the folder of a document.
class FilesBeside final : public ClipSource {
 public:
  /// `usual` is how clips are read where the document does not say otherwise; its own files are relative to nothing.
  explicit FilesBeside(const std::filesystem::path& document, ClipOptions usual = {})
      : folder_(document.parent_path()), usual_(std::move(usual)) {}

  Result<ChosenClip> open(const ClipReference& reference) const override;
  Result<std::string> text(const std::string& name) const override;
  Result<std::string> hash_of(const ClipReference& reference) const override;
  std::string path(const std::string& name) const override { return (folder_ / name).string(); }

 private:
  ClipOptions options_of(const ClipReference& reference) const;

  std::filesystem::path folder_;
  ClipOptions usual_;
};

/// Motions that were read already: what a document says about reading (unit, up, fps_is, asf, drop_tpose) was for
/// whoever read them. They are cleaned unless it says `as_captured`. Body maps and joint ranges are texts under their
/// names.
class ClipsInMemory final : public ClipSource {
 public:
  /// `contacts` and `core` are somebody's word on its clip, checked (`ChosenClip`).
  void add(const std::string& name, io::MotionFile motion, analysis::GivenContacts contacts = {},
           std::optional<TimeInterval> core = std::nullopt) {
    motions_.insert_or_assign(name, Known{std::move(motion), std::move(contacts), core});
  }
  void add_text(const std::string& name, std::string text) { texts_.insert_or_assign(name, std::move(text)); }

  Result<ChosenClip> open(const ClipReference& reference) const override;
  Result<std::string> text(const std::string& name) const override;

 private:
  struct Known {
    io::MotionFile motion;
    analysis::GivenContacts contacts;
    std::optional<TimeInterval> core;
  };
  std::map<std::string, Known> motions_;
  std::map<std::string, std::string> texts_;
};

/// Files as a document that stands at `document` refers to them: relative to its folder, with forward slashes, as the
/// files that `options` name are then. Fails when that folder is not there.
Result<std::vector<ClipReference>> references_beside(const std::string& document, const std::vector<std::string>& files,
                                                     const ClipOptions& options = {});

}  // namespace shosa::documents
