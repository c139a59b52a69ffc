#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "shosa/core/clip_edit.h"
#include "shosa/segment/curve_clip.h"

namespace shosa::segment {
namespace {

constexpr std::string_view kMagic = "SHSCURV2";
static_assert(std::endian::native == std::endian::little, "the file is little endian and written as it lies in memory");

template <class T>
void put(std::string& out, const T& value) {
  const auto* bytes = reinterpret_cast<const char*>(&value);
  out.append(bytes, sizeof(T));
}

void put_text(std::string& out, const std::string& text) {
  const std::size_t length = std::min<std::size_t>(text.size(), 65535);
  put(out, static_cast<std::uint16_t>(length));
  out.append(text, 0, length);
}

int control_points(int frames, int spacing) {
  return static_cast<int>(std::max<std::int64_t>(1, (4ll * (frames - 1) + spacing - 1) / spacing) + 3);
}

}  // namespace

/// Reads with a place; every getter says whether the bytes were there.
class CurveReader {
 public:
  CurveReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  Result<CurveClip> read() {
    if (bytes_.substr(0, kMagic.size()) != kMagic) return bad("does not begin with {}", kMagic);
    at_ = kMagic.size();
    CurveClip out;
    if (auto ok = read_skeleton(out); !ok) return std::unexpected(ok.error());
    std::uint32_t frames = 0, translated = 0;
    if (!text(out.name_) || !get(frames) || !get(out.frame_time_s_) || !get(translated)) return bad("ends too soon");
    if (frames < 1 || frames > static_cast<std::uint32_t>(kMaxFrames))
      return bad("{} frames, expected 1 to {}", frames, kMaxFrames);
    if (!(out.frame_time_s_ > 0.0) || !std::isfinite(out.frame_time_s_))
      return bad("a frame time of {} s", out.frame_time_s_);
    out.frame_count_ = static_cast<int>(frames);
    const auto joints = static_cast<std::uint32_t>(out.skeleton_->joint_count());
    if (translated > joints) return bad("{} translated joints of {}", translated, joints);
    std::int64_t last = -1;
    for (std::uint32_t t = 0; t < translated; ++t) {
      std::uint32_t joint = 0;
      if (!get(joint)) return bad("ends too soon");
      if (joint >= joints || joint <= last) return bad("translated joint {} after {} of {}", joint, last, joints);
      last = joint;
      out.translated_.push_back(static_cast<JointIndex>(joint));
    }
    for (std::uint32_t i = 0; i < joints + translated; ++i) {
      auto curve = read_curve(out.frame_count_, i < joints);
      if (!curve) return std::unexpected(curve.error());
      (i < joints ? out.rotations_ : out.translations_).push_back(std::move(*curve));
    }
    if (at_ != bytes_.size()) return bad("{} bytes after the last curve", bytes_.size() - at_);
    return out;
  }

