#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

/// Asks physics whether a clip's frame rate can be true.
///
/// While no foot stands, the centre of mass falls with g; a parabola is fitted to it over each flight. A clip that
/// plays at twice its speed falls with 4 g. Where a clip has no flight, its steps are counted: nobody walks (with both
/// feet down in between) at `max_walk_cadence_hz`. Meant to be silent on every correct clip rather than to catch every
/// wrong one.
struct FreeFallParams {
  double gravity_mps2 = 9.81;
  double min_flight_s = 0.08;        ///< Flights shorter than this at the header's rate say nothing.
  double suspect_low = 3.0;          ///< A ratio from here …
  double suspect_high = 6.0;         ///< … to here is taken for a doubled rate.
  double min_evidence_s = 0.15;      ///< Flights in that range must last this long together.
  double max_walk_cadence_hz = 3.4;  ///< Steps a second, both feet together.
};
struct Flight {
  TimeInterval time;
  double gravity_ratio = 0.0;  ///< Fitted downward acceleration / g.
  double rms_m = 0.0;          ///< Residual of the fit.
};
struct FreeFall {
  std::vector<Flight> flights;            ///< Those that were fitted.
  std::optional<double> gravity_ratio;    ///< Median over the flights, weighted by their length.
  std::optional<double> walk_cadence_hz;  ///< Steps a second where the clip walks.
  bool rate_is_suspect = false;
  double suggested_fps = 0.0;  ///< The likely real rate when suspect.
  std::string warning;         ///< For people; empty when not suspect.
};
FreeFall check_free_fall(const StudiedClip& studied, const FreeFallParams& params = {});

/// Centre of mass per frame from the body segments that are known (masses after Winter 2009, table 4.1); the hips where
/// the body is not known.
std::vector<Vec3d> center_of_mass(const StudiedClip& studied);

}  // namespace shosa::analysis
