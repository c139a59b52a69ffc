#pragma once

#include "shosa/analysis/cycle.h"

namespace shosa::analysis {

/// Suggests which part of a clip must survive when it is joined to others: before it is preparation, after it recovery.
///
/// - Steps in a cycle: the steady part around it, where the root keeps at least `steady_share` of its median speed,
///   trimmed by half a cycle where the clip has room for it.
/// - An action: around the peak of activity (mean speed of the joints) as long as the activity stays above
///   `action_share` of the way from rest to peak; pauses shorter than `join_gap_s` are bridged.
/// - Neither (idling): the clip without `margin_share` at each end.
/// Always inside the clip; empty only for a clip of one frame.
struct CoreParams {
  double steady_share = 0.7;
  double action_share = 0.3;
  double join_gap_s = 0.35;
  double margin_share = 0.15;
};
enum class CoreKind {
  steps,
  action,
  idle
};
struct CoreInterval {
  TimeInterval time;
  CoreKind kind = CoreKind::idle;
};
/// `cycle` may be not found. Fails when a share is outside (0, 1) or `join_gap_s` is negative.
Result<CoreInterval> suggest_core(const StudiedClip& studied, const Cycle& cycle, const CoreParams& params = {});

}  // namespace shosa::analysis
