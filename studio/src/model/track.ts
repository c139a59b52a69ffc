/** A joint as the engine tells of it. */
export interface Joint {
  readonly name: string;
  /** -1 for the root; parents come before their children. */
  readonly parent: number;
  readonly role: string | undefined;
  readonly restTranslation: readonly number[];
  readonly restRotation: readonly number[];
}

/** The joint that goes where the body goes: the hips, or the root of what has none. */
export function carrierOf(joints: readonly Joint[]): number {
  return Math.max(0, joints.findIndex(({ role }) => role === 'hips'));
}

/** What stands above the hips is the place of the body, no part of it. */
export function ofBody(joints: readonly Joint[]): boolean[] {
  const own = joints.map(() => true);
  for (let above = joints[carrierOf(joints)]?.parent ?? -1; above >= 0; above = joints[above]!.parent) own[above] = false;
  return own;
}

/** A motion's postures, copied out of the engine, so that playing asks nobody. */
export interface Track {
  readonly joints: readonly Joint[];
  readonly frameCount: number;
  readonly frameTime_s: number;
  /** x, y, z, w a joint and frame: parent_from_joint. */
  readonly rotations: Float32Array;
  /** x, y, z a joint and frame, metres. */
  readonly translations: Float32Array;
}

export interface LocalPose {
  rotations: Float32Array;
  translations: Float32Array;
}

export function duration(track: Track): number {
  return track.frameCount * track.frameTime_s;
}

/** The posture at any time, between frames on the shorter arc. */
export function sampleTrack(track: Track, time_s: number): LocalPose {
  const count = track.joints.length;
  const place = Math.min(Math.max(time_s / track.frameTime_s, 0), track.frameCount - 1);
  // Times come as sums of frames; what is within a millionth of a frame is that frame, to the bit.
  const near = Math.abs(place - Math.round(place)) < 1e-6 ? Math.round(place) : Math.floor(place);
  const share = Math.max(0, place - near);
  const rotations = track.rotations.slice(4 * count * near, 4 * count * (near + 1));
  const translations = track.translations.slice(3 * count * near, 3 * count * (near + 1));
  if (share < 1e-6 || near + 1 >= track.frameCount) return { rotations, translations };
  const nextR = 4 * count * (near + 1), nextT = 3 * count * (near + 1);
  for (let i = 0; i < 3 * count; ++i) translations[i]! += share * (track.translations[nextT + i]! - translations[i]!);
  for (let joint = 0; joint < count; ++joint) mixRotation(rotations, 4 * joint, track.rotations, nextR + 4 * joint, share);
  return { rotations, translations };
}

/** a becomes (1 − share) a + share b, of length 1: the arc's place is off by less than 0.01° for frames that are 10° apart. */
function mixRotation(a: Float32Array, i: number, b: Float32Array, k: number, share: number): void {
  let dot = 0;
  for (let axis = 0; axis < 4; ++axis) dot += a[i + axis]! * b[k + axis]!;
  const sign = dot < 0 ? -share : share;
  let square = 0;
  for (let axis = 0; axis < 4; ++axis) {
    const value = (1 - share) * a[i + axis]! + sign * b[k + axis]!;
    a[i + axis] = value;
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  for (let axis = 0; axis < 4; ++axis) a[i + axis]! /= length;
}

/** world_from_joint of a posture: 16 numbers a joint, column after column. */
export function worldMatrices(joints: readonly Joint[], pose: LocalPose, out = new Float32Array(16 * joints.length)): Float32Array {
  for (let joint = 0; joint < joints.length; ++joint) {
    const local = localMatrix(pose, joint);
    const parent = joints[joint]!.parent;
    if (parent < 0) out.set(local, 16 * joint);
    else multiply(out, 16 * parent, local, 16 * joint);
  }
  return out;
}

const scratch = new Float64Array(16);

function localMatrix({ rotations, translations }: LocalPose, joint: number): Float64Array {
  const x = rotations[4 * joint]!, y = rotations[4 * joint + 1]!, z = rotations[4 * joint + 2]!, w = rotations[4 * joint + 3]!;
  scratch.set([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0, 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, translations[3 * joint]!, translations[3 * joint + 1]!, translations[3 * joint + 2]!, 1]);
  return scratch;
}

/** out[at] = out[parent] · local. */
function multiply(out: Float32Array, parent: number, local: Float64Array, at: number): void {
  for (let column = 0; column < 4; ++column)
    for (let row = 0; row < 4; ++row) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += out[parent + 4 * k + row]! * local[4 * column + k]!;
      out[at + 4 * column + row] = sum;
    }
}

export type Vec3 = readonly [x: number, y: number, z: number];

export function jointPlace(matrices: Float32Array, joint: number): Vec3 {
  return [matrices[16 * joint + 12]!, matrices[16 * joint + 13]!, matrices[16 * joint + 14]!];
}

/** x, y, z, w of world_from_joint. */
export function jointTurn(matrices: Float32Array, joint: number): readonly [number, number, number, number] {
  const m = (row: number, column: number) => matrices[16 * joint + 4 * column + row]!;
  // Of the four squares the largest is taken first, so that nothing is divided by what is nearly 0.
  const trace = [m(0, 0) - m(1, 1) - m(2, 2), m(1, 1) - m(0, 0) - m(2, 2), m(2, 2) - m(0, 0) - m(1, 1), m(0, 0) + m(1, 1) + m(2, 2)];
  const largest = trace.indexOf(Math.max(...trace));
  const s = 2 * Math.sqrt(1 + trace[largest]!);
  const [a, b, c] = [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)];
  const [xy, xz, yz] = [m(0, 1) + m(1, 0), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1)];
  if (largest === 0) return [s / 4, xy / s, xz / s, a / s];
  if (largest === 1) return [xy / s, s / 4, yz / s, b / s];
  if (largest === 2) return [xz / s, yz / s, s / 4, c / s];
  return [a / s, b / s, c / s, s / 4];
}
