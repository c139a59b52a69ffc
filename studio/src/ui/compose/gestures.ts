/** A name for one gesture, so that all that it does is one step of undo. */
export const gestureName = (what: string) => `${what} ${performance.now()}`;

/** Takes something from a list to the time line or the stage; moves are heard by the window, as in `dragTime`. A press without a move is a click, and nothing here. */
export function dragOut(event: PointerEvent, label: string, drop: (place: { time_s: number; onLayers: boolean }) => void): void {
  if (event.button !== 0) return;
  const source = event.currentTarget as HTMLElement;
  const ghost = Object.assign(document.createElement('div'), { className: 'drag-ghost', textContent: label });
  let under = false;
  const target = (at: PointerEvent) => document.elementFromPoint(at.clientX, at.clientY)?.closest('.timeline, .stage');
  const follow = (at: PointerEvent) => {
    if (!under && Math.hypot(at.clientX - event.clientX, at.clientY - event.clientY) < 5) return;
    if (!under) document.body.append(ghost);
    under = true;
    ghost.style.translate = `${at.clientX + 10}px ${at.clientY + 8}px`;
    ghost.classList.toggle('over', target(at) !== null && target(at) !== undefined);
  };
  const stop = (at: PointerEvent) => {
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', stop);
    removeEventListener('pointercancel', stop);
    ghost.remove();
    const place = under && at.type === 'pointerup' ? target(at) : undefined;
    if (under) {
      // The click that ends a drag adds nothing at the end of the score.
      const swallow = (click: Event) => click.stopImmediatePropagation();
      source.addEventListener('click', swallow, { capture: true });
      setTimeout(() => source.removeEventListener('click', swallow, { capture: true }));
    }
    if (!place) return;
    const area = place.querySelector<HTMLElement>('.track-area');
    const box = area?.getBoundingClientRect();
    const time_s = box ? ((at.clientX - box.left) / Math.max(1, box.width)) * Number(area!.dataset['duration']) : Infinity;
    drop({ time_s: Math.max(0, time_s), onLayers: document.elementFromPoint(at.clientX, at.clientY)?.closest('[data-layers]') !== null });
  };
  addEventListener('pointermove', follow);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}
