#pragma once

// Who makes the calls of c_api_fuzz.cpp, and what bytes mean to it.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>

#include "shosa/c/shosa.h"
#include "tests/c/make_kind.h"

namespace c_api_fuzz_detail {

constexpr std::uint32_t kMostJoints = 128;

/// What characters share is dear to make: made once, and lent to every context.
struct Lender {
  shosa_context* context = nullptr;
  shosa_character_kind kind = 0;
  Lender() {
    if (shosa_context_create(nullptr, &context) != SHOSA_OK ||
        make_kind(context, {"idle", "walk_normal"}, &kind) != SHOSA_OK)
      std::abort();
  }
  ~Lender() { shosa_context_destroy(context); }
};

class Caller {
 public:
  Caller(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {
    static const Lender lender;
    if (shosa_context_create(nullptr, &context_) != SHOSA_OK) std::abort();
    check(shosa_kind_share(lender.context, lender.kind, context_, &handles_[1]));
    for (float& value : floats_) value = 0.25F;
  }
  ~Caller() { shosa_context_destroy(context_); }

  void run() {
    for (int calls = 0; size_ > 0 && calls < 200; ++calls) {
      one();
      look();
    }
  }

 private:
  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  double number() {
    constexpr double kStrange[] = {0.0,
                                   1.0,
                                   -1.0,
                                   1e-9,
                                   1e9,
                                   1e300,
                                   -1e300,
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
    const std::uint8_t b = byte();
    return b < std::size(kStrange) ? kStrange[b] : (b - 128) / 32.0;
  }
  std::uint32_t count() {
    const std::uint8_t b = byte();
    return b == 255 ? UINT32_MAX : b;
  }
  std::uint32_t flag() { return byte() & 3U; }
  shosa_handle handle() {
    const std::uint8_t b = byte();
    return b == 255 ? 0xABCDEF01U : handles_[b % std::size(handles_)];
  }
  shosa_handle* slot() { return byte() == 0 ? nullptr : &handles_[2 + byte() % (std::size(handles_) - 2)]; }
  template <class T>
  T* sized(T& value) {
    const std::uint8_t b = byte();
    if (b == 1) return nullptr;
    if (b == 2) value.size = byte();
    if (b == 3) value.size += 8;
    return &value;
  }
  void point(double (&out)[3]) {
    for (double& value : out) value = number();
  }
  /// The right number of joints, mostly.
  std::uint32_t joints(shosa_handle of) {
    std::uint32_t found = 0;
    if (shosa_joint_count(context_, of, &found) != SHOSA_OK || byte() == 1) return count();
    return found <= kMostJoints ? found : 0;
  }
  void check(shosa_status status) {
    if (status == SHOSA_OK) return;
    if (shosa_error_text(context_)[0] == '\0' || shosa_error_status(context_) == SHOSA_OK) std::abort();
    if (status == SHOSA_FAILED) std::abort();
  }

  void one();
  void command(shosa_character hero);
  void solver(shosa_pin_drag of);
  void clip(shosa_clip of);

  /// Every posture that can be seen is whole.
  void look() {
    for (const shosa_handle of : handles_) {
      shosa_pose pose = SHOSA_POSE_INIT;
      if (shosa_character_get_pose(context_, of, &pose) != SHOSA_OK &&
          shosa_pin_drag_get_pose(context_, of, &pose) != SHOSA_OK)
        continue;
      for (std::uint32_t i = 0; pose.matrices != nullptr && i < 16 * pose.joint_count; ++i)
        if (!std::isfinite(pose.matrices[i])) std::abort();
    }
  }

  const std::uint8_t* data_;
  std::size_t size_;
  shosa_context* context_ = nullptr;
  shosa_handle handles_[16] = {};
  float floats_[16 * kMostJoints] = {};
};

}  // namespace c_api_fuzz_detail
