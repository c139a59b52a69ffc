#include "motions/rules.h"

namespace shosa::motions {
namespace {

constexpr double kLongest_s = 600.0;

/// Collects the first broken rule.
class Rules {
 public:
  explicit Rules(const std::string& name) : name_(name) {}

  template <class... Args>
  void demand(bool holds, fmt::format_string<Args...> text, Args&&... args) {
    if (!holds && broken_.empty()) broken_ = fmt::format(text, std::forward<Args>(args)...);
  }
  void within(const char* what, double value, double low, double high) {
    demand(value >= low && value <= high, "{} is {}, expected {} to {}", what, value, low, high);
  }
  Result<void> result() const {
    if (broken_.empty()) return {};
    return fail(ErrorCode::bad_file, "{}: {}", name_, broken_);
  }

 private:
  const std::string& name_;
  std::string broken_;
};

void check_times(Rules& rules, double duration_s, const std::optional<TimeInterval>& core) {
  rules.demand(duration_s > 0.0, "the duration must be above 0");
  rules.demand(duration_s <= kLongest_s, "the duration is {} s, expected at most {}", duration_s, kLongest_s);
  if (!core) return;
  rules.demand(core->begin_s >= 0.0 && core->begin_s <= core->end_s && core->end_s <= duration_s,
               "the core is {} to {} s, expected inside the motion's {} s", core->begin_s, core->end_s, duration_s);
}

template <class Key>
void check_keys(Rules& rules, const std::vector<Key>& keys) {
  for (std::size_t k = 1; k < keys.size(); ++k) {
    rules.demand(keys[k - 1].time_s <= keys[k].time_s, "the key at {} s comes after the one at {} s", keys[k].time_s,
                 keys[k - 1].time_s);
  }
}

template <class AnyStep>
void check_steps(Rules& rules, const std::vector<AnyStep>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    rules.demand(steps[i - 1].land_s <= steps[i].lift_s, "a foot lifts at {} s before it has landed at {} s",
                 steps[i].lift_s, steps[i - 1].land_s);
  }
}

void check_foot(Rules& rules, const FootScript& foot) {
  check_steps(rules, foot.steps);
  for (const Step& step : foot.steps) {
    double before = step.lift_s;
    for (const Via& via : step.via) {
      rules.demand(via.time_s > before && via.time_s < step.land_s, "via at {} s, expected between {} and {} s",
                   via.time_s, before, step.land_s);
      before = via.time_s;
    }
  }
  for (const auto* turns : {&foot.heel, &foot.pivot}) {
    for (const FootTurn& turn : *turns) {
      rules.demand(turn.begin_s < turn.end_s, "a foot turns from {} to {} s, expected an end after the begin",
                   turn.begin_s, turn.end_s);
    }
  }
}

void check_gait(Rules& rules, const Gait& gait, double duration_s) {
  rules.within("step_s", gait.step_s, 0.1, 5.0);
  rules.within("duty", gait.duty, 0.1, 0.95);
  rules.within("strikes", gait.strikes, 0, 1000);
  rules.within("first_s", gait.first_s, -10.0, duration_s);
  rules.within("heel_off", gait.heel_off, 0.0, 1.0);
  rules.within("push_late", gait.push_late, 0.0, 1.0);
  rules.within("flat", gait.flat, 0.0, 1.0);
  rules.within("force_k", gait.force_k, 0.0, 1.0);
  rules.within("extension", gait.extension, 0.5, 1.0);
  rules.within("top_mps", gait.top_mps, 0.01, 20.0);
  for (const Knot& knot : gait.speed) {
    rules.demand(knot.begin_s < knot.end_s, "the speed changes from {} to {} s, expected an end after the begin",
                 knot.begin_s, knot.end_s);
  }
}

}  // namespace

Result<void> check_rules(const Description& description, const std::string& name_for_errors) {
  Rules rules(name_for_errors);
  check_times(rules, description.duration_s, description.core);
  check_keys(rules, description.keys);
  for (const FootScript& foot : description.feet) check_foot(rules, foot);
  for (const Key& key : description.keys) rules.within("weight", key.posture.weight, -1.0, 1.0);
  for (const Leap& leap : description.leaps) {
    rules.demand(0.0 <= leap.bottom_s && leap.bottom_s < leap.off_s && leap.off_s < leap.land_s &&
                     leap.land_s < leap.caught_s && leap.caught_s <= description.duration_s,
                 "a leap's times are {} {} {} {} s, expected rising and inside the motion", leap.bottom_s, leap.off_s,
                 leap.land_s, leap.caught_s);
  }
  if (description.gait) check_gait(rules, *description.gait, description.duration_s);
  return rules.result();
}

Result<void> check_rules(const DogDescription& description, const std::string& name_for_errors) {
  Rules rules(name_for_errors);
  check_times(rules, description.duration_s, description.core);
  check_keys(rules, description.keys);
  for (const auto& steps : description.steps) check_steps(rules, steps);
  if (description.gait) {
    rules.within("cycle_s", description.gait->cycle_s, 0.1, 10.0);
    rules.within("duty", description.gait->duty, 0.1, 0.95);
    for (const double phase : description.gait->phase) rules.within("a phase", phase, 0.0, 1.0);
  }
  return rules.result();
}

}  // namespace shosa::motions
