#include "demo/report_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "motions/motions.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "support/paths.h"

namespace shosa::demo {
namespace {

FigureClip shipped(const std::string& name) {
  auto motion = motions::make(name);
  EXPECT_TRUE(motion.has_value()) << motion.error().message;
  return {.name = name, .caption = motion->about, .clip = motion->clip, .body_map = motion->body_map};
}

Figure figure(std::string id, const std::vector<std::string>& clips) {
  Figure result{.id = std::move(id), .title = "A title", .text = "A text."};
  for (const std::string& name : clips) result.clips.push_back(shipped(name));
  result.checks = {{.name = "foot slide", .value = 0.004, .bound = 0.01, .unit = "m/s"}};
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ReportPage, EscapesEveryText) {
  const std::string nasty = "</script><img src=x onerror=alert(1)>\"'&";
  Figure f = figure("000-fig-6", {"bow"});
  f.title = f.text = f.clips[0].name = f.clips[0].caption = nasty;
  f.checks.push_back({.name = nasty, .value = 1, .bound = 2, .unit = nasty});
  f.pictures.push_back({.file = "a.svg", .caption = nasty, .bytes = "<svg/>"});
  const auto html = report_html({f}, {.title = nasty, .subtitle = nasty});
  ASSERT_TRUE(html.has_value()) << html.error().message;
  EXPECT_EQ(count(*html, "<img src=x"), 0u);
  EXPECT_EQ(count(*html, "<script"), count(*html, "</script>"));
  EXPECT_GT(count(*html, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"), 8u);
}

TEST(ReportPage, AsksForNothingOutsideTheFile) {
  Figure f = figure("piece", {"bow"});
  f.pictures.push_back({.file = "a.png", .caption = "A picture", .bytes = "not looked into"});
  const auto html = report_html({f});
  ASSERT_TRUE(html.has_value());
  const std::string markup = html->substr(0, html->find("<script id="));
  const std::regex outside(R"re((src|href)="(?!data:|#)|url\(|@import)re");
  EXPECT_FALSE(std::regex_search(markup, outside));
  EXPECT_NE(html->find("Copyright © 2010-2019 three.js authors"), std::string::npos);
}

TEST(ReportPage, ShowsWhatHoldsAndWhatDoesNot) {
  Figure good = figure("000-fig-6", {}), bad = figure("000-fig-7", {});
  bad.checks.push_back({.name = "steps", .value = std::nan(""), .kind = Check::Kind::at_least, .bound = 4});
  bad.checks.push_back({.name = "rounding", .value = 3e-9, .bound = 0.002, .unit = "m"});
  const auto html = report_html({good, bad});
  ASSERT_TRUE(html.has_value());
  EXPECT_NE(html->find("&lt; 0.001 mm</td><td class=\"n\">≤ 2 mm"), std::string::npos);
  EXPECT_NE(html->find("1 of 2 figures hold"), std::string::npos);
  EXPECT_NE(html->find("0.4 cm/s</td><td class=\"n\">≤ 1 cm/s"), std::string::npos);
  EXPECT_NE(html->find("not a number</td><td class=\"n\">≥ 4<"), std::string::npos);
}

TEST(ReportPage, SameFiguresSameBytes) {
  const std::vector<Figure> figures = {figure("piece", {"bow", "dog_drop"})};
  EXPECT_EQ(report_html(figures).value(), report_html(figures).value());
}

TEST(ReportPage, NamesTheBrokenRule) {
  const auto message = [](const std::vector<Figure>& figures) {
    const auto html = report_html(figures);
    return html ? std::string("no error") : html.error().message;
  };
  EXPECT_EQ(message({}), "no figures, expected at least one");
  EXPECT_EQ(message({{.id = ""}}), "figure id '', expected letters, digits, '-' and '_'");
  EXPECT_EQ(message({{.id = "a\"b"}}), "figure id 'a\"b', expected letters, digits, '-' and '_'");
  EXPECT_EQ(message({{.id = "a"}, {.id = "a"}}), "two figures have the id a");
  Figure picture{.id = "a"};
  picture.pictures.push_back({.file = "a.gif"});
  EXPECT_EQ(message({picture}), "figure a: picture 'a.gif', expected .png or .svg");
  Figure clip = figure("a", {"bow"});
  clip.clips[0].clip.set_translation(3, 0, Vec3f(0, std::numeric_limits<float>::quiet_NaN(), 0));
  EXPECT_EQ(message({clip}), "figure a, clip bow: the translation of joint 'hips' in frame 3 is not finite");
  clip = figure("a", {"bow"});
  clip.clips[0].clip.set_rotation(2, 1, Quatf(0, 0, 0, 0));
  EXPECT_EQ(message({clip}), "figure a, clip bow: the rotation of joint 'left_upper_leg' in frame 2 is no rotation");
}

// World positions of every joint at times on and between frames.
nlohmann::json expected_postures(const Figure& figure) {
  auto list = nlohmann::json::array();
  for (std::size_t place = 0; place < figure.clips.size(); ++place) {
    const Clip& clip = figure.clips[place].clip;
    auto samples = nlohmann::json::array();
    for (const double share : {0.0, 0.237, 0.5, 0.811, 1.0}) {
      const double time_s = share * clip.last_time_s();
      Pose pose;
      sample(clip, time_s, pose);
      const WorldPose world = forward_kinematics(clip.skeleton(), pose);
      nlohmann::json joints;
      for (JointIndex j = 0; j < clip.joint_count(); ++j) {
        const Vec3d& p = world.positions[j];
        joints[clip.skeleton().name(j)] = {p.x(), p.y(), p.z()};
      }
      samples.push_back({{"time_s", time_s}, {"joints", joints}});
    }
    list.push_back(
        {{"figure", figure.id}, {"place", place}, {"view", place % 2 ? "side" : "single"}, {"samples", samples}});
  }
  return list;
}

TEST(ReportPage, PlaysAndScrubsInABrowser) {
  const std::vector<Figure> figures = {figure("000-fig-6", {"walk_normal", "step_up"}), figure("002-fig-9", {"kick"}),
                                       figure("piece", {"hiphop_rock", "dog_walk", "run_fast"})};
  const auto html = report_html(figures);
  ASSERT_TRUE(html.has_value()) << html.error().message;
  auto expected = nlohmann::json::array();
  for (const Figure& f : figures) {
    for (auto& clip : expected_postures(f)) expected.push_back(clip);
  }
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "shosa_report_page";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "report.html", std::ios::binary) << *html;
  std::ofstream(folder / "expected.json", std::ios::binary) << expected.dump();

  const std::string command = "node '" + test::source_dir().string() + "/tests/demo/report_page_browser.mjs' '" +
                              (folder / "report.html").string() + "' '" + (folder / "expected.json").string() +
                              "' 2>&1";
  std::string said;
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe)) said += buffer;
  EXPECT_EQ(pclose(pipe), 0) << said;
  EXPECT_NE(said.find("ok  console: 0 messages"), std::string::npos) << said;
  std::puts(said.c_str());
}

}  // namespace
}  // namespace shosa::demo
