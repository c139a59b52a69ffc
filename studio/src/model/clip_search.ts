import type { Motion } from './motion';

/** What can be asked of a clip in numbers: `length>2`, `speed<1.5`, `joints=31`. */
const measures = {
  length: ({ track }: Motion) => track.frameCount * track.frameTime_s,
  speed: ({ facts }: Motion) => facts.speed_mps,
  fps: ({ track }: Motion) => 1 / track.frameTime_s,
  joints: ({ track }: Motion) => track.joints.length,
  cycle: ({ facts }: Motion) => facts.cycle_s,
  flight: ({ facts }: Motion) => facts.flight_s,
};
type Measure = keyof typeof measures;

/** For people: what may be typed. */
export const searchHelp = 'Words of the name, and facts: length>2 speed<1.5 cycle flight joints<40 fps=120';

export interface Search {
  /** Parts of the name, in small letters. */
  readonly words: readonly string[];
  /** Undefined where names alone are asked for, and no clip needs to be read. */
  readonly facts: ((motion: Motion) => boolean) | undefined;
}

/** `walk speed>1 cycle`: a fact without a number asks whether there is any of it. */
export function parseSearch(typed: string): Search {
  const words: string[] = [], tests: ((motion: Motion) => boolean)[] = [];
  for (const part of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [, name, sign, number] = /^([a-z]+)(?:([<>=])(\d*\.?\d+))?$/.exec(part) ?? [];
    const measure = name !== undefined && Object.hasOwn(measures, name) ? measures[name as Measure] : undefined;
    const bound = Number(number);
    if (measure && sign === '<') tests.push((motion) => measure(motion) < bound);
    else if (measure && sign === '>') tests.push((motion) => measure(motion) > bound);
    else if (measure && sign === '=') tests.push((motion) => Math.abs(measure(motion) - bound) <= 0.01 * Math.max(1, bound));
    else if (measure && (name === 'cycle' || name === 'flight')) tests.push((motion) => measure(motion) > 0);
    else words.push(part);
  }
  return { words, facts: tests.length === 0 ? undefined : (motion) => tests.every((test) => test(motion)) };
}

export const fitsWords = ({ words }: Search, name: string) => words.every((word) => name.toLowerCase().includes(word));
