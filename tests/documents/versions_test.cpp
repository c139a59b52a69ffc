// Every kind of document is read in every version that it ever had: one file each in tests/documents/versions.
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "shosa/documents/body_map.h"
#include "shosa/documents/contacts_file.h"
#include "shosa/documents/footstep_plan.h"
#include "shosa/documents/graph_file.h"
#include "shosa/documents/joint_ranges.h"
#include "shosa/documents/play_script.h"
#include "shosa/documents/pose_script.h"
#include "shosa/documents/run_script.h"
#include "shosa/documents/score.h"
#include "shosa/documents/submovement_file.h"
#include "shosa/io/read_text.h"
#include "support/paths.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Read = std::function<std::optional<Error>(const std::string& text)>;
template <class Parse>
Read reader(Parse parse) {
  return [parse](const std::string& text) -> std::optional<Error> {
    const auto read = parse(text, "file.json");
    if (!read) return read.error();
    return std::nullopt;
  };
}

const std::map<std::string, Read>& readers() {
  static const std::map<std::string, Read> kReaders = {
      {"score", reader(documents::parse_score)},
      {"pose_script", reader(documents::parse_pose_script)},
      {"footstep_plan", reader(documents::parse_footstep_plan)},
      {"graph", reader(documents::parse_graph)},
      {"commands", reader(documents::parse_play_script)},
      {"run_script", reader(documents::parse_run_script)},
      {"joint_ranges", reader(documents::parse_joint_ranges)},
      {"body_map", reader(documents::parse_body_map)},
      {"submovements", reader(documents::parse_submovements)},
      {"contacts", reader(documents::parse_contacts)},
  };
  return kReaders;
}

std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const auto at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return at == std::string::npos ? text : text.replace(at, before.size(), after);
}

TEST(Versions, EveryDocumentIsReadWithItsVersionAndWithoutOne) {
  for (const auto& [kind, read] : readers()) {
    const auto text = io::read_text(source_dir() / "tests/documents/versions" / (kind + "_1.json"));
    ASSERT_TRUE(text.has_value()) << kind;
    const auto whole = read(*text), without = read(replaced(*text, "\"version\": 1,", ""));
    EXPECT_FALSE(whole.has_value()) << whole->message;
    EXPECT_FALSE(without.has_value()) << without->message;
  }
}

TEST(Versions, ANewerOneIsRefusedWithWhatCanBeRead) {
  for (const auto& [kind, read] : readers()) {
    const std::string text = *io::read_text(source_dir() / "tests/documents/versions" / (kind + "_1.json"));
    const auto newer = read(replaced(text, "\"version\": 1", "\"version\": 2"));
    ASSERT_TRUE(newer.has_value()) << kind;
    EXPECT_THAT(newer->message, HasSubstr("/version: version 2, this program reads up to 1")) << kind;
    for (const char* odd : {"\"version\": 0", "\"version\": \"1\"", "\"version\": 1.5", "\"version\": null"})
      EXPECT_TRUE(read(replaced(text, "\"version\": 1", odd)).has_value()) << kind << " " << odd;
  }
}

TEST(Versions, OnlyTheWholeDocumentHasOne) {
  const auto score = documents::parse_score(R"({"motions": [{"clip": "a.bvh", "version": 1}]})", "s.json");
  ASSERT_FALSE(score.has_value());
  EXPECT_THAT(score.error().message, HasSubstr("/motions/0/version: unknown key"));
  const auto graph =
      documents::parse_graph(*io::read_text(source_dir() / "tests/documents/versions/graph_1.json"), "g");
  EXPECT_THAT(graph->warnings, IsEmpty());
}

TEST(Versions, SubmovementsInBytesAreReadInBoth) {
  const auto read = [](const char* file) {
    return documents::parse_submovements(*io::read_text(source_dir() / "tests/documents/versions" / file), file);
  };
  const auto first = read("submovements_1.submove"), second = read("submovements_2.submove");
  ASSERT_TRUE(first.has_value()) << first.error().message;
  ASSERT_TRUE(second.has_value()) << second.error().message;
}

}  // namespace
}  // namespace shosa::test
