import { isObject, type Json, type JsonObject } from './json';
import type { LocalPose, Vec3 } from './track';

export type Turn = readonly [x: number, y: number, z: number, w: number];
export type Corner = readonly [a_y: number, a_z: number, twistMin_deg: number, twistMax_deg: number];

/** How far a joint turns: triangles of swings, with the twist allowed at each corner (docs/methods/joint_ranges.md). */
export interface Region {
  /** Number of the joint. */
  readonly joint: number;
  /** How the document calls it. */
  readonly name: string;
  readonly parentFromZero: Turn;
  readonly jointFromFrame: Turn;
  readonly corners: readonly Corner[];
  readonly triangles: readonly (readonly [number, number, number])[];
  /** Somebody said so of this body; else it is what people usually have. */
  readonly byHand?: boolean;
}

/** A turn taken apart: swing · twist about x. */
export interface Swing {
  readonly a_y: number;
  readonly a_z: number;
  readonly twist_deg: number;
}

const degrees = 180 / Math.PI;

export function multiplyTurns(a: Turn, b: Turn): Turn {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}
export const inverseTurn = ([x, y, z, w]: Turn): Turn => [-x, -y, -z, w];
export function turned(turn: Turn, [x, y, z]: Vec3): Vec3 {
  const [rx, ry, rz] = multiplyTurns(multiplyTurns(turn, [x, y, z, 0]), inverseTurn(turn));
  return [rx, ry, rz];
}

/** Where in its region a joint is. */
export function swingOf({ parentFromZero, jointFromFrame, joint }: Region, pose: LocalPose): Swing {
  const at = (i: number) => pose.rotations[4 * joint + i]!;
  const q = multiplyTurns(multiplyTurns(inverseTurn(parentFromZero), [at(0), at(1), at(2), at(3)]), jointFromFrame);
  const length = Math.hypot(q[0], q[3]) || 1;
  const sign = q[3] < 0 ? -1 : 1, twist: Turn = [(sign * q[0]) / length, 0, 0, (sign * q[3]) / length];
  const swing = multiplyTurns(q, inverseTurn(twist)), side = swing[3] < 0 ? -1 : 1;
  return { a_y: side * swing[1], a_z: side * swing[2], twist_deg: 2 * Math.atan2(twist[0], twist[3]) * degrees };
}

/** Direction of the bone, in the range's zero frame, for a swing. */
export function boneDirection(a_y: number, a_z: number): Vec3 {
  const half = Math.sqrt(Math.max(0, 1 - a_y * a_y - a_z * a_z));
  return [1 - 2 * (a_y * a_y + a_z * a_z), 2 * half * a_z, -2 * half * a_y];
}

/** The swing that takes the bone to a direction, within half a turn. */
export function swingTo([x, y, z]: Vec3): [a_y: number, a_z: number] {
  const half = Math.sqrt(Math.max(0, (1 + x) / 2));
  if (half < 1e-4) return [0, 1];
  return [-z / (2 * half), y / (2 * half)];
}

/** Weights of a triangle's corners at a swing; all ≥ 0 inside. */
function weights({ corners, triangles }: Region, triangle: number, a_y: number, a_z: number): [number, number, number] {
  const [a, b, c] = triangles[triangle]!.map((i) => corners[i]!) as [Corner, Corner, Corner];
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const second = ((a_y - a[0]) * (c[1] - a[1]) - (a_z - a[1]) * (c[0] - a[0])) / area;
  const third = ((b[0] - a[0]) * (a_z - a[1]) - (b[1] - a[1]) * (a_y - a[0])) / area;
  return [1 - second - third, second, third];
}

/** The twist allowed at a swing; undefined outside the region. */
export function twistBounds(region: Region, a_y: number, a_z: number): [min_deg: number, max_deg: number] | undefined {
  for (let i = 0; i < region.triangles.length; ++i) {
    const shares = weights(region, i, a_y, a_z);
    if (Math.min(...shares) < -1e-9) continue;
    const mean = (part: 2 | 3) => region.triangles[i]!.reduce((sum, corner, k) => sum + shares[k]! * region.corners[corner]![part], 0);
    return [mean(2), mean(3)];
  }
  return undefined;
}

/** What is left by more than this is shown: half a degree. */
const slack_deg = 0.5;

