#include "io/csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::io {
namespace {

TEST(Csv, NamesWithCommasAndQuotesAreQuoted) {
  auto skeleton =
      Skeleton::create({{"a,\"b\"", kNoJoint, Vec3f(0, 1, 0), Quatf::Identity()}}, {{"tip", 0, Vec3f(0, 0.5f, 0)}});
  ASSERT_TRUE(skeleton.has_value());
  const Clip clip(std::make_shared<const Skeleton>(std::move(*skeleton)), 2, 0.25);
  EXPECT_EQ(format_csv(clip),
            "frame,time_s,\"a,\"\"b\"\".x\",\"a,\"\"b\"\".y\",\"a,\"\"b\"\".z\",tip.x,tip.y,tip.z\n"
            "0,0,0,1,0,0,1.5,0\n"
            "1,0.25,0,1,0,0,1.5,0\n");
}

TEST(Csv, HoldsEveryPositionBitForBit) {
  const Clip clip = scenes::random_clip(scenes::random_tree(12, 3), 300, 3);
  const ClipPositions positions = clip_positions(clip);
  std::istringstream lines(format_csv(clip));
  std::string line;
  std::getline(lines, line);
  for (int f = 0; f < clip.frame_count(); ++f) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    EXPECT_EQ(std::stoi(field), f);
    std::getline(fields, field, ',');
    EXPECT_EQ(std::stod(field), f * clip.frame_time_s());
    for (const Vec3d& point : positions.frame(f)) {
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_TRUE(std::getline(fields, field, ','));
        EXPECT_EQ(std::stod(field), point[axis]);
      }
    }
  }
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace shosa::io
