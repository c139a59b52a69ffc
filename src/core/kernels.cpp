#include "core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace shosa::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Block = hn::CappedTag<float, kLanes>;
using Column = hn::CappedTag<float, 4>;
constexpr std::ptrdiff_t kBlockStep = static_cast<std::ptrdiff_t>(hn::MaxLanes(Block()));
constexpr std::ptrdiff_t kColumnStep = static_cast<std::ptrdiff_t>(hn::MaxLanes(Column()));

void nlerp_rotations(const float* a, const float* b, float weight, int blocks, float* out) {
  const Block d;
  const auto weight_b = hn::Set(d, weight);
  const auto weight_a = hn::Set(d, 1.0f - weight);
  const auto one = hn::Set(d, 1.0f);

  for (int block = 0; block < blocks; ++block, a += 4 * kLanes, b += 4 * kLanes, out += 4 * kLanes) {
    for (std::ptrdiff_t lane = 0; lane < kLanes; lane += kBlockStep) {
      const auto ax = hn::Load(d, a + lane), ay = hn::Load(d, a + kLanes + lane);
      const auto az = hn::Load(d, a + 2 * kLanes + lane), aw = hn::Load(d, a + 3 * kLanes + lane);
      const auto bx = hn::Load(d, b + lane), by = hn::Load(d, b + kLanes + lane);
      const auto bz = hn::Load(d, b + 2 * kLanes + lane), bw = hn::Load(d, b + 3 * kLanes + lane);

      // q and -q are one rotation: take the sign of b that lies nearer to a.
      const auto dot = hn::Add(hn::Add(hn::Mul(ax, bx), hn::Mul(ay, by)), hn::Add(hn::Mul(az, bz), hn::Mul(aw, bw)));
      const auto signed_b = hn::CopySign(weight_b, dot);

      const auto x = hn::Add(hn::Mul(ax, weight_a), hn::Mul(bx, signed_b));
      const auto y = hn::Add(hn::Mul(ay, weight_a), hn::Mul(by, signed_b));
      const auto z = hn::Add(hn::Mul(az, weight_a), hn::Mul(bz, signed_b));
      const auto w = hn::Add(hn::Mul(aw, weight_a), hn::Mul(bw, signed_b));

      // Along the shorter arc the sum is never shorter than sqrt(1/2): no division by zero.
      const auto squares = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Add(hn::Mul(z, z), hn::Mul(w, w)));
      const auto inverse = hn::Div(one, hn::Sqrt(squares));
      hn::Store(hn::Mul(x, inverse), d, out + lane);
      hn::Store(hn::Mul(y, inverse), d, out + kLanes + lane);
      hn::Store(hn::Mul(z, inverse), d, out + 2 * kLanes + lane);
      hn::Store(hn::Mul(w, inverse), d, out + 3 * kLanes + lane);
    }
  }
}

void lerp_values(const float* a, const float* b, float weight, std::ptrdiff_t count, float* out) {
  const Block d;
  const auto weights = hn::Set(d, weight);
  std::ptrdiff_t i = 0;
  for (; i + kBlockStep <= count; i += kBlockStep) {
    const auto from = hn::LoadU(d, a + i);
    hn::StoreU(hn::Add(from, hn::Mul(hn::Sub(hn::LoadU(d, b + i), from), weights)), d, out + i);
  }
  for (; i < count; ++i) out[i] = a[i] + (b[i] - a[i]) * weight;
}

