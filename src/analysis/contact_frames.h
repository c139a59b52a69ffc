#pragma once

#include <vector>

#include "analysis/foot_rests.h"

namespace shosa::analysis {

/// Per frame, whether heel and toe are in contact; before gaps are closed and edges trimmed.
struct ContactFrames {
  std::vector<char> heel, toe;
  std::vector<char> joined() const {
    std::vector<char> either(heel.size());
    for (std::size_t i = 0; i < either.size(); ++i) either[i] = heel[i] || toe[i];
    return either;
  }
};

ContactFrames contact_frames(const FootWork& foot, double scale, const FootContactParams& params);

/// Stretches of a counted rest in which the foot stays slow but stands higher than the rest's level become rests of
/// their own, to be judged like the others: a foot set down anew without ever moving fast, or a leg lifted slowly.
/// True when there were any.
bool split_rests(FootWork& foot, double frame_time_s, double scale, const FootContactParams& params);

/// While the rest of the foot stands, the heel rises and the toes come down slowly: there the bounds of height and
/// speed are wide, and the edge belongs where the point really comes to rest. A contact that is restless throughout
/// keeps its edges at twice its median speed. Edges at which the whole foot comes or goes are sharp and stay.
void trim_inner_edges(std::vector<char>& contact, const std::vector<char>& other, const std::vector<double>& speed_mps,
                      double edge_mps);

}  // namespace shosa::analysis
