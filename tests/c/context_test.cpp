#include "c/context.h"

#include <cmath>
#include <cstdlib>
#include <set>

#include "c_api.h"

namespace shosa {
namespace {

using test::CApi;
using testing::HasSubstr;

TEST(CVersion, OfTheHeaderIsThatOfTheProject) {
  const std::string text = shosa_version_text();
  EXPECT_EQ(shosa_version(), SHOSA_VERSION);
  EXPECT_EQ(text, std::to_string(SHOSA_VERSION >> 16) + "." + std::to_string(SHOSA_VERSION >> 8 & 255U) + "." +
                      std::to_string(SHOSA_VERSION & 255U));
}

TEST(CVersion, UnknownFeaturesAreNotThere) {
  EXPECT_EQ(shosa_has_feature("files"), 1);
  EXPECT_EQ(shosa_has_feature("teleport"), 0);
  EXPECT_EQ(shosa_has_feature(nullptr), 0);
}

TEST(CContext, AnotherMinorVersionIsRefused) {
  shosa_context* context = nullptr;
  shosa_context_params params = SHOSA_CONTEXT_PARAMS_INIT;
  params.version += 1U << 8;
  EXPECT_EQ(shosa_context_create(&params, &context), SHOSA_WRONG_VERSION);
  EXPECT_EQ(context, nullptr);
  params.version = SHOSA_VERSION + 1;  // a later patch is understood
  EXPECT_EQ(shosa_context_create(&params, &context), SHOSA_OK);
  shosa_context_destroy(context);
}

TEST(CContext, AnAllocatorNeedsBothItsFunctions) {
  shosa_context* context = nullptr;
  shosa_context_params params = SHOSA_CONTEXT_PARAMS_INIT;
  params.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  EXPECT_EQ(shosa_context_create(&params, &context), SHOSA_BAD_ARGUMENT);
  params.release = [](void*, void*, size_t, size_t) {};
  EXPECT_EQ(shosa_context_create(&params, &context), SHOSA_OUT_OF_MEMORY);
}

/// Counts, and gives nothing any more after so many.
struct CountingAllocator {
  int left = 1 << 30;
  std::set<void*> live;
  std::size_t held = 0;

