import { expect, test } from 'vitest';
import { asPoseScript, dragOf, keyTimes, moveKey, newPoseScript, pinKind, pinOf, pinsAt, removeKey, removePin, setKey, setPin } from '../../src/model/pose_script';

const empty = newPoseScript('walk.bvh', { at_s: 0.5, duration_s: 2 });

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

test('keys that the studio does not know stay', () => {
  const script = asPoseScript({ clip: 'a.bvh', weights: 'equal', layers: [{ pins: [] }] })!;
  expect(setKey(script, 'head', 0, [0, 0, 0])).toMatchObject({ weights: 'equal', layers: [{ pins: [] }] });
  expect(keyTimes(setKey(script, 'head', 2, [0, 0, 0]))).toEqual([2]);
  expect(asPoseScript({ motions: [] })).toBeUndefined();
});
