#include <algorithm>
#include <cstdint>

#include "shosa/core/parallel.h"

extern "C" __attribute__((import_module("shosa"), import_name("progress"))) void shosa_page_progress(
    std::uint32_t done, std::uint32_t total);

// What a thread leaves behind is for its end, and the module's one thread has none: nothing is noted, nothing
// destroyed.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) {  // NOLINT(bugprone-reserved-identifier)
  return 0;
}

namespace shosa {

// A module has one thread. The pieces are no larger than those of many threads; between them the page hears how far it
// is.
void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  if (count == 0) return;
  if (grain == 0) grain = 1;
  if (count <= grain) return body(0, count);
  for (std::size_t begin = 0; begin < count;) {
    const std::size_t end = begin + std::min(grain, count - begin);
    body(begin, end);
    shosa_page_progress(end, count);
    begin = end;
  }
}

}  // namespace shosa
