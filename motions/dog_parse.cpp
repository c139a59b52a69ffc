#include <map>

#include "motions/dog.h"
#include "motions/line.h"
#include "motions/rules.h"

namespace shosa::motions {
namespace {

std::map<std::string, double DogPosture::*> posture_words() {
  return {{"yaw", &DogPosture::yaw},   {"pitch", &DogPosture::pitch},         {"roll", &DogPosture::roll},
          {"arch", &DogPosture::arch}, {"bend", &DogPosture::bend},           {"neck", &DogPosture::neck},
          {"head", &DogPosture::head}, {"look", &DogPosture::look},           {"tail", &DogPosture::tail},
          {"hock", &DogPosture::hock}, {"tail_side", &DogPosture::tail_side}, {"wrist", &DogPosture::wrist}};
}

std::map<std::string, double DogGait::*> dog_gait_words() {
  return {{"cycle_s", &DogGait::cycle_s},           {"duty", &DogGait::duty},
          {"speed_mps", &DogGait::speed_mps},       {"bounce_m", &DogGait::bounce_m},
          {"bounce_phase", &DogGait::bounce_phase}, {"clear_m", &DogGait::clear_m},
          {"nod_deg", &DogGait::nod_deg},           {"sway_deg", &DogGait::sway_deg}};
}

std::size_t read_leg(Line& line) {
  static const std::map<std::string, int> legs = {
      {"left_hind", left_hind}, {"right_hind", right_hind}, {"left_front", left_front}, {"right_front", right_front}};
  const std::string word = line.word();
  const auto found = legs.find(word);
  if (found == legs.end()) line.error("'" + word + "' found, a leg such as left_hind expected");
  return static_cast<std::size_t>(found == legs.end() ? 0 : found->second);
}

void read_posture(Line& line, DogPosture& posture) {
  const auto known = posture_words();
  while (!line.empty() && line.error().empty()) {
    const std::string word = line.word();
    if (word == "hips") {
      for (int axis = 0; axis < 3; ++axis) posture.hips_m[axis] = line.number();
    } else if (known.contains(word)) {
      posture.*known.at(word) = line.number();
    } else {
      line.error("unknown word '" + word + "' in a dog's posture");
    }
  }
}

void read_gait(Line& line, DogDescription& description) {
  if (!description.gait) description.gait.emplace();
  const auto known = dog_gait_words();
  while (!line.empty() && line.error().empty()) {
    const std::string word = line.word();
    if (word == "phases") {
      for (double& phase : description.gait->phase) phase = line.number();
    } else if (known.contains(word)) {
      (*description.gait).*known.at(word) = line.number();
    } else {
      line.error("unknown word '" + word + "' in a gait");
    }
  }
}

void read_statement(Line& line, const std::string& word, DogDescription& description) {
  if (word == "dog") return;
  if (word == "about") {
    while (!line.empty()) description.about += (description.about.empty() ? "" : " ") + line.word();
  } else if (word == "duration") {
    description.duration_s = line.number();
  } else if (word == "core") {
    const double begin_s = line.number(), end_s = line.number();
    description.core = TimeInterval{begin_s, end_s};
  } else if (word == "paw") {
    const std::size_t leg = read_leg(line);
    description.start_z_m[leg] = line.number();
  } else if (word == "step") {
    const std::size_t leg = read_leg(line);
    PawStep step;
    step.lift_s = line.number();
    step.land_s = line.number();
    step.z_m = line.number();
    if (!line.empty()) step.clear_m = line.number();
    if (!(step.lift_s < step.land_s)) line.error("a step must lift before it lands");
    description.steps[leg].push_back(step);
  } else if (word == "gait") {
    read_gait(line, description);
  } else if (word == "key") {
    read_key(line, description.keys, read_posture);
  } else {
    line.error("unknown word '" + word + "'");
  }
}

}  // namespace

bool is_dog_text(std::string_view text) {
  return text.starts_with("dog\n");
}

Result<DogDescription> parse_dog(std::string_view text, const std::string& name_for_errors) {
  return read_description(
      text, name_for_errors, DogDescription{},
      [](Line& line, const std::string& word, DogDescription& into) { read_statement(line, word, into); });
}

}  // namespace shosa::motions
