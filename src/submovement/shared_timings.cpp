#include "shared_timings.h"

#include <cmath>

#include "channels.h"
#include "rotation_polish.h"

namespace shosa::submovement::detail {

SharedRotations decompose_shared(const std::vector<std::vector<Quatd>>& samples, double step_s,
                                 const DecomposeParams& params) {
  const auto joints = static_cast<Eigen::Index>(samples.size());
  const auto frames = static_cast<Eigen::Index>(samples[0].size());
  Eigen::MatrixXd data(frames, 3 * joints);
  for (Eigen::Index j = 0; j < joints; ++j) data.middleCols(3 * j, 3) = develop(samples[static_cast<std::size_t>(j)]);
  const SearchParams search{.max_error = params.max_error_rad * std::sqrt(static_cast<double>(joints)),
                            .min_duration_s = params.min_duration_s,
                            .max_duration_s = params.max_turn_s,
                            .thorough = false};
  const ChannelModel found = decompose_channels(data, step_s, search);

  SharedRotations result{.evaluations = found.evaluations};
  for (Eigen::Index j = 0; j < joints; ++j) {
    const auto& own = samples[static_cast<std::size_t>(j)];
    RotationModel model{.start = own[0] * exp_rotation(found.start.segment<3>(3 * j).transpose())};
    for (const Piece& piece : found.pieces)
      model.submovements.push_back({piece.time.t0_s, piece.time.tf_s, piece.move.segment<3>(3 * j).transpose()});
    SearchParams fixed = search;
    fixed.fixed_timings = true;
    const double error = polish_rotations(own, step_s, fixed, 3, model, result.evaluations);
    result.rms_rad.push_back(std::sqrt(error / static_cast<double>(frames)));
    result.models.push_back(std::move(model));
  }
  return result;
}

}  // namespace shosa::submovement::detail
