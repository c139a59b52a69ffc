import { expect, test } from 'vitest';
import { asPoseScript, dragOf, freeTime, keyTimes, moveKey, newPoseScript, pinKind, pinOf, pinsAt, removeKey, removePin, removePinAt, setKey, setPath, setPin, setPinTime, thinned, type PoseScript } from '../../src/model/pose_script';

const asJsonObject = (script: PoseScript) => JSON.parse(JSON.stringify(script)) as Record<string, never>;
const empty = newPoseScript('walk.bvh', { at_s: 0.5, duration_s: 2 }, true);

test('keys come in the order of time, one at a time', () => {
  let script = setKey(empty, 'left_hand', 1, [0, 1, 0]);
  script = setKey(script, 'left_hand', 0, [0, 0, 0]);
  script = setKey(script, 'left_hand', 1.0000001, [0, 2, 0]);
  expect(dragOf(script, 'left_hand')?.keys).toEqual([[0, [0, 0, 0]], [1, [0, 2, 0]]]);
  expect(empty.drags).toEqual([]);
});

test('a key goes to another time, over what is there', () => {
  let script = setKey(setKey(empty, 'head', 0, [0, 0, 1]), 'head', 1, [0, 0, 2]);
  script = moveKey(script, 'head', 0, 1);
  expect(dragOf(script, 'head')?.keys).toEqual([[1, [0, 0, 1]]]);
  expect(moveKey(script, 'head', 0.5, 1)).toBe(script);
});

test('without its last key a joint is not led any more', () => {
  const script = removeKey(setKey(empty, 'head', 0, [0, 0, 0]), 'head', 0);
  expect(script.drags).toEqual([]);
  expect(removeKey(empty, 'head', 0)).toBe(empty);
});

test('a joint has one pin, with or without its turn', () => {
  let script = setPin(empty, { joint: 'left_foot', position: [0.123456789, 0, 0] });
  expect(pinKind(pinOf(script, 'left_foot'))).toBe('position');
  expect(pinOf(script, 'left_foot')?.position).toEqual([0.12346, 0, 0]);
  script = setPin(script, { joint: 'left_foot', orientation: [0, 0, 0, 1] });
  expect(script.pins).toHaveLength(1);
  expect(pinKind(pinOf(script, 'left_foot'))).toBe('both');
  expect(removePin(script, 'left_foot').pins).toEqual([]);
});

test('pins hold in their time', () => {
  const script = setPin(setPin(empty, { joint: 'a', from_s: 0.5, to_s: 1 }), { joint: 'b' });
  expect(pinsAt(script, 0).map(({ joint }) => joint)).toEqual(['b']);
  expect(pinsAt(script, 1).map(({ joint }) => joint)).toEqual(['a', 'b']);
});

test('of two pins of a joint, one after the other, one gets another time', () => {
  const script: PoseScript = { ...empty, pins: [{ joint: 'a', to_s: 0.5 }, { joint: 'a', from_s: 1 }] };
  expect(setPinTime(script, 0, [0.2, 0.7], 2).pins).toEqual([{ joint: 'a', from_s: 0.2, to_s: 0.7 }, { joint: 'a', from_s: 1 }]);
  expect(setPinTime(script, 1, [0.8, 2], 2).pins).toEqual([{ joint: 'a', to_s: 0.5 }, { joint: 'a', from_s: 0.8 }]);
  expect(removePinAt(script, 0).pins).toEqual([{ joint: 'a', from_s: 1 }]);
});

test('keys that the studio does not know stay', () => {
  const script = asPoseScript({ clip: 'a.bvh', weights: 'equal', layers: [{ pins: [] }] })!;
  expect(setKey(script, 'head', 0, [0, 0, 0])).toMatchObject({ weights: 'equal', layers: [{ pins: [] }] });
  expect(keyTimes(setKey(script, 'head', 2, [0, 0, 0]))).toEqual([2]);
  expect(asPoseScript({ motions: [] })).toBeUndefined();
});

test('a recorded path takes the place of the keys within its time', () => {
  let script = [0, 0.5, 1.5].reduce((value, time) => setKey(value, 'head', time, [time, 0, 0]), empty);
  script = setPath(script, 'head', [[0.4, [0, 1, 0]], [1, [0, 2, 0]]]);
  expect(dragOf(script, 'head')?.keys.map(([time]) => time)).toEqual([0, 0.4, 1, 1.5]);
  expect(setPath(script, 'head', [])).toBe(script);
});

test('a path keeps its ends, and a key now and then between', () => {
  const path = Array.from({ length: 33 }, (_, i): [number, [number, number, number]] => [i / 60, [i, 0, 0]]);
  const kept = thinned(path, 0.1).map(([time]) => time);
  expect(kept[0]).toBe(0);
  expect(kept.at(-1)).toBeCloseTo(32 / 60);
  expect(kept).toHaveLength(7);
});

test('of a held posture the body goes to the first key from the beginning on', () => {
  let script = setKey(empty, 'head', 0.5, [0, 0, 0]);
  expect(dragOf(script, 'head')?.fade_in_s).toBe(0.5);
  script = moveKey(script, 'head', 0.5, 1);
  expect(dragOf(script, 'head')?.fade_in_s).toBe(1);
  expect(dragOf(setKey(script, 'head', 0, [0, 0, 0]), 'head')?.fade_in_s).toBeUndefined();
  const own = asPoseScript({ ...asJsonObject(script), drags: [{ joint: 'head', keys: [[1, [0, 0, 0]]], fade_in_s: 0.3 }] })!;
  expect(dragOf(setKey(own, 'head', 0.8, [0, 0, 0]), 'head')?.fade_in_s).toBe(0.3);
  expect(dragOf(setKey(newPoseScript('walk.bvh', undefined, true), 'head', 0.5, [0, 0, 0]), 'head')?.fade_in_s).toBeUndefined();
});

test('only people begin with the ranges of people', () => {
  expect(empty.ranges).toBe(true);
  expect('ranges' in newPoseScript('dog.bvh', undefined, false)).toBe(false);
});

test('a key led onto another stops beside it, on the side from which it comes', () => {
  const script = [0.5, 1 - 0.1, 1].reduce((value, time_s) => setKey(value, 'head', time_s, [0, time_s, 0]), empty);
  expect(freeTime(script, 'head', 0.5, 1, 0.1)).toBeCloseTo(0.8);
  expect(freeTime(script, 'head', 1, 0.5, 0.1)).toBeCloseTo(0.6);
  expect(freeTime(script, 'head', 0.5, 1.1, 0.1)).toBe(1.1);
  expect(freeTime(script, 'head', 0.9, 1, 0.1)).toBeCloseTo(0.9);
});
