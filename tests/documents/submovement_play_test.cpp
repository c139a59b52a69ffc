#include "shosa/documents/submovement_play.h"

#include <gmock/gmock.h>

#include "documents/submovement_walk.h"
#include "shosa/analysis/metrics.h"
#include "shosa/documents/submovement_edits.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::documents {
namespace {

using submovement::BodyDecomposition;
using submovement::RotationModel;
using testing::HasSubstr;

body::BodyMap map_of(const BodyDecomposition& body) {
  return body::guess_body_map(*body.skeleton);
}
double slide_mps(const Clip& clip) {
  return analysis::measure_quality(analysis::study(clip, body::guess_body_map(clip.skeleton()))).foot_skate_mps;
}

TEST(PlaySubmovements, FeetStandWhereTheyStood) {
  const BodyDecomposition& body = walking_submovements();
  const auto played = evaluate(body, map_of(body));
  ASSERT_TRUE(played.has_value()) << played.error().message;
  EXPECT_GE(played->kept_stances, 3);
  EXPECT_LT(played->max_foot_error_m, 1e-4);
  EXPECT_LT(slide_mps(played->clip), 0.01);
  const auto bare = evaluate(body, map_of(body), {.keep_feet = false});
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->kept_stances, 0);
  EXPECT_GT(slide_mps(bare->clip), 2.0 * slide_mps(played->clip));
}

TEST(PlaySubmovements, WithoutKeptFeetItIsTheBareSum) {
  const BodyDecomposition& body = walking_submovements();
  const auto bare = evaluate(body, map_of(body), {.keep_feet = false});
  BodyDecomposition without = body;
  without.feet.clear();
  const auto none = evaluate(without, map_of(body));
  const Clip sum = recompose(body);
  ASSERT_TRUE(bare.has_value() && none.has_value());
  for (int f = 0; f < sum.frame_count(); ++f)
    for (JointIndex j = 0; j < sum.joint_count(); ++j) {
      EXPECT_EQ(bare->clip.rotation(f, j).coeffs(), sum.rotation(f, j).coeffs());
      EXPECT_EQ(none->clip.rotation(f, j).coeffs(), sum.rotation(f, j).coeffs());
    }
}

TEST(PlaySubmovements, FeetStandAtAnyRateSlowerAndInTheMirror) {
  const BodyDecomposition& walk = walking_submovements();
  const auto expect_standing = [&](const BodyDecomposition& body, const PlaySubmovementsParams& params,
                                   const char* what) {
    const auto played = evaluate(body, map_of(body), params);
    ASSERT_TRUE(played.has_value()) << what << played.error().message;
    EXPECT_LT(played->max_foot_error_m, 1e-4) << what;
    EXPECT_LT(slide_mps(played->clip), 0.02) << what;
  };
  expect_standing(walk, {.fps = 24.0}, "24 a second");
  expect_standing(walk, {.fps = 144.0}, "144 a second");
  BodyDecomposition slow = walk;
  ASSERT_TRUE(submovement::retime(slow, 1.6, 0.0).has_value());
  expect_standing(slow, {}, "slower");
  const auto mirrored = submovement::mirror(walk, body::mirror_partners(*walk.skeleton, map_of(walk)));
  ASSERT_TRUE(mirrored.has_value());
  expect_standing(*mirrored, {}, "mirrored");
}

// A submovement of the hips leads them lower for a while: the knees bend and the feet stay.
void lead_hips(BodyDecomposition& body, const Vec3d& by_m) {
  auto& hips = body.translations[0];
  const double last_s = (body.frame_count - 1) * body.frame_time_s;
  const auto there = insert(hips, {0.3 * last_s, 0.5 * last_s, by_m});
  const auto back = insert(hips, {0.6 * last_s, 0.8 * last_s, -by_m});
  ASSERT_TRUE(there.has_value() && back.has_value());
}

TEST(PlaySubmovements, FeetStandWhileTheHipsAreEdited) {
  BodyDecomposition body = walking_submovements();
  lead_hips(body, {0, -0.08, 0});
  const auto before = evaluate(walking_submovements(), map_of(body)), played = evaluate(body, map_of(body));
  ASSERT_TRUE(played.has_value() && before.has_value());
  EXPECT_LT(played->max_foot_error_m, 0.001);
  EXPECT_LT(slide_mps(played->clip), 0.02);
  const int frame = played->clip.nearest_frame(0.55 * played->clip.last_time_s());
  EXPECT_LT(played->clip.translation(frame, 0).y(), before->clip.translation(frame, 0).y() - 0.05F);
}

