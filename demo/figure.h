#pragma once

#include <string>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"

namespace shosa::demo {

/// A number that a figure claims, measured on the clips that were written and read back.
struct Check {
  enum class Kind {
    at_most,
    at_least
  };

  std::string name;  ///< For people: "foot slide while planted".
  double value = 0.0;
  Kind kind = Kind::at_most;
  double bound = 0.0;
  std::string unit;  ///< "m", "m/s", "deg", "s", or empty for a count.

  /// False for NaN too.
  bool ok() const { return kind == Kind::at_most ? value <= bound : value >= bound; }
};

/// An encoded picture, ready to be written to a file or into a page.
struct Picture {
  std::string file;     ///< Name with its ending: "000-fig-6.png".
  std::string caption;  ///< One sentence.
  std::string bytes;
};

/// A motion that a figure shows.
struct FigureClip {
  std::string name;     ///< Its files are `name`.glb and `name`.bvh.
  std::string caption;  ///< One sentence.
  Clip clip;
  body::BodyMap body_map;
};

/// One figure of a seed, remade.
struct Figure {
  std::string id;  ///< "000-fig-6": the seed's number and the figure's; "piece" is the joint piece.
  std::string title;
  std::string text;  ///< What is shown and what to look for.
  std::vector<FigureClip> clips;
  std::vector<Picture> pictures;
  std::vector<Check> checks;

  /// A figure without a check claims nothing and is not ok.
  bool ok() const {
    for (const Check& check : checks) {
      if (!check.ok()) return false;
    }
    return !checks.empty();
  }
};

}  // namespace shosa::demo
