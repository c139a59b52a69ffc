#pragma once

#include <string>
#include <utility>
#include <vector>

namespace shosa {

/// One line for people about an input or a result. Where it arises says which of the two it is: a warning is something
/// odd that may be wrong; a note is what was done about it, or which of several was taken. A plain text is a warning.
struct Note {
  enum class Kind {
    warning,
    done
  };

  std::string text;
  Kind kind = Kind::warning;

  Note(std::string warning) : text(std::move(warning)) {}
  Note(const char* warning) : text(warning) {}
  static Note done(std::string text) {
    Note note(std::move(text));
    note.kind = Kind::done;
    return note;
  }
  bool is_done() const { return kind == Kind::done; }
  /// The same, said of something: "walk.bvh: left out 1 frame".
  Note of(const std::string& whom) const {
    Note note(whom + ": " + text);
    note.kind = kind;
    return note;
  }

  operator const std::string&() const { return text; }
  friend bool operator==(const Note&, const Note&) = default;
};
using Notes = std::vector<Note>;

}  // namespace shosa
