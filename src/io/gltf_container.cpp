#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/file_text.h"
#include "io/gltf_document.h"
#include "shosa/core/json_depth.h"
#include "shosa/io/read_text.h"

namespace shosa::io {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are little endian and are used as they are");

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{8} << 30;

std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, 4);
  return value;
}

/// Where a text stops being JSON.
class SyntaxFault : public nlohmann::json_sax<Json> {
 public:
  std::size_t byte = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    byte = position > 0 ? position - 1 : 0;
    return false;
  }
};

Json parse_json(std::string_view text, std::size_t offset, GltfFault& fault) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
    offset += 3;
  }
  if (const auto byte = too_deep_at(text)) {
    fault.note(fmt::format("byte {}", offset + *byte), "JSON nested deeper than {} levels", kMaxJsonDepth);
    return Json::object();
  }
  Json json = Json::parse(text, nullptr, false);
  if (json.is_object()) return json;
  SyntaxFault syntax;
  if (json.is_discarded()) {
    Json::sax_parse(text, &syntax);
    fault.note(fmt::format("byte {}", offset + syntax.byte), "not valid JSON");
  } else {
    fault.note(fmt::format("byte {}", offset), "JSON {}, expected an object", json.type_name());
  }
  return Json::object();
}

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Bytes decode_base64(std::string_view text, const GltfPlace& where) {
  static const std::array<std::int8_t, 256> values = [] {
    std::array<std::int8_t, 256> table;
    table.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
      table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    }
    table['-'] = 62;
    table['_'] = 63;
    return table;
  }();
  Bytes bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '=') break;
    const int value = values[static_cast<unsigned char>(text[i])];
    if (value < 0) {
      where.wrong("character {} of the base64 data is none of base64", i);
      return {};
    }
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xFFFFFF;
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      bytes.push_back(static_cast<std::byte>(bits >> bit_count & 0xFF));
    }
  }
  return bytes;
}

std::string encode_base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    std::uint32_t bits = std::to_integer<std::uint32_t>(bytes[i]) << 16;
    if (left > 1) bits |= std::to_integer<std::uint32_t>(bytes[i + 1]) << 8;
    if (left > 2) bits |= std::to_integer<std::uint32_t>(bytes[i + 2]);
    text += kAlphabet[bits >> 18];
    text += kAlphabet[bits >> 12 & 63];
    text += left > 1 ? kAlphabet[bits >> 6 & 63] : '=';
    text += left > 2 ? kAlphabet[bits & 63] : '=';
  }
  return text;
}

Bytes load_uri(const std::string& uri, const std::filesystem::path& base_dir, const GltfPlace& where) {
  if (is_data_uri(uri)) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string::npos || uri.find(";base64") > comma) {
      where.wrong("data URI without base64 data");
      return {};
    }
    return decode_base64(std::string_view(uri).substr(comma + 1), where);
  }
  const std::optional<std::filesystem::path> path = local_path(uri, base_dir);
  if (!path) {
    where.wrong("'{}' is no file in this one's folder", uri.substr(0, 80));
    return {};
  }
  std::optional<Bytes> bytes = read_bytes(*path);
  if (!bytes) where.wrong("buffer file '{}' cannot be read", path->string());
  return std::move(bytes).value_or(Bytes());
}

void load_buffers(GltfDocument& document, std::optional<std::span<const std::byte>> binary, GltfFault& fault) {
  const GltfPlace root{fault};
  const Json& buffers = array_at(document.json, "buffers", root);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < buffers.size() && !fault.found(); ++i) {
    const GltfPlace where = root.item("buffers", i);
    if (!buffers[i].is_object()) return where.wrong("{}, expected an object", buffers[i].type_name());
    const std::size_t length = size_at(buffers[i], "byteLength", 0, where);
    const std::string uri = string_at(buffers[i], "uri", where);
    Bytes bytes;
    if (!uri.empty()) {
      bytes = load_uri(uri, document.base_dir, where.key("uri"));
    } else if (i == 0 && binary) {
      bytes.assign(binary->begin(), binary->end());
    } else if (length > 0 && object_at(buffers[i], "extensions", where).empty()) {
      return where.wrong("no uri and no binary chunk, expected {} bytes", length);
    } else {
      // A buffer that an extension fills (EXT_meshopt_compression): it holds nothing here.
      document.buffers.emplace_back();
      continue;
    }
    // Many buffers may name the same file.
    if ((total += bytes.size()) > kMaxBufferBytes) {
      return where.wrong("buffers of more than {} bytes", kMaxBufferBytes);
    }
    if (bytes.size() < length) return where.wrong("{} bytes, expected {}", bytes.size(), length);
    bytes.resize(length);
    document.buffers.push_back(std::move(bytes));
  }
}

void append_u32(std::string& out, std::uint32_t value) {
  const auto bytes = std::bit_cast<std::array<char, 4>>(value);
  out.append(bytes.data(), bytes.size());
}

