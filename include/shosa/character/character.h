#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "shosa/character/character_data.h"
#include "shosa/character/commands.h"
#include "shosa/core/pose.h"
#include "shosa/feet/ground.h"

namespace shosa::character {

/// How much of a character is worked out: what a game chooses by how far away it is.
enum class Detail {
  full,     ///< Everything.
  steered,  ///< The graph, steering and feet on the ground; no layers, gaze, reaches, drags and pins: they wait.
  played    ///< The graph alone, steered, and lifted to the ground as a whole: feet may slide and hang in the air.
};

struct CharacterParams {
  int start_state = -1;              ///< -1: standing still where the clips can, else the first node.
  analysis::GroundPlace place = {};  ///< Where it stands at first, and faces.
};

/// A character that runs: told at any time what to do, it gives a posture for every frame.
///
/// In each frame, in this order, each part at no cost while it has nothing to do:
///   1. graph: the clips that lead to the state that going asks for (`graph::Player`);
///   2. steering: the plane that the graph is played on is turned and shifted under the body, about the foot that
///      stands, no faster than looks right; pushes move it too;
///   3. feet: stances stay where they are in the world, on any ground, and steps are added where none are in the clips;
///   4. layers: clips over parts of the body, and the trunk's twist;
///   5. gaze: head and neck;
///   6. reaches, drags and pins: one pin-and-drag solve over the whole body with the feet pinned.
/// Every part starts from and goes back to what the parts before it give along a minimum-jerk path, so that nothing
/// jumps when it starts, stops, fails or is interrupted.
///
/// Time passes in steps of `CharacterDataParams::frame_time_s`; postures in between are interpolated, so that `update`
/// takes any `dt`. After `create` nothing allocates, throws, locks, reads a file or a clock. The same calls give the
/// same bits. One thread at a time for each character; characters are independent of each other.
class Character {
 public:
  /// Fails when the start state is not there.
  static Result<Character> create(std::shared_ptr<const CharacterData> data, const CharacterParams& params = {});
  Character(Character&&) noexcept;
  Character& operator=(Character&&) noexcept;
  ~Character();

  /// Level ground at 0 when never called. What is viewed must live as long as it is used, must not throw, and should
  /// be quick: it is asked some tens of times in a frame. Heights that are not finite count as 0.
  void set_ground(const feet::GroundView& ground);
  /// From the next update on.
  void set_detail(Detail detail);
  Detail detail() const;

  /// Fails on what can never be right: an unknown state or joint, something that is not finite, a bound broken. What
  /// turns out to be impossible later ends as `Status::given_up`.
  Result<Handle> command(const Command& command);
  /// For reaches, drags and gazes, in the frame that the command has. Ignored for others, and for targets that are not
  /// finite. A target that moves steadily is met on its way: how fast it goes is seen from call to call.
  void move_target(Handle handle, const Vec3d& target_m);
  /// Ends a command smoothly: reaches, drags, pins and gazes let go; going goes on with what it does now.
  void release(Handle handle);
  Outcome outcome(Handle handle) const;

  /// `dt_s` in 0 … 1 (longer is cut, negative is 0).
  void update(double dt_s);

  double time_s() const;
  const Pose& pose() const;
  /// Of the hips, and where the body faces.
  analysis::GroundPlace place() const;
  /// Over the ground, in the last update: how far, seen from the place before, and how far it turned.
  const analysis::GroundPlace& root_step() const;
  /// Bit f: foot f of the set stands.
  std::uint8_t contacts() const;
  /// Of the last update. At most 64; more are dropped.
  std::span<const Event> events() const;
  /// That the body is in or on its way to; -1 for none.
  int state() const;
  double speed_mps() const;
  const CharacterData& data() const;

  /// All that the character is between two updates, as bytes: the same state gives the same bytes. What is not in them:
  /// the shared data, and the ground, which is the caller's.
  std::size_t snapshot_size() const;
  /// Into `snapshot_size()` bytes, without allocating. Fails where `bytes` is of another size.
  Result<void> snapshot(std::span<std::byte> bytes) const;
  std::vector<std::byte> snapshot() const;
  /// Goes on from there as the character that was written did, to the bit. Handles are those of that one. Fails, and
  /// leaves the character as it is, where the bytes are no snapshot, cut short, damaged, of another version or of a
  /// character of other data.
  Result<void> restore(std::span<const std::byte> bytes);

 private:
  struct Impl;
  explicit Character(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Updates many, on all cores. No two may be the same; the result does not depend on how many cores there are.
void update_all(std::span<Character* const> characters, double dt_s);
void update_all(std::span<Character> characters, double dt_s);

}  // namespace shosa::character
