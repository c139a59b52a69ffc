#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/io/motion_file.h"

namespace shosa::io {

enum class BvhChannel : std::uint8_t {
  x_position,
  y_position,
  z_position,
  x_rotation,
  y_rotation,
  z_rotation
};

/// What a position channel means: the joint's whole translation, or what is added to its OFFSET. Files of both kinds
/// exist.
enum class PositionConvention {
  replaces_offset,
  added_to_offset
};

/// The channels of a BVH file as it had them.
struct BvhLayout {
  struct Joint {
    std::string name;
    std::vector<BvhChannel> channels;  ///< In the file's order; may be empty.
  };
  std::vector<Joint> joints;  ///< In the skeleton's order.
  PositionConvention root = PositionConvention::replaces_offset;
  PositionConvention others = PositionConvention::replaces_offset;
};

/// Reads a BVH file.
///
/// Taken as they come: any channel order, also mixed within the file; 0 to 9 channels a joint; position channels on any
/// joint; CR, LF and CR LF; tabs; exponents; blank lines; keywords in any case; names with spaces and colons; a missing
/// End Site. Warned of: a frame count that is not the number of lines, an unfinished last line, equal names, position
/// channels and what they were taken for, an added T-pose in frame 0, `Frames: 0` (then `clips` is empty). Errors
/// (`file:line: found …, expected …`): anything else that is not BVH, decimal commas, nan and inf, a second ROOT (two
/// bodies are two files), a frame time that is not positive.
///
/// Which convention position channels follow is decided per file. Other joints than the root: by majority, whether the
/// channels lie nearer to OFFSET or to zero. The root: which of the two puts the lowest point of the body nearer to
/// height 0.
///
/// Memory stays below 192 MiB plus 256 bytes per byte of text, whatever the header promises: 96 bytes per byte were
/// measured for a text of joints alone, and the samples of clips that would need more are refused.
Result<MotionFile> read_bvh(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for a text in memory; `name_for_errors` stands for the file's name.
Result<MotionFile> parse_bvh(std::string_view text, const std::string& name_for_errors,
                             const ReadOptions& options = {});

/// The text of a BVH file that holds `clip`.
///
/// The zero pose of the file is the skeleton's rest pose: where rest rotations are not the identity, joint frames are
/// turned to the world's axes and offsets and rotations are restated in them; positions stay the same. Channels follow
/// `layout` where it fits the skeleton and can hold the motion; otherwise Z Y X rotations, before them X Y Z positions
/// for the root and for joints in `clip.translated()`. Positions replace the offset. Angles are continuous over frames:
/// no jump by a whole turn, and of the two Euler solutions the nearer one. Angles have 6 decimals and positions enough
/// for 0.02 µm. Fails when `unit_m` is not finite and positive.
Result<std::string> format_bvh(const Clip& clip, const BvhLayout* layout = nullptr, double unit_m = 0.01);

}  // namespace shosa::io
