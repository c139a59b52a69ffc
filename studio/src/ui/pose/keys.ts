import { scriptOf } from '../../app/pose_control';
import { moveKey, removeKey } from '../../model/pose_script';
import type { State } from '../../model/state';
import type { Studio, TimeRow } from '../studio';

/** A row for each joint that is led, with its keys; one for each pin that comes or goes. */
export function keyRow({ pose }: Studio, state: State): TimeRow[] {
  const script = scriptOf(state);
  if (!script) return [];
  const { duration_s } = state.transport;
  const drags = (script.drags ?? []).map(({ joint, keys }): TimeRow => ({
    label: joint.replaceAll('_', ' '),
    keys: keys.map(([time_s]) => ({
      time_s,
      title: `Key of ${joint.replaceAll('_', ' ')} at ${time_s.toFixed(2)} s: drag to move, Delete to remove`,
      move: (to_s, gesture) => pose.edit(`Move key of ${joint}`, (value) => moveKey(value, joint, time_s, to_s), gesture),
      remove: () => pose.edit(`Remove key of ${joint}`, (value) => removeKey(value, joint, time_s)),
    })),
  }));
  const pins = (script.pins ?? []).map(({ joint, from_s = 0, to_s = duration_s }): TimeRow => ({
    label: `pin ${joint.replaceAll('_', ' ')}`,
    bars: [{ begin_s: from_s, end_s: to_s, look: 'pin', title: `${joint} is pinned` }],
  }));
  return [...drags, ...pins];
}
