#include <cmath>
#include <map>

#include "documents/json_reader.h"
#include "documents/submovement_bytes.h"
#include "shosa/core/clip_edit.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/io/atomic_file.h"

namespace shosa::documents {

namespace {

using submovement::BodyDecomposition;
using submovement::FootStance;
using submovement::PositionModel;
using submovement::RotationModel;
using submovement::StandingFoot;

constexpr int kVersion = 2;

// The shortest digits that read back to the same single-precision number.
std::string digits(double value) {
  if (value == 0.0) return std::signbit(value) ? "-0.0" : "0";
  return fmt::format("{}", static_cast<float>(value));
}
std::string digits(const Vec3d& v) {
  return fmt::format("[{}, {}, {}]", digits(v.x()), digits(v.y()), digits(v.z()));
}
std::string digits(const Quatd& q) {
  return fmt::format("[{}, {}, {}, {}]", digits(q.x()), digits(q.y()), digits(q.z()), digits(q.w()));
}

template <class Model, class Move>
std::string format_model(const std::string& start, const Model& model, const char* key, Move&& move) {
  std::string text = fmt::format("{{{}, \"submovements\": [", start);
  const char* before = "\n      ";
  for (const auto& s : model.submovements) {
    text += fmt::format("{}{{\"t0_s\": {}, \"tf_s\": {}, \"{}\": {}}}", before, digits(s.t0_s), digits(s.tf_s), key,
                        digits(Vec3d(move(s))));
    before = ",\n      ";
  }
  return text + "]}";
}

std::string format_stance(const FootStance& stance) {
  std::string text = fmt::format("{{\"from_s\": {}, \"to_s\": {}, \"ground_m\": {}", digits(stance.time.begin_s),
                                 digits(stance.time.end_s), digits(stance.ground_m));
  if (stance.ball_m) text += fmt::format(", \"ball_m\": {}", digits(*stance.ball_m));
  if (stance.rises) text += ", \"rises\": true";
  if (stance.rotation) text += fmt::format(", \"rotation\": {}", digits(*stance.rotation));
  if (stance.heel_m) text += fmt::format(", \"heel_m\": {}", digits(*stance.heel_m));
  return text + "}";
}

// Numbers as single precision holds them.
double single(const Place& at) {
  const double value = static_cast<float>(at.number());
  if (!std::isfinite(value)) at.expected("a number up to 3.4e38");
  return std::isfinite(value) ? value : 0.0;
}
template <int Size>
Eigen::Matrix<double, Size, 1> singles(const Place& at, std::string_view form) {
  Eigen::Matrix<double, Size, 1> values = Eigen::Matrix<double, Size, 1>::Zero();
  const auto parts = at.inside();
  if (!at.is_list() || parts.size() != Size) return at.expected(form), values;
  for (int i = 0; i < Size; ++i) values(i) = single(parts[i]);
  return values;
}
Vec3d vector(const Place& at) {
  return singles<3>(at, "[x, y, z]");
}
Quatd rotation(const Place& at) {
  Quatd value(singles<4>(at, "[x, y, z, w]"));
  if (make_unit(value)) return value;
  at.expected("a rotation [x, y, z, w] that is not 0");
  return Quatd::Identity();
}

class BodyReader {
 public:
  BodyReader(std::string_view text, const std::string& file) : reader_(text, file) {}

  Result<BodyDecomposition> read() {
    const Place whole = reader_.root();
    whole.only({"submovements", "name", "frame_count", "frame_time_s", "joints", "end_sites", "feet"});
    if (whole.at("submovements").whole() != kVersion)
      whole.at("submovements").expected(fmt::format("{}, the version of the form", kVersion));
    whole.read("name", body_.name);
    body_.frame_count = static_cast<int>(whole.at("frame_count").whole(1, kMaxFrames));
    body_.frame_time_s = whole.at("frame_time_s").number(kAboveZero);
    for (const Place& at : whole.at("joints").list(1)) read_joint(at);
    for (const Place& at : whole.list_or_none("end_sites")) {
      at.only({"name", "parent", "offset_m"});
      sites_.push_back({.name = at.at("name").text(),
                        .parent = joint(at.at("parent")),
                        .offset_m = vector(at.at("offset_m")).cast<float>()});
    }
    for (const Place& at : whole.list_or_none("feet")) read_foot(at);
    if (std::uint64_t{joints_.size()} * static_cast<std::uint64_t>(body_.frame_count) > kMaxSampleBytes / 32)
      whole.at("frame_count").expected("no more samples than a clip can hold");
    if (reader_.failed()) return reader_.finish(BodyDecomposition{});
    auto skeleton = Skeleton::create(std::move(joints_), std::move(sites_));
    if (!skeleton) return fail(ErrorCode::bad_file, "{}: /joints: {}", reader_.file(), skeleton.error().message);
    body_.skeleton = std::make_shared<const Skeleton>(std::move(*skeleton));
    return std::move(body_);
  }

 private:
  // One that was read before.
  JointIndex joint(const Place& at) const {
    const auto found = index_.find(at.text());
    if (found != index_.end()) return found->second;
    at.expected("the name of a joint before this");
    return 0;
  }

