import { stem } from './files';
import { isObject, type Json, type JsonObject } from './json';
import type { Interval } from './motion';
import { nameOf, type Part, type Score } from './score';

/** A motion on the time line, all times on the composed motion's. */
export interface Block {
  readonly index: number;
  readonly name: string;
  readonly begin_s: number;
  readonly end_s: number;
  /** The row in which it lies over no other. */
  readonly lane: number;
  readonly core: Interval;
  /** Its time was found, not given. */
  readonly automatic: boolean;
  /** Why it is not played, and from when on it could be. */
  readonly refused: string | undefined;
  readonly earliest_s: number;
}

export interface Blend {
  readonly part: Part;
  readonly kind: string;
  readonly begin_s: number;
  readonly end_s: number;
  readonly byHand: boolean;
}

/** How a motion is joined to the one before. */
export interface JoinMark {
  readonly from: number;
  readonly to: number;
  readonly time_s: number;
  /** As the contacts have it; empty for techniques without one. */
  readonly method: string;
  readonly bridged: boolean;
  readonly blends: readonly Blend[];
}

const unknown_s = 1;

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const number = (value: Json | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const interval = (value: Json | undefined): Interval | undefined => (Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number') ? [value[0] as number, value[1] as number] : undefined);

/** Which motion of a report is which of the score. They differ for a moment while a changed score is being computed. */
function matched(score: Score, reported: readonly JsonObject[]): (number | undefined)[] {
  const free = new Set(reported.keys());
  const is = (index: number, clip: string) => free.has(index) && typeof reported[index]?.['clip'] === 'string' && stem(reported[index]['clip']) === stem(clip);
  return score.motions.map(({ clip }, i) => {
    const found = is(i, clip) ? i : [...free].find((index) => is(index, clip));
    if (found !== undefined) free.delete(found);
    return found;
  });
}

/** Where everything of a score is, as far as its last report tells; what the document says itself wins. */
export function scoreLayout(score: Score, report: JsonObject | undefined): { blocks: Block[]; joins: JoinMark[] } {
  const reported = objects(report?.['motions']), transitions = objects(report?.['transitions']);
  const match = matched(score, reported);
  let after_s = 0;
  /** By lane, the ends of what lies there so far. */
  const taken: Interval[][] = [];
  const blocks = score.motions.map((motion, index): Block => {
    const told = match[index] === undefined ? undefined : reported[match[index]];
    const join = transitions.find((each) => each['to'] === match[index] && match[index] !== undefined);
    const refused = join?.['executed'] === false;
    const duration_s = number(told?.['duration_s'], unknown_s);
    const core = motion.core ?? interval(told?.['core']) ?? [0.25 * duration_s, 0.75 * duration_s];
    const earliest_s = number(join?.['earliest_s'], 0);
    const begin_s = typeof motion.at === 'number' ? motion.at : number(told?.['at_s'], refused ? earliest_s : index === 0 ? 0 : after_s);
    after_s = begin_s + duration_s;
    // Beside the one before, so that a blend is seen from both; farther down where that is taken.
    const free = (lane: number) => (taken[lane] ?? []).every(([begin, end]) => end <= begin_s || begin >= after_s);
    let lane = index % 2;
    if (!free(lane)) for (lane = 0; !free(lane); ) ++lane;
    (taken[lane] ??= []).push([begin_s, after_s]);
    return {
      index, begin_s, end_s: after_s, lane, core: [begin_s + core[0], begin_s + core[1]], earliest_s,
      name: nameOf(motion), automatic: typeof motion.at !== 'number' && index > 0, refused: refused ? String(join['reason'] ?? '') : undefined,
    };
  });
  const indexOf = (told: Json | undefined) => match.findIndex((each) => each !== undefined && each === told);
  const joins = transitions.flatMap((each): JoinMark[] => {
    const from = indexOf(each['from']), to = indexOf(each['to']);
    if (each['executed'] !== true || from < 0 || to < 0) return [];
    // A block that is under way takes its blends along.
    const moved_s = blocks[to]!.begin_s - number(each['at_s'], blocks[to]!.begin_s);
    const blends = objects(each['intervals']).map((told): Blend => {
      const part = told['part'] === 'upper' ? 'upper' : 'lower';
      return { part, kind: String(told['kind'] ?? ''), begin_s: number(told['begin_s'], 0) + moved_s, end_s: number(told['end_s'], 0) + moved_s, byHand: score.motions[to]!.blend?.[part] !== undefined };
    });
    const time_s = blends.length > 0 ? (Math.min(...blends.slice(0, 2).map(({ begin_s }) => begin_s)) + Math.max(...blends.slice(0, 2).map(({ end_s }) => end_s))) / 2 : (blocks[from]!.core[1] + blocks[to]!.core[0]) / 2;
    return [{ from, to, time_s, method: typeof each['method'] === 'string' ? each['method'] : '', bridged: each['bridged'] === true, blends }];
  });
  return { blocks, joins };
}

/** Which motion or layer a message of the engine is about: `score.json: /motions/1/core: …`. */
export function placeOfProblem(problem: string | undefined): { kind: 'motion' | 'layer'; index: number } | undefined {
  const found = /\/(motions|layers)\/(\d+)/.exec(problem ?? '');
  return found ? { kind: found[1] === 'motions' ? 'motion' : 'layer', index: Number(found[2]) } : undefined;
}
