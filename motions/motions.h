#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/scenes.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::motions {

/// A motion that ships, and what is known about it because it was made from a plan.
struct Motion {
  std::string name;
  std::string about;  ///< One sentence for people.
  Clip clip;          ///< On `scenes::humanoid()` or `scenes::dog()`, 60 Hz, ground at y = 0 where it begins.
  body::BodyMap body_map;
  TimeInterval core;    ///< What must survive when the motion is joined to others.
  bool cyclic = false;  ///< Steps that repeat; `cycle_s` is their period.
  double cycle_s = 0.0;
  std::vector<scenes::FootPlan> feet;  ///< When each foot stands, as planned.
  std::vector<TimeInterval> flights;   ///< No foot stands, as planned.
};

/// Every motion, humanoid first. The order is fixed.
const std::vector<std::string>& names();

/// Makes a motion from its description. Same name, same bits. Fails for a name that is not in `names()`.
Result<Motion> make(std::string_view name);

/// The text a motion is made from (docs: motions/README.md). Empty for a name that is not in `names()`.
std::string_view description_text(std::string_view name);

/// Makes a motion from a text. `name_for_errors` stands before the line number in errors. A text that mirrors another
/// motion finds that one by name.
Result<Motion> make_from_text(std::string_view name, std::string_view text, const std::string& name_for_errors);

}  // namespace shosa::motions