void set_uri(Json& buffer, const Bytes& bytes) {
  // A buffer without bytes belongs to an extension and stays as it is.
  if (bytes.empty()) return;
  buffer["uri"] = "data:application/octet-stream;base64," + encode_base64(bytes);
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

bool is_data_uri(const std::string& uri) {
  return uri.starts_with("data:");
}

std::optional<std::filesystem::path> local_path(const std::string& uri, const std::filesystem::path& base_dir) {
  if (base_dir.empty() || uri.empty() || uri.find("://") != std::string::npos) return std::nullopt;
  std::string decoded;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto hex = [](char c) -> int {
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      if (c >= 'A' && c <= 'F') return c - 'A' + 10;
      return -1;
    };
    if (uri[i] == '%' && i + 2 < uri.size() && hex(uri[i + 1]) >= 0 && hex(uri[i + 2]) >= 0) {
      decoded += static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2]));
      i += 2;
    } else {
      decoded += uri[i];
    }
  }
  if (decoded.find('\0') != std::string::npos) return std::nullopt;
  const std::filesystem::path relative(decoded);
  if (relative.is_absolute() || *relative.lexically_normal().begin() == "..") return std::nullopt;
  return base_dir / relative;
}

std::optional<Bytes> read_bytes(const std::filesystem::path& path) {
  const Result<FileText> text = is_plain_file(path) ? read_file(path) : fail(ErrorCode::cannot_read, "no file");
  if (!text) return std::nullopt;
  const auto bytes = std::as_bytes(std::span(text->view()));
  return Bytes(bytes.begin(), bytes.end());
}

namespace {

struct Chunks {
  std::span<const std::byte> json;
  std::size_t json_offset = 0;
  std::optional<std::span<const std::byte>> binary;
};

/// The parts of a GLB, or the whole as JSON.
Chunks split(std::span<const std::byte> bytes, GltfFault& fault) {
  if (bytes.size() < 4 || read_u32(bytes, 0) != kMagic) return {bytes};
  const auto wrong = [&]<class... Args>(std::size_t byte, fmt::format_string<Args...> text, Args&&... args) -> Chunks {
    fault.note(fmt::format("byte {}", byte), text, std::forward<Args>(args)...);
    return {};
  };
  if (bytes.size() < 20) return wrong(0, "{} bytes, expected at least 20 of a GLB header", bytes.size());
  if (read_u32(bytes, 4) != 2) return wrong(4, "GLB version {}, expected 2", read_u32(bytes, 4));
  const std::size_t length = read_u32(bytes, 8);
  if (length > bytes.size()) return wrong(8, "length {}, but the file has {} bytes", length, bytes.size());
  const std::size_t json_length = read_u32(bytes, 12);
  if (read_u32(bytes, 16) != kJsonChunk) return wrong(16, "expected the JSON chunk first");
  if (json_length > bytes.size() - 20) return wrong(12, "JSON chunk of {} bytes is cut off", json_length);
  Chunks chunks{bytes.subspan(20, json_length), 20};
  const std::size_t next = 20 + json_length;
  if (bytes.size() - next >= 8 && read_u32(bytes, next + 4) == kBinChunk) {
    const std::size_t binary_length = read_u32(bytes, next);
    if (binary_length > bytes.size() - next - 8) {
      return wrong(next, "binary chunk of {} bytes is cut off", binary_length);
    }
    chunks.binary = bytes.subspan(next + 8, binary_length);
  }
  return chunks;
}

}  // namespace

GltfDocument load_document(std::span<const std::byte> bytes, const std::filesystem::path& base_dir, GltfFault& fault) {
  GltfDocument document;
  document.base_dir = base_dir;
  const Chunks chunks = split(bytes, fault);
  if (fault.found()) return document;
  const std::string_view text(reinterpret_cast<const char*>(chunks.json.data()), chunks.json.size());
  document.json = parse_json(text, chunks.json_offset, fault);
  if (fault.found()) return document;

  const GltfPlace root{fault};
  const std::string version = string_at(object_at(document.json, "asset", root), "version", root.key("asset"));
  if (!version.starts_with("2.")) root.key("asset.version").wrong("'{}', expected 2.0", version.substr(0, 20));
  if (!fault.found()) load_buffers(document, chunks.binary, fault);
  return document;
}

std::string glb_bytes(Json json, const std::vector<Bytes>& buffers, GltfFault& fault) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (i == 0 && !buffers[i].empty()) {
      json["buffers"][i].erase("uri");
    } else {
      set_uri(json["buffers"][i], buffers[i]);
    }
  }
  std::string text = dump(json);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const Bytes* binary = buffers.empty() || buffers[0].empty() ? nullptr : &buffers[0];
  const std::size_t binary_length = binary != nullptr ? (binary->size() + 3) / 4 * 4 : 0;
  const std::size_t length = 20 + text.size() + (binary != nullptr ? 8 + binary_length : 0);
  if (length > 0xFFFFFFFFu) {
    fault.note("GLB", "{} bytes, more than the format's 4 GB", length);
    return {};
  }

  std::string out;
  out.reserve(length);
  append_u32(out, kMagic);
  append_u32(out, 2);
  append_u32(out, static_cast<std::uint32_t>(length));
  append_u32(out, static_cast<std::uint32_t>(text.size()));
  append_u32(out, kJsonChunk);
  out += text;
  if (binary != nullptr) {
    append_u32(out, static_cast<std::uint32_t>(binary_length));
    append_u32(out, kBinChunk);
    out.append(reinterpret_cast<const char*>(binary->data()), binary->size());
    out.resize(length, '\0');
  }
  return out;
}

std::string gltf_bytes(Json json, const std::vector<Bytes>& buffers) {
  for (std::size_t i = 0; i < buffers.size(); ++i) set_uri(json["buffers"][i], buffers[i]);
  return dump(json);
}

}  // namespace shosa::io
