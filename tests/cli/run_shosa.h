#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/paths.h"
#include "support/test_folder.h"

namespace shosa::test {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A test in an empty folder of its own, with the built program.
class ProgramTest : public FolderTest {
 protected:
  /// Runs in the test's folder; arguments are given as in a shell.
  Outcome shosa(const std::string& arguments) const { return shosa_under("", arguments); }
  /// The same with all threads on one core.
  Outcome shosa_on_one_core(const std::string& arguments) const { return shosa_under("taskset -c 0 ", arguments); }
  Outcome shosa_under(const std::string& runner, const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && " + runner + "'" + test::build_dir().string() +
                                "/shosa' " + arguments + " >.out 2>.err </dev/null";
    Outcome run;
    const int status = std::system(command.c_str());
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.out = file_text(folder_ / ".out");
    run.err = file_text(folder_ / ".err");
    return run;
  }
  /// The program ends with `status`, and standard error holds `said`.
  void expect_refused(const std::string& arguments, int status, const std::string& said) const {
    const Outcome run = shosa(arguments);
    EXPECT_EQ(run.status, status) << arguments << '\n' << run.err;
    EXPECT_NE(run.err.find(said), std::string::npos) << arguments << '\n' << run.err;
  }
  /// Files other than the captured output.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name != ".out" && name != ".err") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

/// A person who stands still for three frames, small enough to read.
inline std::string small_bvh() {
  return R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 -5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftLeg
    {
      OFFSET 0 -42 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT LeftFoot
      {
        OFFSET 0 -40 0
        CHANNELS 3 Zrotation Yrotation Xrotation
        End Site
        {
          OFFSET 0 -8 15
        }
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 -5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT RightLeg
    {
      OFFSET 0 -42 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT RightFoot
      {
        OFFSET 0 -40 0
        CHANNELS 3 Zrotation Yrotation Xrotation
        End Site
        {
          OFFSET 0 -8 15
        }
      }
    }
  }
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Head
    {
      OFFSET 0 40 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      End Site
      {
        OFFSET 0 20 0
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.04
0 95 0 0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0
0 95 0 0 5 0  0 0 9  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0
0 95 0 0 9 0  0 0 9  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0
)";
}

}  // namespace shosa::test
