#include "documents/submovement_bytes.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "shosa/core/clip_edit.h"
#include "shosa/documents/submovement_file.h"

namespace shosa::documents {

bool make_unit(Quatd& rotation) {
  const double norm = rotation.norm();
  if (!(norm > 1e-6)) return false;
  if (std::abs(norm - 1.0) > 1e-5) rotation.coeffs() /= norm;
  return true;
}

namespace {

using submovement::BodyDecomposition;
using submovement::FootStance;
using submovement::PositionModel;
using submovement::PositionSubmovement;
using submovement::RotationModel;
using submovement::RotationSubmovement;
using submovement::StandingFoot;

static_assert(std::endian::native == std::endian::little, "the file is little endian and copied as it is");

// The first version had no feet.
constexpr std::string_view kMagic = "shosubm2", kFirstMagic = "shosubm1";
constexpr std::size_t kSubmovementBytes = 20;
constexpr std::uint8_t kHasBall = 1, kRises = 2, kHasRotation = 4, kHasHeel = 8;

class Writer {
 public:
  template <class T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  void text(std::string_view value) {
    put(static_cast<std::uint32_t>(value.size()));
    bytes.append(value);
  }
  void vector(const Vec3d& v) {
    for (int c = 0; c < 3; ++c) put(static_cast<float>(v(c)));
  }
  void rotation(const Quatd& q) {
    for (int c = 0; c < 4; ++c) put(static_cast<float>(q.coeffs()(c)));
  }
  void timing(double t0_s, double tf_s) {
    put(static_cast<float>(t0_s));
    put(static_cast<float>(tf_s));
  }
  std::string bytes;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  template <class T>
  T take() {
    T value{};
    if (bytes_.size() - at_ < sizeof(T)) {
      wrong("the file ends early");
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  float finite() {
    const float value = take<float>();
    if (!std::isfinite(value)) wrong("a number is not finite");
    return value;
  }
  Vec3f vector() {
    const float x = finite(), y = finite(), z = finite();
    return {x, y, z};
  }
  Quatd rotation() {
    Quatd value;
    for (int c = 0; c < 4; ++c) value.coeffs()(c) = finite();
    if (ok() && !make_unit(value)) wrong("a rotation is zero");
    return value;
  }
  std::string text() {
    const auto size = take<std::uint32_t>();
    if (size > bytes_.size() - at_) {
      wrong("a name is longer than the file");
      return {};
    }
    std::string value(bytes_.substr(at_, size));
    at_ += size;
    return value;
  }
  /// A number of things that take at least `each` bytes.
  std::size_t count(std::size_t each) {
    const auto value = take<std::uint32_t>();
    if (value > (bytes_.size() - at_) / each) {
      wrong("a count is larger than the rest of the file can hold");
      return 0;
    }
    return value;
  }
  void wrong(std::string_view what) {
    if (error_.empty()) error_ = fmt::format("{}: byte {}: {}", source_, at_, what);
  }
  bool ok() const { return error_.empty(); }
  bool at_end() const { return at_ == bytes_.size(); }
  std::unexpected<Error> error() const { return std::unexpected(Error{ErrorCode::bad_file, error_}); }

 private:
  std::string_view bytes_;
  std::string_view source_;
  std::size_t at_ = 0;
  std::string error_;
};

template <class Model, class Take>
void read_submovements(Reader& reader, Model& model, Take&& take) {
  const std::size_t count = reader.count(kSubmovementBytes);
  double before = -1e300;
  for (std::size_t k = 0; k < count && reader.ok(); ++k) {
    const double t0 = reader.finite(), tf = reader.finite();
    if (!(t0 < tf)) reader.wrong("a submovement ends before it starts");
    if (t0 < before) reader.wrong("submovements are not in the order of their starts");
    before = t0;
    model.submovements.push_back(take(t0, tf, reader.vector().template cast<double>()));
  }
}

Result<std::shared_ptr<const Skeleton>> read_skeleton(Reader& reader, std::string_view source) {
  std::vector<Joint> joints(reader.count(36));
  for (Joint& joint : joints) {
    if (!reader.ok()) break;
    joint.name = reader.text();
    joint.parent = reader.take<std::int32_t>();
    joint.rest_translation_m = reader.vector();
    joint.rest_rotation = reader.rotation().cast<float>();
  }
  std::vector<EndSite> sites(reader.ok() ? reader.count(20) : 0);
  for (EndSite& site : sites) {
    if (!reader.ok()) break;
    site.name = reader.text();
    site.parent = reader.take<std::int32_t>();
    site.offset_m = reader.vector();
  }
  if (!reader.ok()) return reader.error();
  auto skeleton = Skeleton::create(std::move(joints), std::move(sites));
  if (!skeleton) return fail(ErrorCode::bad_file, "{}: {}", source, skeleton.error().message);
  return std::make_shared<const Skeleton>(std::move(*skeleton));
}

void read_feet(Reader& reader, std::int32_t joints, BodyDecomposition& body) {
  const std::size_t feet = reader.ok() ? reader.count(12) : 0;
  for (std::size_t k = 0; k < feet && reader.ok(); ++k) {
    StandingFoot& foot = body.feet.emplace_back();
    foot.joint = reader.take<std::int32_t>();
    if (foot.joint < 0 || foot.joint >= joints) reader.wrong("a foot is no joint of the skeleton");
    foot.heel_rest_m = reader.finite();
    const std::size_t stances = reader.count(13);
    for (std::size_t i = 0; i < stances && reader.ok(); ++i) {
      FootStance& stance = foot.stances.emplace_back();
      stance.time = {reader.finite(), reader.finite()};
      if (stance.time.end_s < stance.time.begin_s) reader.wrong("a stance ends before it starts");
      stance.ground_m = reader.finite();
      const auto flags = reader.take<std::uint8_t>();
      if (flags >= 2 * kHasHeel) reader.wrong("a stance says what is not known");
      stance.rises = flags & kRises;
      if (flags & kHasBall) stance.ball_m = reader.vector().cast<double>();
      if (flags & kHasRotation) stance.rotation = reader.rotation();
      if (flags & kHasHeel) stance.heel_m = reader.vector().cast<double>();
    }
  }
}

}  // namespace

std::string encode_submovements(const BodyDecomposition& body) {
  Writer out;
  out.bytes = kMagic;
  out.put(static_cast<std::uint32_t>(body.frame_count));
  out.put(body.frame_time_s);
  out.text(body.name);
  out.put(static_cast<std::uint32_t>(body.skeleton->joint_count()));
  for (const Joint& joint : body.skeleton->joints()) {
    out.text(joint.name);
    out.put(static_cast<std::int32_t>(joint.parent));
    out.vector(joint.rest_translation_m.cast<double>());
    out.rotation(joint.rest_rotation.cast<double>());
  }
  out.put(static_cast<std::uint32_t>(body.skeleton->end_sites().size()));
  for (const EndSite& site : body.skeleton->end_sites()) {
    out.text(site.name);
    out.put(static_cast<std::int32_t>(site.parent));
    out.vector(site.offset_m.cast<double>());
  }
  for (const RotationModel& model : body.rotations) {
    out.rotation(model.start);
    out.put(static_cast<std::uint32_t>(model.submovements.size()));
    for (const auto& s : model.submovements) {
      out.timing(s.t0_s, s.tf_s);
      out.vector(s.rotation_rad);
    }
  }
  out.put(static_cast<std::uint32_t>(body.translated.size()));
  for (std::size_t k = 0; k < body.translated.size(); ++k) {
    out.put(static_cast<std::int32_t>(body.translated[k]));
    out.vector(body.translations[k].start_m);
    out.put(static_cast<std::uint32_t>(body.translations[k].submovements.size()));
    for (const auto& s : body.translations[k].submovements) {
      out.timing(s.t0_s, s.tf_s);
      out.vector(s.displacement_m);
    }
  }
  out.put(static_cast<std::uint32_t>(body.feet.size()));
  for (const StandingFoot& foot : body.feet) {
    out.put(static_cast<std::int32_t>(foot.joint));
    out.put(static_cast<float>(foot.heel_rest_m));
    out.put(static_cast<std::uint32_t>(foot.stances.size()));
    for (const FootStance& stance : foot.stances) {
      out.timing(stance.time.begin_s, stance.time.end_s);
      out.put(static_cast<float>(stance.ground_m));
      out.put(static_cast<std::uint8_t>((stance.ball_m ? kHasBall : 0) | (stance.rises ? kRises : 0) |
                                        (stance.rotation ? kHasRotation : 0) | (stance.heel_m ? kHasHeel : 0)));
      if (stance.ball_m) out.vector(*stance.ball_m);
      if (stance.rotation) out.rotation(*stance.rotation);
      if (stance.heel_m) out.vector(*stance.heel_m);
    }
  }
  return std::move(out.bytes);
}

Result<BodyDecomposition> decode_submovements(std::string_view bytes, std::string_view source) {
  const bool first_version = bytes.starts_with(kFirstMagic);
  if (!first_version && !bytes.starts_with(kMagic))
    return fail(ErrorCode::bad_file, "{}: byte 0: expected '{}', the first bytes of a submovement file", source,
                kMagic);
  Reader reader(bytes, source);
  for (std::size_t i = 0; i < kMagic.size(); ++i) reader.take<char>();
  BodyDecomposition body;
  const auto frames = reader.take<std::uint32_t>();
  body.frame_time_s = reader.take<double>();
  if (frames < 1 || frames > static_cast<std::uint32_t>(kMaxFrames)) reader.wrong("the frame count makes no sense");
  if (!(body.frame_time_s > 0.0) || !std::isfinite(body.frame_time_s)) reader.wrong("the frame time is not above 0");
  body.name = reader.text();
  if (!reader.ok()) return reader.error();
  body.frame_count = static_cast<int>(frames);

  auto skeleton = read_skeleton(reader, source);
  if (!skeleton) return std::unexpected(skeleton.error());
  body.skeleton = std::move(*skeleton);
  const auto joints = static_cast<std::size_t>(body.skeleton->joint_count());
  if (std::uint64_t{joints} * frames > kMaxSampleBytes / 32) reader.wrong("more samples than a clip can hold");

  for (std::size_t joint = 0; joint < joints && reader.ok(); ++joint) {
    RotationModel& model = body.rotations.emplace_back();
    model.start = reader.rotation();
    read_submovements(reader, model, [](double t0, double tf, const Vec3d& v) {
      return RotationSubmovement{t0, tf, v};
    });
  }
  const std::size_t translated = reader.ok() ? reader.count(20) : 0;
  for (std::size_t k = 0; k < translated && reader.ok(); ++k) {
    const auto joint = reader.take<std::int32_t>();
    if (joint < 0 || joint >= static_cast<std::int32_t>(joints) ||
        (!body.translated.empty() && joint <= body.translated.back()))
      reader.wrong("translated joints are not ascending joints of the skeleton");
    body.translated.push_back(joint);
    PositionModel& model = body.translations.emplace_back();
    model.start_m = reader.vector().cast<double>();
    read_submovements(reader, model, [](double t0, double tf, const Vec3d& v) {
      return PositionSubmovement{t0, tf, v};
    });
  }
  if (!first_version) read_feet(reader, static_cast<std::int32_t>(joints), body);
  if (reader.ok() && !reader.at_end()) reader.wrong("more bytes than the file should have");
  if (!reader.ok()) return reader.error();
  return body;
}

}  // namespace shosa::documents
