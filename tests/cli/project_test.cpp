#include <gmock/gmock.h>
#include <signal.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ProjectVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    std::filesystem::create_directories(path("dance/clips"));
    save("dance/clips/walk.bvh", scenes::walk({.duration_s = 2.0}).clip);
    write("dance/score.json", R"({"version": 1, "motions": [{"clip": "clips/walk.bvh"}]})");
  }
};

TEST_F(ProjectVerb, ChecksMendsZipsAndUnzips) {
  const Outcome whole = shosa("project check dance --json");
  EXPECT_EQ(whole.status, 0) << whole.err;
  EXPECT_THAT(whole.json()["problems"], IsEmpty());
  std::filesystem::rename(path("dance/clips/walk.bvh"), path("dance/stroll.bvh"));
  const Outcome moved = shosa("project check dance --json");
  EXPECT_EQ(moved.status, 1);
  EXPECT_EQ(moved.json()["problems"][0]["kind"], "missing");
  EXPECT_EQ(moved.json()["problems"][0]["place"], "/motions/0/clip");
  EXPECT_THAT(shosa("project check dance --mend").out, HasSubstr("mended: score.json"));
  EXPECT_EQ(shosa("project check dance").status, 0);

  ASSERT_EQ(shosa("project zip dance -o dance.shosa").status, 0);
  const Outcome unzipped = shosa("project unzip dance.shosa -o deep_copy --json");
  EXPECT_EQ(unzipped.status, 0) << unzipped.err;
  EXPECT_EQ(unzipped.json()["files"], 2);
  EXPECT_EQ(file_text(path("deep_copy/score.json")), file_text(path("dance/score.json")));
  EXPECT_EQ(shosa("project unzip dance.shosa -o deep_copy").status, 1);
  write("bad.shosa", "no zip");
  EXPECT_EQ(shosa("project unzip bad.shosa -o bad").status, 3);
  EXPECT_FALSE(std::filesystem::exists(path("bad")));
  EXPECT_EQ(shosa("project zip nowhere -o x.zip").status, 3);
  EXPECT_EQ(shosa("project zip dance -o no/where/x.zip").status, 1);
}

TEST_F(ProjectVerb, TheStudioSaysItsAddressFirstAndEndsOnSigterm) {
  const std::string program = build_dir() / "shosa";
  FILE* const pipe = popen(("cd '" + folder_.string() + "' && export XDG_STATE_HOME=\"$PWD/state\" && exec '" +
                            program + "' studio dance --no-browser 2>&1 & echo $!; wait $!; echo ended $?")
                               .c_str(),
                           "r");
  ASSERT_NE(pipe, nullptr);
  char line[300] = {};
  ASSERT_NE(fgets(line, sizeof line, pipe), nullptr);
  const int process = std::atoi(line);
  ASSERT_NE(fgets(line, sizeof line, pipe), nullptr);
  EXPECT_THAT(std::string(line), StartsWith("http://127.0.0.1:"));
  const std::string address = line;
  ASSERT_THAT(address, HasSubstr("/?token="));
  ASSERT_GT(process, 1);
  kill(process, SIGTERM);
  ASSERT_NE(fgets(line, sizeof line, pipe), nullptr);
  EXPECT_EQ(std::string(line), "ended 0\n");
  pclose(pipe);
  // The token outlives the program, and nobody else can read it.
  const auto kept = *std::filesystem::directory_iterator(folder_ / "state/shosa/studio_tokens");
  EXPECT_EQ(file_text(kept.path()), address.substr(address.find("token=") + 6, 32));
  EXPECT_EQ(kept.status().permissions() & std::filesystem::perms::others_all, std::filesystem::perms::none);
  EXPECT_EQ(shosa("studio nowhere --no-browser").status, 3);
  EXPECT_EQ(shosa("studio dance --port 0").status, 2);
}

}  // namespace
}  // namespace shosa::test
