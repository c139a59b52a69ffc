#include "shosa/core/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace shosa {

void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  if (count == 0) return;
  if (grain == 0) grain = 1;
  if (count <= grain) return body(0, count);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
}

}  // namespace shosa
