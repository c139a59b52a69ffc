// The room compiled without exceptions, as an engine or a browser may build it: what is wrong with a document is an
// error, never a throw, which would end the program here.

#include <cstdio>
#include <string>
#include <vector>

#include "shosa/documents/body_map.h"
#include "shosa/documents/footstep_plan.h"
#include "shosa/documents/graph_file.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/documents/play_script.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/score.h"
#include "shosa/documents/submovement_file.h"

#ifdef __cpp_exceptions
#error "compile this with -fno-exceptions"
#endif

namespace {

using namespace shosa;

const std::vector<std::string> kGood = {
    R"({"motions": [{"clip": "a.bvh", "at": "auto", "core": [0, 1]}], "layers": [{"clip": "b.bvh", "mask": ["head"]}]})",
    R"({"clip": "a.bvh", "pins": [{"joint": "head"}], "drags": [{"joint": "head", "keys": [[0, [0, 1, 0]]]}]})",
    R"({"steps": [{"foot": "left", "position": [0, 0, 1], "heading_deg": 3}]})",
    R"({"nodes": [{"id": 0, "clip": null}], "links": [{"from": 0, "to": 0, "time_s": 1}]})",
    R"({"commands": [{"at_s": 1, "to": ["run", 3]}]})",
    R"({"joint_ranges": [{"joint": "head", "hinge": {"axis": [1, 0, 0], "min_deg": 0, "max_deg": 9}}]})",
    R"({"hips": "a", "kind": "humanoid"})",
    R"({"submovements": 2, "frame_count": 1, "frame_time_s": 1, "joints": [{"name": "a", "parent": null,
      "rest_translation_m": [0, 0, 0], "rest_rotation": [0, 0, 0, 1],
      "rotation": {"start": [0, 0, 0, 1], "submovements": [{"t0_s": 0, "tf_s": 1, "rotation_rad": [0, 0, 1]}]}}]})"};

/// Which documents a text is, one letter each.
std::string read_all(const std::string& text) {
  std::string held;
  const auto note = [&](char letter, const auto& document) {
    if (document) held += letter;
    if (!document && document.error().message.find("f.json") == std::string::npos) held += '?';
  };
  note('s', documents::parse_score(text, "f.json"));
  note('p', documents::parse_pose_script(text, "f.json"));
  note('f', documents::parse_footstep_plan(text, "f.json"));
  note('g', documents::parse_graph(text, "f.json"));
  note('c', documents::parse_play_script(text, "f.json"));
  note('r', documents::parse_joint_ranges(text, "f.json"));
  note('m', documents::parse_body_map(text, "f.json"));
  note('d', documents::parse_submovements(text, "f.json"));
  return held;
}

}  // namespace

int main() {
  int wrong = 0;
  const auto expect = [&](const std::string& text, const std::string& held) {
    const std::string found = read_all(text);
    if (found == held) return;
    std::fprintf(stderr, "%s: is '%s', expected '%s'\n", text.substr(0, 200).c_str(), found.c_str(), held.c_str());
    ++wrong;
  };
  for (std::size_t i = 0; i < kGood.size(); ++i) expect(kGood[i], std::string(1, "spfgcrmd"[i]));
  for (const char* text :
       {"", "{", "[]", "7", "nul", "\xff", "{\"a\": 1e999}", "{\"hips\": 1, \"hips\": 2}", "\"\\u12\""})
    expect(text, "");
  expect(std::string(100'000, '['), "");
  // Each document cut short at every byte, and with every value in turn replaced by something else.
  for (const std::string& text : kGood) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      expect(text.substr(0, i), "");
      for (const char* other : {"null", "{}", "[[]]", "-1e300", "true", "\"x\""}) {
        std::string changed = text;
        if (text[i] != ':' && text[i] != '[') continue;
        (void)read_all(changed.replace(i + 1, 1, other));
        changed = text;
        (void)read_all(changed.replace(i + 1, text.find_first_of(",}]", i + 1) - i - 1, other));
      }
    }
  }
  return wrong == 0 ? 0 : 1;
}
