#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/asf.h"
#include "io/asf_amc.h"
#include "io/euler.h"
#include "io/file_text.h"
#include "io/guarded.h"
#include "io/limits.h"
#include "io/place.h"
#include "io/read_options.h"
#include "io/text_cursor.h"
#include "shosa/core/clip_edit.h"

namespace shosa::io {
namespace {

constexpr double kUsualRate = 120.0;

/// All values of an .amc, frame by frame; a bone's columns begin at `first_column`.
struct AcclaimMotion {
  std::vector<int> first_column;
  int columns = 0;
  std::vector<double> values;
  int frame_count = 0;
  bool degrees = true;
  Notes warnings;
};

Result<AcclaimMotion> parse_motion(const AcclaimSkeleton& skeleton, std::string_view text, std::string_view file) {
  AcclaimMotion motion;
  motion.degrees = skeleton.degrees;
  std::unordered_map<std::string_view, std::size_t> bones;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    bones.emplace(skeleton.bones[i].name, i);
    motion.first_column.push_back(motion.columns);
    motion.columns += static_cast<int>(skeleton.bones[i].dof.size());
    moving += skeleton.bones[i].dof.empty() ? 0 : 1;
  }

  AcclaimLines lines(text, file);
  std::vector<int> given_in(skeleton.bones.size(), 0);  // the last frame that gave a bone
  std::size_t given = 0;
  double number = 0.0;
  bool consecutive = true;
  const auto check_complete = [&]() -> Result<void> {
    if (motion.frame_count == 0 || given == moving) return {};
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      if (given_in[i] == motion.frame_count || skeleton.bones[i].dof.empty()) continue;
      return lines.fail_here(lines.words().empty() ? "" : lines.words()[0],
                             fmt::format("bone '{}' in frame {} before it", skeleton.bones[i].name, number));
    }
    return {};
  };
  while (lines.next()) {
    const auto& words = lines.words();
    if (words[0].starts_with(':')) {
      if (same_word(words[0], ":degrees")) motion.degrees = true;
      if (same_word(words[0], ":radians")) motion.degrees = false;
      continue;
    }
    if (words.size() == 1 && is_digit(words[0][0])) {
      if (auto complete = check_complete(); !complete) return std::unexpected(complete.error());
      const Result<double> next = lines.number(0, "a frame number");
      if (!next) return std::unexpected(next.error());
      consecutive = consecutive && (motion.frame_count == 0 || *next == number + 1.0);
      number = *next;
      if (motion.columns == 0 || motion.frame_count >= kMaxFrames) {
        return lines.fail_here(words[0], motion.columns == 0 ? "a skeleton that can move" : "fewer frames");
      }
      ++motion.frame_count;
      given = 0;
      motion.values.resize(motion.values.size() + static_cast<std::size_t>(motion.columns));
      continue;
    }
    if (motion.frame_count == 0) return lines.fail_here(words[0], "a frame number");
    const auto found = bones.find(words[0]);
    if (found == bones.end()) return lines.fail_here(words[0], "a bone of the skeleton");
    const std::size_t bone = found->second;
    const std::size_t dof = skeleton.bones[bone].dof.size();
    if (words.size() != dof + 1) {
      return lines.fail_here(words[0], fmt::format("{} values after it, not {}", dof, words.size() - 1));
    }
    if (given_in[bone] == motion.frame_count) return lines.fail_here(words[0], "each bone once a frame");
    given_in[bone] = motion.frame_count;
    given += dof > 0 ? 1 : 0;
    double* const frame = motion.values.data() + motion.values.size() - motion.columns;
    for (std::size_t i = 0; i < dof; ++i) {
      const Result<double> value = lines.number(i + 1, "a finite number");
      if (!value) return std::unexpected(value.error());
      // Whichever of degrees and radians the file means in the end, the angle stays finite.
      const bool turns = skeleton.bones[bone].dof[i] >= 3 && skeleton.bones[bone].dof[i] <= 5;
      if (turns ? !std::isfinite(*value * kDegPerRad) : !(std::abs(*value) <= kLargestPosition)) {
        return lines.fail_here(words[i + 1], turns ? "an angle of fewer turns" : "a nearer position");
      }
      frame[motion.first_column[bone] + static_cast<int>(i)] = *value;
    }
  }
  if (auto complete = check_complete(); !complete) return std::unexpected(complete.error());
  if (!consecutive) motion.warnings.push_back("frame numbers do not follow each other; taken in the order of the file");
  return motion;
}

