import { between } from '../../model/contacts';
import type { Interval } from '../../model/motion';
import { lastTime } from '../../model/transport';
import type { Studio, TimeScale } from '../studio';
import { dragTime } from './drag_time';

export const seconds = ([begin, end]: Interval) => `${begin.toFixed(2)} to ${end.toFixed(2)} s`;

interface HandBarProps {
  studio: Studio;
  scale: TimeScale;
  editable: boolean;
  look: string;
  byHand: boolean;
  bar: Interval;
  name: string;
  id: string;
  /** The nearest place that it can have beside other bars; one that is alone goes anywhere in the motion. */
  fit?(wanted: Interval, frame_s: number, last_s: number, whole: boolean): Interval;
  set(next: Interval): void;
  remove(): void;
}

const alone = (wanted: Interval, frame_s: number, last_s: number, whole: boolean) => between([wanted], 0, wanted, last_s, frame_s, whole);

/** A bar that is led along the time line by its middle, or longer and shorter by its ends. What it means is computed once it is let go. */
export function HandBar({ studio, scale, editable, look, byHand, bar, name, id, fit = alone, set, remove }: HandBarProps) {
  const { app } = studio;
  if (!editable) return <div class={`bar ${look}`} title={name} style={{ left: scale.share(bar[0]), width: scale.share(bar[1] - bar[0]) }} />;
  const moved = (by_s: number, begins: boolean, ends: boolean): Interval => {
    const { transport } = app.state.value, frame_s = transport.frameTime_s;
    const at = (time_s: number, moves: boolean) => (moves ? Math.round((time_s + by_s) / frame_s) * frame_s : time_s);
    const begin = at(bar[0], begins), end = at(bar[1], ends);
    return fit(begins === ends ? [begin, begin + bar[1] - bar[0]] : [Math.min(begin, bar[1] - frame_s), Math.max(end, bar[0] + frame_s)], frame_s, lastTime(transport), begins === ends);
  };
  const lead = (begins: boolean, ends: boolean) => (event: PointerEvent) => {
    const element = (event.currentTarget as HTMLElement).closest<HTMLElement>('.bar')!;
    let next = bar;
    dragTime(event, scale, (by_s) => {
      next = moved(by_s, begins, ends);
      Object.assign(element.style, { left: scale.share(next[0]), width: scale.share(next[1] - next[0]) });
    }, (was) => was && (next[0] !== bar[0] || next[1] !== bar[1]) && set(next));
    element.focus();
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const whole = !event.shiftKey && !event.altKey;
    if (step !== undefined) set(moved(step * app.state.value.transport.frameTime_s, whole || event.altKey, whole || event.shiftKey));
    else if (event.key === 'Delete' || event.key === 'Backspace' || event.key === 'x') remove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const title = `${name}${byHand ? ', by hand' : ''}. Drag it or its ends; ← → move it, with Shift its end, with Alt its begin; Delete ${look === 'core' ? 'has it found again' : 'removes it'}`;
  return (
    <div class={`bar ${look} movable ${byHand ? 'by-hand' : ''}`} role="button" tabIndex={0} aria-label={title} title={title} data-bar={id} style={{ left: scale.share(bar[0]), width: scale.share(Math.max(bar[1] - bar[0], 0)) }}
      onPointerDown={lead(true, true)} onKeyDown={keys}>
      <i class="edge begin" onPointerDown={lead(true, false)} /><i class="edge end" onPointerDown={lead(false, true)} />
    </div>
  );
}
