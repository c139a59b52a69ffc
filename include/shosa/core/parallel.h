#pragma once

#include <cstddef>
#include <functional>

namespace shosa {

/// Calls `body(begin, end)` over disjoint ranges that cover [0, count), on all cores. `grain` is the least useful
/// range. Results must not depend on how the range is cut: each index writes only its own output.
void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace shosa
