#include "shosa/project/project.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "scenes/scenes.h"
#include "shosa/io/read_text.h"
#include "support/paths.h"
#include "support/test_folder.h"

namespace shosa::test {
namespace {

namespace fs = std::filesystem;
using project::check_project;
using project::DocumentKind;
using project::kind_of;
using project::ProblemKind;
using project::references_in;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Project : public FolderTest {
 protected:
  void SetUp() override {
    save("clips/walk.bvh", scenes::walk().clip);
    save("clips/run.bvh", scenes::run().clip);
    write("dance.json", R"({"motions": [{"clip": "clips/walk.bvh"},   {"clip": "clips\/run.bvh", "at": "auto"}]})");
    write("sub/reach.json", R"({"clip": "../clips/walk.bvh", "at_s": 0, "duration_s": 1, "fps": 30, "drags": []})");
  }
  std::string text(const std::string& name) const { return *io::read_text(folder_ / name); }
};

TEST(ProjectDocuments, AreToldApartByTheirKeys) {
  const std::map<std::string, DocumentKind> kinds = {{"score", DocumentKind::score},
                                                     {"pose_script", DocumentKind::pose_script},
                                                     {"footstep_plan", DocumentKind::footstep_plan},
                                                     {"graph", DocumentKind::graph},
                                                     {"commands", DocumentKind::commands},
                                                     {"run_script", DocumentKind::run_script},
                                                     {"joint_ranges", DocumentKind::joint_ranges},
                                                     {"body_map", DocumentKind::body_map},
                                                     {"submovements", DocumentKind::submovements},
                                                     {"contacts", DocumentKind::contacts},
                                                     {"pose_query", DocumentKind::pose_query}};
  for (const auto& [name, kind] : kinds)
    EXPECT_EQ(kind_of(*io::read_text(source_dir() / "tests/documents/versions" / (name + "_1.json"))), kind) << name;
  for (const char* other : {"", "{", "[]", "{}", "3", R"({"name": "package"})"})
    EXPECT_EQ(kind_of(other), DocumentKind::none);
}

TEST(ProjectDocuments, NameTheirFiles) {
  const auto files = [](const std::string& name) {
    const std::string text = *io::read_text(source_dir() / "tests/documents/versions" / (name + "_1.json"));
    std::vector<std::string> found;
    for (const auto& reference : references_in(text, kind_of(text))) {
      found.push_back(reference.place + " " + reference.file);
      EXPECT_EQ(text.substr(reference.begin, reference.end - reference.begin), "\"" + reference.file + "\"");
    }
    return found;
  };
  EXPECT_THAT(files("score"), ElementsAre("/motions/0/clip a.bvh", "/motions/1/clip b.bvh"));
  EXPECT_THAT(files("pose_script"),
              ElementsAre("/clip walk.bvh", "/ranges ranges.json", "/prior/0 bend.bvh", "/prior/1/clip reach.bvh"));
  EXPECT_THAT(files("graph"), ElementsAre("/nodes/0/clip walk.bvh", "/nodes/1/clip walk.bvh"));
  EXPECT_THAT(files("run_script"), ElementsAre("/clips/idle idle.bvh", "/clips/walk/clip walk.bvh"));
  EXPECT_THAT(files("commands"), IsEmpty());
  EXPECT_THAT(files("contacts"), IsEmpty());
  EXPECT_THAT(files("body_map"), IsEmpty());
}

TEST(ProjectDocuments, EveryKeyThatNamesAFileIsKnown) {
  const auto files = [](const std::string& text) {
    std::vector<std::string> found;
    for (const auto& reference : references_in(text, kind_of(text))) found.push_back(reference.file);
    return found;
  };
  EXPECT_THAT(files(R"({"motions": [{"clip": "a", "asf": "b", "body_map": "c", "contacts": "d"}],
                        "layers": [{"clip": "e", "mask": "upper_body"}]})"),
              ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(files(R"({"motions": [{"clip": "a", "contacts": {"left": [[0, 1]]}}]})"), ElementsAre("a"));
  EXPECT_THAT(files(R"({"commands": [], "clips": {"s": "a"}, "layers": {"wave": "b", "nod": {"clip": "c"}}})"),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(files(R"({"commands": [], "graph": "g.json"})"), ElementsAre("g.json"));
  EXPECT_THAT(files(R"({"nodes": [], "links": [], "clips": [{"clip": "a"}], "kept": {"file": "k", "hash": "h"}})"),
              ElementsAre("a", "k"));
}

TEST_F(Project, AWholeOneHasNoProblems) {
  const auto report = check_project(folder_);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->clips, 2);
  EXPECT_EQ(report->documents, 2);
  EXPECT_THAT(report->problems, IsEmpty());
  EXPECT_THAT(report->unused, IsEmpty());
}

TEST_F(Project, SaysWhatIsBrokenMissingOutsideAndUnused) {
  save("clips/idle.bvh", scenes::stand().clip);
  write("clips/bad.bvh", "HIERARCHY\nROOT");
  write("bad_score.json", R"({"motions": [{"clip": 3}]})");
  write("no_json.json", "{");
  write("notes.json", R"({"to": "myself"})");
  write("clips/walk.body_map.json", R"({"kind": "humanoid", "hips": "hips"})");  // read with its clip
  write("clips/walk.contacts.json", R"({"core": [0.4, 1.2]})");
  write("other.body_map.json", R"({"kind": "humanoid", "hips": "hips"})");
  write("outside.json", R"({"motions": [{"clip": "../other/a.bvh"}, {"clip": "/etc/a.bvh"}, {"clip": "gone.bvh"}]})");
  const auto report = check_project(folder_);
  ASSERT_TRUE(report.has_value());
  std::vector<std::string> said;
  for (const auto& problem : report->problems)
    said.push_back(std::string(project::problem_name(problem.kind)) + " " + problem.file + problem.place);
  EXPECT_THAT(said, ElementsAre("broken bad_score.json", "broken clips/bad.bvh", "broken no_json.json",
                                "outside outside.json/motions/0/clip", "outside outside.json/motions/1/clip",
                                "missing outside.json/motions/2/clip"));
  EXPECT_THAT(report->problems[0].message, HasSubstr("bad_score.json: /motions/0/clip"));
  EXPECT_THAT(report->problems[2].message, HasSubstr("no_json.json: byte "));
  EXPECT_THAT(report->unused, ElementsAre("clips/bad.bvh", "clips/idle.bvh", "other.body_map.json"));
  EXPECT_EQ(report->documents, 7);
}

TEST_F(Project, MendsReferencesByContentAndKeepsTheRestOfTheText) {
  ASSERT_TRUE(check_project(folder_).has_value());
  // Moved and renamed; another file has taken the old file's name elsewhere.
  fs::create_directories(folder_ / "motion");
  fs::rename(folder_ / "clips/walk.bvh", folder_ / "motion/stroll \"it\" 歩.bvh");
  save("other/walk.bvh", scenes::jump().clip);
  const auto before = check_project(folder_);
  ASSERT_EQ(before->problems.size(), 2u);
  EXPECT_THAT(before->problems[0].message, HasSubstr("motion/stroll"));
  EXPECT_THAT(text("dance.json"), HasSubstr("clips/walk.bvh"));

  const auto mended = check_project(folder_, {.mend = true});
  ASSERT_TRUE(mended.has_value());
  EXPECT_THAT(mended->problems, IsEmpty());
  ASSERT_EQ(mended->mended.size(), 2u);
  EXPECT_TRUE(mended->mended[0].by_content);
  EXPECT_EQ(text("dance.json"),
            R"({"motions": [{"clip": "motion/stroll \"it\" 歩.bvh"},   {"clip": "clips\/run.bvh", "at": "auto"}]})");
  EXPECT_THAT(text("sub/reach.json"), HasSubstr(R"("../motion/stroll \"it\" 歩.bvh")"));
  EXPECT_THAT(check_project(folder_)->problems, IsEmpty());
}

