import { expect, test } from 'vitest';
import { fitsWords, parseSearch } from '../../src/model/clip_search';
import type { Motion } from '../../src/model/motion';

const run = { track: { frameCount: 90, frameTime_s: 1 / 30, joints: Array(31).fill({}) }, facts: { speed_mps: 3, cycle_s: 0.7, flight_s: 0.2 } } as unknown as Motion;

test('words are parts of the name, in any order', () => {
  const search = parseSearch('Run 02');
  expect(search.facts).toBeUndefined();
  expect(fitsWords(search, 'takes/02_run.bvh')).toBe(true);
  expect(fitsWords(search, 'takes/03_run.bvh')).toBe(false);
});

test.each([['length>2', true], ['length<2', false], ['speed>2.5 joints<40', true], ['speed>2.5 joints<30', false], ['fps=30', true], ['cycle', true], ['flight>0.3', false], ['flight', true]])('%s', (typed, fits) => {
  const search = parseSearch(typed);
  expect(search.words).toEqual([]);
  expect(search.facts!(run)).toBe(fits);
});

test('what is no fact is a word', () => {
  expect(parseSearch('speedy constructor length').words).toEqual(['speedy', 'constructor', 'length']);
});
