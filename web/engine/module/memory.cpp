// Memory that is not there: the page is told, and leaves the call by an exception of its own (a module has none).

#include <cstdlib>
#include <new>

extern "C" __attribute__((import_module("shosa"), import_name("out_of_memory"))) void shosa_out_of_memory(
    std::size_t bytes);

namespace {

void* allocate(std::size_t bytes) {
  void* memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) shosa_out_of_memory(bytes);
  return memory;
}

void* aligned(std::size_t bytes, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (bytes + step - 1) / step * step);
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
  void* memory = aligned(bytes, alignment);
  if (memory == nullptr) shosa_out_of_memory(bytes);
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, alignment);
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return aligned(bytes, alignment);
}
