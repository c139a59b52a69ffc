import { expect, test } from 'vitest';
import { advance, atRest, beginPart, endPart, lastTime, play, seek, setLength, setRange, setSpeed, snapped, stepFrames } from '../../src/model/transport';

const second = setLength(atRest, 1, 0.1);

test('time stays within the samples, of which the last is a step before the end', () => {
  expect(lastTime(second)).toBeCloseTo(0.9);
  expect(seek(second, 5).time_s).toBeCloseTo(0.9);
  expect(seek(second, -5).time_s).toBe(0);
});

test('steps go from frame to frame and stop playing', () => {
  const there = stepFrames({ ...seek(second, 0.33), playing: true }, 1);
  expect(there.time_s).toBeCloseTo(0.4);
  expect(there.playing).toBe(false);
  expect(snapped(second, 0.26)).toBeCloseTo(0.3);
});

test('time passes by the clock, not by frames', () => {
  const playing = setSpeed(play(second), 2);
  expect(advance(playing, 1 / 60).time_s).toBeCloseTo(2 / 60, 12);
  expect(advance(second, 1)).toBe(second);
});

test('a part is looped, and without a loop the end is the end', () => {
  const part = play(setRange(second, [0.6, 0.2]));
  expect(part.time_s).toBeCloseTo(0.2);
  expect(advance(part, 0.5).time_s).toBeCloseTo(0.3);
  const once = advance({ ...play(second), loop: false }, 3);
  expect(once.playing).toBe(false);
  expect(once.time_s).toBeCloseTo(0.9);
  expect(play(once).time_s).toBe(0);
});

test('another motion keeps the time where it can', () => {
  const shorter = setLength(setRange(seek(second, 0.8), [0.3, 0.9]), 0.5, 0.1);
  expect(shorter.time_s).toBeCloseTo(0.4);
  expect(shorter.range).toEqual([0.3, 0.5]);
  expect(setLength(second, 1, 0.1)).toBe(second);
});

test('a part begins or ends at this moment, and is turned round by neither', () => {
  const begun = beginPart(seek(second, 0.3));
  expect(begun.range).toEqual([0.3, 1]);
  expect(endPart(seek(begun, 0.6)).range).toEqual([0.3, 0.6]);
  expect(endPart(seek(begun, 0.2)).range).toEqual([0, 0.2]);
  expect(beginPart(seek(setRange(second, [0.1, 0.4]), 0.7)).range).toEqual([0.7, 1]);
});
