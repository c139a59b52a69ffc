#include "add_verb.h"
#include "input.h"
#include "shosa/retarget/posture_prior.h"
#include "shosa/segment/edit_segment.h"
#include "shosa/shosa.h"
#include "vector_option.h"

namespace shosa::cli {

namespace {

struct EditOptions {
  std::string file, out;
  InputOptions input;
  std::vector<std::string> handles, positions, velocities;
  std::optional<double> from_s, to_s, back_by_s, max_speed_mps;
  std::string method = "two_step";
  std::string reconstruction = "particles";
  std::vector<std::string> prior;
  bool no_prior = false;
  bool free_feet = false;
};

Result<segment::SegmentEditParams> parameters(const EditOptions& options, const ChosenClip& source) {
  segment::SegmentEditParams params{.handles = {}, .from_s = options.from_s, .to_s = options.to_s};
  params.hold_feet = !options.free_feet;
  params.back_by_s = options.back_by_s;
  params.max_speed_mps = options.max_speed_mps;
  if (options.method == "one_step") params.method = segment::EditMethod::one_step;
  if (options.method == "linear") params.method = segment::EditMethod::linear;
  if (options.reconstruction == "pin_drag") params.reconstruction = segment::Reconstruction::pin_drag;
  for (std::size_t i = 0; i < options.handles.size(); ++i) {
    const auto joint = resolve_joint(*source.motion.skeleton, source.motion.body_map, options.handles[i]);
    if (!joint) return std::unexpected(joint.error());
    const auto position = parse_free_vector("--end-position", options.positions[i]);
    if (!position) return std::unexpected(position.error());
    segment::HandleEnd end{.joint = *joint, .position_m = position->value, .velocity_mps = {}, .free = position->free};
    if (i < options.velocities.size() && options.velocities[i] != "none") {
      const auto velocity = parse_vector("--end-velocity", options.velocities[i]);
      if (!velocity) return std::unexpected(velocity.error());
      end.velocity_mps = *velocity;
    }
    params.handles.push_back(end);
  }
  return params;
}

/// How people bend: from the files that were named, or from the motions that ship.
Result<std::shared_ptr<const posing::PosturePrior>> prior_of(const EditOptions& options, const ChosenClip& source) {
  if (options.prior.empty() && source.motion.body_map.kind != body::BodyKind::humanoid) return nullptr;
  std::vector<analysis::StudiedClip> named;
  for (const std::string& file : options.prior) {
    const auto clip = open_clip(file, {});
    if (!clip) return std::unexpected(clip.error());
    named.push_back(clip->study());
  }
  return retarget::posture_prior(named.empty() ? usual_postures() : named, source.study());
}

Result<Report> edit(const EditOptions& options) {
  auto source = open_clip(options.file, options.input);
  if (!source) return std::unexpected(source.error());
  auto params = parameters(options, *source);
  if (!params) return std::unexpected(params.error());
  if (params->reconstruction == segment::Reconstruction::pin_drag && !options.no_prior) {
    auto prior = prior_of(options, *source);
    if (!prior) return fail(prior.error().code, "--prior: {}", prior.error().message);
    params->prior = std::move(*prior);
  }
  auto result = segment::edit_segment(source->study(), *params);
  if (!result) return fail(result.error().code, "{}: {}", options.file, result.error().message);

  const Skeleton& skeleton = *source->motion.skeleton;
  Report report;
  auto warnings = source->motion.warnings;
  warnings.insert(warnings.end(), result->warnings.begin(), result->warnings.end());
  report.text = fmt::format("{}: frames {} to {} edited\n", options.out, result->first, result->last);
  report.json["handles"] = nlohmann::ordered_json::array();
  for (const auto& handle : result->handles) {
    report.json["handles"].push_back({{"joint", skeleton.name(handle.joint)},
                                      {"end_error_m", handle.end_error_m},
                                      {"end_velocity_error_mps", handle.end_velocity_error_mps},
                                      {"max_speed_mps", handle.max_speed_mps},
                                      {"share", handle.share},
                                      {"eased", handle.eased}});
    report.text += fmt::format("  {}: {:.2f} mm and {:.4f} m/s from the end asked for\n", skeleton.name(handle.joint),
                               1e3 * handle.end_error_m, handle.end_velocity_error_mps);
  }
  report.json["from_s"] = result->first * source->clip().frame_time_s();
  report.json["to_s"] = result->last * source->clip().frame_time_s();
  report.json["frames"] = result->clip.frame_count();
  report.json["iterations"] = result->max_iterations;
  report.json["link_error_m"] = result->max_link_error_m;
  report.json["feet_error_m"] = result->max_feet_error_m;
  report.notes = std::move(warnings);
  source->motion.clips = {std::move(result->clip)};
  if (const auto written = io::write_motion(options.out, source->motion); !written) {
    return std::unexpected(written.error());
  }
  return report;
}

}  // namespace

void add_edit(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "edit", "Edit a stretch of a motion so that joints end where they are asked to", edit);
  add_in_and_out(*verb, options->file, "Motion to edit", options->out);
  verb->add_option("--handle", options->handles, "Joint or role; repeat for several")->required()->take_all();
  verb->add_option("--end-position", options->positions, "X,Y,Z in metres, one per handle; none for axes left free")
      ->required()
      ->take_all()
      ->check(free_vector_check());
  verb->add_option("--end-velocity", options->velocities, "X,Y,Z in m/s, one per handle in their order, or none")
      ->take_all()
      ->check(vector_check(true));
  verb->add_option("--from", options->from_s, "Begin of the segment, seconds (default: the clip's)");
  verb->add_option("--to", options->to_s, "End of the segment, seconds (default: the clip's)");
  verb->add_option("--back-by", options->back_by_s,
                   "Time of the clip, seconds, from which it is as it was (default: the change stays)");
  verb->add_option("--max-speed", options->max_speed_mps,
                   "No handle goes faster in the segment, m/s: its change is made smaller where it would")
      ->check(positive_number());
  verb->add_option("--method", options->method, "How the change is spread")
      ->check(CLI::IsMember({"two_step", "one_step", "linear"}))
      ->capture_default_str();
  verb->add_option("--reconstruction", options->reconstruction, "How postures are made from handles")
      ->check(CLI::IsMember({"particles", "pin_drag"}))
      ->capture_default_str();
  verb->add_option("--prior", options->prior,
                   "Motions that show how people bend, with pin_drag (default: those that ship)")
      ->take_all();
  verb->add_flag("--no-prior", options->no_prior, "With pin_drag: bend by joint weights alone")->excludes("--prior");
  verb->add_flag("--free-feet", options->free_feet, "Feet that are no handles go with the body");
  add_input_options(*verb, options->input);
  verb->footer(
      "The whole clip is written; frames before the segment keep their bits, after it the change stays\n"
      "unless --back-by says when the motion is as it was again.\n\n"
      "Examples:\n"
      "  shosa edit walk.bvh -o reach.bvh --handle right_hand --end-position -0.2,1.4,1.6 --to 1.0\n"
      "  shosa edit step.bvh -o lower.bvh --handle left_foot --end-position 0.1,-0.1,0.6 --end-velocity 0,0,0\n"
      "  shosa edit walk.bvh -o beside.bvh --handle right_hand --end-position -0.4,none,1.6 --to 1.0 --max-speed 2");
  verb->parse_complete_callback([options] {
    if (options->positions.size() != options->handles.size()) {
      throw CLI::ValidationError("--end-position",
                                 fmt::format("{} for {} handles", options->positions.size(), options->handles.size()));
    }
    if (options->velocities.size() > options->handles.size()) {
      throw CLI::ValidationError("--end-velocity",
                                 fmt::format("{} for {} handles", options->velocities.size(), options->handles.size()));
    }
  });
}

}  // namespace shosa::cli