/** How far a turn is out of its range: beyond the rim, and beyond the twist that the nearest swing inside allows. */
function excess(region: Region, { a_y, a_z, twist_deg }: Swing): { swing_deg: number; twist_deg: number } {
  let bounds = twistBounds(region, a_y, a_z), away = bounds ? 0 : Infinity;
  const order = rim(region);
  for (let i = 0; away > 0 && i < order.length; ++i) {
    const a = region.corners[order[i]!]!, b = region.corners[order[(i + 1) % order.length]!]!;
    const [y, z] = [b[0] - a[0], b[1] - a[1]];
    const share = Math.min(1, Math.max(0, ((a_y - a[0]) * y + (a_z - a[1]) * z) / (y * y + z * z)));
    const here = Math.hypot(a_y - a[0] - share * y, a_z - a[1] - share * z);
    if (here < away) [away, bounds] = [here, [a[2] + share * (b[2] - a[2]), a[3] + share * (b[3] - a[3])]];
  }
  const [min, max] = bounds!;
  // A swing of angle t is sin(t/2) away from the middle.
  return { swing_deg: (2 * away * degrees) / Math.sqrt(Math.max(0.01, 1 - a_y * a_y - a_z * a_z)), twist_deg: Math.max(0, min - twist_deg, twist_deg - max) };
}

/**
 * Whether a joint has left its range. Drags and clips may go out by a hair, which nobody sees. As the engine has it, a joint may be as far out of
 * what people usually have as the clip has it at this time (`allowed`): a capture knows better. A range by hand is meant as it stands.
 */
export function isOutside(region: Region, swing: Swing, allowed?: Swing): boolean {
  const now = excess(region, swing), before = allowed && !region.byHand ? excess(region, allowed) : { swing_deg: 0, twist_deg: 0 };
  return now.swing_deg > before.swing_deg + slack_deg || now.twist_deg > before.twist_deg + slack_deg;
}

/** Corners along the rim, in order: edges that belong to one triangle only. */
export function rim({ triangles }: Region): number[] {
  const next = new Map<number, number>();
  const edges = triangles.flatMap(([a, b, c]) => [[a, b], [b, c], [c, a]] as [number, number][]);
  for (const [a, b] of edges) if (!edges.some(([c, d]) => c === b && d === a)) next.set(a, b);
  const first = next.keys().next().value;
  const order: number[] = [];
  for (let at = first; at !== undefined && !order.includes(at); at = next.get(at)) order.push(at);
  return order;
}

/** A corner goes elsewhere; where a triangle would turn over or the disc be left, it stays. */
export function moveCorner(region: Region, corner: number, a_y: number, a_z: number): Region {
  if (Math.hypot(a_y, a_z) > 0.999) return region;
  const area = (corners: readonly Corner[], [a, b, c]: readonly [number, number, number]) =>
    (corners[b]![0] - corners[a]![0]) * (corners[c]![1] - corners[a]![1]) - (corners[b]![1] - corners[a]![1]) * (corners[c]![0] - corners[a]![0]);
  const corners = region.corners.map((each, i): Corner => (i === corner ? [rounded(a_y), rounded(a_z), each[2], each[3]] : each));
  const kept = region.triangles.every((triangle) => !triangle.includes(corner) || area(corners, triangle) * Math.sign(area(region.corners, triangle)) > 1e-4);
  return kept ? { ...region, corners, byHand: true } : region;
}

/** The twist bound of the whole region, by as much at every corner. */
export function moveTwist(region: Region, which: 'min' | 'max', by_deg: number): Region {
  const limit = (value: number, least: number, most: number) => rounded(Math.min(Math.max(value, least), most), 2);
  return {
    ...region,
    byHand: true,
    corners: region.corners.map(([a_y, a_z, min, max]): Corner => (which === 'min' ? [a_y, a_z, limit(min + by_deg, -180, max), max] : [a_y, a_z, min, limit(max + by_deg, min, 180)])),
  };
}

const rounded = (value: number, digits = 5) => Number(value.toFixed(digits));

/** The document of ranges with a joint's region put in its place; joints that it does not name stay human. */
export function withRegion(document: Json | undefined, region: Region): JsonObject {
  const before = isObject(document) ? document : { others: 'human' };
  const list = Array.isArray(before['joint_ranges']) ? (before['joint_ranges'] as Json[]) : [];
  const entry: JsonObject = { joint: region.name, parent_from_zero: [...region.parentFromZero], joint_from_frame: [...region.jointFromFrame], corners: region.corners.map((each) => [...each]), triangles: region.triangles.map((each) => [...each]) };
  const same = (item: Json) => isObject(item) && item['joint'] === region.name;
  return { ...before, joint_ranges: list.some(same) ? list.map((item) => (same(item) ? entry : item)) : [...list, entry] };
}
