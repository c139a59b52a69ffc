import { jointNumber, type Motion, standing } from './motion';
import type { Vec3 } from './track';

export interface BodyPoint {
  readonly joint: number;
  readonly offset_m: readonly number[];
}

/** What a body's parts weigh, and what it stands on: as the engine tells of it. */
export interface BodyWeights {
  readonly masses: readonly (BodyPoint & { readonly mass: number })[];
  readonly support: readonly BodyPoint[];
  readonly inertia_m2: readonly number[];
}

export interface Balance {
  readonly center: Vec3;
  /** Convex, in order, on the ground; empty where nothing stands. */
  readonly support: readonly (readonly [x: number, z: number])[];
  /** Height of the lowest point that stands. */
  readonly ground_m: number;
  /** The centre is over the support. */
  readonly held: boolean;
}

function placeOf(matrices: Float32Array, { joint, offset_m }: BodyPoint): Vec3 {
  const at = (row: number) => matrices[16 * joint + 12 + row]! + offset_m.reduce((sum, value, k) => sum + matrices[16 * joint + 4 * k + row]! * value, 0);
  return [at(0), at(1), at(2)];
}

/** The centre of mass, and the ground that feet span which stand or are pinned. */
export function balanceOf({ masses, support }: BodyWeights, matrices: Float32Array, held: ReadonlySet<number>): Balance {
  const center: [number, number, number] = [0, 0, 0];
  let all = 0;
  for (const part of masses) {
    placeOf(matrices, part).forEach((value, axis) => (center[axis]! += part.mass * value));
    all += part.mass;
  }
  const points = support.filter(({ joint }) => held.has(joint)).map((point) => placeOf(matrices, point));
  const hull = convexHull(points.map(([x, , z]): [number, number] => [x, z]));
  const middle: Vec3 = [center[0] / all, center[1] / all, center[2] / all];
  return { center: middle, support: hull, ground_m: Math.min(...points.map(([, y]) => y), points.length ? Infinity : 0), held: isInside(hull, middle[0], middle[2]) };
}

/** Joints of feet that carry at a time: they stand, or are pinned. */
export function carryingJoints(motion: Motion, time_s: number, pinned: readonly number[]): Set<number> {
  const feet = (side: string) => ['foot', 'toes'].map((part) => jointNumber(motion, `${side}_${part}`));
  const sides = new Set(standing(motion, time_s));
  for (const side of ['left', 'right']) if (feet(side).some((joint) => pinned.includes(joint))) sides.add(side);
  return new Set([...sides].flatMap(feet).filter((joint) => joint >= 0));
}

type Point = readonly [number, number];
const cross = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

/** Andrew's monotone chain. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of list) {
      while (chain.length >= 2 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half([...sorted].reverse())];
}

function isInside(hull: readonly Point[], x: number, z: number): boolean {
  return hull.length >= 3 && hull.every((point, i) => cross(point, hull[(i + 1) % hull.length]!, [x, z]) >= 0);
}
