#include "demo/workshop.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/motion_file.h"

namespace shosa::demo {

namespace {

/// Files hold as many digits as they need; what is left is rounding.
constexpr double kSameMotion_m = 1e-3;

double largest_distance_m(const Clip& a, const Clip& b) {
  const ClipPositions first = clip_positions(a), second = clip_positions(b);
  double worst = 0.0;
  for (int f = 0; f < first.frame_count(); ++f) {
    for (JointIndex j = 0; j < a.joint_count(); ++j) {
      const JointIndex other = b.skeleton().find(a.skeleton().name(j));
      if (other == kNoJoint) return 1e300;
      worst = std::max(worst, (first.joint(f, j) - second.joint(f, other)).norm());
    }
  }
  return worst;
}

}  // namespace

Result<FigureClip> Workshop::add_clip(Figure& figure, const std::string& name, const std::string& caption,
                                      const Clip& clip, const body::BodyMap& map) const {
  io::MotionFile motion;
  motion.skeleton = clip.skeleton_ptr();
  motion.clips = {clip};
  motion.clips[0].set_name(name);
  motion.body_map = map;
  const auto bvh = folder_ / (name + ".bvh"), glb = folder_ / (name + ".glb");
  for (const auto& file : {bvh, glb}) {
    if (const auto written = io::write_motion(file, motion); !written) return std::unexpected(written.error());
  }
  auto read = io::read_motion(bvh);
  if (!read) return std::unexpected(read.error());
  const auto second = io::read_motion(glb, {.sample_fps = clip.fps()});
  if (!second) return std::unexpected(second.error());
  if (read->clips.empty() || second->clips.empty() || read->clips[0].frame_count() != second->clips[0].frame_count()) {
    return fail(ErrorCode::bad_file, "{}: its .bvh and its .glb have not the same frames", name);
  }
  if (const double apart = largest_distance_m(read->clips[0], second->clips[0]); !(apart <= kSameMotion_m)) {
    return fail(ErrorCode::bad_file, "{}: its .bvh and its .glb are {:.1f} mm apart", name, 1e3 * apart);
  }
  read->clips[0].set_name(name);
  figure.clips.push_back({name, caption, std::move(read->clips[0]), std::move(read->body_map)});
  return figure.clips.back();
}

Result<void> Workshop::add_picture(Figure& figure, const std::string& name, const std::string& caption,
                                   const draw::Canvas& canvas) const {
  auto bytes = draw::encode(canvas, {.format = draw::Format::png});
  if (!bytes) return std::unexpected(bytes.error());
  const std::string file = name + ".png";
  if (const auto written = io::write_file_atomically(folder_ / file, *bytes); !written) return written;
  figure.pictures.push_back({file, caption, std::move(*bytes)});
  return {};
}

Result<void> add_strip(const Workshop& shop, Figure& figure, const std::string& name, const std::string& caption,
                       const FigureClip& shown, draw::StripParams params) {
  const auto studied = analysis::study(shown.clip, shown.body_map);
  for (const auto& foot : studied.contacts().feet) params.contacts.push_back({foot.points.joint, foot.joined});
  const auto strip = draw::draw_strip(shown.clip, shown.body_map, params);
  if (!strip) return std::unexpected(strip.error());
  return shop.add_picture(figure, name, caption, strip->canvas);
}

std::vector<double> times_by_way(const FigureClip& shown, int count) {
  const ClipPositions positions = clip_positions(shown.clip);
  const JointIndex root = root_joint(shown.body_map);
  std::vector<double> way_m = {0.0};
  for (int f = 1; f < positions.frame_count(); ++f) {
    const Vec3d step = positions.joint(f, root) - positions.joint(f - 1, root);
    way_m.push_back(way_m.back() + std::hypot(step.x(), step.z()));
  }
  std::vector<double> times_s;
  for (int i = 0; i < count; ++i) {
    const double wanted_m = way_m.back() * i / (count - 1);
    const auto at = std::lower_bound(way_m.begin(), way_m.end(), wanted_m) - way_m.begin();
    times_s.push_back(static_cast<double>(std::min<std::ptrdiff_t>(at, positions.frame_count() - 1)) *
                      shown.clip.frame_time_s());
  }
  return times_s;
}

void at_most(Figure& figure, std::string name, double value, double bound, std::string unit) {
  figure.checks.push_back({std::move(name), value, Check::Kind::at_most, bound, std::move(unit)});
}

void at_least(Figure& figure, std::string name, double value, double bound, std::string unit) {
  figure.checks.push_back({std::move(name), value, Check::Kind::at_least, bound, std::move(unit)});
}

}  // namespace shosa::demo
