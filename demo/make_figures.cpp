#include "demo/make_figures.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "demo/measure.h"
#include "shosa/core/parallel.h"
#include "shosa/segment/terrain.h"

namespace shosa::demo {

namespace {

/// Feet of the body that ships on level ground, in every clip a figure shows; figures with stairs look at those
/// themselves.
void check_soles(Figure& figure) {
  for (const FigureClip& shown : figure.clips) {
    if (shown.body_map.kind != body::BodyKind::humanoid) continue;
    double lowest = 1e300, highest = -1e300;
    for (const Landing& landing : landings(shown)) {
      lowest = std::min(lowest, landing.ground_m);
      highest = std::max(highest, landing.ground_m);
    }
    if (highest - lowest > 0.05) continue;
    at_most(figure, shown.name + ": heel, ball or toe tip under the floor",
            deepest_sole_m(shown.clip, segment::flat_terrain(kSole_m)), 0.005, "m");
  }
}

}  // namespace

const std::vector<FigureMaker>& figure_makers() {
  static const std::vector<FigureMaker> makers = {
      {"000-fig-6", "One cycle of a walk, looped", loop_figure},
      {"000-fig-7", "A stride narrowed by where the feet land", stride_figure},
      {"000-fig-8", "A step down between two walks", step_down_figure},
      {"001-fig-1", "A fight composed from elementary motions", composition_figure},
      {"001-fig-2", "Four ways to join two motions", methods_figure},
      {"001-fig-5", "Speeds of three techniques compared", techniques_figure},
      {"002-fig-6", "Pelvis, head and shoulder dragged, hands and feet pinned", single_drags_figure},
      {"002-fig-7", "The head pulled back: joint ranges", ranges_figure},
      {"002-fig-8", "A hand dragged down and up: picking something up", pick_up_figure},
      {"002-fig-9", "A walk before it is edited", walk_before_figure},
      {"002-fig-10", "The walk edited to dodge", dodge_figure},
      {"003-fig-1", "Where a hand goes, as submovements", hand_position_figure},
      {"003-fig-2", "How a hand turns, as submovements", hand_rotation_figure},
      {"003-fig-3", "Timings from the angular speed, and why they fail", timing_figure},
      {"004-fig-8", "Ways from standing to running", paths_figure},
      {"004-fig-9", "Speed over time for each way", speeds_figure},
      {"004-fig-10", "To running without hurry", calm_run_figure},
      {"004-fig-11", "To running in a hurry", hurried_run_figure},
      {"004-fig-12", "The graph of a dog that lies down", dog_graph_figure},
      {"004-fig-13", "A dog lies down calmly, or drops", dog_figure},
      {"character", "A running character, told what to do", character_figure},
      {"piece", "A minute of one character", piece_figure},
  };
  return makers;
}

std::vector<MadeFigure> make_figures(const std::vector<const FigureMaker*>& makers, const Cast& cast,
                                     const Workshop& shop, const std::function<void(std::string_view)>& begun) {
  std::vector<std::optional<Result<Figure>>> made(makers.size());
  std::mutex one_at_a_time;
  parallel_for(makers.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (begun) {
        const std::lock_guard lock(one_at_a_time);
        begun(makers[i]->title);
      }
      made[i].emplace(makers[i]->make(cast, shop));
    }
  });
  std::vector<MadeFigure> list;
  for (std::size_t i = 0; i < makers.size(); ++i) {
    if (*made[i]) {
      if (!cast.captured) check_soles(**made[i]);
      (*made[i])->id = makers[i]->id;
      (*made[i])->title = makers[i]->title;
    }
    list.push_back({makers[i], std::move(*made[i])});
  }
  return list;
}

}  // namespace shosa::demo
