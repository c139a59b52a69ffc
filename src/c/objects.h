#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "c/call.h"
#include "shosa/character/character.h"
#include "shosa/character/height_field.h"
#include "shosa/documents/clip_source.h"
#include "shosa/documents/graph_clips.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/moment_edit.h"
#include "shosa/posing/pin_drag_solver.h"
#include "shosa/segment/terrain.h"

struct shosa_pose;

namespace shosa::c {

struct BufferObject final : Object {
  static constexpr Kind kKind = Kind::buffer;
  BufferObject(const Allocator& allocator, std::size_t bytes) : memory(allocator, bytes + 1), size(bytes) {}
  Memory memory;  // ends in a byte 0 that is not counted
  std::size_t size;
};

/// One clip, and what is needed to write it back in its file's form.
struct ClipObject final : Object {
  static constexpr Kind kKind = Kind::clip;
  documents::ChosenClip chosen;
  bool has_motion = true;  ///< False: one frame at rest, because the file held none.

  const Clip& clip() const { return chosen.clip(); }
  const body::BodyMap& map() const { return chosen.motion.body_map; }
  /// Found once, until the clip is changed.
  const analysis::StudiedClip& studied();
  void changed() { studied_.reset(); }
  /// With this clip alone, as documents take motions from memory.
  io::MotionFile alone() const;

 private:
  std::optional<analysis::StudiedClip> studied_;
};
/// A file's clip; one frame at rest where it has none.
std::unique_ptr<ClipObject> clip_object(io::MotionFile motion, std::size_t index = 0, bool as_captured = false);

/// Clips and texts by name; where it stands for a folder on the disk, files by what is not named here.
struct FolderObject final : Object, documents::ClipSource {
  static constexpr Kind kKind = Kind::folder;
  struct Entry {
    std::string name;
    bool as_captured = false;
  };
  std::vector<Entry> clips;  ///< In the order in which they came.
  documents::ClipsInMemory memory;
  std::vector<std::string> texts;
  std::optional<documents::FilesBeside> files;

  const Entry* find_clip(const std::string& name) const;
  bool has_text(const std::string& name) const;
  std::vector<documents::ClipReference> references() const;

  Result<documents::ChosenClip> open(const documents::ClipReference& reference) const override;
  Result<std::string> text(const std::string& name) const override;
  Result<std::string> hash_of(const documents::ClipReference& reference) const override;
  std::string path(const std::string& name) const override;
};

struct GraphObject final : Object {
  static constexpr Kind kKind = Kind::graph;
  std::shared_ptr<const graph::MotionGraph> graph;
  std::shared_ptr<const graph::MotionSet> set;
  std::vector<documents::GraphClip> clips;  ///< How its clips are named and read.
};

struct KindObject final : Object {
  static constexpr Kind kKind = Kind::character_kind;
  std::shared_ptr<const character::CharacterData> data;
};

/// A ground that characters share; it lives as long as one of them uses it.
struct Ground {
  struct Function {
    double (*ask)(void*, double, double, double*) = nullptr;
    void* user = nullptr;
    feet::GroundPoint operator()(double x_m, double z_m) const;
  };
  struct Heights {
    std::vector<float> heights_m;
    character::HeightField field;
    feet::GroundPoint operator()(double x_m, double z_m) const { return field(x_m, z_m); }
  };
  std::variant<Function, Heights, segment::Terrain> shape;
  feet::GroundPoint operator()(double x_m, double z_m) const {
    return std::visit([&](const auto& ground) -> feet::GroundPoint { return ground(x_m, z_m); }, shape);
  }
};
struct GroundObject final : Object {
  static constexpr Kind kKind = Kind::ground;
  std::shared_ptr<const Ground> ground;
};

/// A posture as plain arrays at an address that stays.
class PoseArrays {
 public:
  /// `poses`: SHOSA_POSE_… added. False: no memory.
  bool create(const Allocator& allocator, int joint_count, std::uint32_t poses);
  /// Allocates nothing.
  void set(const Skeleton& skeleton, const Pose& pose);
  shosa_pose view() const;

 private:
  int joint_count_ = 0;
  Memory rotations_, translations_, matrices_;
};

struct CharacterObject final : Object {
  static constexpr Kind kKind = Kind::character;
  explicit CharacterObject(character::Character made) : character(std::move(made)) {}
  character::Character character;
  std::shared_ptr<const Ground> ground;
  PoseArrays arrays;
  std::uint32_t batch = 0;

  void update(double dt_s) {
    character.update(dt_s);
    arrays.set(character.data().skeleton(), character.pose());
  }
};

struct PinDragObject final : Object {
  static constexpr Kind kKind = Kind::pin_drag;
  PinDragObject(std::shared_ptr<const Skeleton> of, const posing::PinDragParams& params)
      : skeleton(of), solver(std::move(of), params), pose(Pose::rest(*skeleton)) {}
  std::shared_ptr<const Skeleton> skeleton;
  body::BodyMap map;
  posing::PinDragSolver solver;
  Pose pose;
  PoseArrays arrays;

  void show() {
    solver.body().get_pose(pose);
    arrays.set(*skeleton, pose);
  }
};

struct PoseMomentObject final : Object {
  static constexpr Kind kKind = Kind::pose_moment;
  PoseMomentObject(const io::MotionFile& motion, posing::MomentEdit edit)
      : skeleton(motion.skeleton), map(motion.body_map), moment(std::move(edit)) {}
  std::shared_ptr<const Skeleton> skeleton;
  body::BodyMap map;
  posing::MomentEdit moment;
  std::shared_ptr<const posing::PosturePrior> prior;
  std::vector<documents::ClipReference> prior_clips;  ///< It is made of; empty: of the usual ones.
  PoseArrays arrays;
};

/// The skeleton and roles of whatever has one.
struct Body {
  std::shared_ptr<const Skeleton> skeleton;
  const body::BodyMap* map = nullptr;
};
std::optional<Body> find_body(Call& call, shosa_handle of);
/// Joint ranges that a text gives a body; those of humans where it is NULL.
std::optional<std::vector<posing::HumanRange>> ranges_of(Call& call, const Skeleton& skeleton, const body::BodyMap& map,
                                                         const char* json);

/// Four numbers as a rotation; complains about what is not finite or has no length.
Quatd unit_rotation(Call& call, const double* values, const char* name);
/// From plain arrays; what is NULL stays as it is. Complains about what is not finite or a rotation of no length.
void read_pose(Call& call, const float* rotations, const float* translations_m, Pose& pose);
void write_pose(const Pose& pose, float* rotations, float* translations_m);

/// A clip that was made, its notes said and its report with them, where asked for.
void give_made(Call& call, io::MotionFile motion, const std::string& report, shosa_clip* out, shosa_buffer* report_out);

}  // namespace shosa::c
