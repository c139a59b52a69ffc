import type { TimeScale } from '../studio';

// Moves are heard by the window. A captured pointer would be heard too, but takes the clicks of what is pressed away from it.

/** Leads something along the time line: `move` gets how far the pointer has gone, seconds, and `end` comes once. A press without a move only ends. */
export function dragTime(event: PointerEvent, scale: TimeScale, move: (by_s: number) => void, end: (moved: boolean) => void): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  const area = (event.currentTarget as HTMLElement).closest('.track-area') as HTMLElement;
  const seconds = scale.duration_s / Math.max(1, area.getBoundingClientRect().width);
  let moved = false;
  const follow = (at: PointerEvent) => {
    const by_px = at.clientX - event.clientX;
    if (!moved && Math.abs(by_px) < 3) return;
    if (!moved) scale.hold(true);
    moved = true;
    move(by_px * seconds);
  };
  const stop = () => {
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', stop);
    removeEventListener('pointercancel', stop);
    if (moved) scale.hold(false);
    end(moved);
  };
  addEventListener('pointermove', follow);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}
