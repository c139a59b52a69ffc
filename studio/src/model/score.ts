import { isObject, type Json, type JsonObject } from './json';
import { stem } from './files';
import type { Interval } from './motion';

export type Part = 'upper' | 'lower';

export interface ScoreMotion {
  readonly clip: string;
  /** When its first frame is, seconds; as early as possible when left out. */
  readonly at?: number | 'auto';
  /** What must survive, seconds of its clip; found by the engine when left out. */
  readonly core?: Interval;
  readonly from?: number;
  readonly to?: number;
  readonly keep_place?: boolean;
  /** Blends into it by hand, seconds of its clip. */
  readonly blend?: Readonly<Partial<Record<Part, Interval>>>;
  readonly [key: string]: unknown;
}

export interface ScoreLayer {
  readonly clip: string;
  readonly mask?: 'upper_body' | 'lower_body' | readonly string[];
  readonly kind?: 'override' | 'additive';
  readonly at?: number;
  readonly speed?: number;
  readonly weight?: number;
  readonly fade_in?: number;
  readonly fade_out?: number;
  readonly [key: string]: unknown;
}

export const techniques = ['optimal', 'constraint', 'pose', 'inertial', 'dead'] as const;
export type Technique = (typeof techniques)[number];

/** The document that `shosa compose` plays (docs/cli.md). Keys that the studio does not know are kept. */
export interface Score {
  readonly smoothness?: number;
  readonly method?: Technique;
  readonly bridge?: boolean;
  readonly motions: readonly ScoreMotion[];
  readonly layers?: readonly ScoreLayer[];
  readonly [key: string]: unknown;
}

export function asScore(value: Json | undefined): Score | undefined {
  return isObject(value) && Array.isArray(value['motions']) && value['motions'].every(isObject) ? (value as unknown as Score) : undefined;
}

export function scoreJson(score: Score): Json {
  return score as unknown as JsonObject;
}

export function newScore(): Score {
  return { smoothness: 0.5, motions: [] };
}

/** As people call it: the file, and which of its clips. */
export function nameOf({ clip, take }: ScoreMotion | ScoreLayer): string {
  return `${stem(clip)}${take === undefined ? '' : ` ${take as string | number}`}`;
}

/** Documents are read by people: a tenth of a millisecond says enough. */
export const roundedTime = (time_s: number) => Number(time_s.toFixed(4));
const roundedInterval = ([begin, end]: Interval): Interval => [roundedTime(begin), roundedTime(end)];

/** With some keys changed; those that become undefined are left out. */
export function changed<T extends object>(value: T, change: { [key in keyof T]?: T[key] | undefined }): T {
  return Object.fromEntries(Object.entries({ ...value, ...change }).filter(([, item]) => item !== undefined)) as T;
}

export function insertMotion(score: Score, index: number, motion: ScoreMotion): Score {
  const motions = [...score.motions];
  motions.splice(Math.max(0, Math.min(index, motions.length)), 0, motion);
  return { ...score, motions };
}

export function removeMotion(score: Score, index: number): Score {
  return { ...score, motions: score.motions.filter((_, i) => i !== index) };
}

export function setMotion(score: Score, index: number, change: { [key in keyof ScoreMotion]?: ScoreMotion[key] | undefined }): Score {
  return { ...score, motions: score.motions.map((motion, i) => (i === index ? changed(motion, change) : motion)) };
}

/**
 * A motion gets a time. Motions are played in their order where one of them is automatic, so it takes its place among the others by when cores
 * begin: `coreBegins` of the others, and its own once it has moved. Gives the motion's new number too. Those after it that have a time of their own
 * go along by so much as is said.
 */
export function moveMotion(score: Score, index: number, at_s: number, coreBegins: readonly number[], along_s = 0): { score: Score; index: number } {
  const led = { ...score, motions: score.motions.map((motion, i) => (i > index && typeof motion.at === 'number' ? { ...motion, at: roundedTime(motion.at + along_s) } : motion)) };
  const moved = setMotion(led, index, { at: roundedTime(at_s) });
  const order = moved.motions.map((_, i) => i).sort((a, b) => (coreBegins[a] ?? Infinity) - (coreBegins[b] ?? Infinity) || a - b);
  return { score: { ...moved, motions: order.map((i) => moved.motions[i]!) }, index: order.indexOf(index) };
}

export function setCore(score: Score, index: number, core: Interval | undefined): Score {
  return setMotion(score, index, { core: core && roundedInterval(core) });
}

/** A blend into a motion, seconds of its clip; undefined has it searched for again. */
export function setBlend(score: Score, index: number, part: Part, interval: Interval | undefined): Score {
  const blend = changed(score.motions[index]?.blend ?? {}, { [part]: interval && roundedInterval(interval) });
  return setMotion(score, index, { blend: Object.keys(blend).length > 0 ? blend : undefined });
}

export function addLayer(score: Score, layer: ScoreLayer): Score {
  return { ...score, layers: [...(score.layers ?? []), layer] };
}

export function setLayer(score: Score, index: number, change: { [key in keyof ScoreLayer]?: ScoreLayer[key] | undefined }): Score {
  return { ...score, layers: (score.layers ?? []).map((layer, i) => (i === index ? changed(layer, change) : layer)) };
}

export function removeLayer(score: Score, index: number): Score {
  const layers = (score.layers ?? []).filter((_, i) => i !== index);
  return changed(score, { layers: layers.length > 0 ? layers : undefined });
}
