#pragma once

#include "segment/segment_editor.h"
#include "shosa/segment/edit_segment.h"

namespace shosa::segment {

/// What of a vector lies along the axes that are asked for.
Vec3d along_asked(const HandleEnd& end, Vec3d v);

/// Sends the handles to these ends, as far as their speed allows, and says so in `edit`. False where that changes
/// nothing.
bool send(const SegmentEditParams& params, const std::vector<Vec3d>& ends, double dt, SegmentEditor& editor,
          SegmentEdit& edit);

/// Where handles with free axes came to, along these, is where they are sent next; false where all have what is asked.
bool lead_free_axes(const SegmentEditParams& params, const SegmentEdit& edit, std::vector<Vec3d>& ends);

}  // namespace shosa::segment
