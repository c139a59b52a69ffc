#include "shipped_character.h"

namespace shosa::character {
namespace {

struct Named {
  const char* name;
  Command command;
};

std::vector<Named> one_of_each() {
  const CharacterData& data = *shipped_data();
  const JointIndex hand = data.set().body_map.joint(body::Role::left_hand);
  const JointIndex head = data.set().body_map.joint(body::Role::head);
  return {{"walk", GoState{data.find_state("walk_normal")}},
          {"run", GoState{data.find_state("run_fast"), 90}},
          {"direction", GoDirection{-1.5, 1.4}},
          {"place", GoPlace{{-1.0, 2.0}, 0.5}},
          {"path", GoPath{{{{1.0, 1.0}, {0.0, 2.0}}}, 2}},
          {"stop", Stop{}},
          {"stop_ahead", Stop{1.5}},
          {"once", PlayOnce{data.find_state("walk_fast")}},
          {"face", Face{std::nullopt, 2.0}},
          {"reach", Reach{hand, {0.3, 1.2, 0.5}}},
          {"drag", Drag{head, {0.1, 1.4, 0.2}}},
          {"pin", Pin{hand, true}},
          {"look", LookAt{{2.0, 1.0, 1.0}}},
          {"push", Push{{0.4, 0.0, -0.3}}},
          {"aside", GoDirection{0.3, 1.1, Facing{std::nullopt, 1.0}}},
          {"both_hands", Reach{hand, {0.0, 1.1, 0.4}, 0.0, Frame::body, right_hand(), 0.3}},
          {"layer", Layer{.clip = data.set().find("run_slow"), .part = Layer::Part::arms}},
          {"steps", GoSteps{{{{0, {0.1, 0.4}, {}}, {1, {-0.1, 0.9}, {}}, {0, {0.1, 1.4}, {}}}}, 3}}};
}

class Interruption : public testing::TestWithParam<int> {};

// Every command is interrupted by every other, early and late, while the character stands and while it walks.
TEST_P(Interruption, NothingJumpsAndEveryHandleEnds) {
  const auto commands = one_of_each();
  const Named& first = commands[static_cast<std::size_t>(GetParam())];
  for (const Named& second : commands) {
    for (const bool walks : {false, true}) {
      for (const double after_s : {0.1, 0.9}) {
        SCOPED_TRACE(std::string(first.name) + ", then " + second.name + (walks ? ", walking" : ", standing") +
                     (after_s < 0.5 ? ", early" : ", late"));
        auto character = shipped_character();
        Watcher watcher(character);
        if (walks) {
          ASSERT_TRUE(character.command(GoState{shipped_data()->find_state("walk_slow")}));
          watcher.play(1.5);
        }
        const auto one = character.command(first.command);
        ASSERT_TRUE(one);
        watcher.play(after_s);
        const auto other = character.command(second.command);
        ASSERT_TRUE(other);
        watcher.play(0.7);
        character.release(*one);
        character.release(*other);
        watcher.play(2.0);
        EXPECT_TRUE(watcher.finite);
        // A running toe goes 16 cm in a frame.
        EXPECT_LT(watcher.largest_step_m, 1.5 * 0.16);
        EXPECT_NE(character.outcome(*one).status, Status::active);
        EXPECT_NE(character.outcome(*other).status, Status::active);
        EXPECT_NE(character.outcome(*one).status, Status::unknown);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Interruption, testing::Range(0, 18),
                         [](const auto& tested) { return one_of_each()[static_cast<std::size_t>(tested.param)].name; });

}  // namespace
}  // namespace shosa::character