  shosa_context_params params() {
    shosa_context_params params = SHOSA_CONTEXT_PARAMS_INIT;
    params.user = this;
    params.allocate = [](void* user, size_t bytes, size_t alignment) -> void* {
      auto& self = *static_cast<CountingAllocator*>(user);
      if (self.left-- <= 0) return nullptr;
      void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
      self.live.insert(memory);
      self.held += bytes;
      return memory;
    };
    params.release = [](void* user, void* memory, size_t bytes, size_t) {
      auto& self = *static_cast<CountingAllocator*>(user);
      EXPECT_EQ(self.live.erase(memory), 1U);
      self.held -= bytes;
      std::free(memory);
    };
    return params;
  }
};

TEST(CContext, WhatTheAllocatorGaveComesBackToIt) {
  CountingAllocator allocator;
  const shosa_context_params params = allocator.params();
  shosa_context* context = nullptr;
  ASSERT_EQ(shosa_context_create(&params, &context), SHOSA_OK);
  shosa_buffer buffer = 0, text = 0;
  shosa_clip clip = 0;
  shosa_pin_drag solver = 0;
  ASSERT_EQ(shosa_buffer_create(context, "abc", 3, &buffer), SHOSA_OK);
  ASSERT_EQ(shosa_clip_make(context, "idle", &clip), SHOSA_OK);
  ASSERT_EQ(shosa_clip_describe(context, clip, &text), SHOSA_OK);
  ASSERT_EQ(shosa_pin_drag_create(context, clip, nullptr, &solver), SHOSA_OK);
  EXPECT_GT(allocator.live.size(), 5U);
  ASSERT_EQ(shosa_free(context, buffer), SHOSA_OK);
  shosa_context_destroy(context);
  EXPECT_TRUE(allocator.live.empty());
  EXPECT_EQ(allocator.held, 0U);
}

TEST(CContext, WithoutMemoryEveryCallSaysSoAndLeavesNothing) {
  for (int given = 1; given < 8; ++given) {
    CountingAllocator allocator;
    const shosa_context_params params = allocator.params();
    shosa_context* context = nullptr;
    ASSERT_EQ(shosa_context_create(&params, &context), SHOSA_OK);
    allocator.left = given - 1;
    shosa_clip clip = 0;
    shosa_pin_drag solver = 0;
    shosa_buffer text = 0;
    shosa_status status = shosa_clip_make(context, "idle", &clip);
    if (status == SHOSA_OK) status = shosa_pin_drag_create(context, clip, nullptr, &solver);
    if (status == SHOSA_OK) status = shosa_clip_describe(context, clip, &text);
    if (status != SHOSA_OK) {
      EXPECT_EQ(status, SHOSA_OUT_OF_MEMORY) << given;
      EXPECT_THAT(shosa_error_text(context), HasSubstr("memory"));
    }
    uint32_t count = 0;
    EXPECT_EQ(shosa_handle_count(context, &count), SHOSA_OK);
    EXPECT_EQ(count, (clip != 0U) + (solver != 0U) + (text != 0U)) << given;
    shosa_context_destroy(context);
    EXPECT_TRUE(allocator.live.empty());
  }
}

struct Nothing final : c::Object {};

TEST(CHandles, NoNumberIsGivenTwice) {
  c::HandleTable table({});
  std::set<shosa_handle> given;
  // More than all generations of one place.
  for (int i = 0; i < 3 * 4096; ++i) {
    const shosa_handle handle = table.add(c::Kind::buffer, new Nothing);
    ASSERT_NE(handle, 0U);
    ASSERT_TRUE(given.insert(handle).second) << i;
    ASSERT_TRUE(table.remove(handle));
    ASSERT_FALSE(table.remove(handle));
  }
  EXPECT_EQ(table.count(), 0U);
  for (const shosa_handle handle : given) ASSERT_EQ(table.kind_of(handle), c::Kind::none);
}

TEST(CHandles, ThousandsLiveBesideEachOther) {
  c::HandleTable table({});
  std::vector<shosa_handle> handles;
  std::vector<c::Object*> objects;
  for (int i = 0; i < 5000; ++i) {
    objects.push_back(new Nothing);
    handles.push_back(table.add(c::Kind::clip, objects.back()));
  }
  for (std::size_t i = 0; i < handles.size(); i += 2) ASSERT_TRUE(table.remove(handles[i]));
  for (std::size_t i = 0; i < handles.size(); ++i) {
    EXPECT_EQ(table.object(handles[i], c::Kind::clip), i % 2 == 0 ? nullptr : objects[i]);
    EXPECT_EQ(table.object(handles[i], c::Kind::graph), nullptr);
  }
}

TEST_F(CApi, HandlesSayWhatTheyAre) {
  const char* kind = nullptr;
  const shosa_clip clip = motion("idle");
  ASSERT_TRUE(ok(shosa_handle_kind(context, clip, &kind)));
  EXPECT_STREQ(kind, "clip");
  ASSERT_TRUE(ok(shosa_free(context, clip)));
  EXPECT_EQ(shosa_handle_kind(context, clip, &kind), SHOSA_BAD_HANDLE);
  EXPECT_EQ(shosa_free(context, clip), SHOSA_BAD_HANDLE);
  EXPECT_THAT(error(), HasSubstr("names nothing"));
  EXPECT_STREQ(shosa_error_function(context), "shosa_free");
}

TEST_F(CApi, ObjectsOfAnotherContextAreNotReached) {
  shosa_context* other = nullptr;
  ASSERT_EQ(shosa_context_create(nullptr, &other), SHOSA_OK);
  const shosa_clip clip = motion("idle");
  shosa_clip_info found = SHOSA_CLIP_INFO_INIT;
  EXPECT_EQ(shosa_clip_get_info(other, clip, &found), SHOSA_BAD_HANDLE);
  shosa_context_destroy(other);
}

TEST_F(CApi, StructsOfOtherSizesAreRefused) {
  shosa_loop_params params = SHOSA_LOOP_PARAMS_INIT;
  const shosa_clip walk = motion("walk_normal");
  shosa_clip out = 0;
  params.size = 4;
  EXPECT_EQ(shosa_clip_loop(context, walk, &params, &out, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("shosa_loop_params.size is 4"));
  params.size = sizeof params + 8;
  EXPECT_EQ(shosa_clip_loop(context, walk, &params, &out, nullptr), SHOSA_WRONG_VERSION);
  shosa_clip_info found = SHOSA_CLIP_INFO_INIT;
  found.size = 8;
  EXPECT_EQ(shosa_clip_get_info(context, walk, &found), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(found.joint_count, 0U);
}

TEST_F(CApi, DefaultsAreThoseOfTheMacros) {
  shosa_go_place expected = SHOSA_GO_PLACE_INIT, found = {};
  ASSERT_TRUE(ok(shosa_defaults(context, "shosa_go_place", &found, sizeof found)));
  EXPECT_EQ(std::memcmp(&expected, &found, sizeof found), 0);
  EXPECT_EQ(shosa_defaults(context, "shosa_go_place", &found, 8), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_defaults(context, "shosa_go_away", &found, 8), SHOSA_BAD_ARGUMENT);
}

TEST_F(CApi, BuffersHoldWhatWasPutIn) {
  shosa_buffer buffer = 0;
  ASSERT_TRUE(ok(shosa_buffer_create(context, "a\0b", 3, &buffer)));
  EXPECT_EQ(text(buffer), std::string("a\0b", 3));
  shosa_buffer empty = 0;
  ASSERT_TRUE(ok(shosa_buffer_create(context, nullptr, 0, &empty)));
  EXPECT_EQ(text(empty), "");
  EXPECT_EQ(shosa_buffer_create(context, nullptr, SIZE_MAX, &empty), SHOSA_OUT_OF_MEMORY);
}

}  // namespace
}  // namespace shosa
