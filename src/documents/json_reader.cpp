#include "documents/json_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "shosa/core/json_depth.h"

namespace shosa::documents {

/// Takes values as the parser meets them into the reader's list.
class ValueCollector : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Kind = JsonReader::Kind;
  explicit ValueCollector(JsonReader& reader) : reader_(reader) {}

  bool null() override { return add(Kind::null), true; }
  bool boolean(bool value) override { return add(Kind::flag).integer = value, true; }
  bool number_integer(number_integer_t value) override { return add(Kind::integer).integer = value, true; }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) return number_float(static_cast<double>(value), {});
    return number_integer(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(Kind::number).number = value, true; }
  bool string(string_t& value) override {
    const auto [begin, size] = keep(value);
    return add(Kind::text).text = {begin, size}, true;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::list); }
  bool key(string_t& name) override {
    // Keys repeat from object to object: a graph of a million links has five million of them.
    for (const auto& [begin, size] : keys_) {
      if (std::string_view(reader_.texts_).substr(begin, size) != name) continue;
      key_begin_ = begin, key_size_ = size;
      return true;
    }
    std::tie(key_begin_, key_size_) = keys_[next_key_++ % keys_.size()] = keep(name);
    return true;
  }
  bool end_object() override {
    std::vector<std::pair<std::string_view, std::uint32_t>> keys;
    for (std::uint32_t i = open_ + 1; i < reader_.values_.size(); i = reader_.values_[i].end)
      keys.emplace_back(reader_.key_of(reader_.values_[i]), i);
    std::ranges::sort(keys);
    const auto twice = std::ranges::adjacent_find(keys, {}, [](const auto& key) { return key.first; });
    if (twice != keys.end()) {
      reader_.complain(fmt::format("{}: {}: a key that stands twice", reader_.file_, reader_.where(twice->second)));
      return false;
    }
    return end_array();
  }
  bool end_array() override {
    reader_.values_[open_].end = static_cast<std::uint32_t>(reader_.values_.size());
    open_ = reader_.values_[open_].parent;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    // Of "[…] parse error at line 1, column 2: … - unexpected end of input; last read: '…'" the reason is kept.
    std::string_view reason = error.what();
    if (const auto dash = reason.find(" - "); dash != std::string_view::npos) reason.remove_prefix(dash + 3);
    reason = reason.substr(0, std::min<std::size_t>(reason.find("; last read"), 100));
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) reason = "a number is too large, expected magnitudes up to 1.8e308";
    reader_.complain(fmt::format("{}: byte {}: no JSON: {}", reader_.file_, byte, reason));
    return false;
  }

 private:
  JsonReader::Value& add(Kind kind) {
    JsonReader::Value& value = reader_.values_.emplace_back();
    value.kind = kind;
    value.parent = open_;
    value.end = static_cast<std::uint32_t>(reader_.values_.size());
    value.key_begin = key_begin_;
    value.key_size = key_size_;
    return value;
  }
  bool open(Kind kind) {
    add(kind);
    open_ = static_cast<std::uint32_t>(reader_.values_.size() - 1);
    return true;
  }
  std::pair<std::uint32_t, std::uint32_t> keep(const std::string& text) {
    const auto begin = static_cast<std::uint32_t>(reader_.texts_.size());
    reader_.texts_ += text;
    return {begin, static_cast<std::uint32_t>(text.size())};
  }

  JsonReader& reader_;
  std::uint32_t open_ = 0;
  std::uint32_t key_begin_ = 0, key_size_ = 0;
  std::array<std::pair<std::uint32_t, std::uint32_t>, 16> keys_ = {};  // met last: begin and size
  std::size_t next_key_ = 0;
};

JsonReader::JsonReader(std::string_view text, std::string file) : file_(std::move(file)) {
  if (text.size() > kMaxBytes) {
    complain(fmt::format("{}: {} bytes, expected at most {} MiB", file_, text.size(), kMaxBytes >> 20));
  } else if (const auto byte = too_deep_at(text)) {
    complain(fmt::format("{}: byte {}: nested deeper than {} levels", file_, *byte, kMaxJsonDepth));
  } else {
    ValueCollector collector(*this);
    (void)nlohmann::json::sax_parse(text.begin(), text.end(), &collector);
    const Place version = root().at("version");
    if (version.exists() && !version.is_whole())
      version.expected("the number of a version");
    else if (version.exists() && version.whole(1) > kDocumentVersion)
      version.wrong(fmt::format("version {}, this program reads up to {}", version.whole(), kDocumentVersion));
  }
}

