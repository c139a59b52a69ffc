#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/pose.h"

namespace shosa {

/// Writes what runs as bytes, and reads it back, by one and the same walk over its parts.
///
/// A class with state has a member `void visit_state(StateBytes& bytes) { bytes(a_, b_, c_); }` that names what changes
/// while it runs; for a struct of others `void visit_state(StateBytes&, T&)` beside it will do. Writing and measuring
/// change nothing, so that they may be handed what is constant by a cast. Numbers are copied as they lie in memory,
/// without what pads them: the same state gives the same bytes. A list is its length and its entries. Reading past the
/// end, or a posture of another joint count, fails and leaves the rest as it was. Allocates only where a list is read
/// that is longer than its vector has room for.
class StateBytes {
 public:
  /// Only counts.
  static StateBytes measure() { return {Mode::measure, nullptr, 0}; }
  static StateBytes write(std::span<std::byte> to) { return {Mode::write, to.data(), to.size()}; }
  static StateBytes read(std::span<const std::byte> from) {
    return {Mode::read, const_cast<std::byte*>(from.data()), from.size()};  // never written in this mode
  }

  template <class... Parts>
  void operator()(Parts&... parts) {
    (visit(parts), ...);
  }
  std::size_t size() const { return used_; }
  bool reads() const { return mode_ == Mode::read; }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

 private:
  enum class Mode {
    measure,
    write,
    read
  };
  StateBytes(Mode mode, std::byte* bytes, std::size_t size) : mode_(mode), bytes_(bytes), room_(size) {}

  template <class T>
  static constexpr bool kPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
  template <class T>
  struct IsVector : std::false_type {};
  template <class T, class A>
  struct IsVector<std::vector<T, A>> : std::true_type {};
  template <class T>
  struct IsArray : std::false_type {};
  template <class T, std::size_t N>
  struct IsArray<std::array<T, N>> : std::true_type {};
  template <class T>
  struct IsOptional : std::false_type {};
  template <class T>
  struct IsOptional<std::optional<T>> : std::true_type {};

  void raw(void* data, std::size_t size) {
    used_ += size;
    if (mode_ == Mode::measure || failed_ || size == 0) return;
    if (used_ > room_) {
      failed_ = true;
      return;
    }
    std::byte* here = bytes_ + (used_ - size);
    if (mode_ == Mode::write)
      std::memcpy(here, data, size);
    else
      std::memcpy(data, here, size);
  }

  template <class T>
  void visit(T& part) {
    if constexpr (requires { part.visit_state(*this); }) {
      part.visit_state(*this);
    } else if constexpr (requires { visit_state(*this, part); }) {
      visit_state(*this, part);
    } else if constexpr (kPlain<T>) {
      raw(&part, sizeof part);
    } else if constexpr (requires { part.coeffs().data(); } && !std::is_base_of_v<Eigen::DenseBase<T>, T>) {
      raw(part.coeffs().data(), 4 * sizeof(part.x()));  // a quaternion
    } else if constexpr (std::is_base_of_v<Eigen::DenseBase<T>, T>) {
      static_assert(T::SizeAtCompileTime != Eigen::Dynamic);
      raw(part.data(), static_cast<std::size_t>(part.size()) * sizeof(typename T::Scalar));
    } else if constexpr (IsArray<T>::value) {
      for (auto& entry : part) visit(entry);
    } else if constexpr (IsOptional<T>::value) {
      bool there = part.has_value();
      visit(there);
      if (reads()) there ? void(part.emplace()) : part.reset();
      if (part) visit(*part);
    } else if constexpr (IsVector<T>::value) {
      list(part);
    } else {
      static_assert(std::is_void_v<T>, "no walk over a part of this type");
    }
  }
  template <class T>
  void list(std::vector<T>& part) {
    auto count = static_cast<std::uint64_t>(part.size());
    visit(count);
    if (failed_) return;
    if (reads()) {
      if (count > room_ - used_) return fail();  // every entry takes a byte at least
      part.resize(static_cast<std::size_t>(count));
    }
    if constexpr (kPlain<T>) {
      raw(part.data(), part.size() * sizeof(T));
    } else {
      for (T& entry : part) visit(entry);
    }
  }
  template <class... Kinds>
  void visit(std::variant<Kinds...>& part) {
    auto index = static_cast<std::uint32_t>(part.index());
    visit(index);
    if (failed_) return;
    if (reads() && index != part.index()) take_kind(part, index, std::index_sequence_for<Kinds...>{});
    std::visit([&](auto& kind) { visit(kind); }, part);
  }
  template <class Variant, std::size_t... I>
  void take_kind(Variant& part, std::uint32_t index, std::index_sequence<I...>) {
    const bool known = ((index == I && (part.template emplace<I>(), true)) || ...);
    if (!known) fail();
  }
  void visit(std::monostate&) {}
  void visit(Pose& pose) {
    auto joints = static_cast<std::int32_t>(pose.joint_count());
    visit(joints);
    if (joints != pose.joint_count()) return fail();
    raw(pose.rotation_lanes().data(), pose.rotation_lanes().size_bytes());
    raw(pose.translation_lanes().data(), pose.translation_lanes().size_bytes());
  }
  void visit(WorldPose& world) {
    visit(world.positions);
    visit(world.rotations);
  }

  Mode mode_;
  std::byte* bytes_;
  std::size_t room_;
  std::size_t used_ = 0;
  bool failed_ = false;
};

}  // namespace shosa
