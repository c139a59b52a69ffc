#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "demo/figure.h"
#include "shosa/core/result.h"
#include "shosa/draw/canvas.h"
#include "shosa/draw/strip.h"

namespace shosa::demo {

/// Where a figure's files are written, and read back from before anything is measured.
class Workshop {
 public:
  /// The folder must exist.
  explicit Workshop(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& folder() const { return folder_; }

  /// Writes `name`.bvh and `name`.glb, reads both back, and adds to the figure what the .bvh holds. The .glb must hold
  /// the same motion: every joint within 1 mm in every frame. Returns the clip as read. Fails when a file cannot be
  /// written or read, or the two disagree.
  Result<FigureClip> add_clip(Figure& figure, const std::string& name, const std::string& caption, const Clip& clip,
                              const body::BodyMap& map) const;

  /// Writes the picture as `name`.png and adds it to the figure.
  Result<void> add_picture(Figure& figure, const std::string& name, const std::string& caption,
                           const draw::Canvas& canvas) const;

 private:
  std::filesystem::path folder_;
};

/// A strip of a clip with the feet's contacts marked, then `add_picture`.
Result<void> add_strip(const Workshop& shop, Figure& figure, const std::string& name, const std::string& caption,
                       const FigureClip& shown, draw::StripParams params);

/// `count` times of a clip between which the root travels equally far over the ground: postures that do not cover each
/// other.
std::vector<double> times_by_way(const FigureClip& shown, int count);

void at_most(Figure& figure, std::string name, double value, double bound, std::string unit);
void at_least(Figure& figure, std::string name, double value, double bound, std::string unit);

}  // namespace shosa::demo
