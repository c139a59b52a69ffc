#include "documents/kept_clips.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace shosa::documents {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kKeptMagic = "shosa clips 1\n";

/// What stands before the samples of a clip, after its name.
struct KeptHeader {
  std::uint32_t frames = 0, joints = 0, translated = 0, unused = 0;
  double frame_time_s = 0.0;
};

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class KeptReader {
 public:
  explicit KeptReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  std::optional<std::string_view> text(std::size_t size) {
    if (size > rest_.size()) return std::nullopt;
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  template <class T>
  std::optional<T> take() {
    const auto bytes = text(sizeof(T));
    if (!bytes) return std::nullopt;
    T value;
    std::memcpy(&value, bytes->data(), sizeof(T));
    return value;
  }

 private:
  std::string_view rest_;
};

std::optional<graph::NamedClip> take_clip(KeptReader& reader, const std::shared_ptr<const Skeleton>& skeleton) {
  const auto name_size = reader.take<std::uint32_t>();
  const auto name = name_size ? reader.text(*name_size) : std::nullopt;
  const auto header = name ? reader.take<KeptHeader>() : std::nullopt;
  if (!header || header->frames < 1 || header->joints != static_cast<std::uint32_t>(skeleton->joint_count()) ||
      header->translated > header->joints || !std::isfinite(header->frame_time_s) || header->frame_time_s <= 0.0)
    return std::nullopt;
  std::vector<JointIndex> translated;
  for (std::uint32_t i = 0; i < header->translated; ++i) {
    const auto joint = reader.take<std::int32_t>();
    if (!joint || *joint >= skeleton->joint_count() || *joint <= (i == 0 ? -1 : translated.back())) return std::nullopt;
    translated.push_back(*joint);
  }
  const std::size_t frame_bytes = sizeof(float) * (4 * std::size_t{header->joints} + 3 * translated.size());
  if (header->frames > reader.left() / frame_bytes) return std::nullopt;
  Clip clip(skeleton, static_cast<int>(header->frames), header->frame_time_s, translated);
  for (int f = 0; f < clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      const auto c = *reader.take<std::array<float, 4>>();
      clip.set_rotation(f, j, Quatf(c[3], c[0], c[1], c[2]));
    }
    for (const JointIndex j : translated) {
      const auto c = *reader.take<std::array<float, 3>>();
      clip.set_translation(f, j, {c[0], c[1], c[2]});
    }
  }
  return graph::NamedClip{std::string(*name), std::move(clip)};
}

}  // namespace

std::string format_kept_clips(const graph::MotionSet& set, const std::vector<std::string>& names) {
  std::string bytes(kKeptMagic);
  for (const std::string& name : names) {
    const int found = set.find(name);
    if (found < 0) continue;
    const Clip& clip = set.clips[found].clip();
    put(bytes, static_cast<std::uint32_t>(name.size()));
    bytes += name;
    put(bytes,
        KeptHeader{static_cast<std::uint32_t>(clip.frame_count()), static_cast<std::uint32_t>(clip.joint_count()),
                   static_cast<std::uint32_t>(clip.translated().size()), 0, clip.frame_time_s()});
    for (const JointIndex j : clip.translated()) put(bytes, static_cast<std::int32_t>(j));
    for (int f = 0; f < clip.frame_count(); ++f) {
      for (JointIndex j = 0; j < clip.joint_count(); ++j) {
        const Quatf q = clip.rotation(f, j);
        put(bytes, std::array<float, 4>{q.x(), q.y(), q.z(), q.w()});
      }
      for (const JointIndex j : clip.translated()) {
        const Vec3f t = clip.translation(f, j);
        put(bytes, std::array<float, 3>{t.x(), t.y(), t.z()});
      }
    }
  }
  return bytes;
}

Result<std::vector<graph::NamedClip>> parse_kept_clips(std::string_view bytes,
                                                       const std::shared_ptr<const Skeleton>& skeleton) {
  KeptReader reader(bytes);
  if (reader.text(kKeptMagic.size()) != kKeptMagic) return fail(ErrorCode::bad_file, "holds no kept clips");
  std::vector<graph::NamedClip> clips;
  while (!reader.at_end()) {
    auto clip = take_clip(reader, skeleton);
    if (!clip) {
      return fail(ErrorCode::bad_file, "{} bytes before its end: no clip of {} joints", reader.left(),
                  skeleton->joint_count());
    }
    clips.push_back(std::move(*clip));
  }
  return clips;
}

}  // namespace shosa::documents
