#include "shosa/segment/terrain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "segment/footstep_motion.h"
#include "shosa/segment/footsteps.h"

namespace shosa::segment {
namespace {

TEST(Terrain, IsTheSumOfItsParts) {
  Terrain terrain = flat_terrain(0.5);
  terrain.edges = {{0.0, 1.0, 0.0, 0.2}, {1.0, 0.0, M_PI / 2.0, -0.1}};
  EXPECT_DOUBLE_EQ(terrain.height_m(0.0, 0.0), 0.5);
  EXPECT_DOUBLE_EQ(terrain.height_m(0.0, 1.5), 0.7);
  EXPECT_DOUBLE_EQ(terrain.height_m(2.0, 1.5), 0.6);
  terrain.field = {-1.0, -1.0, 2.0, 2, {0.0, 1.0, 0.0, 1.0}};
  EXPECT_DOUBLE_EQ(terrain.height_m(0.0, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(terrain.height_m(-5.0, 0.0), 0.5);
  EXPECT_TRUE(terrain(0.0, 0.0).normal.isApprox(Vec3d(-0.5, 1.0, 0.0).normalized(), 1e-12));
  EXPECT_TRUE(terrain(-5.0, 0.0).normal.isApprox(Vec3d::UnitY(), 1e-12));
  // Normals are those of the heights.
  terrain.bumps = TerrainBumps{.amplitude_m = 0.1, .wavelength_m = 1.3, .seed = 7};
  terrain.slope = TerrainSlope{.heading_rad = 0.7, .slope = 0.2};
  const double h = 1e-6, x = 0.3, z = 0.2;
  const Vec3d up(-(terrain.height_m(x + h, z) - terrain.height_m(x - h, z)) / (2.0 * h), 1.0,
                 -(terrain.height_m(x, z + h) - terrain.height_m(x, z - h)) / (2.0 * h));
  EXPECT_TRUE(terrain(x, z).normal.isApprox(up.normalized(), 1e-6));
}

TEST(StairsPlan, StairsLieWhereTheyAreAskedForAndTheWalkWithThem) {
  const Clip walk = scenes::walk({.duration_s = 4.0}).clip;
  const auto source = *footstep_source(analysis::study(walk, test::scene_body_map(walk.skeleton())));
  const Vec3d at(3.0, 0.0, -2.0);
  const double heading = 2.1;
  const auto own = stairs_plan(source, {.rise_m = 0.15, .count = 3}),
             moved = stairs_plan(source, {.rise_m = 0.15, .count = 3, .at_m = at, .heading_rad = heading});
  ASSERT_TRUE(own.has_value() && moved.has_value());
  const TerrainEdge& edge = moved->terrain->edges.front();
  EXPECT_NEAR(edge.x_m, at.x(), 1e-9);
  EXPECT_NEAR(edge.z_m, at.z(), 1e-9);
  EXPECT_NEAR(edge.heading_rad, heading, 1e-9);
  const auto a = walk_footsteps(*own), b = walk_footsteps(*moved);
  ASSERT_TRUE(a.has_value() && b.has_value());
  // The same walk, moved as a whole.
  const ClipPositions p = clip_positions(a->clip), q = clip_positions(b->clip);
  for (int f = 0; f < p.frame_count(); f += 7) {
    for (JointIndex j = 0; j < p.joint_count(); ++j) {
      EXPECT_LT((moved->start * p.joint(f, j) - q.joint(f, j)).norm(), 1e-3) << f << ' ' << j;
    }
  }
}

// The last swing of a captured walk is cut by the clip's end: it is half of one, and it too goes over the ground.
TEST(TerrainReal, NoSoleIsInRoughGroundUpToTheLastFrame) {
  for (const std::string& name : test::kStraightWalks) {
    SHOSA_READ_CMU(walk, name);
    const auto source = footstep_source(walk);
    ASSERT_TRUE(source.has_value()) << source.error().message;
    const double level_m = (*source)->steps().front().place_m.y();
    for (const Terrain& terrain : {rough_terrain(level_m, 0.05, 1.5, 1), slope_terrain(Vec3d::Zero(), 0.0, 0.15),
                                   slope_terrain(Vec3d::Zero(), 0.0, -0.15)}) {
      const auto plan = terrain_plan(*source, terrain);
      ASSERT_TRUE(plan.has_value());
      const auto result = walk_footsteps(*plan);
      ASSERT_TRUE(result.has_value()) << name << ": " << result.error().message;
      EXPECT_LE(result->max_penetration_m, 0.03) << name;
    }
  }
}

}  // namespace
}  // namespace shosa::segment
