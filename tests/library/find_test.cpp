#include "shosa/library/find.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "library/library_folder.h"
#include "library/slow_find.h"
#include "shosa/blend/join_cost.h"
#include "shosa/core/clip_edit.h"
#include "shosa/documents/fit_motion.h"
#include "support/real_data.h"

namespace shosa::test {
namespace {

using library::find_following;
using library::find_like;
using library::find_pose;
using library::Match;
using library::read_example;
using library::Twin;
using testing::HasSubstr;

class Find : public LibraryFolder {
 protected:
  std::vector<Match> like(const std::string& example, const library::FindParams& params = {}) const {
    const library::Library opened = open();
    const auto read = read_example(opened, example);
    EXPECT_TRUE(read.has_value()) << read.error().message;
    if (!read) return {};
    const auto found = find_like(opened, *read, params);
    EXPECT_TRUE(found.has_value()) << found.error().message;
    return found.value_or(std::vector<Match>());
  }
};

Clip mirrored_clip(const Clip& clip) {
  return *mirror(clip, body::mirror_partners(clip.skeleton(), body::guess_body_map(clip.skeleton())));
}

TEST_F(Find, ByExampleAgreesWithASlowSearchOfEveryFrame) {
  save("walk.bvh", scenes::walk({.speed_mps = 1.3}).clip);
  save("slow.bvh", scenes::walk({.speed_mps = 0.9, .step_s = 0.6}).clip);
  save("turn.bvh", scenes::walk({.turn_rad_per_m = 0.5}).clip);
  save("run.bvh", scenes::run().clip);
  save("jump.bvh", scenes::jump().clip);
  save("stand.bvh", scenes::stand().clip);
  save("dog.bvh", scenes::dog_walk().clip);
  index();
  for (const double time_s : {0.5, 1.1, 2.3}) {
    const auto matches = like(fmt::format("walk.bvh@{}", time_s), {.limit = 100});
    ASSERT_EQ(matches.size(), 5u) << "a dog is no person";
    const SlowClip asked(folder_ / "walk.bvh");
    double before = 0.0;
    for (const Match& match : matches) {
      EXPECT_GE(match.distance_m, before);
      before = match.distance_m;
      const SlowClip other(folder_ / match.file);
      const auto [slow_time_s, slow_m] = other.nearest(asked, time_s);
      EXPECT_NEAR(match.distance_m, slow_m, 0.002) << match.file;
      // Of several moments that are equally near any may be given.
      EXPECT_NEAR(SlowClip::distance_m(asked, time_s, other, match.time_s), slow_m, 0.003) << match.file;
    }
  }
}

TEST_F(Find, CutResampledAndMirroredCopiesAreRecognised) {
  const Clip walk = scenes::walk({.duration_s = 5.0, .fps = 120.0, .turn_rad_per_m = 0.2}).clip;
  save("walk.bvh", walk);
  save("copy.bvh", walk);
  save("cut.bvh", *cut_frames(walk, 133, 260));  // begins between two frames of 30 Hz
  save("other_rate.bvh", *resample(walk, 50.0));
  save("mirrored.bvh", mirrored_clip(walk));
  save("mirrored_cut.bvh", *cut_frames(mirrored_clip(walk), 71, 400));
  save("another.bvh", scenes::walk({.duration_s = 5.0, .speed_mps = 1.0, .turn_rad_per_m = 0.2}).clip);
  index();
  std::map<std::string, Match> by_file;
  for (const Match& match : like("walk.bvh@2.5")) by_file[match.file] = match;
  ASSERT_EQ(by_file.size(), 6u);
  EXPECT_EQ(by_file["copy.bvh"].twin, Twin::copy);
  EXPECT_NEAR(by_file["copy.bvh"].time_s, 2.5, 1e-9);
  EXPECT_EQ(by_file["cut.bvh"].twin, Twin::copy);
  EXPECT_NEAR(by_file["cut.bvh"].time_s, 2.5 - 133 / 120.0, 0.006);
  EXPECT_EQ(by_file["other_rate.bvh"].twin, Twin::copy);
  EXPECT_EQ(by_file["mirrored.bvh"].twin, Twin::mirrored);
  EXPECT_NEAR(by_file["mirrored.bvh"].time_s, 2.5, 0.006);
  EXPECT_EQ(by_file["mirrored_cut.bvh"].twin, Twin::mirrored);
  EXPECT_EQ(by_file["another.bvh"].twin, Twin::none);
  // Copies of a better match say so too.
  EXPECT_EQ(by_file["cut.bvh"].twin_of, "copy.bvh");
  EXPECT_EQ(by_file["another.bvh"].twin_of, "");
}

TEST_F(Find, MirroredFramesOnlyCountWhereTheyAreAskedFor) {
  save("walk.bvh", scenes::walk({.duration_s = 5.0}).clip);
  save("other.bvh", scenes::walk({.duration_s = 5.0, .speed_mps = 1.2, .turn_rad_per_m = 0.3}).clip);
  index();
  const auto plain = like("walk.bvh@2", {.per_clip = 3}), both = like("walk.bvh@2", {.per_clip = 3, .mirrored = true});
  ASSERT_EQ(plain.size(), 3u);
  ASSERT_EQ(both.size(), 3u);
  EXPECT_TRUE(std::ranges::none_of(plain, &Match::mirrored));
  EXPECT_TRUE(std::ranges::any_of(both, &Match::mirrored));
}

TEST_F(Find, AnExampleMayBeAnyFileAndMustBeWithinItsTime) {
  save("clips/walk.bvh", scenes::walk().clip);
  save("mine@home.bvh", scenes::walk().clip);
  ASSERT_TRUE(library::index_folder(folder_ / "clips").has_value());
  const auto opened = library::Library::open(folder_ / "clips");
  const auto outside = read_example(*opened, (folder_ / "mine@home.bvh").string() + "@1.5");
  ASSERT_TRUE(outside.has_value()) << outside.error().message;
  EXPECT_FALSE(outside->id.has_value());
  EXPECT_EQ(find_like(*opened, *outside)->front().twin, Twin::copy);
  EXPECT_TRUE(read_example(*opened, (folder_ / "clips/walk.bvh").string())->id.has_value());
  EXPECT_TRUE(read_example(*opened, "walk.bvh")->id.has_value());
  EXPECT_THAT(read_example(*opened, "walk.bvh@7").error().message, HasSubstr("from 0 to 4.000"));
  EXPECT_FALSE(read_example(*opened, "walk.bvh@-1").has_value());
  EXPECT_EQ(read_example(*opened, "nothing.bvh").error().code, ErrorCode::cannot_read);
}

TEST_F(Find, APoseIsFoundWhereItWasTakenFrom) {
  save("jump.bvh", scenes::jump().clip);
  save("walk.bvh", scenes::walk().clip);
  save("run.bvh", scenes::run().clip);
  index();
  const SlowClip jump(folder_ / "jump.bvh");
  const double time_s = 26 / 30.0;
  std::string body, anywhere;
  const double turn = 2.2;
  for (const auto& [role, place] : jump.points(time_s)) {
    const auto entry = [&](const Vec3d& at) {
      return fmt::format("{{\"joint\": \"{}\", \"position\": [{}, {}, {}]}},", role, at.x(), at.y(), at.z());
    };
    body += entry(place);
    anywhere += entry({5.0 + std::cos(turn) * place.x() + std::sin(turn) * place.z(), place.y(),
                       -3.0 - std::sin(turn) * place.x() + std::cos(turn) * place.z()});
  }
  body.pop_back(), anywhere.pop_back();
  const library::Library opened = open();
  for (const std::string& text :
       {"{\"joints\": [" + body + "]}", "{\"joints\": [" + anywhere + "], \"place\": \"anywhere\"}"}) {
    const auto query = library::parse_pose_query(text, "pose.json");
    ASSERT_TRUE(query.has_value()) << query.error().message;
    const auto matches = find_pose(opened, *query);
    ASSERT_TRUE(matches.has_value());
    EXPECT_EQ(matches->front().file, "jump.bvh");
    EXPECT_NEAR(matches->front().time_s, time_s, 1e-9);
    EXPECT_LT(matches->front().distance_m, 0.002);
    EXPECT_GT((*matches)[1].distance_m, 0.03);
  }
}

TEST_F(Find, PoseQueriesThatMakeNoSenseSayWhere) {
  const auto message = [](const char* text) {
    const auto query = library::parse_pose_query(text, "p.json");
    return query ? std::string() : query.error().message;
  };
  EXPECT_THAT(message("{"), HasSubstr("p.json: is no JSON"));
  EXPECT_THAT(message("{}"), HasSubstr("/joints"));
  EXPECT_THAT(message("[]"), HasSubstr("/joints"));
  EXPECT_THAT(message(R"({"joints": [{"joint": "left_knee", "position": [0, 1, 2]}]})"), HasSubstr("/joints/0/joint"));
  EXPECT_THAT(message(R"({"joints": [{"joint": "head", "position": [0, 1]}]})"), HasSubstr("/joints/0/position"));
  EXPECT_THAT(message(R"({"joints": [{"joint": "head", "position": [0, 1e300, 1]}]})"), HasSubstr("1000 km"));
  EXPECT_THAT(message(R"({"joints": [{"joint": "head", "position": [0, 1, 1]}], "plaice": 1})"), HasSubstr("/plaice"));
  EXPECT_THAT(message(R"({"version": 2, "joints": [{"joint": "head", "position": [0, 1, 1]}]})"),
              HasSubstr("/version: version 2, this program reads up to 1"));
  EXPECT_TRUE(
      library::parse_pose_query(*io::read_text(source_dir() / "tests/documents/versions/pose_query_1.json"), "p")
          .has_value());
}

TEST_F(Find, WhatFollowsIsRankedByWhatTheComposerWouldPay) {
  const Clip walk = scenes::walk({.duration_s = 8.0, .fps = 60.0}).clip;
  save("first.bvh", *cut_frames(walk, 0, 240));
  save("second.bvh", *cut_frames(walk, 240, 240));
  save("run.bvh", scenes::run().clip);
  save("stand.bvh", scenes::stand().clip);
  save("dog.bvh", scenes::dog_walk().clip);
  index();
  const library::Library opened = open();
  const auto following = find_following(opened, *read_example(opened, "first.bvh"));
  ASSERT_TRUE(following.has_value()) << following.error().message;
  const std::vector<Match>& matches = following->matches;
  EXPECT_TRUE(following->warnings.empty()) << following->warnings.front().text;
  ASSERT_EQ(matches.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(matches, {}, &Match::cost));
  // The cost is the composer's, of the clips as they were captured.
  const documents::ClipOptions as_captured{.as_captured = true, .drop_tpose = true};
  for (const Match& match : matches) {
    const auto first =
        documents::fit_motion(*documents::open_clip((folder_ / "first.bvh").string(), as_captured), "first");
    const auto next = documents::fit_motion(*documents::open_clip((folder_ / match.file).string(), as_captured),
                                            match.file, {.first = first->motion.get()});
    const auto cost = blend::join_cost(*first->motion, *next->motion);
    ASSERT_TRUE(cost.has_value());
    EXPECT_EQ(match.cost, cost->cost) << match.file;
    EXPECT_EQ(match.time_s, cost->enter_s) << match.file;
    EXPECT_EQ(match.from_s, cost->leave_s) << match.file;
  }
}

TEST_F(Find, AClipThatIsGoneIsLeftOutOfWhatFollowsAndNamed) {
  save("walk.bvh", scenes::walk().clip);
  save("run.bvh", scenes::run().clip);
  save("stand.bvh", scenes::stand().clip);
  index();
  std::filesystem::remove(folder_ / "run.bvh");
  const library::Library opened = open();
  const auto following = find_following(opened, *read_example(opened, "walk.bvh"), {.limit = 1});
  ASSERT_TRUE(following.has_value()) << following.error().message;
  EXPECT_EQ(following->matches.size(), 1u);
  ASSERT_EQ(following->warnings.size(), 1u);
  EXPECT_THAT(following->warnings.front().text, HasSubstr("run.bvh"));
}

TEST(FindReal, AgreesWithASlowSearchOfEveryFrameOfTheData) {
  SHOSA_NEEDS_REAL_DATA();
  const auto file = std::filesystem::path(testing::TempDir()) / fmt::format("shosa_find_{}.db", getpid());
  const auto folder = real_data_dir() / "cmu-bvh";
  ASSERT_TRUE(library::index_folder(folder, {.index_file = file}).has_value());
  {
    const auto opened = library::Library::open(folder, file);
    ASSERT_TRUE(opened.has_value());
    for (const char* example : {"02_01.bvh@1.2", "16_03.bvh@1.5", "05_06.bvh@3"}) {
      const auto read = read_example(*opened, example);
      const auto matches = find_like(*opened, *read, {.limit = 1000});
      ASSERT_TRUE(matches.has_value());
      std::map<std::string, double> fast_m;
      for (const Match& match : *matches)
        if (!match.mirrored) fast_m[match.file] = match.distance_m;
      const SlowClip asked(folder / read->file);
      for (const auto& path : real_files("cmu-bvh", ".bvh")) {
        const std::string name = path.filename().string();
        if (name == read->file) continue;
        ASSERT_TRUE(fast_m.contains(name)) << name;
        EXPECT_NEAR(fast_m[name], SlowClip(path).nearest(asked, read->time_s).second, 0.003) << example << " " << name;
      }
    }
    // Words as people would expect them.
    const auto walks = opened->clips({.words = "02_01"});
    EXPECT_EQ(walks->size(), 1u);
  }
  for (const char* part : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(file.string() + part);
}

}  // namespace
}  // namespace shosa::test
