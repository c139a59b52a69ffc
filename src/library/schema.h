#pragma once

#include "library/database.h"

namespace shosa::library {

/// Makes the tables in an empty file, brings an older layout up to date. Fails for a newer one, and for a file that is
/// no index.
Result<void> prepare_schema(Database& database);

/// Fails unless the file is an index of `kIndexVersion` with exactly our tables: nothing in it can then do more than
/// hold wrong values.
Result<void> check_schema(Database& database);

}  // namespace shosa::library
