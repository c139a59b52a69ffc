#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "shosa/c/base.h"

namespace shosa::c {

/// Where memory that is handed out comes from.
struct Allocator {
  void* user = nullptr;
  void* (*allocate)(void*, std::size_t, std::size_t) = nullptr;
  void (*release)(void*, void*, std::size_t, std::size_t) = nullptr;

  void* take(std::size_t bytes, std::size_t alignment) const {
    return allocate != nullptr ? allocate(user, bytes, alignment)
                               : ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
  }
  void give_back(void* memory, std::size_t bytes, std::size_t alignment) const {
    if (memory == nullptr) return;
    if (release != nullptr) return release(user, memory, bytes, alignment);
    ::operator delete (memory, std::align_val_t{alignment});
  }
};

/// Zeroed bytes of an allocator, 64-byte aligned. Empty where there was no memory.
class Memory {
 public:
  static constexpr std::size_t kAlignment = 64;

  Memory() = default;
  Memory(const Allocator& allocator, std::size_t bytes)
      : allocator_(allocator), data_(allocator.take(bytes, kAlignment)), bytes_(bytes) {
    if (data_ != nullptr) std::memset(data_, 0, bytes);
  }
  Memory(Memory&& other) noexcept
      : allocator_(other.allocator_), data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Memory() { allocator_.give_back(data_, bytes_, kAlignment); }

  explicit operator bool() const { return data_ != nullptr; }
  char* bytes() const { return static_cast<char*>(data_); }
  float* floats() const { return static_cast<float*>(data_); }

 private:
  Allocator allocator_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace shosa::c