TEST_F(Project, MendsByNameWhereNothingElseIsKnownAndOnlyOneHasIt) {
  fs::create_directories(folder_ / "deep/er");
  fs::rename(folder_ / "clips/walk.bvh", folder_ / "deep/er/walk.bvh");
  const auto mended = check_project(folder_, {.mend = true});
  EXPECT_THAT(mended->problems, IsEmpty());
  ASSERT_EQ(mended->mended.size(), 2u);
  EXPECT_FALSE(mended->mended[0].by_content);
  EXPECT_EQ(mended->mended[1].after, "../deep/er/walk.bvh");
  fs::remove_all(folder_ / ".shosa");
  save("x/walk.bvh", scenes::walk().clip);
  save("y/walk.bvh", scenes::walk().clip);
  fs::remove(folder_ / "deep/er/walk.bvh");
  EXPECT_EQ(check_project(folder_, {.mend = true})->problems.size(), 2u);
}

TEST_F(Project, ContentsThatMakeNoSenseDoNoHarm) {
  for (const char* contents : {"", "{", "[]", R"({"files": 3})", R"({"files": {"../../x": "y", "a": 3}})"}) {
    write(".shosa/contents.json", contents);
    EXPECT_THAT(check_project(folder_)->problems, IsEmpty()) << contents;
  }
}

TEST_F(Project, LinksThatLeadOutsideAreSaidAndNeverWrittenThrough) {
  write("mine.txt", "mine");
  const fs::path inner = folder_ / "p";
  save("p/walk.bvh", scenes::walk().clip);
  fs::create_symlink(folder_ / "mine.txt", inner / "notes.json");
  fs::create_directories(inner / ".shosa");
  fs::create_symlink(folder_ / "mine.txt", inner / ".shosa/contents.json");
  const auto report = check_project(inner);
  ASSERT_FALSE(report->problems.empty());
  EXPECT_EQ(report->problems[0].kind, ProblemKind::outside);
  EXPECT_EQ(report->problems[0].file, "notes.json");
  EXPECT_EQ(text("mine.txt"), "mine");
}

}  // namespace
}  // namespace shosa::test
