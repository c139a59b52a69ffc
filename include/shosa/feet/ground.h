#pragma once

#include "shosa/core/types.h"

namespace shosa::feet {

/// The ground below or above a place.
struct GroundPoint {
  double height_m = 0.0;          ///< World y.
  Vec3d normal = Vec3d::UnitY();  ///< Unit, upward.
};

/// A ground asked at run time: any callable from world (x, z) to a `GroundPoint`. Refers to it, so that the callable
/// must outlive the view; allocates nothing. The default is level at height 0.
class GroundView {
 public:
  GroundView() = default;
  template <class Callable>
  GroundView(const Callable& ground)  // NOLINT(google-explicit-constructor): a view of anything that fits
      : object_(&ground), ask_([](const void* object, double x_m, double z_m) -> GroundPoint {
          return (*static_cast<const Callable*>(object))(x_m, z_m);
        }) {}

  bool is_level() const { return ask_ == nullptr; }
  GroundPoint operator()(double x_m, double z_m) const { return ask_ ? ask_(object_, x_m, z_m) : GroundPoint{}; }

 private:
  const void* object_ = nullptr;
  GroundPoint (*ask_)(const void*, double, double) = nullptr;
};

}  // namespace shosa::feet
