import type { Vec3 } from '../model/track';

/** Something beside joints that the pointer can take hold of: a point, or a line of points. */
export interface Handle {
  readonly id: string;
  readonly points: readonly Vec3[];
}

type OnScreen = (place: Vec3) => readonly [number, number];

function fromSegment(x: number, y: number, [ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  const [ux, uy] = [bx - ax, by - ay], square = ux * ux + uy * uy;
  const share = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / square)) : 0;
  return Math.hypot(x - ax - share * ux, y - ay - share * uy);
}

/** The handle nearest to the pointer, within some pixels. */
export function pickHandle(handles: readonly Handle[], x_px: number, y_px: number, onScreen: OnScreen, within_px = 8): Handle | undefined {
  let best: Handle | undefined, least = within_px;
  for (const handle of handles) {
    const points = handle.points.map(onScreen);
    for (let i = 0; i < points.length; ++i) {
      const away = fromSegment(x_px, y_px, points[i]!, points[Math.min(i + 1, points.length - 1)]!);
      if (away < least) [best, least] = [handle, away];
    }
  }
  return best;
}
