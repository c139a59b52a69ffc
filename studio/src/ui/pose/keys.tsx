import { scriptOf } from '../../app/pose_control';
import type { Interval } from '../../model/motion';
import { freeTime, moveKey, removeKey, removePinAt, setPinTime } from '../../model/pose_script';
import type { State } from '../../model/state';
import { lastTime } from '../../model/transport';
import { HandBar, seconds } from '../time/hand_bar';
import type { Studio, TimeRow } from '../studio';

/** Of a drag that says nothing of its own; longer where the trunk has to come along. */
const usualFades = [0.25, 0.5] as const;

/** A row for each joint that is led, with its keys; one for each pin, with the time for which it holds. */
export function keyRow(studio: Studio, state: State): TimeRow[] {
  const { pose } = studio;
  const script = scriptOf(state);
  if (!script) return [];
  const { duration_s } = state.transport;
  const drags = (script.drags ?? []).map(({ joint, keys, fade_in_s = usualFades[0], fade_out_s = usualFades[1] }): TimeRow => ({
    label: joint.replaceAll('_', ' '),
    // Over a clip that plays a drag is a layer: it comes before its first key, and goes home after its last.
    ...(script.at_s === undefined && keys.length > 0 ? { bars: [
      { begin_s: Math.max(0, keys[0]![0] - fade_in_s), end_s: Math.min(duration_s, keys.at(-1)![0] + fade_out_s), look: 'fade', title: `${joint.replaceAll('_', ' ')} fades in over ${fade_in_s} s, out over ${fade_out_s} s` },
      { begin_s: keys[0]![0], end_s: keys.at(-1)![0], look: 'drag', title: `${joint.replaceAll('_', ' ')} is led` },
    ] } : {}),
    keys: keys.map(([time_s]) => ({
      time_s,
      title: `Key of ${joint.replaceAll('_', ' ')} at ${time_s.toFixed(2)} s: drag it or ← → to move it, Delete to remove it`,
      // Onto another key it would take its place.
      move: (to_s, gesture) => {
        const at_s = freeTime(script, joint, time_s, to_s, state.transport.frameTime_s);
        pose.edit(`Move key of ${joint}`, (value) => moveKey(value, joint, time_s, at_s), gesture);
        return at_s;
      },
      remove: () => pose.edit(`Remove key of ${joint}`, (value) => removeKey(value, joint, time_s)),
    })),
  }));
  const last_s = lastTime(state.transport), editable = state.project?.readOnly !== true;
  const pins = (script.pins ?? []).map(({ joint, from_s, to_s }, which): TimeRow => {
    const words = joint.replaceAll('_', ' '), bar: Interval = [from_s ?? 0, Math.min(to_s ?? last_s, last_s)];
    return {
      label: `pin ${words}`,
      content: (scale) => (
        <HandBar {...{ studio, scale, editable, bar }} look="pin" byHand={from_s !== undefined || to_s !== undefined} name={`${words} is pinned from ${seconds(bar)}`} id={`pin ${joint}`}
          set={(next) => pose.edit(`When ${joint} is pinned`, (value) => setPinTime(value, which, next, last_s))} remove={() => pose.edit(`Unpin ${joint}`, (value) => removePinAt(value, which))} />
      ),
    };
  });
  return [...drags, ...pins];
}
