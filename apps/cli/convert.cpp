#include <filesystem>

#include "add_verb.h"
#include "input.h"
#include "outputs.h"
#include "progress.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/documents/root_motion_file.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/read_text.h"

namespace shosa::cli {

namespace {

namespace fs = std::filesystem;

// Rates that differ by less are the same, written differently.
constexpr double kSameRate = 1e-3;

struct ConvertOptions {
  std::vector<std::string> files;  ///< Inputs, then the output file or folder.
  std::string format;
  InputOptions input;
  std::optional<double> fps;
  std::optional<double> from_s;
  std::optional<double> to_s;
  std::optional<double> out_unit_m;
  std::string root_motion, with_root_motion;
  bool mirror = false;
  bool in_place = false;
  bool to_floor = false;
};

/// The path over the ground that a file holds, put back into a clip.
Result<Clip> with_path(const Clip& clip, const std::string& file) {
  const auto text = io::read_text(file);
  if (!text) return std::unexpected(text.error());
  const auto motion = documents::parse_root_motion(*text, file);
  if (!motion) return std::unexpected(motion.error());
  if (motion->frame_time_s > 0.0 && std::abs(motion->frame_time_s / clip.frame_time_s() - 1.0) > kSameRate) {
    return fail(ErrorCode::not_possible, "{}: {:.6g} rows a second, the clip has {:.6g} frames", file,
                1.0 / motion->frame_time_s, clip.fps());
  }
  auto moved = analysis::with_root_motion(clip, *motion);
  if (!moved) return fail(moved.error().code, "{}: {}", file, moved.error().message);
  return moved;
}

/// What becomes of a clip, and the path over the ground that it had before it was taken out.
struct Edited {
  Clip clip;
  analysis::RootMotion root;
};

Result<Edited> edited(const Clip& source, const body::BodyMap& map, const ConvertOptions& options) {
  Result<Clip> clip = source;
  if (clip && (options.from_s || options.to_s)) {
    clip = cut(*clip, options.from_s.value_or(0.0), options.to_s.value_or(clip->duration_s()));
  }
  if (clip && options.fps) clip = resample(*clip, *options.fps);
  if (clip && options.mirror) clip = mirror(*clip, mirror_partners(clip->skeleton(), map));
  if (clip && !options.with_root_motion.empty()) clip = with_path(*clip, options.with_root_motion);
  analysis::RootMotion root;
  if (clip && (options.in_place || !options.root_motion.empty())) root = analysis::study(*clip, map).root();
  if (clip && options.in_place) clip = analysis::without_root_motion(*clip, root);
  if (clip && options.to_floor) clip = analysis::put_on_ground(*clip, map);
  if (!clip) return std::unexpected(clip.error());
  return Edited{std::move(*clip), std::move(root)};
}

struct Converted {
  int frames = 0;
  double fps = 0.0;
  std::size_t clips = 0;
  Notes warnings;
};

Result<Converted> convert_one(const std::string& in, const std::string& out, const ConvertOptions& options) {
  auto motion = read_input(in, options.input, options.fps);
  if (!motion) return std::unexpected(motion.error());
  const auto chosen = choose_clip(*motion, in, options.input);
  if (!chosen) return std::unexpected(chosen.error());

  std::string extension = fs::path(out).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool one_clip_only = extension == ".bvh" || extension == ".csv";
  if (one_clip_only || options.input.take) {
    if (motion->clips.size() > 1 && !options.input.take) {
      motion->warnings.push_back(
          Note::done(fmt::format("{}: {} clips, and {} holds one: '{}' was taken (--clip chooses)", in,
                                 motion->clips.size(), extension, motion->clips[0].name())));
    }
    motion->clips = {std::move(motion->clips[*chosen])};
  }
  if (motion->clips.size() > 1 && !(options.root_motion.empty() && options.with_root_motion.empty())) {
    return fail(ErrorCode::not_possible, "{}: {} clips, and a root motion is of one: choose it with --clip", in,
                motion->clips.size());
  }
  analysis::RootMotion root;
  for (Clip& clip : motion->clips) {
    auto result = edited(clip, motion->body_map, options);
    if (!result) return fail(result.error().code, "{}: {}", in, result.error().message);
    clip = std::move(result->clip);
    root = std::move(result->root);
  }
  std::vector<Output> outputs = {{out, [&] { return io::write_motion(out, *motion, {.unit_m = options.out_unit_m}); }}};
  if (!options.root_motion.empty()) {
    outputs.push_back({options.root_motion, [&] {
                         return io::write_file_atomically(options.root_motion, documents::format_root_motion(root));
                       }});
  }
  if (const auto written = write_all(outputs); !written) return std::unexpected(written.error());
  return Converted{motion->clips[0].frame_count(), motion->clips[0].fps(), motion->clips.size(),
                   std::move(motion->warnings)};
}

Result<Report> convert_to_file(const ConvertOptions& options) {
  const auto done = convert_one(options.files[0], options.files[1], options);
  if (!done) return std::unexpected(done.error());
  Report report;
  report.json = {{"input", options.files[0]},
                 {"output", options.files[1]},
                 {"frames", done->frames},
                 {"fps", done->fps},
                 {"clips", done->clips}};
  report.notes = done->warnings;
  report.text += fmt::format("{}: {} frames at {:.6g} fps\n", options.files[1], done->frames, done->fps);
  return report;
}

// Many files into a folder. All that can be converted are; the first failure decides the exit status.
Result<Report> convert_to_folder(const ConvertOptions& options) {
  const fs::path folder = options.files.back();
  std::error_code made;
  fs::create_directories(folder, made);
  if (made) return fail(ErrorCode::cannot_write, "{}: {}", folder.string(), made.message());

  // Nothing is written while two inputs would meet in one file, or an input would be lost.
  const std::size_t count = options.files.size() - 1;
  std::map<fs::path, std::string> made_from;
  for (std::size_t i = 0; i < count; ++i) {
    const fs::path out = folder / fs::path(options.files[i]).filename().replace_extension(options.format);
    const auto [slot, is_new] = made_from.emplace(out, options.files[i]);
    if (!is_new) {
      return fail(ErrorCode::not_possible, "{} and {} would both become {}", slot->second, options.files[i],
                  out.string());
    }
    std::error_code ignored;
    if (fs::equivalent(out, options.files[i], ignored)) {
      return fail(ErrorCode::not_possible, "{} would be written over itself", options.files[i]);
    }
  }

  Report report;
  report.json = {{"outputs", nlohmann::ordered_json::array()}};
  std::optional<Error> first_error;
  std::string failures;
  {
    Progress progress(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& in = options.files[i];
      progress.show(i, in);
      const std::string out = (folder / fs::path(in).filename().replace_extension(options.format)).string();
      const auto done = convert_one(in, out, options);
      if (!done) {
        if (!first_error) first_error = done.error();
        failures += fmt::format("{}{}", failures.empty() ? "" : "\nshosa: ", done.error().message);
        continue;
      }
      report.json["outputs"].push_back({{"input", in}, {"output", out}, {"frames", done->frames}, {"fps", done->fps}});
      for (const Note& note : done->warnings) report.notes.push_back(note.of(in));
      report.text += fmt::format("{}: {} frames at {:.6g} fps\n", out, done->frames, done->fps);
    }
  }
  if (first_error) return std::unexpected(Error{first_error->code, failures});
  return report;
}

Result<Report> convert(const ConvertOptions& options) {
  return options.format.empty() ? convert_to_file(options) : convert_to_folder(options);
}

}  // namespace

void add_convert(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "convert", "Write a motion in another form, cut, resampled, mirrored or in place", convert);
  verb->add_option("files", options->files, "IN OUT, or IN... FOLDER with --format")->required()->expected(2, -1);
  verb->add_option("--format", options->format, "Extension for files written into a folder")
      ->check(CLI::IsMember({"bvh", "glb", "gltf", "vrma", "csv"}));
  verb->add_option("--fps", options->fps, "Resample to this rate")->check(positive_number());
  verb->add_option("--from", options->from_s, "Begin, seconds from the clip's start");
  verb->add_option("--to", options->to_s, "End, seconds from the clip's start");
  verb->add_option("--out-unit", options->out_unit_m, "Unit of a written BVH (default: the source's, else cm)")
      ->transform(CLI::Transformer(std::map<std::string, double>{{"m", 1.0}, {"cm", 0.01}, {"in", 0.0254}}));
  verb->add_flag("--mirror", options->mirror, "Exchange left and right");
  verb->add_flag("--in-place", options->in_place, "Take the root motion out");
  verb->add_option("--root-motion", options->root_motion,
                   "Also write the path over the ground: frame,time_s,x_m,z_m,heading_deg");
  verb->add_option("--with-root-motion", options->with_root_motion,
                   "Put the path over the ground of this file back in");
  verb->add_flag("--to-floor", options->to_floor, "Move the motion so that its ground lies at height 0");
  options->input.as_captured = true;
  add_input_options(*verb, options->input);
  verb->footer(
      "Formats by extension: in .bvh .amc .asf .glb .gltf .vrma .fbx; out .bvh .glb .gltf .vrma .csv\n"
      "(.csv: world position of every joint and end site, metres).\n\n"
      "Examples:\n"
      "  shosa convert walk.bvh walk.glb\n"
      "  shosa convert 35_01.amc walk.bvh --asf 35.asf\n"
      "  shosa convert walk.bvh part.csv --from 0.5 --to 1.5 --fps 30\n"
      "  shosa convert walk.bvh spot.bvh --in-place --root-motion path.csv\n"
      "  shosa convert spot.bvh walks.bvh --with-root-motion path.csv\n"
      "  shosa convert takes/*.bvh converted --format glb --drop-tpose");
  verb->parse_complete_callback([options] {
    const bool many = !options->format.empty();
    if (!many && options->files.size() != 2) {
      throw CLI::ValidationError("files", "expected IN OUT; several inputs need --format and a folder last");
    }
    if (many && !(options->root_motion.empty() && options->with_root_motion.empty())) {
      throw CLI::ValidationError("--root-motion", "is of one clip, expected IN OUT without --format");
    }
  });
}

}  // namespace shosa::cli
