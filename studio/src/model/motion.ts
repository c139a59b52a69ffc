import type { JsonObject } from './json';
import { duration, type Joint, type Track } from './track';

export type Interval = readonly [begin_s: number, end_s: number];

/** A motion as the page shows it: plain data. The engine (engine/engine.ts) knows the clip behind it. */
export interface Motion {
  readonly name: string;
  readonly track: Track;
  /** By foot: `left`, `right`, … Empty where nothing could be found. */
  readonly contacts: Readonly<Record<string, readonly Interval[]>>;
  readonly core: Interval | undefined;
  readonly facts: Facts;
  /** What the call that made it says; of a file that was read, what `shosa info` says. */
  readonly report: JsonObject;
  readonly warnings: readonly string[];
  /** What was done on the way, such as postures that were left out. */
  readonly notes: readonly string[];
  /** Of a file that holds several clips: their names, and which of them this is. */
  readonly takes: Takes | undefined;
  /** The file, where it may hold a skin. */
  readonly skin: Skin | undefined;
}

/** 0 where there is none of it. */
export interface Facts {
  /** Of the hips over the ground, on the whole. */
  readonly speed_mps: number;
  /** How long what repeats takes. */
  readonly cycle_s: number;
  /** How long no foot stands, in all. */
  readonly flight_s: number;
  /** Height of the lowest joint of feet that stand. */
  readonly ground_m: number;
}

export interface Takes {
  readonly names: readonly string[];
  readonly index: number;
}

export interface Skin {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Metres in a unit of the file. */
  readonly unit_m: number;
}

export function motionDuration(motion: Motion | undefined): number {
  return motion ? duration(motion.track) : 0;
}

/** Feet that stand at a time. */
export function standing(motion: Motion, time_s: number): string[] {
  return Object.entries(motion.contacts).filter(([, intervals]) => intervals.some(([begin, end]) => begin <= time_s && time_s <= end)).map(([foot]) => foot);
}

/** Joints of a foot by its name in the contacts: front feet of animals are the hands of people. */
export function footJoints(motion: Motion, foot: string): number[] {
  const [, place, side] = /^(front_|hind_)?(.*)$/.exec(foot)!;
  return (place === 'front_' ? [`${side}_hand`] : [`${side}_foot`, `${side}_toes`]).map((role) => jointNumber(motion, role)).filter((joint) => joint >= 0);
}

/** The same joints, and so the same numbers of them. */
export function sameBody(a: readonly Joint[] | undefined, b: readonly Joint[] | undefined): boolean {
  return a === b || (a !== undefined && a.length === b?.length && a.every(({ name, parent }, i) => name === b[i]!.name && parent === b[i]!.parent));
}

/** The number of a joint by its name or role; -1 for none. */
export function jointNumber(motion: Motion, name: string): number {
  const { joints } = motion.track;
  const byName = joints.findIndex((joint) => joint.name === name);
  return byName >= 0 ? byName : joints.findIndex((joint) => joint.role === name);
}

/** How documents call a joint: its role where it plays one, which other bodies share. */
export function jointLabel(motion: Motion, joint: number): string {
  const { name, role } = motion.track.joints[joint]!;
  return role ?? name;
}
