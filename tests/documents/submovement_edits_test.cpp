#include "shosa/documents/submovement_edits.h"

#include <gmock/gmock.h>

#include "shosa/core/rotations.h"

namespace shosa::documents {
namespace {

using submovement::goal;
using submovement::PositionModel;
using submovement::RotationModel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;
using Kind = SubmovementEdit::Kind;

// Goals at x = 1, 2, 3, 4.
PositionModel four_steps() {
  PositionModel model;
  for (int k = 0; k < 4; ++k) model.submovements.push_back({0.5 * k, 0.5 * k + 0.8, {1, 0, 0}});
  return model;
}
// Goals at a quarter turn about x, then about y, then about z.
RotationModel three_turns() {
  return {.submovements = {{0.0, 0.6, {1.5, 0, 0}}, {0.5, 1.1, {0, 1.5, 0}}, {1.0, 1.6, {0, 0, 1.5}}}};
}

EditedPlaces edited(PositionModel& model, const std::vector<SubmovementEdit>& edits) {
  const auto places = apply_edits(model, edits);
  EXPECT_TRUE(places.has_value()) << places.error().message;
  return places.value_or(EditedPlaces{});
}
std::string refused(PositionModel& model, const std::vector<SubmovementEdit>& edits) {
  const auto places = apply_edits(model, edits);
  return places ? "accepted" : places.error().message;
}

TEST(SubmovementEdits, AGoalIsMovedToAPlaceOrByADistance) {
  PositionModel model = four_steps();
  edited(model, {{.kind = Kind::move_goal, .index = 1, .value = {2, 1, 0}},
                 {.kind = Kind::move_goal_by, .index = 2, .value = {0, 0, 0.5}}});
  EXPECT_LT((goal_m(model, 1) - Vec3d(2, 1, 0)).norm(), 1e-12);
  EXPECT_LT((goal_m(model, 2) - Vec3d(3, 0, 0.5)).norm(), 1e-12);
  EXPECT_LT((goal_m(model, 3) - Vec3d(4, 0, 0)).norm(), 1e-12);
}

TEST(SubmovementEdits, ATurnsGoalIsMovedInTheParentsFrame) {
  RotationModel model = three_turns();
  const Quatd before = goal(model, 1), last = goal(model, 2);
  const std::vector<SubmovementEdit> edits = {{.kind = Kind::move_goal_by, .index = 1, .value = {0, 0.3, 0}}};
  ASSERT_TRUE(apply_edits(model, edits).has_value());
  EXPECT_LT(goal(model, 1).angularDistance(exp_rotation({0, 0.3, 0}) * before), 1e-7);
  EXPECT_LT(goal(model, 2).angularDistance(last), 1e-7);
}

TEST(SubmovementEdits, OneIsShiftedAndStretchedFromItsOwnStart) {
  PositionModel model = four_steps();
  edited(model, {{.kind = Kind::shift, .index = 1, .from = 0.1}, {.kind = Kind::stretch, .index = 1, .from = 1.5}});
  EXPECT_NEAR(model.submovements[1].t0_s, 0.6, 1e-12);
  EXPECT_NEAR(model.submovements[1].tf_s, 0.6 + 1.5 * 0.8, 1e-12);
  EXPECT_LT((goal_m(model, 3) - Vec3d(4, 0, 0)).norm(), 1e-12);
}

TEST(SubmovementEdits, AllAreShiftedAndStretchedFromTimeZero) {
  PositionModel model = four_steps();
  const EditedPlaces places = edited(model, {{.kind = Kind::shift, .index = SubmovementEdit::kAll, .from = 0.5},
                                             {.kind = Kind::stretch, .index = SubmovementEdit::kAll, .from = 2.0}});
  EXPECT_THAT(places, ElementsAre(std::nullopt, std::nullopt));
  for (int k = 0; k < 4; ++k) {
    const auto& s = model.submovements[k];
    EXPECT_NEAR(s.t0_s, 2.0 * (0.5 * k + 0.5), 1e-12);
    EXPECT_NEAR(s.tf_s, 2.0 * (0.5 * k + 1.3), 1e-12);
  }
}

TEST(SubmovementEdits, InsertRemoveAndMergeKeepTheGoalsAfterThem) {
  PositionModel model = four_steps();
  const EditedPlaces places = edited(model, {{.kind = Kind::insert, .from = 0.6, .to = 0.9, .value = {0, 1, 0}},
                                             {.kind = Kind::remove, .index = 0},
                                             {.kind = Kind::merge, .index = 2}});
  EXPECT_THAT(places, ElementsAre(Optional(1u), std::nullopt, Optional(2u)));
  ASSERT_EQ(model.submovements.size(), 3u);
  EXPECT_LT((goal_m(model, 0) - Vec3d(2, 0, 0)).norm(), 1e-12);
  EXPECT_LT((goal_m(model, 1) - Vec3d(2, 1, 0)).norm(), 1e-12);
  EXPECT_LT((goal_m(model, 2) - Vec3d(4, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(model.submovements[2].tf_s, 2.3, 1e-12);
}

// A person counts in the list that was printed, whatever the edits before have done to the order.
TEST(SubmovementEdits, NumbersAreThoseBeforeAllEdits) {
  PositionModel model = four_steps();
  const EditedPlaces places = edited(model, {{.kind = Kind::remove, .index = 0},
                                             {.kind = Kind::set_timing, .index = 1, .from = 5.0, .to = 6.0},
                                             {.kind = Kind::move_goal_by, .index = 3, .value = {0, 1, 0}},
                                             {.kind = Kind::shift, .index = 1, .from = 0.25}});
  EXPECT_THAT(places, ElementsAre(std::nullopt, Optional(2u), Optional(1u), Optional(2u)));
  EXPECT_NEAR(model.submovements[2].t0_s, 5.25, 1e-12);
  EXPECT_NEAR(goal_m(model, 1).y(), 1.0, 1e-12);
}

TEST(SubmovementEdits, TheFirstThatCannotBeMadeIsNamedAndNothingChanges) {
  const PositionModel before = four_steps();
  PositionModel model = before;
  const SubmovementEdit good{.kind = Kind::remove, .index = 0};
  for (const auto& [edit, said] :
       {std::pair{SubmovementEdit{.kind = Kind::shift, .index = 7},
                  "the edit: submovement 7 is not there: there are 4, 0 to 3"},
        {SubmovementEdit{.kind = Kind::remove, .index = 0}, "the edit: submovement 0 is not there any more"},
        {SubmovementEdit{.kind = Kind::merge, .index = 3}, "the edit: submovement 3 is the last"},
        {SubmovementEdit{.kind = Kind::set_timing, .index = 1, .from = 2, .to = 1},
         "its start must lie before its end"},
        {SubmovementEdit{.kind = Kind::insert, .from = 1, .to = 1}, "its start must lie before its end"},
        {SubmovementEdit{.kind = Kind::shift, .index = 1, .from = std::nan("")}, "its start must lie before its end"},
        {SubmovementEdit{.kind = Kind::stretch, .index = SubmovementEdit::kAll, .from = 1e308}, "must lie before"},
        {SubmovementEdit{.kind = Kind::move_goal, .index = 1, .value = {std::nan(""), 0, 0}}, "not finite"}}) {
    SubmovementEdit bad = edit;
    bad.asked = "the edit";
    EXPECT_THAT(refused(model, {good, bad}), HasSubstr(said));
    ASSERT_EQ(model.submovements.size(), before.submovements.size());
    EXPECT_EQ(model.submovements[1].displacement_m, before.submovements[1].displacement_m);
  }
  PositionModel still;
  EXPECT_THAT(refused(still, {{.kind = Kind::remove}}), HasSubstr("there is none"));
}

}  // namespace
}  // namespace shosa::documents
