#include "contacts.h"

#include "shosa/analysis/foot_contacts.h"

namespace shosa::cli {

std::vector<draw::FootMarks> foot_marks(const Clip& clip, const body::BodyMap& map) {
  std::vector<draw::FootMarks> marks;
  const auto contacts = analysis::find_foot_contacts(clip, map);
  if (!contacts) return marks;
  for (const analysis::FootContactTrack& foot : contacts->feet) marks.push_back({foot.points.joint, foot.joined});
  return marks;
}

}  // namespace shosa::cli
