#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "demo/cast.h"
#include "demo/figure.h"
#include "demo/workshop.h"

namespace shosa::demo {

/// How a figure is made. Fails where the cast lacks a part that it needs, or a file cannot be written.
using MakeFigure = Result<Figure> (*)(const Cast& cast, const Workshop& shop);

struct FigureMaker {
  std::string_view id;     ///< Of the figure it makes.
  std::string_view title;  ///< Likewise.
  MakeFigure make = nullptr;
};

/// Every figure, in the order of the seeds; the joint piece last.
const std::vector<FigureMaker>& figure_makers();

/// One figure as it came out, or why it could not be made.
struct MadeFigure {
  const FigureMaker* maker = nullptr;
  Result<Figure> figure;
};

/// Makes figures on all cores, each by itself; the result does not depend on how many there are. `begun` is called
/// when a figure is begun, one call at a time.
std::vector<MadeFigure> make_figures(const std::vector<const FigureMaker*>& makers, const Cast& cast,
                                     const Workshop& shop, const std::function<void(std::string_view)>& begun);

// One maker per figure, by seed: figures_segment.cpp and its fellows.

Result<Figure> loop_figure(const Cast& cast, const Workshop& shop);       // 000, figure 6
Result<Figure> stride_figure(const Cast& cast, const Workshop& shop);     // 7
Result<Figure> step_down_figure(const Cast& cast, const Workshop& shop);  // 8

Result<Figure> composition_figure(const Cast& cast, const Workshop& shop);  // 001, figure 1
Result<Figure> methods_figure(const Cast& cast, const Workshop& shop);      // 2
Result<Figure> techniques_figure(const Cast& cast, const Workshop& shop);   // 5

Result<Figure> single_drags_figure(const Cast& cast, const Workshop& shop);  // 002, figure 6
Result<Figure> ranges_figure(const Cast& cast, const Workshop& shop);        // 7
Result<Figure> pick_up_figure(const Cast& cast, const Workshop& shop);       // 8
Result<Figure> walk_before_figure(const Cast& cast, const Workshop& shop);   // 9
Result<Figure> dodge_figure(const Cast& cast, const Workshop& shop);         // 10

Result<Figure> hand_position_figure(const Cast& cast, const Workshop& shop);  // 003, figure 1
Result<Figure> hand_rotation_figure(const Cast& cast, const Workshop& shop);  // 2
Result<Figure> timing_figure(const Cast& cast, const Workshop& shop);         // 3

Result<Figure> paths_figure(const Cast& cast, const Workshop& shop);        // 004, figure 8
Result<Figure> speeds_figure(const Cast& cast, const Workshop& shop);       // 9
Result<Figure> calm_run_figure(const Cast& cast, const Workshop& shop);     // 10
Result<Figure> hurried_run_figure(const Cast& cast, const Workshop& shop);  // 11
Result<Figure> dog_graph_figure(const Cast& cast, const Workshop& shop);    // 12
Result<Figure> dog_figure(const Cast& cast, const Workshop& shop);          // 13

Result<Figure> character_figure(const Cast& cast, const Workshop& shop);
Result<Figure> piece_figure(const Cast& cast, const Workshop& shop);

}  // namespace shosa::demo
