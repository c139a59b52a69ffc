#include "shosa/character/commands.h"

#include <type_traits>

#include "character/character_impl.h"

namespace shosa::character {

std::string_view status_name(Status status) {
  constexpr std::string_view kNames[] = {"unknown", "active", "done", "given_up", "replaced"};
  return kNames[static_cast<int>(status)];
}
std::string_view reason_name(Reason reason) {
  constexpr std::string_view kNames[] = {"none",     "unreachable",    "no_still_state", "no_such_speed",
                                         "too_long", "out_of_balance", "out_of_reach",   "too_far_aside"};
  return kNames[static_cast<int>(reason)];
}
std::string_view event_name(EventKind kind) {
  constexpr std::string_view kNames[] = {"foot_down", "foot_up",  "state_reached",  "core_reached", "goal_met",
                                         "goal_lost", "given_up", "out_of_balance", "step_met"};
  return kNames[static_cast<int>(kind)];
}

namespace {

constexpr double kMostSpeed_mps = 20.0, kMostPush_mps = 20.0, kFarthest_m = 1e6;

Result<void> check_state(const CharacterData& data, int state) {
  const int count = static_cast<int>(data.states().size());
  if (state >= 0 && state < count) return {};
  return fail(ErrorCode::invalid_argument, "state number {}, expected 0 to {}", state, count - 1);
}
Result<void> check_joint(const CharacterData& data, JointIndex joint) {
  if (joint >= 0 && joint < data.skeleton().joint_count()) return {};
  return fail(ErrorCode::invalid_argument, "joint number {}, expected 0 to {}", joint,
              data.skeleton().joint_count() - 1);
}
Result<void> check_number(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return {};
  return fail(ErrorCode::invalid_argument, "{} is {}, expected {} to {}", name, value, least, most);
}
Result<void> check_point(const char* name, const Vec3d& v, double most = kFarthest_m) {
  if (v.allFinite() && v.cwiseAbs().maxCoeff() <= most) return {};
  return fail(ErrorCode::invalid_argument, "{} is ({}, {}, {}), expected finite numbers up to {}", name, v.x(), v.y(),
              v.z(), most);
}
Result<void> check_place(const Point& p) {
  return check_point("the place", {p.x_m, 0.0, p.z_m});
}

template <class... Checks>
Result<void> first_error(const Checks&... checks) {
  Result<void> first;
  (void)((checks ? true : (first = checks, false)) && ...);
  return first;
}

Result<void> check_facing(const std::optional<Facing>& facing) {
  const Facing where = facing.value_or(Facing{});
  return first_error(check_place(where.point.value_or(Point{})),
                     check_number("heading_rad", where.heading_rad, -1e6, 1e6));
}

struct Checker {
  const CharacterData& data;
  const Layers& layers;
  Result<void> operator()(const GoState& c) const {
    return first_error(check_state(data, c.state), check_number("hurry", c.hurry, graph::kNoHurry, graph::kMaxHurry));
  }
  Result<void> operator()(const GoDirection& c) const {
    return first_error(check_facing(c.facing), check_number("heading_rad", c.heading_rad, -1e6, 1e6),
                       check_number("speed_mps", c.speed_mps, 0.0, kMostSpeed_mps));
  }
  Result<void> operator()(const GoPlace& c) const {
    return first_error(check_facing(c.facing), check_place(c.place),
                       check_number("heading_rad", c.heading_rad.value_or(0.0), -1e6, 1e6),
                       check_number("speed_mps", c.speed_mps, 0.0, kMostSpeed_mps));
  }
  Result<void> operator()(const GoPath& c) const {
    if (auto checked = check_number("the number of points", c.count, 1, GoPath::kMostPoints); !checked) return checked;
    for (int i = 0; i < c.count; ++i)
      if (auto checked = check_place(c.points[i]); !checked) return checked;
    return check_number("speed_mps", c.speed_mps, 0.0, kMostSpeed_mps);
  }
  Result<void> operator()(const Stop& c) const { return check_number("ahead_m", c.ahead_m.value_or(1.0), 1e-3, 1e4); }
  Result<void> operator()(const PlayOnce& c) const {
    return first_error(check_state(data, c.state), check_number("core_at_s", c.core_at_s.value_or(0.0), 0.0, 1e9));
  }
  Result<void> operator()(const Face& c) const {
    return first_error(check_place(c.point.value_or(Point{})), check_number("heading_rad", c.heading_rad, -1e6, 1e6));
  }
  Result<void> operator()(const Reach& c) const {
    return first_error(
        check_joint(data, c.joint), check_point("the target", c.target_m),
        check_number("duration_s", c.duration_s, 0.0, 60.0),
        c.other == kNoJoint ? Result<void>{} : check_joint(data, c.other), check_number("apart_m", c.apart_m, 0.0, 2.0),
        c.other == c.joint ? fail(ErrorCode::invalid_argument, "joint {} on both sides", c.joint) : Result<void>{});
  }
  Result<void> operator()(const Drag& c) const {
    return first_error(check_joint(data, c.joint), check_point("the target", c.target_m));
  }
  Result<void> operator()(const Pin& c) const { return check_joint(data, c.joint); }
  Result<void> operator()(const LookAt& c) const { return check_point("the target", c.target_m); }
  Result<void> operator()(const GoSteps& c) const {
    if (auto checked = check_number("the number of steps", c.count, 1, GoSteps::kMostSteps); !checked) return checked;
    for (int i = 0; i < c.count; ++i) {
      const GoSteps::Step& step = c.steps[i];
      const auto checked =
          first_error(check_number("the foot", step.foot, 0, static_cast<double>(data.feet()->feet.size()) - 1.0),
                      check_place(step.place), check_number("heading_rad", step.heading_rad.value_or(0.0), -1e6, 1e6));
      if (!checked) return checked;
    }
    return {};
  }
  Result<void> operator()(const Layer& c) const {
    const auto checked =
        first_error(check_number("the clip", c.clip, 0, static_cast<double>(data.set().clips.size()) - 1.0),
                    c.part == Layer::Part::joint ? check_joint(data, c.top) : Result<void>{},
                    check_number("weight", c.weight, 0, 1), check_number("fade_s", c.fade_s, 0.05, 5.0),
                    check_number("from_s", c.from_s, 0.0, 1e6),
                    check_number("heading_rad", c.heading_rad.value_or(0.0), -1e6, 1e6));
    return checked ? layers.check(c) : checked;
  }
  Result<void> operator()(const Push& c) const { return check_point("the push", c.velocity_mps, kMostPush_mps); }
};

}  // namespace

Result<Handle> Character::command(const Command& command) {
  Impl& impl = *impl_;
  if (const auto checked = std::visit(Checker{*impl.data, impl.layers}, command); !checked)
    return std::unexpected(checked.error());
  if (std::holds_alternative<LookAt>(command) && !impl.gaze.possible())
    return fail(ErrorCode::not_possible, "the body has no head");
  const Handle handle = impl.next_handle();
  const auto lead = [&](LiveGoals::Slot slot) {
    Handle replaced = kNoHandle;
    slot.handle = handle;
    if (!impl.goals.start(slot, replaced)) impl.give_up(handle, Reason::out_of_reach);
    // What held with two hands holds no longer.
    if (replaced != kNoHandle && replaced != handle) impl.goals.let_go(replaced);
    impl.end(replaced, Status::replaced);
  };
  using Kind = LiveGoals::Kind;
  std::visit(
      [&](const auto& order) {
        using Order = std::decay_t<decltype(order)>;
        if constexpr (std::is_same_v<Order, Reach>) {
          LiveGoals::Slot slot{.kind = Kind::reach, .joint = order.joint, .frame = order.frame};
          slot.target_m = order.target_m, slot.duration_s = order.duration_s;
          if (order.other != kNoJoint) slot.aside_m = 0.5 * order.apart_m;
          lead(slot);
          slot.joint = order.other, slot.aside_m = -slot.aside_m;
          if (order.other != kNoJoint) lead(slot);
        } else if constexpr (std::is_same_v<Order, Drag>) {
          lead({.kind = Kind::drag, .joint = order.joint, .target_m = order.target_m});
        } else if constexpr (std::is_same_v<Order, Pin>) {
          lead({.kind = Kind::pin, .joint = order.joint, .hold_orientation = order.orientation});
        } else if constexpr (std::is_same_v<Order, Layer>) {
          Handle replaced = kNoHandle;
          if (!impl.layers.start(handle, order, replaced)) impl.give_up(handle, Reason::too_long);
          impl.end(replaced, Status::replaced);
        } else if constexpr (std::is_same_v<Order, LookAt>) {
          impl.end(impl.gaze.handle(), Status::replaced);
          impl.gaze.start(handle, order.target_m);
        } else if constexpr (std::is_same_v<Order, Push>) {
          impl.steering.push(order.velocity_mps);
          const FootModel& feet = *impl.data->feet();
          const bool caught = impl.steering.limit_push(kLongestStep * feet.leg_m, kMostSteps, feet.hips_m);
          impl.end(impl.push, Status::replaced);
          impl.push = caught ? handle : kNoHandle;
          if (!caught) {
            impl.tell(EventKind::out_of_balance, handle);
            impl.give_up(handle, Reason::out_of_balance);
          }
        } else {
          impl.end(impl.going.handle(), Status::replaced);
          impl.going.start(handle, order, impl.whereabouts(), impl.player);
        }
      },
      command);
  return handle;
}

void Character::move_target(Handle handle, const Vec3d& target_m) {
  if (handle == kNoHandle || !target_m.allFinite()) return;
  impl_->goals.move_target(handle, target_m);
  if (impl_->gaze.handle() == handle) impl_->gaze.move_target(target_m);
}

void Character::release(Handle handle) {
  if (handle == kNoHandle) return;
  impl_->goals.let_go(handle);
  impl_->layers.let_go(handle);
  if (impl_->gaze.handle() == handle) impl_->gaze.release();
  if (impl_->going.handle() == handle) impl_->going.release();
  if (impl_->push == handle) impl_->push = kNoHandle;
  impl_->end(handle, Status::done);
}

Outcome Character::outcome(Handle handle) const {
  const Impl::Record* record = impl_->find(handle);
  return record != nullptr ? record->outcome : Outcome{};
}

}  // namespace shosa::character
