#pragma once

#include "motions/description.h"
#include "motions/dog.h"

namespace shosa::motions {

/// What a description must keep so that a motion can be made from it; the parsers ask. The error names the rule.
///
/// - 0 < duration <= 600 s; 0 <= core begin <= core end <= duration;
/// - keys, the steps of a foot and the vias of a step are in order of time; steps do not overlap, vias lie inside their
/// step;
/// - turns of a foot and changes of speed end after they begin;
/// - a leap's times rise: 0 <= bottom < off < land < caught <= duration;
/// - a gait's step takes 0.1 to 5 s (a dog's cycle 0.1 to 10 s), its duty is 0.1 to 0.95, its shares are 0 to 1 and its
///   speed above 0; strikes are 0 to 1000; extension is 0.5 to 1.
Result<void> check_rules(const Description& description, const std::string& name_for_errors);
Result<void> check_rules(const DogDescription& description, const std::string& name_for_errors);

}  // namespace shosa::motions
