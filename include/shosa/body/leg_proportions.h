#pragma once

namespace shosa::body {

/// The heel of a human sole seen from the ankle in a flat stance, metres at a leg of `kHumanLegLength_m`.
inline constexpr double kHeelBelowAnkle_m = 0.08;
inline constexpr double kHeelBehindAnkle_m = 0.045;

/// How far toes bend up and down from how they lie (American Academy of Orthopaedic Surgeons, 1965).
inline constexpr double kToeExtension_deg = 70.0, kToeFlexion_deg = 40.0;

/// How far a leg or an arm is stretched, as shares of its bones' length. Two equal bones at a share s are bent by
/// 2 acos(s). Where a clip itself stretches a limb further, it may.
inline constexpr double kReach = 0.998;     ///< Bent by 7 degrees: straighter limbs pop as soon as anything moves.
inline constexpr double kLedReach = 0.985;  ///< 20 degrees: as far as a limb is led that the clip has elsewhere.
inline constexpr double kEasyReach = 0.97;  ///< 28 degrees: a foot lands and leaves, a hand touches without stretching.
inline constexpr double kEaseReach = 0.95;  ///< 36 degrees: from here on a limb is stretched ever more slowly.
inline constexpr double kAloneReach = 0.90;  ///< 52 degrees: up to here an arm reaches without the trunk.

}  // namespace shosa::body
