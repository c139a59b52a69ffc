#pragma once

#include <gtest/gtest.h>

#include "io/bvh.h"
#include "support/real_data.h"

namespace shosa::io {

/// Reads every captured BVH and hands it on with its name; at least a hundred are expected.
template <class Check>
void for_every_real_bvh(const Check& check) {
  SHOSA_NEEDS_REAL_DATA();
  int files = 0;
  for (const auto& path : test::real_files("", ".bvh")) {
    SCOPED_TRACE(path.filename());
    const auto motion = read_bvh(path);
    ASSERT_TRUE(motion) << motion.error().message;
    check(path, *motion);
    if (testing::Test::HasFatalFailure()) return;
    ++files;
  }
  EXPECT_GE(files, 100);
}

}  // namespace shosa::io