// Entries 3 * column + row of kLanes rotation matrices, lanes apart.
HWY_INLINE void rotation_entries(const float* rotations, float* entries) {
  const Block d;
  const auto one = hn::Set(d, 1.0f);
  for (std::ptrdiff_t lane = 0; lane < kLanes; lane += kBlockStep) {
    const auto x = hn::Load(d, rotations + lane), y = hn::Load(d, rotations + kLanes + lane);
    const auto z = hn::Load(d, rotations + 2 * kLanes + lane), w = hn::Load(d, rotations + 3 * kLanes + lane);
    const auto x2 = hn::Add(x, x), y2 = hn::Add(y, y), z2 = hn::Add(z, z);
    const auto xx = hn::Mul(x, x2), yy = hn::Mul(y, y2), zz = hn::Mul(z, z2);
    const auto xy = hn::Mul(x, y2), xz = hn::Mul(x, z2), yz = hn::Mul(y, z2);
    const auto wx = hn::Mul(w, x2), wy = hn::Mul(w, y2), wz = hn::Mul(w, z2);
    hn::Store(hn::Sub(one, hn::Add(yy, zz)), d, entries + lane);
    hn::Store(hn::Add(xy, wz), d, entries + kLanes + lane);
    hn::Store(hn::Sub(xz, wy), d, entries + 2 * kLanes + lane);
    hn::Store(hn::Sub(xy, wz), d, entries + 3 * kLanes + lane);
    hn::Store(hn::Sub(one, hn::Add(xx, zz)), d, entries + 4 * kLanes + lane);
    hn::Store(hn::Add(yz, wx), d, entries + 5 * kLanes + lane);
    hn::Store(hn::Add(xz, wy), d, entries + 6 * kLanes + lane);
    hn::Store(hn::Sub(yz, wx), d, entries + 7 * kLanes + lane);
    hn::Store(hn::Sub(one, hn::Add(xx, yy)), d, entries + 8 * kLanes + lane);
  }
}

void world_matrices(const float* rotations, const float* translations, const JointIndex* parents, int joint_count,
                    float* matrices) {
  const Column d;
  HWY_ALIGN float entries[9 * kLanes];
  HWY_ALIGN static constexpr float kIdentity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

  for (JointIndex j = 0; j < joint_count; ++j) {
    const int lane = j % kLanes;
    if (lane == 0) rotation_entries(rotations + (j / kLanes) * 4 * kLanes, entries);

    const float* parent = parents[j] < 0 ? kIdentity : matrices + 16 * static_cast<std::ptrdiff_t>(parents[j]);
    const float* translation = translations + translation_lane(j);
    float* world = matrices + 16 * static_cast<std::ptrdiff_t>(j);
    for (std::ptrdiff_t row = 0; row < 4; row += kColumnStep) {
      const auto p0 = hn::LoadU(d, parent + row), p1 = hn::LoadU(d, parent + 4 + row);
      const auto p2 = hn::LoadU(d, parent + 8 + row), p3 = hn::LoadU(d, parent + 12 + row);
      const auto times_parent = [&](const float* entry) {
        return hn::Add(hn::Add(hn::Mul(p0, hn::Set(d, entry[0])), hn::Mul(p1, hn::Set(d, entry[kLanes]))),
                       hn::Mul(p2, hn::Set(d, entry[2 * kLanes])));
      };
      for (int column = 0; column < 3; ++column) {
        hn::StoreU(times_parent(entries + 3 * column * kLanes + lane), d, world + 4 * column + row);
      }
      hn::StoreU(hn::Add(times_parent(translation), p3), d, world + 12 + row);
    }
  }
}

}  // namespace shosa::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shosa::kernels {

HWY_EXPORT(nlerp_rotations);
HWY_EXPORT(lerp_values);
HWY_EXPORT(world_matrices);

void nlerp_rotations(const float* a, const float* b, float weight, int blocks, float* out) {
  HWY_DYNAMIC_DISPATCH(nlerp_rotations)(a, b, weight, blocks, out);
}

void lerp_values(const float* a, const float* b, float weight, std::ptrdiff_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(lerp_values)(a, b, weight, count, out);
}

void world_matrices(const float* rotations, const float* translations, const JointIndex* parents, int joint_count,
                    float* matrices) {
  HWY_DYNAMIC_DISPATCH(world_matrices)(rotations, translations, parents, joint_count, matrices);
}

}  // namespace shosa::kernels
#endif
