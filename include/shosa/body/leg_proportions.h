#pragma once

namespace shosa::body {

/// The heel of a human sole seen from the ankle in a flat stance, metres at a leg of `kHumanLegLength_m`.
inline constexpr double kHeelBelowAnkle_m = 0.08;
inline constexpr double kHeelBehindAnkle_m = 0.045;

/// Share of its bones' length to which a leg may be stretched: a knee that is bent by 7 degrees. Straighter ones pop as
/// soon as anything moves.
inline constexpr double kReach = 0.998;

}  // namespace shosa::body
