// The figures, measured once more from the files that they wrote: plain forward kinematics and plain arithmetic.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::demo {
namespace {

namespace fs = std::filesystem;

/// Figures made when a test asks for them, into a folder of this process that is gone afterwards.
class Figures : public testing::Test {
 protected:
  static void SetUpTestSuite() { fs::create_directories(folder()); }
  static void TearDownTestSuite() {
    fs::remove_all(folder());
    made().clear();
  }
  static const fs::path& folder() {
    static const fs::path path = fs::path(testing::TempDir()) / fmt::format("shosa_figures_{}", getpid());
    return path;
  }

  static const Figure& figure(std::string_view id) {
    make([&](const FigureMaker& maker) { return maker.id == id; });
    return made().at(std::string(id));
  }
  static const std::map<std::string, Figure>& figures() {
    make([](const FigureMaker&) { return true; });
    return made();
  }

  /// Joint places of a file by name, per frame.
  struct Track {
    double dt = 0.0;
    std::map<std::string, std::vector<Vec3d>> places;
    std::size_t frames() const { return places.begin()->second.size(); }
  };
  /// Of a file of a figure, whose name begins with the figure's id.
  static Track track(std::string_view id, const std::string& rest = "") {
    Track result;
    figure(id);
    const std::string file = std::string(id) + rest + ".bvh";
    const auto motion = io::read_motion(folder() / file);
    EXPECT_TRUE(motion.has_value()) << motion.error().message;
    if (!motion) return result;
    const Clip& clip = motion->clips.at(0);
    result.dt = clip.frame_time_s();
    for (int f = 0; f < clip.frame_count(); ++f) {
      const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(f));
      for (JointIndex j = 0; j < clip.joint_count(); ++j)
        result.places[clip.skeleton().name(j)].push_back(world.positions[j]);
    }
    return result;
  }
  static double apart(const Vec3d& a, const Vec3d& b) { return std::hypot(a.x() - b.x(), a.z() - b.z()); }

 private:
  static std::map<std::string, Figure>& made() {
    static std::map<std::string, Figure> list;
    return list;
  }
  static void make(const std::function<bool(const FigureMaker&)>& wanted) {
    const auto cast = shipped_cast();
    if (!cast) throw std::runtime_error(cast.error().message);
    std::vector<const FigureMaker*> makers;
    for (const FigureMaker& maker : figure_makers()) {
      if (wanted(maker) && !made().contains(std::string(maker.id))) makers.push_back(&maker);
    }
    for (MadeFigure& one : make_figures(makers, *cast, Workshop(folder()), {})) {
      if (!one.figure) throw std::runtime_error(one.figure.error().message);
      made()[std::string(one.maker->id)] = std::move(*one.figure);
    }
  }
};

TEST_F(Figures, EveryFigureOfTheSeedsIsThereAndKeepsItsBounds) {
  const std::set<std::string> wanted = {
      "000-fig-6",  "000-fig-7",  "000-fig-8",  "001-fig-1",  "001-fig-2", "001-fig-5", "002-fig-6", "002-fig-7",
      "002-fig-8",  "002-fig-9",  "002-fig-10", "003-fig-1",  "003-fig-2", "003-fig-3", "004-fig-8", "004-fig-9",
      "004-fig-10", "004-fig-11", "004-fig-12", "004-fig-13", "character", "piece"};
  std::set<std::string> made;
  for (const auto& [id, figure] : figures()) {
    made.insert(id);
    EXPECT_FALSE(figure.checks.empty()) << id;
    EXPECT_FALSE(figure.pictures.empty()) << id;
    for (const Check& check : figure.checks)
      EXPECT_TRUE(check.ok()) << id << ": " << check.name << " is " << check.value << ", bound " << check.bound;
  }
  EXPECT_EQ(made, wanted);
}

TEST_F(Figures, EveryClipAndPictureIsAFile) {
  for (const auto& [id, figure] : figures()) {
    for (const FigureClip& clip : figure.clips) {
      EXPECT_TRUE(fs::exists(folder() / (clip.name + ".bvh"))) << clip.name;
      EXPECT_TRUE(fs::exists(folder() / (clip.name + ".glb"))) << clip.name;
    }
    for (const Picture& picture : figure.pictures)
      EXPECT_EQ(fs::file_size(folder() / picture.file), picture.bytes.size()) << picture.file;
  }
}

TEST_F(Figures, LoopGoesOnEvenlyOverItsSeams) {
  const Track loop = track("000-fig-6");
  const std::size_t cycle = loop.frames() / 4;
  const auto& hips = loop.places.at("hips");
  const double first = apart(hips[cycle], hips[0]), second = apart(hips[2 * cycle], hips[cycle]);
  EXPECT_NEAR(first, second, 1e-4);
  EXPECT_GT(first, 1.0);
  // Height of every joint repeats from cycle to cycle.
  for (const auto& [name, places] : loop.places) {
    for (std::size_t f = 0; f < 3 * cycle; ++f) ASSERT_NEAR(places[f].y(), places[f + cycle].y(), 1e-4) << name << f;
  }
}

