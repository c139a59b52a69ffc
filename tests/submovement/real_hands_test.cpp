// Hands of captured people: within the bound, with fewer submovements than a plain greedy fit.

#include <gtest/gtest.h>

#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "shosa/submovement/body.h"
#include "shosa/submovement/file.h"
#include "submovement/plain_greedy.h"
#include "support/real_data.h"

namespace shosa::submovement::test {
namespace {

struct Take {
  const char* file;
  const char* what;
  double fps_is;
  int at_most;  ///< Submovements of the right hand's position; measured, may only fall.
};

constexpr Take kTakes[] = {
    {"79_38", "drink", 120, 12},   {"26_09", "bend, pick up", 120, 9},  {"111_17", "pick up", 120, 9},
    {"69_68", "pick up", 120, 14}, {"79_44", "wash a window", 120, 34}, {"115_06", "lift a box", 120, 11},
    {"79_08", "box", 120, 20},
};

struct Hand {
  std::vector<Vec3d> points;
  std::vector<Quatd> turns;
  double frame_time_s = 0.0;
};

std::optional<Hand> read_hand(const Take& take) {
  const auto path = shosa::test::real_data_dir() / "cmu-bvh" / (std::string(take.file) + ".bvh");
  const auto motion = io::read_motion(path, {.fps_is = take.fps_is, .drop_tpose = true});
  if (!motion) return std::nullopt;
  const Clip& clip = motion->clips[0];
  const auto hand = static_cast<std::size_t>(motion->body_map.joint(Role::right_hand));
  Hand out{.frame_time_s = clip.frame_time_s()};
  for (int i = 0; i < clip.frame_count(); ++i) {
    const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(i));
    out.points.push_back(world.positions[hand]);
    out.turns.push_back(world.rotations[hand]);
  }
  return out;
}

TEST(RealHands, StayWithinFiveMillimetresAndTwoDegreesWithFewerSubmovementsThanAPlainGreedyFit) {
  SHOSA_NEEDS_REAL_DATA();
  for (const Take& take : kTakes) {
    const auto hand = read_hand(take);
    if (!hand) continue;
    const auto path = decompose_positions(hand->points, hand->frame_time_s);
    const auto turning = decompose_rotations(hand->turns, hand->frame_time_s);
    ASSERT_TRUE(path.has_value());
    ASSERT_TRUE(turning.has_value());
    const int count = static_cast<int>(path->model.submovements.size());
    const int greedy = plain_greedy_count(hand->points, hand->frame_time_s, 0.005);
    EXPECT_LE(path->rms_m, 0.005) << take.file << " " << take.what;
    EXPECT_LE(turning->rms_rad, 2.0 * 0.017453293) << take.file << " " << take.what;
    EXPECT_LT(count, greedy) << take.file << " " << take.what;
    EXPECT_LE(count, take.at_most) << take.file << " " << take.what;
    std::printf("%-7s %-14s %5.1f s: %2d submovements, %.2f mm rms; plain greedy %2d; rotation %2zu, %.2f deg rms\n",
                take.file, take.what, static_cast<double>(hand->points.size()) * hand->frame_time_s, count,
                1e3 * path->rms_m, greedy, turning->model.submovements.size(), turning->rms_rad / 0.017453293);
  }
}

TEST(RealBodies, AWalkBecomesAFileATenthOfItsSamplesThatPlaysBackWithinACentimetre) {
  SHOSA_NEEDS_REAL_DATA();
  const auto motion = io::read_motion(shosa::test::real_data_dir() / "cmu-bvh" / "02_01.bvh", {.drop_tpose = true});
  if (!motion) GTEST_SKIP() << "skipped: no 02_01.bvh";
  const auto made = decompose_body(motion->clips[0]);
  ASSERT_TRUE(made.has_value());
  EXPECT_LT(made->position_rms_m, 0.010);
  const std::string bytes = encode(made->body);
  EXPECT_LT(bytes.size() * 10, motion->clips[0].sample_bytes());
  const auto again = decode(bytes, "walk");
  ASSERT_TRUE(again.has_value());
  const ClipPositions a = clip_positions(recompose(made->body)), b = clip_positions(recompose(*again));
  for (int i = 0; i < a.frame_count(); i += 7)
    for (JointIndex j = 0; j < a.joint_count(); ++j) EXPECT_LT((a.joint(i, j) - b.joint(i, j)).norm(), 1e-4);
}

}  // namespace
}  // namespace shosa::submovement::test