Place JsonReader::root() {
  return {*this, failed() || values_.empty() ? Place::kNothing : 0, 0, {}};
}

std::string_view JsonReader::key_of(const Value& value) const {
  return std::string_view(texts_).substr(value.key_begin, value.key_size);
}

std::string JsonReader::where(std::uint32_t index) const {
  if (index == 0) return {};
  const Value& value = values_[index];
  if (values_[value.parent].kind == Kind::object)
    return fmt::format("{}/{}", where(value.parent), key_of(value).substr(0, 40));
  std::size_t place = 0;
  for (std::uint32_t i = value.parent + 1; i < index; i = values_[i].end) ++place;
  return fmt::format("{}/{}", where(value.parent), place);
}

void JsonReader::complain(std::string message) {
  if (!error_) error_ = Error{ErrorCode::bad_file, std::move(message)};
}

Place Place::at(std::string_view key) const {
  if (is_object() && !reader_->failed()) {
    for (std::uint32_t i = index_ + 1; i < value().end; i = reader_->values_[i].end) {
      if (reader_->key_of(reader_->values_[i]) == key) return {*reader_, i, index_, {}};
    }
  }
  return {*reader_, kNothing, exists() ? index_ : parent_, key};
}

Place Place::at(std::size_t index) const {
  const auto parts = inside();
  return index < parts.size() ? parts[index] : Place(*reader_, kNothing, exists() ? index_ : parent_, "…");
}

std::string_view Place::key() const {
  return exists() ? reader_->key_of(value()) : missing_key_;
}

std::vector<Place> Place::inside() const {
  std::vector<Place> parts;
  each([&](const Place& part) { parts.push_back(part); });
  return parts;
}

std::vector<Place> Place::list(std::size_t least) const {
  auto parts = inside();
  if (!is_list() || parts.size() < least) expected(least > 0 ? fmt::format("a list of at least {}", least) : "a list");
  return is_list() ? parts : std::vector<Place>();
}

std::vector<Place> Place::list_or_none(std::string_view key) const {
  return has(key) ? at(key).list() : std::vector<Place>();
}

void Place::only(std::initializer_list<std::string_view> keys, std::span<const std::string_view> more) const {
  std::vector<std::string_view> known(more.begin(), more.end());
  known.insert(known.end(), keys);
  if (!is_object()) return expected(fmt::format("an object with the keys {}", fmt::join(known, ", ")));
  for (const Place& part : inside()) {
    const bool is_version = index_ == 0 && part.key() == kVersionKey;
    if (!is_version && std::ranges::find(known, part.key()) == known.end())
      return part.wrong(fmt::format("unknown key, expected one of {}", fmt::join(known, ", ")));
  }
}

double Place::number(double least, double most) const {
  double found = 0.0;
  const bool is_number = is(JsonReader::Kind::integer) || is(JsonReader::Kind::number);
  if (is_number) found = is(JsonReader::Kind::integer) ? static_cast<double>(value().integer) : value().number;
  if (is_number && std::isfinite(found) && found >= least && found <= most) return found;
  std::string what = "a number";
  if (least == kAboveZero) what += " above 0";
  if (least == kAboveZero && most < kNoBound) what += fmt::format(", at most {}", most);
  if (least != kAboveZero && most < kNoBound) what += fmt::format(" from {} to {}", least, most);
  if (least == 0.0 && most == kNoBound) what += " that is not negative";
  expected(what);
  return 0.0;
}

bool Place::is_whole() const {
  if (is(JsonReader::Kind::integer)) return true;
  return is(JsonReader::Kind::number) && std::floor(value().number) == value().number &&
         std::abs(value().number) < 9e15;
}

std::int64_t Place::whole(std::int64_t least, std::int64_t most) const {
  if (is_whole()) {
    const std::int64_t found =
        is(JsonReader::Kind::integer) ? value().integer : static_cast<std::int64_t>(value().number);
    if (found >= least && found <= most) return found;
  }
  expected(most < INT64_MAX ? fmt::format("a whole number from {} to {}", least, most) : "a whole number");
  return 0;
}

bool Place::flag() const {
  if (is_flag()) return value().integer != 0;
  expected("true or false");
  return false;
}