/// The rest pose in file units: all frames along the world's axes, each joint at the tip of its parent.
Result<Skeleton> rest_skeleton(const AcclaimSkeleton& source) {
  std::vector<Joint> joints;
  std::vector<bool> has_child(source.bones.size(), false);
  for (const AcclaimBone& bone : source.bones) {
    const bool is_root = bone.parent == kNoJoint;
    if (!is_root) has_child[bone.parent] = true;
    const Vec3d offset = is_root ? source.root_position : source.bones[bone.parent].tip;
    joints.push_back({.name = bone.name, .parent = bone.parent, .rest_translation_m = offset.cast<float>()});
  }
  std::vector<EndSite> end_sites;
  for (std::size_t i = 1; i < source.bones.size(); ++i) {
    if (has_child[i]) continue;
    end_sites.push_back({.name = source.bones[i].name + "_end",
                         .parent = static_cast<JointIndex>(i),
                         .offset_m = source.bones[i].tip.cast<float>()});
  }
  return Skeleton::create(std::move(joints), std::move(end_sites));
}

/// One joint's transform in one frame, file units.
struct LocalTransform {
  Quatd rotation = Quatd::Identity();
  Vec3d translation = Vec3d::Zero();
};

LocalTransform local_transform(const AcclaimSkeleton& source, const AcclaimMotion& motion, int frame,
                               std::size_t bone_index) {
  const AcclaimBone& bone = source.bones[bone_index];
  const double* const values = motion.values.data() +
                               static_cast<std::size_t>(frame) * static_cast<std::size_t>(motion.columns) +
                               motion.first_column[bone_index];
  Quatd turns = Quatd::Identity();
  for (const int column : bone.turn_order) {
    Quatd turn = Quatd::Identity();
    const double angle = values[column];
    turn_about_axis_deg(turn, bone.dof[column] - 3, motion.degrees ? angle : angle * kDegPerRad);
    turns = turn * turns;
  }
  Vec3d shift = Vec3d::Zero();
  for (std::size_t i = 0; i < bone.dof.size(); ++i) {
    if (bone.dof[i] < 3) shift[bone.dof[i]] = values[i];
  }
  const bool is_root = bone.parent == kNoJoint;
  const Vec3d rest = is_root ? source.root_position : source.bones[bone.parent].tip;
  return {bone.axis * turns * bone.axis.conjugate(), rest + (is_root ? shift : Vec3d(bone.axis * shift))};
}

std::vector<std::vector<Vec3d>> sample_postures(const AcclaimSkeleton& source, const AcclaimMotion& motion) {
  constexpr int kSampleSize = 48;
  std::vector<std::vector<Vec3d>> postures;
  const int step = std::max(1, motion.frame_count / kSampleSize);
  for (int frame = 0; frame < motion.frame_count; frame += step) {
    std::vector<Vec3d> positions(source.bones.size());
    std::vector<Quatd> turns(source.bones.size());
    for (std::size_t i = 0; i < source.bones.size(); ++i) {
      const LocalTransform local = local_transform(source, motion, frame, i);
      const JointIndex parent = source.bones[i].parent;
      const auto p = static_cast<std::size_t>(parent);
      positions[i] = parent == kNoJoint ? local.translation : positions[p] + turns[p] * local.translation;
      turns[i] = parent == kNoJoint ? local.rotation : turns[p] * local.rotation;
    }
    postures.push_back(std::move(positions));
  }
  return postures;
}