TEST_F(Figures, FeetOfTheDodgeAreThoseOfTheWalk) {
  const Track walk = track("002-fig-9"), dodge = track("002-fig-10");
  ASSERT_EQ(walk.frames(), dodge.frames());
  double head = 0.0;
  for (std::size_t f = 0; f < walk.frames(); ++f) {
    for (const char* foot : {"left_foot", "left_toes", "right_foot", "right_toes"})
      ASSERT_LE((walk.places.at(foot)[f] - dodge.places.at(foot)[f]).norm(), 1e-3) << foot << f;
    head = std::max(head, walk.places.at("head")[f].y() - dodge.places.at("head")[f].y());
  }
  EXPECT_GE(head, 0.25);
}

TEST_F(Figures, PickingUpReachesTheFloorOverPinnedFeet) {
  const Track pick = track("002-fig-8");
  double lowest = 1e9;
  for (std::size_t f = 0; f < pick.frames(); ++f) {
    lowest = std::min(lowest, pick.places.at("right_hand")[f].y());
    for (const char* pinned : {"left_foot", "right_foot", "left_hand"})
      ASSERT_LE((pick.places.at(pinned)[f] - pick.places.at(pinned)[0]).norm(), 1e-3) << pinned << f;
  }
  EXPECT_LE(lowest, 0.25);
  EXPECT_LE((pick.places.at("right_hand").back() - pick.places.at("right_hand")[0]).norm(), 1e-3);
}

TEST_F(Figures, TheMoreHurriedTheFurtherAfterFourSeconds) {
  double last = -1.0;
  for (const char way : {'a', 'b', 'c', 'd', 'e'}) {
    const Track run = track("004-fig-9", std::string("-") + way);
    const auto frame = static_cast<std::size_t>(std::lround(4.0 / run.dt));
    const double far = apart(run.places.at("hips")[frame], run.places.at("hips")[0]);
    EXPECT_GT(far, last) << way;
    last = far;
  }
}

TEST_F(Figures, DogSitsBeforeItLiesUnlessItIsHurried) {
  const auto lead_s = [&](const std::string& rest) {
    const Track dog = track("004-fig-13", rest);
    const auto half_way = [&](const std::string& joint) {
      const auto& places = dog.places.at(joint);
      const double half = 0.5 * (places.front().y() + places.back().y());
      std::size_t f = 0;
      while (f + 1 < places.size() && places[f].y() > half) ++f;
      return static_cast<double>(f) * dog.dt;
    };
    return half_way("left_upper_arm") - half_way("hips");
  };
  EXPECT_GE(lead_s("-calm"), 0.3);
  EXPECT_LE(std::abs(lead_s("-hurried")), 0.15);
}

TEST_F(Figures, PieceIsOneMinuteOverStairsAndBackOnTheGround) {
  const Track piece = track("piece");
  const double seconds = static_cast<double>(piece.frames()) * piece.dt;
  EXPECT_GE(seconds, 50.0);
  EXPECT_LE(seconds, 70.0);
  double highest = 0.0;
  const auto& foot = piece.places.at("left_foot");
  // Four steps of 12 cm; while a foot is on top it is still.
  for (std::size_t f = 1; f < piece.frames(); ++f) {
    if ((foot[f] - foot[f - 1]).norm() < 1e-4) highest = std::max(highest, foot[f].y() - foot.back().y());
  }
  EXPECT_NEAR(highest, 0.48, 0.005);
  // Toes that dip into the floor while running put its level 1 cm off where the run is joined to the fight.
  EXPECT_NEAR(foot.back().y(), foot.front().y(), 0.012);
}

TEST_F(Figures, MeasurementsSeeWhatIsWrong) {
  FigureClip walk = figure("002-fig-9").clips.at(0);
  const Break good = worst_break(clip_positions(walk.clip), walk.clip.frame_time_s());
  const Unevenness own = unevenness(walk.clip);
  const auto flat = [](double, double) { return feet::GroundPoint{.height_m = 0.01}; };
  const double depth = deepest_sole_m(walk.clip, flat);
  // From the middle on everything is 3 cm aside and 2 cm lower.
  for (int f = walk.clip.frame_count() / 2; f < walk.clip.frame_count(); ++f)
    walk.clip.set_translation(f, 0, walk.clip.translation(f, 0) + Vec3f(0.03f, -0.02f, 0.0f));
  EXPECT_GE(worst_break(clip_positions(walk.clip), walk.clip.frame_time_s()).position_m, good.position_m);
  EXPECT_GE(break_at(clip_positions(walk.clip), walk.clip.frame_count() / 2, walk.clip.frame_time_s()).position_m,
            0.03);
  EXPECT_GE(excess(unevenness(walk.clip), own).step_m, 0.01);
  EXPECT_NEAR(deepest_sole_m(walk.clip, flat), depth + 0.02, 0.002);
}

}  // namespace
}  // namespace shosa::demo
