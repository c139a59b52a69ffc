// What methods and documents made, as JSON.

#include <algorithm>

#include "documents/report_text.h"
#include "shosa/core/angles.h"
#include "shosa/documents/reports.h"
#include "shosa/documents/submovement_file.h"

namespace shosa::documents {
namespace {

ReportJson quality_json(const analysis::MotionQuality& quality) {
  return {{"foot_skate_mps", quality.foot_skate_mps},
          {"penetration_m", quality.penetration_m},
          {"mean_penetration_m", quality.mean_penetration_m},
          {"mean_jerk_mps3", quality.mean_jerk_mps3},
          {"peak_acceleration_mps2", quality.peak_acceleration_mps2}};
}

ReportJson transition_json(const blend::Join& join, const ComposedScore& made, bool planned) {
  const blend::AddReport& report = join.report;
  ReportJson json = {{"from", join.from},
                     {"to", join.to},
                     {"from_clip", made.names[join.from]},
                     {"to_clip", made.names[join.to]},
                     {"executed", report.executed},
                     {"reason", report.reason},
                     {"earliest_s", report.earliest_s},
                     {"method", nullptr},
                     {"bridged", false},
                     {"at_s", report.at_s},
                     {"intervals", ReportJson::array()}};
  if (!report.executed || !planned) return json;
  json["method"] = method_name(report.by_contacts);
  json["bridged"] = report.method == blend::JoinMethod::bridge;
  for (const blend::BlendSpan& span : report.blends) {
    json["intervals"].push_back({{"part", part_name(span.part)},
                                 {"kind", kind_name(span.kind)},
                                 {"begin_s", span.time.begin_s},
                                 {"end_s", span.time.end_s}});
  }
  return json;
}

// What of each clip was kept, and where its first frame came to be.
ReportJson motions_json(const ComposedScore& made) {
  ReportJson list = ReportJson::array();
  for (std::size_t i = 0; i < made.motions.size(); ++i) {
    const blend::Motion& motion = *made.motions[i].motion;
    const double dt = motion.clip().frame_time_s();
    ReportJson at = made.motions[i].at_s.value_or(0.0);
    for (const blend::Join& join : made.composition.joins) {
      if (static_cast<std::size_t>(join.to) != i) continue;
      at = join.report.executed ? ReportJson(join.report.at_s) : ReportJson(nullptr);
    }
    list.push_back({{"clip", made.names[i]},
                    {"at_s", at},
                    {"duration_s", motion.clip().duration_s()},
                    {"core", {motion.core.begin * dt, motion.core.end * dt}}});
  }
  return list;
}

std::string joint_name(const Skeleton& skeleton, JointIndex joint) {
  return joint == kNoJoint ? std::string() : skeleton.name(joint);
}

}  // namespace

std::string fix_report(const feet::PlacedFeet& placed, const analysis::MotionQuality& before,
                       const analysis::MotionQuality& after) {
  return report_text({{"frames", placed.clip.frame_count()},
                      {"before", quality_json(before)},
                      {"after", quality_json(after)},
                      {"mean_joint_change_m", placed.mean_joint_change_m},
                      {"max_joint_change_m", placed.max_joint_change_m},
                      {"max_root_change_m", placed.max_root_change_m},
                      {"max_foot_error_m", placed.max_foot_error_m},
                      {"worst_frame", placed.worst_frame}});
}

std::string loop_report(const segment::Loop& loop) {
  const double dt = loop.clip.frame_time_s();
  const Vec3d& shift = loop.per_cycle.shift_m;
  return report_text({{"seam_position_m", loop.seam_position_m},
                      {"seam_velocity_mps", loop.seam_velocity_mps},
                      {"cycles", loop.clip.frame_count() / std::max(1, loop.frames_per_cycle)},
                      {"frames", loop.clip.frame_count()},
                      {"frames_per_cycle", loop.frames_per_cycle},
                      {"fps", loop.clip.fps()},
                      {"begin_s", loop.first * dt},
                      {"end_s", (loop.first + loop.frames_per_cycle) * dt},
                      {"ends_apart_m", loop.distance_m},
                      {"turn_per_cycle_deg", loop.per_cycle.yaw_rad * kDegPerRad},
                      {"shift_per_cycle_m", {shift.x(), shift.y(), shift.z()}}});
}

std::string retarget_report(const retarget::RetargetResult& result, const Skeleton& source, const Skeleton& target) {
  ReportJson roles = ReportJson::object();
  for (const retarget::RolePair& pair : result.pairs) {
    roles[std::string(role_name(pair.role))] = {{"source", source.name(pair.source)},
                                                {"target", target.name(pair.target)}};
  }
  return report_text({{"name", result.clip.name()},
                      {"frames", result.clip.frame_count()},
                      {"fps", result.clip.fps()},
                      {"roles", std::move(roles)},
                      {"scale", result.scale},
                      {"foot_skate_mps", result.quality.foot_skate_mps},
                      {"penetration_m", result.quality.penetration_m},
                      {"stances", result.held_stances},
                      {"touches", result.held_touches},
                      {"max_foot_error_m", result.max_foot_error_m}});
}

std::string compose_report(const ComposedScore& made) {
  const Clip& clip = made.motion.clips.front();
  const bool planned =
      made.params.technique == blend::Technique::optimal || made.params.technique == blend::Technique::constraint;
  ReportJson json = {{"technique", technique_name(made.params.technique)},
                     {"frames", clip.frame_count()},
                     {"fps", clip.fps()},
                     {"duration_s", clip.duration_s()},
                     {"begin_s", made.begin_s},
                     {"transitions", ReportJson::array()}};
  for (const blend::Join& join : made.composition.joins)
    json["transitions"].push_back(transition_json(join, made, planned));
  json["motions"] = motions_json(made);
  return report_text(json);
}

std::string pose_report(const posing::MotionEditResult& edited) {
  const Skeleton& skeleton = edited.clip.skeleton();
  return report_text({{"frames", edited.clip.frame_count()},
                      {"fps", edited.clip.fps()},
                      {"max_drag_error_m", edited.max_drag_error_m},
                      {"worst_drag", joint_name(skeleton, edited.worst_drag)},
                      {"worst_drag_s", edited.worst_drag_s},
                      {"max_pin_error_m", edited.max_pin_error_m},
                      {"worst_pin", joint_name(skeleton, edited.worst_pin)},
                      {"worst_pin_s", edited.worst_pin_s},
                      {"max_range_violation_deg", edited.max_range_violation_deg},
                      {"worst_range", joint_name(skeleton, edited.worst_range)},
                      {"worst_range_s", edited.worst_range_s},
                      {"max_balance_error_m", edited.max_balance_error_m}});
}

std::string footsteps_report(const segment::Footsteps& walked) {
  ReportJson steps = ReportJson::array();
  for (const auto& step : walked.steps) {
    steps.push_back({{"foot", step.foot},
                     {"error_m", step.error_m},
                     {"time_s", step.time_s},
                     {"position", {step.position_m.x(), step.position_m.y(), step.position_m.z()}},
                     {"heading_deg", step.heading_rad * kDegPerRad},
                     {"slide_mps", step.slide_mps},
                     {"float_m", step.float_m},
                     {"lift_m", step.lift_m}});
  }
  return report_text({{"steps", std::move(steps)},
                      {"frames", walked.clip.frame_count()},
                      {"fps", walked.clip.fps()},
                      {"penetration_m", walked.max_penetration_m},
                      {"unreached_m", walked.max_unreached_m},
                      {"max_knee_deg", walked.max_knee_rad * kDegPerRad}});
}

std::string run_report(const RanScript& ran) {
  const Clip& clip = ran.motion.clips.front();
  ReportJson commands = ReportJson::array();
  for (const RanCommand& command : ran.commands) {
    ReportJson& entry = commands.emplace_back();
    entry = {{"at_s", command.at_s},
             {"command", command.what},
             {"state", status_name(command.outcome.status)},
             {"reached_s", nullptr}};
    if (!command.word.empty()) entry["name"] = command.word;
    if (command.reached_s) entry["reached_s"] = *command.reached_s;
    if (command.outcome.reason != character::Reason::none) entry["reason"] = reason_name(command.outcome.reason);
  }
  return report_text({{"frames", clip.frame_count()}, {"fps", clip.fps()}, {"commands", std::move(commands)}});
}

std::string decompose_report(const submovement::BodyResult& made) {
  const Skeleton& skeleton = *made.body.skeleton;
  return report_text({{"rmse", made.position_rms_m},
                      {"max_error", made.position_max_m},
                      {"worst_rotation_rms_deg", made.worst_rotation_rms_rad * kDegPerRad},
                      {"worst_joint", skeleton.name(std::max(made.worst_rotation, 0))},
                      {"bytes", encode_submovements(made.body).size()},
                      {"evaluations", made.evaluations}});
}

std::string recompose_report(const submovement::BodyDecomposition& body, const PlayedSubmovements& played) {
  return report_text({{"frames", played.clip.frame_count()},
                      {"fps", played.clip.fps()},
                      {"submovements", body.submovement_count()},
                      {"bytes", encode_submovements(body).size()},
                      {"kept_stances", played.kept_stances},
                      {"max_foot_error_m", played.max_foot_error_m},
                      {"max_root_change_m", played.max_root_change_m},
                      {"max_joint_change_m", played.max_joint_change_m}});
}

}  // namespace shosa::documents
