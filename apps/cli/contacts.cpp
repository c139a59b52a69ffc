#include "contacts.h"

#include "shosa/analysis/studied_clip.h"

namespace shosa::cli {

std::vector<draw::FootMarks> foot_marks(const Clip& clip, const body::BodyMap& map) {
  std::vector<draw::FootMarks> marks;
  const analysis::StudiedClip studied = analysis::study(clip, map);
  for (const analysis::FootContactTrack& foot : studied.contacts().feet)
    marks.push_back({foot.points.joint, foot.joined});
  return marks;
}

}  // namespace shosa::cli
