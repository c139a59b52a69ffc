#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace shosa {

/// Joints per block of the lane layout: one AVX2 register of floats.
inline constexpr int kLanes = 8;

inline constexpr std::size_t kBufferAlignment = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kBufferAlignment}));
  }
  void deallocate(T* pointer, std::size_t) { ::operator delete (pointer, std::align_val_t{kBufferAlignment}); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

using FloatBuffer = std::vector<float, AlignedAllocator<float>>;

/// Number of blocks that hold `joint_count` joints.
constexpr int block_count(int joint_count) {
  return (joint_count + kLanes - 1) / kLanes;
}

}  // namespace shosa
