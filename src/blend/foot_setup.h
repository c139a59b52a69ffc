#pragma once

#include "blend/source_feet.h"

namespace shosa::blend {

/// A foot of both motions where they can be compared.
struct FootMeeting {
  FootPose previous, next;  ///< The previous one in the world, the next one not yet placed.
  double previous_level_m = 0.0, next_level_m = 0.0;
  Vec3d anchor_in_foot_m = Vec3d::Zero();
};

/// The foot at two frames of its own motions (the first one warped), at the places where it is held.
FootMeeting meeting(SourceFeet& feet, const FootPass& pass, std::size_t foot, double previous_frame, double next_frame);
/// The same where each motion stands stillest around the blend.
FootMeeting meeting_of_stances(SourceFeet& feet, const Junction& junction, std::size_t foot);

/// Where each source holds its standing foot between the cores. The next motion's places are not yet placed.
void hold_feet(SourceFeet& feet, Junction& junction);

/// How feet in the air go on outside their clips. The next motion's velocities are not yet placed.
void coast_feet(SourceFeet& feet, Junction& junction);

/// When a foot that stands turns from the previous motion's rotation to the next one's: so that its heel moves, and
/// above all slides, least. A heel that is down in both does not come up in between, and one that is up does not touch
/// down.
void time_turn(SourceFeet& feet, const Junction& junction, std::size_t foot, FootPass& pass);

/// What is left when the next motion has its place: offsets of standing feet, landings, lifts of swinging ones.
void finish_feet(SourceFeet& feet, std::span<const FootMeeting> meetings, Junction& junction);

}  // namespace shosa::blend