TEST(PlaySubmovements, HipsThatStandingFeetHoldBackAreTold) {
  BodyDecomposition body = walking_submovements();
  lead_hips(body, {0, 3.0, 0});
  const auto played = evaluate(body, map_of(body));
  ASSERT_TRUE(played.has_value());
  EXPECT_GT(played->max_root_change_m, 1.0);
  EXPECT_THAT(played->warnings, testing::Contains(HasSubstr("the standing feet hold the hips back by up to")));
}

TEST(PlaySubmovements, SumsThatNoFloatHoldsAndRatesThatNoMemoryBearsAreRefused) {
  BodyDecomposition body = walking_submovements();
  EXPECT_THAT(evaluate(body, map_of(body), {.fps = 1e9}).error().message, HasSubstr("at most"));
  EXPECT_FALSE(evaluate(body, map_of(body), {.fps = -1.0}).has_value());
  body.translations[0].submovements.push_back({9.0, 9.5, {3e38, 0, 0}});
  body.translations[0].submovements.insert(body.translations[0].submovements.begin(), {-9.0, -8.0, {3e38, 3e38, 0}});
  body.translations[0].submovements.insert(body.translations[0].submovements.begin(), {-9.0, -8.0, {3e38, 3e38, 0}});
  const auto played = evaluate(body, map_of(body));
  ASSERT_FALSE(played.has_value());
  EXPECT_THAT(played.error().message, HasSubstr("frame 0 is not finite"));
}

// Walks, a run, a dance and jumps, through the file and back; edited: slower, lower, and with a raised arm.
TEST(PlaySubmovements, FeetOfCapturedClipsStandAsPlayedBackAndEdited) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"02_01", "16_17", "09_01", "05_16", "13_11", "16_01"}) {
    const auto motion =
        io::read_motion(shosa::test::real_data_dir() / "cmu-bvh" / (std::string(name) + ".bvh"), {.drop_tpose = true});
    if (!motion) continue;
    const Clip& clip = motion->clips[0];
    auto made = submovement::decompose_body(clip);
    ASSERT_TRUE(made.has_value()) << name;
    made->body.feet = *stances_of(analysis::study(clip, motion->body_map));
    auto body = parse_submovements(encode_submovements(made->body), name);
    ASSERT_TRUE(body.has_value()) << name;
    const auto bare = evaluate(*body, motion->body_map, {.keep_feet = false});
    const auto played = evaluate(*body, motion->body_map);
    ASSERT_TRUE(bare.has_value() && played.has_value()) << name;
    const double slide = slide_mps(clip), bare_slide = slide_mps(bare->clip), held_slide = slide_mps(played->clip);
    EXPECT_LE(held_slide, 0.03) << name;
    EXPECT_LT(held_slide, 0.5 * slide) << name;
    EXPECT_LT(played->max_foot_error_m, 0.001) << name;

    lead_hips(*body, {0, -0.05, 0});
    RotationModel& arm = body->rotations[motion->body_map.joint(body::Role::right_upper_arm)];
    const std::vector<SubmovementEdit> edits = {
        {.kind = SubmovementEdit::Kind::move_goal_by, .index = 0, .value = {0, 0, 0.5}},
        {.kind = SubmovementEdit::Kind::shift, .index = 0, .from = 0.1}};
    ASSERT_TRUE(apply_edits(arm, edits).has_value()) << name;
    ASSERT_TRUE(submovement::retime(*body, 1.3, 0.0).has_value()) << name;
    const auto edited = evaluate(*body, motion->body_map);
    ASSERT_TRUE(edited.has_value()) << name;
    const double edited_slide = slide_mps(edited->clip);
    EXPECT_LE(edited_slide, 0.04) << name;
    EXPECT_LT(edited->max_foot_error_m, 0.001) << name;
    std::printf(
        "%s slides at %.3f m/s, the bare sum at %.3f, with feet kept at %.3f, edited at %.3f; hips moved by "
        "%.3f m, edited %.3f m\n",
        name, slide, bare_slide, held_slide, edited_slide, played->max_root_change_m, edited->max_root_change_m);
  }
}

}  // namespace
}  // namespace shosa::documents