/// Unit and up axis. `length 1` is what exporters write who do not care; then the body's size tells.
void settle_place(const AcclaimSkeleton& source, const Skeleton& rest, std::vector<std::vector<Vec3d>> postures,
                  const ReadOptions& options, MotionFile& file) {
  const std::vector<Vec3d>* const typical = postures.empty() ? nullptr : &postures[postures.size() / 2];
  file.body_map = options.body_map ? *options.body_map : body::guess_body_map(rest, typical);
  const PlaceEvidence evidence{.skeleton = &rest, .body_map = &file.body_map, .postures = std::move(postures)};
  ReadOptions settled = options;
  const double stated = 0.0254 / source.length_scale;
  if (!options.unit_m && source.length_scale != 1.0 && std::isfinite(stated)) settled.unit_m = stated;
  const Place place = find_place(evidence, settled);
  file.unit_m = place.unit_m;
  file.up = place.up;
  file.warnings.insert(file.warnings.end(), place.warnings.begin(), place.warnings.end());
}

/// Fails when a position lies too far away.
Result<Clip> make_clip(const AcclaimSkeleton& source, const AcclaimMotion& motion, const MotionFile& file,
                       double frame_time_s) {
  std::vector<JointIndex> translated = {0};
  for (std::size_t i = 1; i < source.bones.size(); ++i) {
    if (std::ranges::any_of(source.bones[i].dof, [](AcclaimDof dof) { return dof < 3; })) {
      translated.push_back(static_cast<JointIndex>(i));
    }
  }
  Clip clip(file.skeleton, motion.frame_count, frame_time_s, translated);
  const Quatd turn = world_from_file(file.up);
  for (int frame = 0; frame < motion.frame_count; ++frame) {
    for (std::size_t i = 0; i < source.bones.size(); ++i) {
      LocalTransform local = local_transform(source, motion, frame, i);
      local.translation *= file.unit_m;
      if (!(local.translation.cwiseAbs().maxCoeff() <= kFarthest_m)) {
        return fail(ErrorCode::bad_file, "frame {} holds a position farther than {} m, expected a nearer one", frame,
                    kFarthest_m);
      }
      if (i == 0) local = {turn * local.rotation, turn * local.translation};
      const auto joint = static_cast<JointIndex>(i);
      clip.set_rotation(frame, joint, local.rotation.cast<float>());
      if (clip.is_translated(joint)) clip.set_translation(frame, joint, local.translation.cast<float>());
    }
  }
  return clip;
}

Result<MotionFile> read_acclaim(std::string_view asf_text, const std::string& asf_name,
                                const std::string_view* amc_text, const std::string& amc_name,
                                const ReadOptions& options) {
  if (auto checked = check_options(options); !checked) return std::unexpected(checked.error());
  const double rate = options.fps_is.value_or(kUsualRate);
  const Result<AcclaimSkeleton> source = parse_acclaim_skeleton(asf_text, asf_name);
  if (!source) return std::unexpected(source.error());
  const Result<Skeleton> rest = rest_skeleton(*source);
  if (!rest) return fail(ErrorCode::bad_file, "{}: {}", asf_name, rest.error().message);
  if (auto checked = check_body_map(options, *rest); !checked) return std::unexpected(checked.error());

  MotionFile file;
  file.format = amc_text == nullptr ? "asf" : "amc";
  AcclaimMotion motion;
  if (amc_text != nullptr) {
    Result<AcclaimMotion> parsed = parse_motion(*source, *amc_text, amc_name);
    if (!parsed) return std::unexpected(parsed.error());
    motion = std::move(*parsed);
    if (clip_is_too_large(rest->joint_count(), static_cast<std::size_t>(motion.frame_count),
                          asf_text.size() + amc_text->size())) {
      return fail(ErrorCode::bad_file, "{}: {} joints in {} frames, expected more than {} bytes of text for them",
                  amc_name, rest->joint_count(), motion.frame_count, amc_text->size());
    }
    file.warnings = motion.warnings;
    if (motion.frame_count == 0) file.warnings.push_back("the file holds no motion");
  }

  settle_place(*source, *rest, sample_postures(*source, motion), options, file);
  Result<Skeleton> placed = place_skeleton(*rest, file.unit_m, file.up);
  if (!placed) return fail(ErrorCode::bad_file, "{}: {}", asf_name, placed.error().message);
  file.skeleton = std::make_shared<const Skeleton>(std::move(*placed));
  if (motion.frame_count > 0) {
    if (!options.fps_is) file.warnings.push_back("AMC files hold no frame rate; 120 frames a second taken");
    Result<Clip> clip = make_clip(*source, motion, file, 1.0 / rate);
    if (!clip) return fail(clip.error().code, "{}: {}", amc_name, clip.error().message);
    file.clips.push_back(std::move(*clip));
  }
  return file;
}

