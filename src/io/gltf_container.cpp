#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/file_text.h"
#include "io/gltf_document.h"
#include "shosa/core/json_depth.h"

namespace shosa::io {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are little endian and are used as they are");

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kMaxBufferBytes = std::size_t{8} << 30;

std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, 4);
  return value;
}

Json parse_json(std::string_view text, std::size_t offset) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
    offset += 3;
  }
  if (const auto byte = too_deep_at(text)) {
    throw GltfError(fmt::format("byte {}", offset + *byte), "JSON nested deeper than {} levels", kMaxJsonDepth);
  }
  try {
    Json json = Json::parse(text);
    if (!json.is_object())
      throw GltfError(fmt::format("byte {}", offset), "JSON {}, expected an object", json.type_name());
    return json;
  } catch (const Json::parse_error& error) {
    const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
    throw GltfError(fmt::format("byte {}", offset + byte), "not valid JSON");
  }
}

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Bytes decode_base64(std::string_view text, const std::string& where) {
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
    if (value < 0) throw GltfError(where, "character {} of the base64 data is none of base64", i);
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

Bytes load_uri(const std::string& uri, const std::filesystem::path& base_dir, const std::string& where) {
  if (is_data_uri(uri)) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string::npos || uri.find(";base64") > comma) {
      throw GltfError(where, "data URI without base64 data");
    }
    return decode_base64(std::string_view(uri).substr(comma + 1), where);
  }
  const std::optional<std::filesystem::path> path = local_path(uri, base_dir);
  if (!path) throw GltfError(where, "'{}' is no file in this one's folder", uri.substr(0, 80));
  std::optional<Bytes> bytes = read_bytes(*path);
  if (!bytes) throw GltfError(where, "buffer file '{}' cannot be read", path->string());
  return std::move(*bytes);
}

void load_buffers(GltfDocument& document, std::optional<std::span<const std::byte>> binary) {
  const Json& buffers = array_at(document.json, "buffers", "");
  std::size_t total = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::string where = item("buffers", i);
    const std::size_t length = size_at(buffers[i], "byteLength", 0, where);
    const std::string uri = string_at(buffers[i], "uri", where);
    Bytes bytes;
    if (!uri.empty()) {
      bytes = load_uri(uri, document.base_dir, where + ".uri");
    } else if (i == 0 && binary) {
      bytes.assign(binary->begin(), binary->end());
    } else if (length > 0 && object_at(buffers[i], "extensions", where).empty()) {
      throw GltfError(where, "no uri and no binary chunk, expected {} bytes", length);
    } else {
      // A buffer that an extension fills (EXT_meshopt_compression): it holds nothing here.
      document.buffers.emplace_back();
      continue;
    }
    // Many buffers may name the same file.
    if ((total += bytes.size()) > kMaxBufferBytes)
      throw GltfError(where, "buffers of more than {} bytes", kMaxBufferBytes);
    if (bytes.size() < length) throw GltfError(where, "{} bytes, expected {}", bytes.size(), length);
    bytes.resize(length);
    document.buffers.push_back(std::move(bytes));
  }
}

void append_u32(Bytes& out, std::uint32_t value) {
  const auto bytes = std::bit_cast<std::array<std::byte, 4>>(value);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_text(Bytes& out, const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), begin, begin + text.size());
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
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const Result<FileText> text = read_file(path);
  if (!text) return std::nullopt;
  const auto bytes = std::as_bytes(std::span(text->view()));
  return Bytes(bytes.begin(), bytes.end());
}

GltfDocument load_document(std::span<const std::byte> bytes, const std::filesystem::path& base_dir) {
  GltfDocument document;
  document.base_dir = base_dir;
  std::optional<std::span<const std::byte>> binary;
  const auto text_of = [](std::span<const std::byte> span) {
    return std::string_view(reinterpret_cast<const char*>(span.data()), span.size());
  };

  if (bytes.size() >= 4 && read_u32(bytes, 0) == kMagic) {
    if (bytes.size() < 20) throw GltfError("byte 0", "{} bytes, expected at least 20 of a GLB header", bytes.size());
    if (read_u32(bytes, 4) != 2) throw GltfError("byte 4", "GLB version {}, expected 2", read_u32(bytes, 4));
    const std::size_t length = read_u32(bytes, 8);
    if (length > bytes.size()) throw GltfError("byte 8", "length {}, but the file has {} bytes", length, bytes.size());
    const std::size_t json_length = read_u32(bytes, 12);
    if (read_u32(bytes, 16) != kJsonChunk) throw GltfError("byte 16", "expected the JSON chunk first");
    if (json_length > bytes.size() - 20) throw GltfError("byte 12", "JSON chunk of {} bytes is cut off", json_length);
    document.json = parse_json(text_of(bytes.subspan(20, json_length)), 20);
    const std::size_t next = 20 + json_length;
    if (bytes.size() - next >= 8 && read_u32(bytes, next + 4) == kBinChunk) {
      const std::size_t binary_length = read_u32(bytes, next);
      if (binary_length > bytes.size() - next - 8) {
        throw GltfError(fmt::format("byte {}", next), "binary chunk of {} bytes is cut off", binary_length);
      }
      binary = bytes.subspan(next + 8, binary_length);
    }
  } else {
    document.json = parse_json(text_of(bytes), 0);
  }

  const std::string version = string_at(object_at(document.json, "asset", ""), "version", "asset");
  if (!version.starts_with("2.")) throw GltfError("asset.version", "'{}', expected 2.0", version.substr(0, 20));
  load_buffers(document, binary);
  return document;
}

Bytes glb_bytes(Json json, const std::vector<Bytes>& buffers) {
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
  if (length > 0xFFFFFFFFu) throw GltfError("GLB", "{} bytes, more than the format's 4 GB", length);

  Bytes out;
  out.reserve(length);
  append_u32(out, kMagic);
  append_u32(out, 2);
  append_u32(out, static_cast<std::uint32_t>(length));
  append_u32(out, static_cast<std::uint32_t>(text.size()));
  append_u32(out, kJsonChunk);
  append_text(out, text);
  if (binary != nullptr) {
    append_u32(out, static_cast<std::uint32_t>(binary_length));
    append_u32(out, kBinChunk);
    out.insert(out.end(), binary->begin(), binary->end());
    out.resize(length, std::byte{0});
  }
  return out;
}

Bytes gltf_bytes(Json json, const std::vector<Bytes>& buffers) {
  for (std::size_t i = 0; i < buffers.size(); ++i) set_uri(json["buffers"][i], buffers[i]);
  Bytes out;
  append_text(out, dump(json));
  return out;
}

}  // namespace shosa::io
