#pragma once

#include <functional>

namespace shosa::io {

/// Runs `work` in a copy of this process and says whether it came to an end there: false when it crashed, aborted or
/// used more than `cpu_s` seconds. For libraries whose faults would take us along. True where no copy can be made.
bool survives_in_child(const std::function<void()>& work, unsigned cpu_s = 60);

}  // namespace shosa::io
