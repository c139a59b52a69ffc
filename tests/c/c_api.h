#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shosa/c/shosa.h"
#include "tests/c/make_kind.h"

namespace shosa::test {

/// A context for one test. After the test nothing may be left but what the test said.
class CApi : public testing::Test {
 protected:
  CApi() {
    shosa_context_params params = SHOSA_CONTEXT_PARAMS_INIT;
    params.user = this;
    params.log = [](void* user, int32_t level, const char* text) {
      if (level != SHOSA_LOG_ERROR) static_cast<CApi*>(user)->said.emplace_back(text);
    };
    EXPECT_EQ(shosa_context_create(&params, &context), SHOSA_OK);
  }
  ~CApi() override { shosa_context_destroy(context); }

  testing::AssertionResult ok(shosa_status status) const {
    if (status == SHOSA_OK) return testing::AssertionSuccess();
    return testing::AssertionFailure() << shosa_error_function(context) << ": " << shosa_error_text(context) << " ("
                                       << shosa_status_name(status) << ")";
  }
  std::string error() const { return shosa_error_text(context); }

  std::string text(shosa_buffer buffer) const {
    void* data = nullptr;
    size_t size = 0;
    EXPECT_TRUE(ok(shosa_buffer_data(context, buffer, &data, &size)));
    return {static_cast<const char*>(data), size};
  }
  nlohmann::json json(shosa_buffer buffer) const { return nlohmann::json::parse(text(buffer)); }

  shosa_clip motion(const char* name) const {
    shosa_clip clip = 0;
    EXPECT_TRUE(ok(shosa_clip_make(context, name, &clip)));
    return clip;
  }
  shosa_clip_info info(shosa_clip clip) const {
    shosa_clip_info info = SHOSA_CLIP_INFO_INIT;
    EXPECT_TRUE(ok(shosa_clip_get_info(context, clip, &info)));
    return info;
  }
  shosa_folder folder(const std::vector<std::string>& motions) const {
    shosa_folder folder = 0;
    EXPECT_TRUE(ok(shosa_folder_create(context, &folder)));
    for (const std::string& name : motions)
      EXPECT_TRUE(ok(shosa_folder_add_clip(context, folder, name.c_str(), motion(name.c_str()))));
    return folder;
  }
  shosa_character_kind kind() const {
    shosa_character_kind kind = 0;
    EXPECT_TRUE(ok(make_kind(context, {"idle", "walk_normal", "run_slow"}, &kind)));
    return kind;
  }
  std::vector<float> rotations(shosa_clip clip, double time_s) const {
    std::vector<float> values(4 * info(clip).joint_count);
    EXPECT_TRUE(ok(shosa_clip_sample(context, clip, time_s, values.data(), nullptr, info(clip).joint_count)));
    return values;
  }

  shosa_context* context = nullptr;
  std::vector<std::string> said;
};

inline constexpr double kFrame_s = 1.0 / 60.0;

/// … with characters of three gaits that ship.
class CCharacter : public CApi {
 protected:
  shosa_character create(shosa_character_kind of) const {
    shosa_character made = 0;
    EXPECT_TRUE(ok(shosa_character_create(context, of, nullptr, &made)));
    return made;
  }
  shosa_pose pose(shosa_character of) const {
    shosa_pose found = SHOSA_POSE_INIT;
    EXPECT_TRUE(ok(shosa_character_get_pose(context, of, &found)));
    return found;
  }
  shosa_character_facts facts(shosa_character of) const {
    shosa_character_facts found = SHOSA_CHARACTER_FACTS_INIT;
    EXPECT_TRUE(ok(shosa_character_get_facts(context, of, &found)));
    return found;
  }
  int32_t status(shosa_character of, shosa_command command) const {
    shosa_outcome outcome = SHOSA_OUTCOME_INIT;
    EXPECT_TRUE(ok(shosa_command_get_outcome(context, of, command, &outcome)));
    return outcome.status;
  }
  std::vector<float> matrices(shosa_character of) const {
    const shosa_pose view = pose(of);
    return {view.matrices, view.matrices + 16 * view.joint_count};
  }
};

}  // namespace shosa::test
