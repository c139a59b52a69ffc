#include "motions/parse.h"

#include "motions/body.h"
#include "motions/line.h"
#include "motions/rules.h"

namespace shosa::motions {
namespace {

std::map<std::string, double Gait::*> gait_words() {
  return {{"step_s", &Gait::step_s},
          {"duty", &Gait::duty},
          {"first_s", &Gait::first_s},
          {"top_mps", &Gait::top_mps},
          {"behind_m", &Gait::behind_m},
          {"half_width_m", &Gait::half_width_m},
          {"toe_out_deg", &Gait::toe_out_deg},
          {"strike_deg", &Gait::strike_deg},
          {"push_deg", &Gait::push_deg},
          {"clear_m", &Gait::clear_m},
          {"heel_off", &Gait::heel_off},
          {"push_late", &Gait::push_late},
          {"flat", &Gait::flat},
          {"land_share", &Gait::land_share},
          {"kick_m", &Gait::kick_m},
          {"knee_m", &Gait::knee_m},
          {"force_k", &Gait::force_k},
          {"bounce_m", &Gait::bounce_m},
          {"sway_m", &Gait::sway_m},
          {"pelvis_yaw_deg", &Gait::pelvis_yaw_deg},
          {"pelvis_list_deg", &Gait::pelvis_list_deg},
          {"twist_deg", &Gait::twist_deg},
          {"arm_deg", &Gait::arm_deg},
          {"arm_back_deg", &Gait::arm_back_deg},
          {"elbow_deg", &Gait::elbow_deg},
          {"rise_m", &Gait::rise_m},
          {"extension", &Gait::extension}};
}

std::map<std::string, double Arm::*> arm_words() {
  return {{"raise", &Arm::raise}, {"out", &Arm::out},     {"turn", &Arm::turn},  {"bend", &Arm::bend},
          {"roll", &Arm::roll},   {"wrist", &Arm::wrist}, {"shrug", &Arm::shrug}};
}

/// `raise 40 bend 20` for one arm or both.
void read_arm(Line& line, Posture& posture, int first, int last, const std::string& word) {
  const double value = line.number();
  const auto known = arm_words();
  for (int s = first; s <= last; ++s) posture.arms[s].*known.at(word) = value;
}

/// Items of a key until the line ends.
void read_posture(Line& line, Posture& posture) {
  int first = left, last = right;
  while (!line.empty() && line.error().empty()) {
    const std::string word = line.word();
    const auto vec = [&] {
      const double x = line.number(), y = line.number(), z = line.number();
      return Vec3d(x, y, z);
    };
    if (word == "left_arm") {
      first = last = left;
    } else if (word == "right_arm") {
      first = last = right;
    } else if (word == "arms") {
      first = left, last = right;
    } else if (arm_words().contains(word)) {
      read_arm(line, posture, first, last, word);
    } else if (word == "relax") {
      for (int s = first; s <= last; ++s) {
        posture.arms[s] = Arm{};
        posture.hand_m[s].reset();
      }
    } else if (word == "down") {
      posture.down_m = line.number();
    } else if (word == "weight") {
      posture.weight = line.number();
    } else if (word == "com") {
      posture.com_m.x() = line.number();
      posture.com_m.y() = line.number();
      posture.hips_m.reset();
    } else if (word == "hips") {
      const double x = line.number(), z = line.number();
      posture.hips_m = Eigen::Vector2d(x, z);
    } else if (word == "pelvis") {
      posture.pelvis = vec();
    } else if (word == "spine") {
      posture.spine = vec();
    } else if (word == "head") {
      posture.head = vec();
    } else if (word == "knee_out") {
      const int side = line.side();
      posture.knee_out[side] = line.number();
    } else if (word == "hand") {
      const int side = line.side();
      posture.hand_m[side] = vec();
    } else if (word == "free_hand") {
      posture.hand_m[line.side()].reset();
    } else {
      line.error("unknown word '" + word + "' in a posture");
    }
  }
}

void read_step(Line& line, Description& description) {
  FootScript& foot = description.feet[line.side()];
  Step step;
  step.lift_s = line.number();
  step.land_s = line.number();
  const double x = line.number(), z = line.number();
  step.to.yaw_rad = radians(line.number());
  const Foothold& before = foot.steps.empty() ? foot.start : foot.steps.back().to;
  step.to.ground_m = Vec3d(x, before.ground_m.y(), z);
  while (!line.empty() && line.error().empty()) {
    const std::string word = line.word();
    if (word == "y")
      step.to.ground_m.y() = line.number();
    else if (word == "clear")
      step.clear_m = line.number();
    else if (word == "strike")
      step.strike_rad = radians(line.number());
    else if (word == "flat")
      step.flat_s = line.number();
    else if (word == "push")
      step.push_rad = radians(line.number());
    else if (word == "push_s")
      step.push_s = line.number();
    else if (word == "land_speed")
      step.land_speed = line.number();
    else
      line.error("unknown word '" + word + "' in a step");
  }
  if (!(step.lift_s < step.land_s)) line.error("a step must lift before it lands");
  foot.steps.push_back(step);
}

void read_via(Line& line, Description& description) {
  FootScript& foot = description.feet[line.side()];
  Via via;
  via.time_s = line.number();
  for (int axis = 0; axis < 3; ++axis) via.ankle_m[axis] = line.number();
  via.pitch_rad = radians(line.number());
  via.yaw_rad = radians(line.number());
  if (foot.steps.empty()) return line.error("via needs a step before it");
  foot.steps.back().via.push_back(via);
}

void read_turn(Line& line, Description& description, std::vector<FootTurn> FootScript::*list) {
  FootScript& foot = description.feet[line.side()];
  const double begin_s = line.number(), end_s = line.number();
  (foot.*list).push_back({.begin_s = begin_s, .end_s = end_s, .angle_rad = radians(line.number())});
}

void read_gait(Line& line, Description& description) {
  if (!description.gait) description.gait.emplace();
  Gait& gait = *description.gait;
  const auto known = gait_words();
  while (!line.empty() && line.error().empty()) {
    const std::string word = line.word();
    if (word == "strikes")
      gait.strikes = static_cast<int>(std::lround(line.number()));
    else if (word == "first_side")
      gait.first_side = line.side();
    else if (known.contains(word))
      gait.*known.at(word) = line.number();
    else
      line.error("unknown word '" + word + "' in a gait");
  }
}

void read_statement(Line& line, const std::string& word, Description& description) {
  const auto interval = [&] {
    const double begin_s = line.number(), end_s = line.number();
    return TimeInterval{begin_s, end_s};
  };
  if (word == "about") {
    while (!line.empty()) description.about += (description.about.empty() ? "" : " ") + line.word();
  } else if (word == "mirror") {
    description.mirror_of = line.word();
  } else if (word == "duration") {
    description.duration_s = line.number();
  } else if (word == "core") {
    description.core = interval();
  } else if (word == "foot") {
    Foothold& hold = description.feet[line.side()].start;
    hold.ground_m.x() = line.number();
    hold.ground_m.z() = line.number();
    hold.yaw_rad = radians(line.number());
    if (!line.empty()) hold.ground_m.y() = line.number();
  } else if (word == "step") {
    read_step(line, description);
  } else if (word == "via") {
    read_via(line, description);
  } else if (word == "heel") {
    read_turn(line, description, &FootScript::heel);
  } else if (word == "pivot") {
    read_turn(line, description, &FootScript::pivot);
  } else if (word == "gait") {
    read_gait(line, description);
  } else if (word == "speed") {
    if (!description.gait) description.gait.emplace();
    const double begin_s = line.number(), end_s = line.number();
    description.gait->speed.push_back({begin_s, end_s, line.number()});
  } else if (word == "steady") {
    // Long since at this speed.
    if (!description.gait) description.gait.emplace();
    description.gait->top_mps = line.number();
    description.gait->speed.push_back({-100.0, -99.0, description.gait->top_mps});
  } else if (word == "leap") {
    Leap leap;
    for (double* value : {&leap.bottom_s, &leap.off_s, &leap.land_s, &leap.caught_s, &leap.off_m, &leap.land_m}) {
      *value = line.number();
    }
    description.leaps.push_back(leap);
  } else if (word == "still") {
    description.alive = false;
  } else if (word == "key") {
    read_key(line, description.keys, read_posture);
  } else if (word == "+") {
    if (description.keys.empty()) return line.error("'+' needs a key before it");
    read_posture(line, description.keys.back().posture);
  } else {
    line.error("unknown word '" + word + "'");
  }
}

}  // namespace

Result<Description> parse_description(std::string_view text, const std::string& name_for_errors) {
  Description description;
  for (int s = 0; s < 2; ++s) {
    description.feet[s].start = {.ground_m = Vec3d(0.10 * sign_of(s), 0, -0.045), .yaw_rad = radians(8.0) * sign_of(s)};
  }
  return read_description(
      text, name_for_errors, std::move(description),
      [](Line& line, const std::string& word, Description& into) { read_statement(line, word, into); });
}

}  // namespace shosa::motions