bool is_asf(const std::filesystem::path& path) {
  return same_word(path.extension().string(), ".asf");
}

/// "35_01.amc" goes with "35.asf", and "walk.amc" with "walk.asf".
bool is_named_for(const std::filesystem::path& asf, const std::filesystem::path& amc) {
  const std::string stem = amc.stem().string();
  return asf.stem() == stem || asf.stem() == stem.substr(0, stem.rfind('_'));
}

Result<std::filesystem::path> find_asf(const std::filesystem::path& amc, const ReadOptions& options) {
  if (!options.asf.empty()) return options.asf;
  const std::filesystem::path folder = amc.has_parent_path() ? amc.parent_path() : std::filesystem::path(".");
  const std::string stem = amc.stem().string();
  std::vector<std::filesystem::path> all = files_in(folder);
  std::erase_if(all, [](const std::filesystem::path& path) { return !is_asf(path); });
  for (const std::string& wanted : {stem.substr(0, stem.rfind('_')), stem}) {
    for (const auto& path : all) {
      if (path.stem().string() == wanted) return path;
    }
  }
  if (all.size() == 1) return all.front();
  return fail(ErrorCode::cannot_read, "{}: found {} .asf files beside it, expected {}.asf, or give the skeleton's file",
              amc.string(), all.size(), stem.substr(0, stem.rfind('_')));
}

}  // namespace

Result<MotionFile> parse_asf(std::string_view text, const std::string& name, const ReadOptions& options) {
  return guarded(name, [&] { return read_acclaim(text, name, nullptr, "", options); });
}

Result<MotionFile> parse_amc(std::string_view asf_text, const std::string& asf_name, std::string_view amc_text,
                             const std::string& amc_name, const ReadOptions& options) {
  return guarded(amc_name, [&] { return read_acclaim(asf_text, asf_name, &amc_text, amc_name, options); });
}

Result<MotionFile> read_asf(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&]() -> Result<MotionFile> {
    const Result<FileText> text = read_file(path);
    if (!text) return std::unexpected(text.error());
    return parse_asf(text->view(), path.string(), options);
  });
}

Result<MotionFile> read_amc(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&]() -> Result<MotionFile> {
    const Result<FileText> motion_text = read_file(path);
    if (!motion_text) return std::unexpected(motion_text.error());
    const Result<std::filesystem::path> asf = find_asf(path, options);
    if (!asf) return std::unexpected(asf.error());
    const Result<FileText> skeleton_text = read_file(*asf);
    if (!skeleton_text) return std::unexpected(skeleton_text.error());
    Result<MotionFile> file =
        parse_amc(skeleton_text->view(), asf->string(), motion_text->view(), path.string(), options);
    if (file && !file->clips.empty()) file->clips.front().set_name(path.stem().string());
    if (file && options.asf.empty() && !is_named_for(*asf, path)) {
      file->warnings.push_back(
          fmt::format("its skeleton is {}'s, the only .asf beside it; give the skeleton's file where that is another's",
                      asf->filename().string()));
    }
    return file;
  });
}

}  // namespace shosa::io