  void read_joint(const Place& at) {
    at.only({"name", "parent", "rest_translation_m", "rest_rotation", "rotation", "translation"});
    const auto index = static_cast<JointIndex>(joints_.size());
    Joint& own = joints_.emplace_back();
    own.name = at.at("name").text();
    if (!at.at("parent").is_null()) own.parent = joint(at.at("parent"));
    own.rest_translation_m = vector(at.at("rest_translation_m")).cast<float>();
    own.rest_rotation = rotation(at.at("rest_rotation")).cast<float>();
    index_.emplace(own.name, index);
    RotationModel& turns = body_.rotations.emplace_back();
    turns.start = rotation(at.at("rotation").at("start"));
    read_model(at.at("rotation"), "start", "rotation_rad", turns);
    if (!at.has("translation")) return;
    body_.translated.push_back(index);
    PositionModel& moves = body_.translations.emplace_back();
    moves.start_m = vector(at.at("translation").at("start_m"));
    read_model(at.at("translation"), "start_m", "displacement_m", moves);
  }

  template <class Model>
  void read_model(const Place& at, std::string_view start, std::string_view move, Model& model) {
    at.only({start, "submovements"});
    double before = -1e300;
    for (const Place& own : at.at("submovements").list()) {
      own.only({"t0_s", "tf_s", move});
      const double t0 = single(own.at("t0_s")), tf = single(own.at("tf_s"));
      if (!(t0 < tf)) own.expected("t0_s before tf_s");
      if (t0 < before) own.expected("submovements in the order of their starts");
      before = t0;
      model.submovements.push_back({t0, tf, vector(own.at(move))});
    }
  }

  void read_foot(const Place& at) {
    at.only({"joint", "heel_rest_m", "stances"});
    StandingFoot& foot = body_.feet.emplace_back();
    foot.joint = joint(at.at("joint"));
    foot.heel_rest_m = single(at.at("heel_rest_m"));
    for (const Place& own : at.at("stances").list()) {
      own.only({"from_s", "to_s", "ground_m", "ball_m", "rises", "rotation", "heel_m"});
      FootStance& stance = foot.stances.emplace_back();
      stance.time = {single(own.at("from_s")), single(own.at("to_s"))};
      if (stance.time.end_s < stance.time.begin_s) own.expected("from_s no later than to_s");
      stance.ground_m = single(own.at("ground_m"));
      if (own.has("ball_m")) stance.ball_m = vector(own.at("ball_m"));
      if (own.has("rotation")) stance.rotation = rotation(own.at("rotation"));
      if (own.has("heel_m")) stance.heel_m = vector(own.at("heel_m"));
      own.read("rises", stance.rises);
    }
  }

  JsonReader reader_;
  BodyDecomposition body_;
  std::vector<Joint> joints_;
  std::vector<EndSite> sites_;
  std::map<std::string, JointIndex> index_;
};

}  // namespace

std::string format_submovements(const BodyDecomposition& body) {
  const Skeleton& skeleton = *body.skeleton;
  std::string text = fmt::format(
      "{{\"submovements\": {},\n \"name\": {},\n \"frame_count\": {}, \"frame_time_s\": {},\n \"joints\": [", kVersion,
      json_quoted(body.name), body.frame_count, body.frame_time_s);
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const Joint& joint = skeleton.joint(j);
    const RotationModel& turns = body.rotations[j];
    text += fmt::format("{}\n  {{\"name\": {}, \"parent\": {},\n   \"rest_translation_m\": {}, \"rest_rotation\": {}",
                        j == 0 ? "" : ",", json_quoted(joint.name),
                        joint.parent == kNoJoint ? "null" : json_quoted(skeleton.name(joint.parent)),
                        digits(Vec3d(joint.rest_translation_m.cast<double>())),
                        digits(Quatd(joint.rest_rotation.cast<double>())));
    const auto moving = std::find(body.translated.begin(), body.translated.end(), j);
    if (moving != body.translated.end()) {
      const PositionModel& moves = body.translations[moving - body.translated.begin()];
      text += ",\n   \"translation\": " + format_model("\"start_m\": " + digits(moves.start_m), moves, "displacement_m",
                                                       [](const auto& s) { return s.displacement_m; });
    }
    text += ",\n   \"rotation\": " + format_model("\"start\": " + digits(turns.start), turns, "rotation_rad",
                                                  [](const auto& s) { return s.rotation_rad; });
    text += "}";
  }
  text += "],\n \"end_sites\": [";
  const char* before = "\n  ";
  for (const EndSite& site : skeleton.end_sites()) {
    text += fmt::format("{}{{\"name\": {}, \"parent\": {}, \"offset_m\": {}}}", before, json_quoted(site.name),
                        json_quoted(skeleton.name(site.parent)), digits(Vec3d(site.offset_m.cast<double>())));
    before = ",\n  ";
  }
  text += "],\n \"feet\": [";
  before = "\n  ";
  for (const StandingFoot& foot : body.feet) {
    text += fmt::format("{}{{\"joint\": {}, \"heel_rest_m\": {}, \"stances\": [", before,
                        json_quoted(skeleton.name(foot.joint)), digits(foot.heel_rest_m));
    for (std::size_t k = 0; k < foot.stances.size(); ++k)
      text += fmt::format("{}\n    {}", k == 0 ? "" : ",", format_stance(foot.stances[k]));
    text += "]}";
    before = ",\n  ";
  }
  text += "]}\n";
  return text;
}

Result<BodyDecomposition> parse_submovements(std::string_view bytes, const std::string& file) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool text = first != std::string_view::npos && bytes[first] == '{';
  return text ? BodyReader(bytes, file).read() : decode_submovements(bytes, file);
}

Result<void> write_submovements(const std::string& path, const BodyDecomposition& body) {
  return io::write_file_atomically(path,
                                   path.ends_with(".json") ? format_submovements(body) : encode_submovements(body));
}

}  // namespace shosa::documents
