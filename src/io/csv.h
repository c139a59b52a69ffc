#pragma once

#include <string>

#include "shosa/io/motion_file.h"

namespace shosa::io {

/// World positions as comma-separated values: `frame,time_s,NAME.x,NAME.y,NAME.z,…`, joints first, then end sites, in
/// metres.
///
/// Numbers have as many digits as bring back the same double. Names with commas, quotes or line ends are quoted as RFC
/// 4180 asks; lines end in LF.
std::string format_csv(const Clip& clip);

}  // namespace shosa::io
