// What a clip is, what is found in it and how good it is, as JSON.

#include "documents/report_text.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/analysis/on_the_spot.h"
#include "shosa/body/kind_name.h"
#include "shosa/core/angles.h"
#include "shosa/documents/reports.h"

namespace shosa::documents {
namespace {

ReportJson joints_json(const Skeleton& skeleton) {
  ReportJson joints = ReportJson::array();
  for (const Joint& joint : skeleton.joints()) {
    ReportJson parent = nullptr;
    if (joint.parent != kNoJoint) parent = skeleton.name(joint.parent);
    joints.push_back({{"name", joint.name}, {"parent", parent}});
  }
  return joints;
}

ReportJson roles_json(const Skeleton& skeleton, const body::BodyMap& map) {
  ReportJson roles = ReportJson::object();
  for (int r = 0; r < body::kRoleCount; ++r) {
    const auto role = static_cast<body::Role>(r);
    if (map.has(role)) roles[std::string(role_name(role))] = skeleton.name(map.joint(role));
  }
  return roles;
}

// Hind feet of a quadruped stand for left and right, so that every body has the two.
ReportJson contacts_json(const analysis::FootContacts& contacts) {
  ReportJson json = {{"left", ReportJson::array()}, {"right", ReportJson::array()}};
  for (const analysis::FootContactTrack& foot : contacts.feet) {
    json[foot.points.name] = intervals_json(foot.joined);
    json[foot.points.name + "_heel"] = intervals_json(foot.heel);
    json[foot.points.name + "_toes"] = intervals_json(foot.toe);
    if (foot.points.name == "hind_left") json["left"] = json[foot.points.name];
    if (foot.points.name == "hind_right") json["right"] = json[foot.points.name];
  }
  return json;
}

}  // namespace

std::string with_notes(const std::string& report, const Notes& notes) {
  ReportJson json = ReportJson::parse(report);
  json["warnings"] = json["notes"] = ReportJson::array();
  for (const Note& note : notes) json[note.is_done() ? "notes" : "warnings"].push_back(note.text);
  return report_text(json);
}

std::string info_report(const io::MotionFile& motion, std::size_t index) {
  const Skeleton& skeleton = *motion.skeleton;
  ReportJson json = {{"format", motion.format},
                     {"joint_count", skeleton.joint_count()},
                     {"joints", joints_json(skeleton)},
                     {"end_sites", ReportJson::array()},
                     {"frames", 0},
                     {"fps", 0.0},
                     {"duration_s", 0.0},
                     {"unit_m", motion.unit_m},
                     {"up", motion.up == io::UpAxis::y ? "y" : "z"},
                     {"kind", body::kind_name(motion.body_map.kind)},
                     {"roles", roles_json(skeleton, motion.body_map)},
                     {"first_frame_is_tpose", motion.tpose_frames > 0},
                     {"clips", ReportJson::array()}};
  for (const EndSite& site : skeleton.end_sites())
    json["end_sites"].push_back({{"name", site.name}, {"parent", skeleton.name(site.parent)}});
  for (const Clip& clip : motion.clips) {
    json["clips"].push_back({{"name", clip.name()},
                             {"frames", clip.frame_count()},
                             {"fps", clip.fps()},
                             {"duration_s", clip.duration_s()}});
  }
  if (motion.clips.empty()) return report_text(json);
  const Clip& clip = motion.clips[index];
  json["frames"] = clip.frame_count();
  json["fps"] = clip.fps();
  json["duration_s"] = clip.duration_s();
  const analysis::StudiedClip studied = analysis::study(clip, motion.body_map);
  if (const auto& ground = studied.ground()) json["floor_m"] = ground->height_m;
  return report_text(json);
}

Result<ClipAnalysis> analyze(const analysis::StudiedClip& studied, std::optional<TimeInterval> given,
                             bool rate_is_sure) {
  const Clip& clip = studied.clip();
  const analysis::FootContacts& contacts = studied.contacts();
  ClipAnalysis found;
  // A body without feet still has a speed and a core.
  if (const auto feet = studied.needs_feet(); !feet) found.warnings.push_back(feet.error().message);
  const auto cycle = analysis::find_cycle(studied);
  if (!cycle) return std::unexpected(cycle.error());
  found.cycle = *cycle;
  const auto core = analysis::suggest_core(studied, *cycle);
  if (!core) return std::unexpected(core.error());
  found.core = *core;
  found.core.time = given.value_or(core->time);
  found.root_speed_mps = analysis::root_speed_mps(studied.root());
  if (!contacts.feet.empty())
    found.flights = analysis::flight_intervals(contacts, {0.0, clip.last_time_s()}, 1.5 * clip.frame_time_s());
  if (!contacts.feet.empty() && !rate_is_sure) {
    const auto fall = analysis::check_free_fall(studied);
    if (fall.rate_is_suspect) found.warnings.push_back(fall.warning);
  }
  if (analysis::moves_on_the_spot(studied))
    found.warnings.push_back("the body steps on the spot; contacts, flights and cycle need feet that stand still");
  return found;
}

std::string analysis_report(const analysis::StudiedClip& studied, const ClipAnalysis& analysis) {
  const analysis::Cycle& cycle = analysis.cycle;
  const TimeInterval& core = analysis.core.time;
  return report_text({{"contacts", contacts_json(studied.contacts())},
                      {"core", {core.begin_s, core.end_s}},
                      {"root_speed_mps", analysis.root_speed_mps},
                      {"cycle", {{"found", cycle.found}, {"begin_s", cycle.begin_s}, {"end_s", cycle.end_s}}},
                      {"flights", intervals_json(analysis.flights)},
                      {"ground_m", studied.contacts().ground_m}});
}

Result<ClipMeasures> measure(const analysis::StudiedClip& studied, const analysis::StudiedClip* reference) {
  ClipMeasures measured;
  if (const auto feet = studied.needs_feet(); !feet) measured.warnings.push_back(feet.error().message);
  measured.quality = analysis::measure_quality(studied);
  const analysis::BodyMotion body = analysis::observe_body(studied);
  measured.figures = analysis::measure_body(body, 0, studied.clip().frame_count() - 1);
  if (reference == nullptr) return measured;
  const auto distance = analysis::compare_with_reference(studied.clip(), reference->clip());
  if (!distance) return std::unexpected(distance.error());
  measured.distance = *distance;
  const auto change = analysis::compare_bodies(body, analysis::observe_body(*reference));
  if (!change) return std::unexpected(change.error());
  measured.change = *change;
  return measured;
}

std::string measures_report(const ClipMeasures& measures) {
  const auto& [quality, figures, distance, change, warnings] = measures;
  ReportJson json = {{"foot_skate_mps", quality.foot_skate_mps},
                     {"penetration_m", quality.penetration_m},
                     {"mean_penetration_m", quality.mean_penetration_m},
                     {"mean_jerk_mps3", quality.mean_jerk_mps3},
                     {"peak_acceleration_mps2", quality.peak_acceleration_mps2},
                     {"com_acceleration_mps2", figures.com_acceleration_mps2},
                     {"com_fall_mps2", figures.com_fall_mps2},
                     {"com_speed_mps", figures.com_speed_mps},
                     {"knee_kink_deg", figures.knee_kink_rad * kDegPerRad},
                     {"elbow_kink_deg", figures.elbow_kink_rad * kDegPerRad},
                     {"mean_knee_bend_deg", figures.mean_knee_bend_rad * kDegPerRad},
                     {"ball_bend_deg", figures.ball_bend_rad * kDegPerRad},
                     {"plane_flips", figures.plane_flips}};
  if (distance) {
    json["l2p_m"] = distance->l2p_m;
    json["l2q"] = distance->l2q;
    json["npss"] = distance->npss;
  }
  if (change) {
    json["knee_kink_beyond_deg"] = change->knee_kink_rad * kDegPerRad;
    json["elbow_kink_beyond_deg"] = change->elbow_kink_rad * kDegPerRad;
    json["knee_change_deg"] = change->knee_change_rad * kDegPerRad;
    json["mean_knee_change_deg"] = change->mean_knee_change_rad * kDegPerRad;
  }
  return report_text(json);
}

}  // namespace shosa::documents