std::string_view Place::text_view() const {
  return is_text() ? std::string_view(reader_->texts_).substr(value().text.begin, value().text.size)
                   : std::string_view();
}

std::string Place::text(std::string_view what) const {
  if (!is_text()) expected(what);
  return std::string(text_view());
}

std::string Place::word(std::initializer_list<std::string_view> words) const {
  if (!is_text() || std::ranges::find(words, text_view()) == words.end())
    expected(fmt::format("one of {}", fmt::join(words, ", ")));
  return std::string(text_view());
}

std::vector<double> Place::numbers(std::size_t count, std::string_view form) const {
  std::vector<double> numbers(count, 0.0);
  const auto parts = inside();
  if (!is_list() || parts.size() != count) {
    expected(form);
  } else {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = parts[i].number();
  }
  return numbers;
}

Vec3d Place::point() const {
  const auto parts = numbers(3, "[x, y, z]");
  const Vec3d point(parts[0], parts[1], parts[2]);
  constexpr double kFarthest_m = 1e6;
  if (!(point.norm() <= kFarthest_m)) expected("a place within 1000 km");
  return point;
}

Vec3d Place::direction() const {
  const auto parts = numbers(3, "a direction [x, y, z]");
  const Vec3d direction(parts[0], parts[1], parts[2]);
  if (direction.norm() > 1e-6 && std::isfinite(direction.norm())) return direction.normalized();
  expected("a direction [x, y, z] that is not 0");
  return Vec3d::UnitX();
}

Quatd Place::rotation() const {
  const auto parts = numbers(4, "a quaternion [x, y, z, w]");
  const Quatd rotation(parts[3], parts[0], parts[1], parts[2]);
  if (rotation.norm() > 1e-6 && std::isfinite(rotation.norm())) return rotation.normalized();
  expected("a quaternion [x, y, z, w] that is not 0");
  return Quatd::Identity();
}

TimeInterval Place::interval() const {
  const auto parts = numbers(2, "[begin, end] in seconds");
  if (parts[0] > parts[1]) expected("a begin before the end");
  return {parts[0], parts[1]};
}

void Place::read(std::string_view key, double& to, double least, double most) const {
  if (const Place place = at(key); place.exists()) to = place.number(least, most);
}
void Place::read(std::string_view key, int& to, int least, int most) const {
  if (const Place place = at(key); place.exists()) to = static_cast<int>(place.whole(least, most));
}
void Place::read(std::string_view key, bool& to) const {
  if (const Place place = at(key); place.exists()) to = place.flag();
}
void Place::read(std::string_view key, std::string& to) const {
  if (const Place place = at(key); place.exists()) to = place.text();
}

// Few numbers say more than their count.
std::string Place::found_list() const {
  constexpr std::size_t kFew = 6;
  const std::vector<Place> parts = inside();
  std::string numbers;
  for (const Place& part : parts) {
    const JsonReader::Kind kind = part.value().kind;
    if (parts.size() > kFew || (kind != JsonReader::Kind::integer && kind != JsonReader::Kind::number))
      return fmt::format("a list of {}", parts.size());
    numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", part.found());
  }
  return parts.empty() ? "a list of 0" : fmt::format("[{}]", numbers);
}

std::string Place::found() const {
  if (!exists()) return "nothing";
  switch (value().kind) {
    case JsonReader::Kind::null:
      return "null";
    case JsonReader::Kind::flag:
      return value().integer != 0 ? "true" : "false";
    case JsonReader::Kind::integer:
      return fmt::format("{}", value().integer);
    case JsonReader::Kind::number:
      return fmt::format("{}", value().number);
    case JsonReader::Kind::text:
      return fmt::format("\"{}\"", text_view().substr(0, 40));
    case JsonReader::Kind::list:
      return found_list();
    case JsonReader::Kind::object:
      return "an object";
  }
  return {};
}

void Place::expected(std::string_view what) const {
  wrong(fmt::format("{}, expected {}", found(), what));
}

void Place::wrong(std::string_view message) const {
  if (reader_->failed()) return;
  const std::string where =
      exists() ? reader_->where(index_) : fmt::format("{}/{}", reader_->where(parent_), missing_key_);
  reader_->complain(fmt::format("{}: {}{}{}", reader_->file_, where, where.empty() ? "" : ": ", message));
}

std::string json_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace shosa::documents