 private:
  template <class... Args>
  std::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::bad_file, "{}: byte {}: {}", name_, at_, fmt::format(text, std::forward<Args>(args)...));
  }
  template <class T>
  bool get(T& value) {
    if (bytes_.size() - at_ < sizeof(T)) return false;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return true;
  }
  bool text(std::string& out) {
    std::uint16_t length = 0;
    if (!get(length) || bytes_.size() - at_ < length) return false;
    out.assign(bytes_.substr(at_, length));
    at_ += length;
    return true;
  }
  bool floats(float* out, int count) {
    for (int i = 0; i < count; ++i) {
      if (!get(out[i]) || !std::isfinite(out[i])) return false;
    }
    return true;
  }

  Result<void> read_skeleton(CurveClip& out) {
    std::uint32_t joint_count = 0, site_count = 0;
    if (!get(joint_count)) return bad("ends too soon");
    // A joint takes at least 34 bytes, an end site 18.
    if (joint_count > bytes_.size() / 34) return bad("{} joints in {} bytes", joint_count, bytes_.size());
    std::vector<Joint> joints(joint_count);
    for (Joint& joint : joints) {
      float t[3], r[4];
      if (!text(joint.name) || !get(joint.parent) || !floats(t, 3) || !floats(r, 4))
        return bad("a joint that ends too soon or is not finite");
      joint.rest_translation_m = {t[0], t[1], t[2]};
      joint.rest_rotation = Quatf(r[3], r[0], r[1], r[2]);
    }
    if (!get(site_count)) return bad("ends too soon");
    if (site_count > bytes_.size() / 18) return bad("{} end sites in {} bytes", site_count, bytes_.size());
    std::vector<EndSite> sites(site_count);
    for (EndSite& site : sites) {
      float t[3];
      if (!text(site.name) || !get(site.parent) || !floats(t, 3))
        return bad("an end site that ends too soon or is not finite");
      site.offset_m = {t[0], t[1], t[2]};
    }
    auto skeleton = Skeleton::create(std::move(joints), std::move(sites));
    if (!skeleton) return bad("{}", skeleton.error().message);
    out.skeleton_ = std::make_shared<const Skeleton>(std::move(*skeleton));
    return {};
  }

  Result<CurveClip::Curve> read_curve(int frames, bool is_rotation) {
    CurveClip::Curve curve;
    std::uint8_t kind = 0;
    std::uint16_t spacing = 0;
    if (!get(kind) || !get(spacing)) return bad("ends too soon");
    if (kind > 2 || (kind == 2 && !is_rotation)) return bad("a curve of kind {}", kind);
    curve.kind = static_cast<CurveClip::Kind>(kind);
    if (is_rotation && curve.kind != CurveClip::Kind::quaternion) {
      float q[4];
      if (!floats(q, 4)) return bad("a rotation that ends too soon or is not finite");
      curve.middle = Quatf(q[3], q[0], q[1], q[2]);
      if (std::abs(curve.middle.norm() - 1.0f) > 1e-3f) return bad("a rotation of length {}", curve.middle.norm());
    }
    if (curve.kind == CurveClip::Kind::constant) {
      if (!is_rotation && !floats(curve.low, 3)) return bad("a translation that ends too soon or is not finite");
      return curve;
    }
    if (spacing < 4) return bad("a curve with spacing {}", spacing);
    curve.spacing = spacing;
    for (int p = 0; p < curve.parts(); ++p) {
      float pair[2];
      if (!floats(pair, 2) || std::abs(pair[0]) > 1e6f || !(pair[1] >= 0.0f) || pair[1] > 1e6f)
        return bad("a range that ends too soon or makes no sense");
      curve.low[p] = pair[0];
      curve.step[p] = pair[1];
      std::uint8_t bits = 0;
      if (!get(bits) || bits > 24) return bad("a part of {} bits, expected at most 24", bits);
      curve.bits[p] = bits;
    }
    curve.points = control_points(frames, spacing);
    const std::size_t size = curve.packed_bytes();
    if (bytes_.size() - at_ < size)
      return bad("{} control points need {} bytes, {} are left", curve.points, size, bytes_.size() - at_);
    curve.packed.assign((size + 3) / 4, 0u);
    std::copy_n(bytes_.data() + at_, size, reinterpret_cast<char*>(curve.packed.data()));  // often nothing at all
    at_ += size;
    return curve;
  }

  std::string_view bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

Result<CurveClip> CurveClip::from_bytes(std::string_view bytes, const std::string& name_for_errors) {
  return CurveReader(bytes, name_for_errors).read();
}

std::string CurveClip::to_bytes() const {
  std::string out(kMagic);
  put(out, static_cast<std::uint32_t>(skeleton_->joint_count()));
  for (const Joint& joint : skeleton_->joints()) {
    put_text(out, joint.name);
    put(out, joint.parent);
    for (int i = 0; i < 3; ++i) put(out, joint.rest_translation_m[i]);
    for (int i = 0; i < 4; ++i) put(out, joint.rest_rotation.coeffs()[i]);
  }
  put(out, static_cast<std::uint32_t>(skeleton_->end_sites().size()));
  for (const EndSite& site : skeleton_->end_sites()) {
    put_text(out, site.name);
    put(out, site.parent);
    for (int i = 0; i < 3; ++i) put(out, site.offset_m[i]);
  }
  put_text(out, name_);
  put(out, static_cast<std::uint32_t>(frame_count_));
  put(out, frame_time_s_);
  put(out, static_cast<std::uint32_t>(translated_.size()));
  for (const JointIndex joint : translated_) put(out, static_cast<std::uint32_t>(joint));
  for (const auto* list : {&rotations_, &translations_}) {
    const bool is_rotation = list == &rotations_;
    for (const Curve& curve : *list) {
      put(out, static_cast<std::uint8_t>(curve.kind));
      put(out, static_cast<std::uint16_t>(curve.spacing));
      if (is_rotation && curve.kind != Kind::quaternion) {
        for (int i = 0; i < 4; ++i) put(out, curve.middle.coeffs()[i]);
      }
      if (curve.kind == Kind::constant) {
        for (int i = 0; i < 3 && !is_rotation; ++i) put(out, curve.low[i]);
        continue;
      }
      for (int p = 0; p < curve.parts(); ++p) {
        put(out, curve.low[p]);
        put(out, curve.step[p]);
        put(out, static_cast<std::uint8_t>(curve.bits[p]));
      }
      out.append(reinterpret_cast<const char*>(curve.packed.data()), curve.packed_bytes());
    }
  }
  return out;
}

}  // namespace shosa::segment
