#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class FootstepsVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    const Clip walk = scenes::walk({.duration_s = 3.2}).clip;
    save("walk.bvh", walk);
  }
};

TEST_F(FootstepsVerb, LandsOnTheWrittenFileWhereThePlanSays) {
  write("stride.json", R"({"stride_percent": 70})");
  ASSERT_EQ(shosa("footsteps walk.bvh stride.json -o short.bvh --write-plan steps.json").status, 0);
  // The plan that was written, with one step moved aside.
  auto plan = nlohmann::json::parse(file_text(folder_ / "steps.json"));
  ASSERT_GE(plan["steps"].size(), 4u);
  plan["steps"][2]["position"][0] = plan["steps"][2]["position"][0].get<double>() + 0.08;
  write("moved.json", plan.dump());
  const Outcome run = shosa("footsteps walk.bvh moved.json -o moved.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["steps"].size(), plan["steps"].size());
  const auto motion = io::read_motion(path("moved.bvh"));
  ASSERT_TRUE(motion.has_value());
  const ClipPositions positions = clip_positions(motion->clips[0]);
  for (std::size_t i = 0; i + 1 < json["steps"].size(); ++i) {
    EXPECT_LE(json["steps"][i]["error_m"], 1e-3);
    EXPECT_LE(json["steps"][i]["slide_mps"], 0.01);
    const JointIndex foot = motion->skeleton->find(json["steps"][i]["foot"].get<std::string>() + "_foot");
    const int frame = motion->clips[0].nearest_frame(json["steps"][i]["time_s"].get<double>() + 0.2);
    const Vec3d at = positions.joint(frame, foot);
    EXPECT_NEAR(at.x(), plan["steps"][i]["position"][0].get<double>(), 2e-3);
    EXPECT_NEAR(at.z(), plan["steps"][i]["position"][2].get<double>(), 2e-3);
  }
}

TEST_F(FootstepsVerb, TakesStairsSlopesAndRoughGround) {
  for (const char* plan : {R"({"stairs": {"rise_m": 0.15, "count": 3}})", R"({"stairs": {"rise_m": -0.2}})",
                           R"({"slope_percent": -12})", R"({"rough": {"amplitude_m": 0.05, "seed": 3}})"}) {
    write("plan.json", plan);
    const Outcome run = shosa("footsteps walk.bvh plan.json -o out.glb --json");
    ASSERT_EQ(run.status, 0) << plan << run.err;
    for (const auto& step : run.json()["steps"]) EXPECT_LE(step["error_m"], 1e-3) << plan;
  }
}

TEST_F(FootstepsVerb, AWrittenPlanIsWalkedTheSame) {
  write("plan.json", R"({"stairs": {"rise_m": 0.15, "count": 3, "at": [1.5, 4.0], "heading_deg": 90}})");
  ASSERT_EQ(shosa("footsteps walk.bvh plan.json -o once.bvh --write-plan steps.json").status, 0);
  ASSERT_EQ(shosa("footsteps walk.bvh steps.json -o twice.bvh").status, 0);
  EXPECT_EQ(file_text(folder_ / "once.bvh"), file_text(folder_ / "twice.bvh"));
}

TEST_F(FootstepsVerb, SaysWhatIsWrongInAPlanAndWhere) {
  const auto error = [&](const std::string& plan, int status = 3) {
    write("bad.json", plan);
    const Outcome run = shosa("footsteps walk.bvh bad.json -o out.bvh");
    EXPECT_EQ(run.status, status) << plan << run.err;
    return run.err;
  };
  EXPECT_THAT(error("{"), HasSubstr("bad.json: byte"));
  EXPECT_THAT(error("[]"), HasSubstr("an object with the keys steps"));
  EXPECT_THAT(error(R"({"step": []})"), HasSubstr("unknown key"));
  EXPECT_THAT(error(R"({"steps": []})"), HasSubstr("a list of at least 1"));
  EXPECT_THAT(error(R"({"steps": [{"foot": "left", "position": [1, 2]}]})"), HasSubstr("/steps/0/position"));
  EXPECT_THAT(error(R"({"steps": [{"position": [1, 2, 3]}]})"), HasSubstr("/steps/0/foot"));
  EXPECT_THAT(error(R"({"stride_percent": -1})"), HasSubstr("stride_percent"));
  EXPECT_THAT(error(R"({"stride_percent": []})"), HasSubstr("bad.json: /stride_percent"));
  EXPECT_THAT(error(R"({"stride_percent": 1e6})"), HasSubstr("a number above 0, at most 300"));
  EXPECT_THAT(error(R"({"stairs": {"riser": 1}})"), HasSubstr("/stairs/riser"));
  EXPECT_THAT(error(R"({"stairs": {"tread_m": -0.3}})"), HasSubstr("bad.json: /stairs/tread_m"));
  EXPECT_THAT(error(R"({"slope_percent": 1e9})"), HasSubstr("/slope_percent"));
  EXPECT_THAT(error(R"({"rough": {"amplitude_m": -1}})"), HasSubstr("/rough/amplitude_m"));
  EXPECT_THAT(error(R"({"steps": [{"foot": "left", "position": [1e300, 0, 1]}]})"), HasSubstr("/steps/0/position"));
  EXPECT_THAT(error(R"({"steps": [{"foot": "third", "position": [1, 2, 3]}]})"), HasSubstr("the body has"));
  EXPECT_THAT(error(std::string(200, '[')), HasSubstr("nested deeper"));
  EXPECT_THAT(error(R"({"step": ")" + std::string(200, '[') + "\"}"), HasSubstr("unknown key"));
  write("good.json", R"({"stride_percent": 90})");
  save("still.bvh", scenes::stand().clip);
  const Outcome still = shosa("footsteps still.bvh good.json -o out.bvh");
  EXPECT_EQ(still.status, 1);
  EXPECT_THAT(still.err, HasSubstr("the walk 'still': no foot lands"));
  EXPECT_EQ(shosa("footsteps walk.bvh good.json -o out.bvh --clearance nan").status, 2);
  EXPECT_EQ(shosa("footsteps walk.bvh nowhere.json -o out.bvh").status, 3);
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

}  // namespace
}  // namespace shosa::test
