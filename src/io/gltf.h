#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "shosa/io/motion_file.h"

namespace shosa::io {

/// Reads .glb, .gltf, .vrma and .vrm (glTF 2.0).
///
/// Joints are the nodes of all skins, or the humanoid bones of a VRM file, or the animated nodes with what hangs
/// between and below them; animated ancestors join, unmoved ancestors are baked into the root. World positions of
/// joints equal the file's own at every sample. Scale is baked into the translations, so that the skeleton is rigid and
/// in metres; animated scale is ignored with a warning. Every animation becomes a clip, sampled at a rate that holds
/// all its keys where there is one (24, 25, 30, 48, 50, 60, 90, 100, 120 or the keys' own), else at 60 Hz with a
/// warning.
///
/// Meshes, skins, materials, images, cameras and every extension stay in `MotionFile::gltf` for `write_gltf`.
/// Errors name the file and the JSON path or byte. Memory is bounded by the file's size and a fixed budget of samples.
Result<MotionFile> read_gltf(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from bytes in memory. `name` stands in errors and its extension (.vrma) in `format`; buffers and images
/// that are files of their own are looked for in `base_dir`, and refused when it is empty.
Result<MotionFile> parse_gltf(std::span<const std::byte> bytes, const std::string& name,
                              const std::filesystem::path& base_dir, const ReadOptions& options = {});

/// Writes .glb, .gltf (buffers inside as base64) or .vrma, all clips.
///
/// With `motion.gltf` on the same skeleton the source's scene is kept as it was and only the animations are replaced: a
/// joint's keys are turned back into the node's own frame, and channels of other nodes, of scale and of morph weights
/// stay with the animation of the same name and length. Without it a skeleton is written with a skin and a low-poly
/// body of bones, so that viewers show something. End sites become leaf nodes that `read_gltf` knows again. The exact
/// frame time stands in the animation's `extras`.
///
/// A .vrma holds the skeleton, the humanoid map of `motion.body_map` (hips required) and the motion; what moves above
/// the hips is carried by them, and other joints keep their rest translation, as the format asks.
Result<void> write_gltf(const std::filesystem::path& path, const MotionFile& motion);
/// The bytes of it. Images beside the source are taken in unless the path is beside them too.
Result<std::string> format_gltf(const std::filesystem::path& path, const MotionFile& motion);

}  // namespace shosa::io
