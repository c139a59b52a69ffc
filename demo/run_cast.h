#pragma once

#include <string_view>

#include "demo/cast.h"
#include "demo/measure.h"
#include "shosa/documents/run_script.h"

namespace shosa::demo {

/// A script of `shosa run` whose clips are parts of the cast.
struct CastRun {
  documents::RunScript script;
  documents::RanScript ran;
  Unevenness sources;  ///< The worst of its clips.
};
Result<CastRun> run_cast(const Cast& cast, std::string_view script);

/// Adds the check that all commands were met.
void all_met(Figure& figure, const documents::RanScript& ran);

}  // namespace shosa::demo
