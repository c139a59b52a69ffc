#include <gmock/gmock.h>

#include "scenes/allocations.h"
#include "shipped_character.h"

namespace shosa::character {
namespace {

struct Hills {
  feet::GroundPoint operator()(double x_m, double z_m) const { return {0.06 * std::sin(x_m) * std::cos(1.3 * z_m)}; }
};
const Hills kHills;

// Commands of every kind; where one is a frame ago, half-way or over when the snapshot is taken.
TEST(Snapshot, ARestoredCharacterGoesOnToTheSameBits) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto one = shipped_character(), other = shipped_character({.place = {3.0, 1.0, 2.0}});
    one.set_ground(kHills), other.set_ground(kHills);
    std::mt19937 random(seed);
    std::vector<Handle> handles;
    const auto run = [&](Character& character, std::mt19937& dice, std::vector<Handle>& given, int frames) {
      for (int f = 0; f < frames; ++f) {
        if (dice() % 30 == 0) given.push_back(character.command(random_command(dice)).value());
        if (!given.empty() && dice() % 60 == 0) character.release(given[dice() % given.size()]);
        if (!given.empty()) character.move_target(given.back(), Vec3d(0.3, 1.2, 0.01 * f));
        character.update(1.0 / 50.0);
      }
    };
    run(one, random, handles, 180 + static_cast<int>(seed) * 17);
    // The other one has done something else before.
    ASSERT_TRUE(other.command(GoDirection{1.0, 2.0}));
    for (int f = 0; f < 40; ++f) other.update(1.0 / 60.0);
    const auto bytes = one.snapshot();
    ASSERT_TRUE(other.restore(bytes));
    EXPECT_TRUE(same_pose(one, other));
    std::mt19937 same = random;
    std::vector<Handle> same_handles = handles;
    for (int part = 0; part < 10; ++part) {
      run(one, random, handles, 30);
      run(other, same, same_handles, 30);
      ASSERT_TRUE(same_pose(one, other)) << "after " << 30 * (part + 1) << " frames";
      ASSERT_EQ(one.contacts(), other.contacts());
      ASSERT_EQ(one.events().size(), other.events().size());
    }
    for (const Handle handle : handles) ASSERT_EQ(one.outcome(handle).status, other.outcome(handle).status);
    EXPECT_EQ(one.snapshot(), other.snapshot());
  }
}

TEST(Snapshot, TakingAndRestoringOneAllocatesNothingWhereThereIsRoom) {
  auto character = shipped_character();
  ASSERT_TRUE(character.command(GoDirection{1.0, 1.3}));
  character.update(0.5);
  std::vector<std::byte> bytes(character.snapshot_size());
  const auto before = scenes::allocations();
  ASSERT_TRUE(character.snapshot(bytes));
  ASSERT_TRUE(character.restore(bytes));
  EXPECT_EQ(scenes::allocations(), before);
  bytes.pop_back();
  EXPECT_FALSE(character.snapshot(bytes));
}

TEST(Snapshot, RefusesWhatIsNoneAndStaysAsItIs) {
  auto character = shipped_character(), untouched = shipped_character();
  for (Character* c : {&character, &untouched}) {
    ASSERT_TRUE(c->command(GoDirection{1.0, 1.3}));
    c->update(0.5);
  }
  const auto bytes = character.snapshot();
  const auto refused = [&](const std::vector<std::byte>& wrong, const char* why) {
    const auto restored = character.restore(wrong);
    ASSERT_FALSE(restored) << why;
    EXPECT_THAT(restored.error().message, testing::HasSubstr(why));
  };
  refused({}, "shorter than its head");
  refused(std::vector<std::byte>(bytes.begin(), bytes.end() - 1), "bytes after the head, expected");
  auto longer = bytes;
  longer.push_back(std::byte{0});
  refused(longer, "bytes after the head, expected");
  refused(std::vector<std::byte>(bytes.size(), std::byte{7}), "something else");
  auto newer = bytes;
  newer[8] = std::byte{99};
  refused(newer, "version 99, expected");
  for (std::size_t at = 60; at < bytes.size(); at += 997) {
    auto damaged = bytes;
    damaged[at] ^= std::byte{1};
    refused(damaged, "damaged");
  }
  const auto fewer = test::shipped_gaits({"idle", "walk_normal"});
  refused(Character::create(fewer)->snapshot(), "other clips, graph or parameters");
  character.update(0.1), untouched.update(0.1);
  EXPECT_TRUE(same_pose(character, untouched));
}

}  // namespace
}  // namespace shosa::character
