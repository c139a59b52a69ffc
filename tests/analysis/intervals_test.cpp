#include "shosa/analysis/intervals.h"

#include <gtest/gtest.h>

#include "scenes/random.h"

namespace shosa {
namespace {

using analysis::find_interval;
using List = std::vector<TimeInterval>;

/// Disjoint intervals with ends on whole numbers.
List random_list(scenes::Random& random) {
  List list;
  for (double at = random.index(5); at < 60.0;) {
    const double end = at + 1 + random.index(6);
    list.push_back({at, end});
    at = end + 1 + random.index(6);
  }
  return list;
}

TEST(Intervals, SetOperationsAgreeWithCountingUnitCells) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    scenes::Random random(seed);
    const List a = random_list(random), b = random_list(random);
    const List both = analysis::interval_intersection(a, b), either = analysis::interval_union(a, b);
    const List neither = analysis::interval_gaps(either, {0.0, 80.0});
    for (int cell = 0; cell < 80; ++cell) {
      const double t = cell + 0.5;
      const bool in_a = find_interval(a, t) >= 0, in_b = find_interval(b, t) >= 0;
      ASSERT_EQ(find_interval(both, t) >= 0, in_a && in_b) << "seed " << seed << " at " << t;
      ASSERT_EQ(find_interval(either, t) >= 0, in_a || in_b) << "seed " << seed << " at " << t;
      ASSERT_EQ(find_interval(neither, t) >= 0, !(in_a || in_b)) << "seed " << seed << " at " << t;
    }
  }
}

TEST(Intervals, UnionJoinsSmallGaps) {
  EXPECT_EQ(analysis::interval_union(List{{0, 1}, {1.2, 2}}, List{{3, 4}}, 0.25), (List{{0, 2}, {3, 4}}));
}

}  // namespace
}  // namespace shosa
