#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "io/bvh.h"
#include "io/bvh_clip.h"
#include "io/bvh_frames.h"
#include "io/bvh_sample.h"
#include "io/file_text.h"
#include "io/guarded.h"
#include "io/limits.h"
#include "io/read_options.h"
#include "io/tpose.h"
#include "shosa/core/clip_edit.h"

namespace shosa::io {
namespace {

/// LF instead of every CR that stands alone, so that all that follows knows one line end.
std::optional<std::string> without_lone_returns(std::string_view text) {
  std::optional<std::string> copy;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const void* const found = std::memchr(text.data() + i, '\r', text.size() - i);
    if (found == nullptr) break;
    i = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    if (i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (!copy) copy = std::string(text);
    (*copy)[i] = '\n';
  }
  return copy;
}

/// Lets frame lines and header agree, or says where they do not.
Result<void> settle_frame_count(const TextCursor& cursor, BvhHeader& header, BvhFrameLines& lines) {
  // Text after the promised frames is no motion.
  for (auto i = static_cast<std::size_t>(header.declared_frames); i < lines.begins.size(); ++i) {
    const char first = lines.text[lines.begins[i]];
    if (is_digit(first) || first == '-' || first == '+' || first == '.') continue;
    header.warnings.push_back(
        fmt::format("line {}: text after the last frame ignored", cursor.line_of(lines.begins[i])));
    lines.begins.resize(i);
    break;
  }
  if (!lines.begins.empty()) {
    std::vector<double> values(static_cast<std::size_t>(header.channel_count));
    FrameLineProblem problem;
    const std::size_t last = lines.begins.size() - 1;
    if (last > 0 && !parse_frame_line(lines, last, header.channel_count, values.data(), problem) &&
        problem.word.empty() && problem.values < header.channel_count) {
      header.warnings.push_back(fmt::format("line {}: the last frame is cut off ({} of {} values) and left out",
                                            cursor.line_of(problem.byte), problem.values, header.channel_count));
      lines.begins.pop_back();
    }
  }
  const auto found = static_cast<std::int64_t>(lines.begins.size());
  if (found != header.declared_frames) {
    header.warnings.push_back(
        fmt::format("the header says {} frames, the file holds {}", header.declared_frames, found));
  }
  if (found > kMaxFrames) {
    return fail(ErrorCode::bad_file, "{}: {} frames, expected at most {}", cursor.file(), found, kMaxFrames);
  }
  return {};
}

std::unexpected<Error> frame_line_error(const TextCursor& cursor, const FrameLineProblem& problem, int channel_count) {
  const std::size_t line = cursor.line_of(problem.byte);
  if (problem.too_far) {
    return fail(ErrorCode::bad_file, "{}:{}: found a position farther than {} m, expected a nearer one", cursor.file(),
                line, kFarthest_m);
  }
  if (problem.word.empty()) {
    return fail(ErrorCode::bad_file, "{}:{}: found {} values, expected {}", cursor.file(), line, problem.values,
                channel_count);
  }
  return fail(
      ErrorCode::bad_file, "{}:{}: found {}, expected {}", cursor.file(), line, shown(problem.word),
      problem.decimal_comma ? "a number with a decimal point (decimal commas are not read)" : "a finite number");
}

/// Seconds between frames, from the options or the file.
Result<double> settle_frame_time(const TextCursor& cursor, BvhHeader& header, std::size_t frame_count,
                                 const ReadOptions& options) {
  if (options.fps_is) return 1.0 / *options.fps_is;
  if (is_usable_frame_time(header.frame_time_s)) return header.frame_time_s;
  if (frame_count <= 1) {
    header.warnings.push_back(fmt::format("frame time {} makes no sense; 1/30 s taken", header.frame_time_s));
    return 1.0 / 30.0;
  }
  return fail(ErrorCode::bad_file, "{}:{}: found frame time {}, expected {} to {} s (or give the frame rate)",
              cursor.file(), cursor.line_of(header.frame_time_byte), header.frame_time_s, 1.0 / kFastest_hz,
              1.0 / kSlowest_hz);
}

/// False when a position of a frame is a broken number.
bool positions_are_near(const BvhHeader& header, const std::vector<double>& values) {
  for (const BvhHeader::Joint& joint : header.joints) {
    for (std::size_t i = 0; i < joint.channels.size(); ++i) {
      const double value = values[static_cast<std::size_t>(joint.first_channel) + i];
      if (is_position(joint.channels[i]) && !(std::abs(value) <= kLargestPosition)) return false;
    }
  }
  return true;
}

Result<BvhSample> read_sample(const TextCursor& cursor, const BvhHeader& header, const BvhFrameLines& lines) {
  BvhSample sample{.frames = sample_frames(lines.begins.size(), header.joints.size()), .values = {}};
  for (const std::size_t frame : sample.frames) {
    sample.values.emplace_back(static_cast<std::size_t>(header.channel_count));
    FrameLineProblem problem;
    if (!parse_frame_line(lines, frame, header.channel_count, sample.values.back().data(), problem)) {
      return frame_line_error(cursor, problem, header.channel_count);
    }
    if (!positions_are_near(header, sample.values.back())) {
      problem = {.byte = lines.begins[frame], .too_far = true};
      return frame_line_error(cursor, problem, header.channel_count);
    }
  }
  return sample;
}

std::string_view words_for(PositionConvention convention) {
  return convention == PositionConvention::added_to_offset ? "are added to" : "replace";
}

void warn_of_conventions(const BvhHeader& header, const BvhLayout& layout, Notes& warnings) {
  const auto has_position = [](const BvhHeader::Joint& joint) {
    return std::ranges::any_of(joint.channels, is_position);
  };
  const bool root_matters = has_position(header.joints.front()) && !header.joints.front().offset.isZero();
  const bool others_matter = std::ranges::any_of(header.joints.begin() + 1, header.joints.end(), has_position);
  if (root_matters)
    warnings.push_back(Note::done(fmt::format("position channels of the root {} its OFFSET", words_for(layout.root))));
  if (others_matter) {
    warnings.push_back(
        Note::done(fmt::format("position channels of other joints {} their OFFSET", words_for(layout.others))));
  }
}

std::shared_ptr<BvhLayout> layout_of(const BvhHeader& header) {
  auto layout = std::make_shared<BvhLayout>();
  layout->joints.reserve(header.joints.size());
  for (const BvhHeader::Joint& joint : header.joints) layout->joints.push_back({joint.name, joint.channels});
  return layout;
}

void append(Notes& to, const Notes& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Roles, up axis, root convention and unit of a file, in the order in which they follow from each other. Returns a
/// typical posture in file units and axes; empty without frames.
std::vector<Vec3d> settle_place(const BvhHeader& header, const BvhSample& sample, const Skeleton& rest,
                                const ReadOptions& options, BvhLayout& layout, MotionFile& file) {
  PlaceEvidence evidence{.skeleton = &rest, .first_posture_is_tpose = file.tpose_frames > 0};
  if (!sample.values.empty()) {
    layout.others = find_others_convention(header, sample);
    evidence.postures = sample_postures(header, sample, layout.root, layout.others);
  }
  const std::vector<Vec3d>* const typical =
      evidence.postures.empty() ? nullptr : &evidence.postures[evidence.postures.size() / 2];
  file.body_map = options.body_map ? *options.body_map : body::guess_body_map(rest, typical);
  evidence.body_map = &file.body_map;
  const Place place = find_place(evidence, options);
  if (!sample.values.empty()) layout.root = find_root_convention(header, sample, evidence.postures, place.up);
  file.unit_m = place.unit_m;
  file.up = place.up;
  append(file.warnings, place.warnings);
  return typical == nullptr ? std::vector<Vec3d>() : *typical;
}

Result<MotionFile> parse(std::string_view text, const std::string& name_for_errors, const ReadOptions& options) {
  if (auto checked = check_options(options); !checked) return std::unexpected(checked.error());
  const std::optional<std::string> clean = without_lone_returns(text);
  if (clean) text = *clean;
  TextCursor cursor(text, name_for_errors);
  Result<BvhHeader> parsed = parse_bvh_header(cursor);
  if (!parsed) return std::unexpected(parsed.error());
  BvhHeader& header = *parsed;
  Result<Skeleton> rest = rest_skeleton(header);
  if (!rest) return fail(ErrorCode::bad_file, "{}: {}", name_for_errors, rest.error().message);
  if (auto checked = check_body_map(options, *rest); !checked) return std::unexpected(checked.error());

  // Frame lines, and some of them read ahead.
  BvhFrameLines lines;
  BvhSample sample;
  double frame_time_s = 0.0;
  MotionFile file;
  file.format = "bvh";
  if (header.has_motion && header.channel_count > 0) {
    lines = find_frame_lines(text, header.frames_begin);
    if (auto settled = settle_frame_count(cursor, header, lines); !settled) return std::unexpected(settled.error());
    const Result<double> time = settle_frame_time(cursor, header, lines.begins.size(), options);
    if (!time) return std::unexpected(time.error());
    frame_time_s = *time;
  }
  if (header.has_motion && lines.begins.empty()) header.warnings.push_back("the file holds no motion");
  if (!lines.begins.empty()) {
    if (clip_is_too_large(rest->joint_count(), lines.begins.size(), text.size())) {
      return fail(ErrorCode::bad_file, "{}: {} joints in {} frames, expected more than {} bytes of text for them",
                  name_for_errors, header.joints.size(), lines.begins.size(), text.size());
    }
    Result<BvhSample> read = read_sample(cursor, header, lines);
    if (!read) return std::unexpected(read.error());
    sample = std::move(*read);
    file.tpose_frames = count_tpose_frames(header, sample);
  }

  // What the numbers mean.
  auto layout = layout_of(header);
  std::vector<Vec3d> typical = settle_place(header, sample, *rest, options, *layout, file);
  file.warnings.insert(file.warnings.begin(), header.warnings.begin(), header.warnings.end());
  if (!sample.values.empty()) warn_of_conventions(header, *layout, file.warnings);
  file.bvh = layout;
  if (file.tpose_frames > 0) {
    if (options.drop_tpose) lines.begins.erase(lines.begins.begin(), lines.begins.begin() + file.tpose_frames);
    file.warnings.push_back(tpose_note(file.tpose_frames, options.drop_tpose));
  }

  // Everything, in metres and Y up.
  const BvhClipTarget target{.header = header, .lines = lines, .layout = *layout, .unit_m = file.unit_m, .up = file.up};
  FrameLineProblem problem;
  Result<BvhClip> clip = make_bvh_clip(target, *rest, frame_time_s, problem);
  if (!clip && clip.error().message.empty()) return frame_line_error(cursor, problem, header.channel_count);
  if (!clip) return fail(clip.error().code, "{}: {}", name_for_errors, clip.error().message);
  file.skeleton = clip->skeleton;
  if (clip->clip) file.clips.push_back(std::move(*clip->clip));
  if (file.up == UpAxis::z && !options.body_map) {
    // The first guess did not know which way is up.
    for (Vec3d& position : typical) position = world_from_file(file.up) * (position * file.unit_m);
    file.body_map = body::guess_body_map(*file.skeleton, typical.empty() ? nullptr : &typical);
  }
  return file;
}

}  // namespace

Result<MotionFile> parse_bvh(std::string_view text, const std::string& name_for_errors, const ReadOptions& options) {
  return guarded(name_for_errors, [&] { return parse(text, name_for_errors, options); });
}

Result<MotionFile> read_bvh(const std::filesystem::path& path, const ReadOptions& options) {
  return guarded(path, [&]() -> Result<MotionFile> {
    const Result<FileText> text = read_file(path);
    if (!text) return std::unexpected(text.error());
    Result<MotionFile> file = parse(text->view(), path.string(), options);
    if (file && !file->clips.empty()) file->clips.front().set_name(path.stem().string());
    return file;
  });
}

}  // namespace shosa::io
