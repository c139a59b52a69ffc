#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::documents {

class Place;

/// Every document may say which version of its form it is in: `"version": 1` beside its other keys. One that says
/// nothing is of the first.
inline constexpr std::string_view kVersionKey = "version";
inline constexpr int kDocumentVersion = 1;

/// A JSON text, and the first thing that is wrong with what it says.
///
/// After a complaint reading goes on with nothing in place of the value. So a document is read without a branch for
/// each value, and `finish` says whether all of it held. Complaints name file, place, what was found and what was
/// expected: "pose.json: /drags/0/keys: nothing, expected a list of at least 1". Needs no exceptions.
class JsonReader {
 public:
  /// Complains about a text that is no JSON, is larger than `kMaxBytes`, nests deeper than `kMaxJsonDepth`, has a key
  /// twice in one object, a number that no double holds, or a `version` above `kDocumentVersion`. 24 bytes are kept for
  /// each value.
  JsonReader(std::string_view text, std::string file);

  Place root();
  const std::string& file() const { return file_; }
  bool failed() const { return error_.has_value(); }
  /// `value`, or the first complaint.
  template <class T>
  Result<T> finish(T value) const {
    if (error_) return std::unexpected(*error_);
    return value;
  }

  /// A graph of three million links.
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

 private:
  friend class Place;
  friend class ValueCollector;
  enum class Kind : std::uint32_t {
    null,
    flag,
    integer,
    number,
    text,
    list,
    object
  };
  struct Value {
    std::uint32_t parent = 0, end = 0;  // `end`: one past the last value inside; the next of the same list
    std::uint32_t key_begin = 0;
    std::uint32_t key_size : 29 = 0;  // kMaxBytes is less
    Kind kind : 3 = Kind::null;
    union {
      double number;
      std::int64_t integer = 0;
      struct {
        std::uint32_t begin, size;
      } text;
    };
  };

  std::string_view key_of(const Value& value) const;
  std::string where(std::uint32_t index) const;
  void complain(std::string message);

  std::string file_;
  std::string texts_;         // of keys and values, one after the other
  std::deque<Value> values_;  // grows without a copy
  std::optional<Error> error_;
};

/// For `least`: a number above 0.
inline constexpr double kAboveZero = std::numeric_limits<double>::min();
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// One place in a JSON text, also one where nothing stands.
class Place {
 public:
  bool has(std::string_view key) const { return at(key).exists(); }
  Place at(std::string_view key) const;  ///< `key` must outlive the place.
  Place at(std::size_t index) const;
  std::string_view key() const;

  bool exists() const { return index_ != kNothing; }
  bool is_null() const { return is(JsonReader::Kind::null); }
  bool is_flag() const { return is(JsonReader::Kind::flag); }
  bool is_text() const { return is(JsonReader::Kind::text); }
  bool is_list() const { return is(JsonReader::Kind::list); }
  bool is_object() const { return is(JsonReader::Kind::object); }
  bool is_whole() const;  ///< 3 and 3.0, as some programs write it.

  /// Does something with each value inside a list or an object; inside anything else, and after a complaint, is none.
  template <class Visit>
  void each(const Visit& visit) const {
    if ((!is_list() && !is_object()) || reader_->failed()) return;
    for (std::uint32_t i = index_ + 1; i < value().end; i = reader_->values_[i].end)
      visit(Place(*reader_, i, index_, {}));
  }
  /// The same as a list.
  std::vector<Place> inside() const;
  /// The same; complains where this is no list of at least so many.
  std::vector<Place> list(std::size_t least = 0) const;
  /// A list that may be left out.
  std::vector<Place> list_or_none(std::string_view key) const;

  /// Complains where this is no object, and of keys that nobody reads: slips of the pen that would go unnoticed.
  void only(std::initializer_list<std::string_view> keys, std::span<const std::string_view> more = {}) const;

  // Values; complain where it is another.
  double number(double least = -kNoBound, double most = kNoBound) const;
  std::int64_t whole(std::int64_t least = INT64_MIN, std::int64_t most = INT64_MAX) const;
  bool flag() const;
  std::string text(std::string_view what = "a text") const;
  std::string word(std::initializer_list<std::string_view> words) const;
  /// `count` numbers; `form` says so in the complaint.
  std::vector<double> numbers(std::size_t count, std::string_view form) const;
  Vec3d point() const;     ///< [x, y, z] within 1000 km.
  Quatd rotation() const;  ///< [x, y, z, w], made unit.
  Vec3d direction() const;
  TimeInterval interval() const;  ///< [begin, end].

  // What stands at a key; `to` stays where it is left out.
  void read(std::string_view key, double& to, double least = -kNoBound, double most = kNoBound) const;
  void read(std::string_view key, int& to, int least, int most) const;
  void read(std::string_view key, bool& to) const;
  void read(std::string_view key, std::string& to) const;
  template <class T, class... Bounds>
  void read(std::string_view key, std::optional<T>& to, Bounds... bounds) const {
    if (has(key)) read(key, to.emplace(), bounds...);
  }

  /// "FILE: PLACE: what was found, expected WHAT".
  void expected(std::string_view what) const;
  /// "FILE: PLACE: MESSAGE".
  void wrong(std::string_view message) const;

 private:
  friend class JsonReader;
  static constexpr std::uint32_t kNothing = UINT32_MAX;
  Place(JsonReader& reader, std::uint32_t index, std::uint32_t parent, std::string_view key)
      : reader_(&reader), index_(index), parent_(parent), missing_key_(key) {}

  const JsonReader::Value& value() const { return reader_->values_[index_]; }
  bool is(JsonReader::Kind kind) const { return exists() && value().kind == kind; }
  std::string_view text_view() const;
  std::string found() const;
  std::string found_list() const;

  JsonReader* reader_;
  std::uint32_t index_, parent_;
  std::string_view missing_key_;  // of what is not there
};

/// A text as JSON has it, in quotes. What is no UTF-8 is replaced.
std::string json_quoted(const std::string& text);

}  // namespace shosa::documents
