#include "scenes/allocations.h"

#include <cstddef>

// The C library's own functions under the names that it leaves free for programs that replace them.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

namespace {

thread_local long count = 0;

}  // namespace

extern "C" void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}

namespace shosa::scenes {

long allocations() {
  return count;
}

}  // namespace shosa::scenes
