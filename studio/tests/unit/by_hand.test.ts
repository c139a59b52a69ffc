import { expect, test } from 'vitest';
import { missingRoles, setRole } from '../../src/model/body_map';
import { addContact, between, contactsPath, feetOf, forget, ofTake, removeContact, saysNothing, setContact } from '../../src/model/contacts';
import type { Motion } from '../../src/model/motion';
import type { Joint } from '../../src/model/track';
import { writeWebm } from '../../src/model/webm';

const frame_s = 0.1, last_s = 3;
const walk = { contacts: { left: [[0, 0.5], [1, 1.5]], left_heel: [[0, 0.2]], right: [[0.5, 1]] } } as unknown as Motion;

test('the file beside the clip has its name', () => {
  expect(contactsPath('takes/walk.v2.bvh')).toBe('takes/walk.v2.contacts.json');
});

test('heels and toes have no bar of their own', () => {
  expect(feetOf(walk)).toEqual(['left', 'right']);
});

test('a hind foot has one bar, though it has two names', () => {
  const dog = { contacts: { left: [], right: [], hind_left: [], hind_right: [], front_left: [], front_right: [] } } as unknown as Motion;
  expect(feetOf(dog)).toEqual(['hind_left', 'hind_right', 'front_left', 'front_right']);
});

test('a bar stays a frame away from its neighbours, inside the clip, and a frame long', () => {
  const bars = walk.contacts['left']!;
  expect(between(bars, 0, [0.3, 1.2], last_s, frame_s)).toEqual([0, 0.9]);
  expect(between(bars, 1, [2.9, 3.4], last_s, frame_s)).toEqual([2.5, 3]);
  expect(between(bars, 1, [1.2, 1.2], last_s, frame_s)).toEqual([1.2, 1.3]);
  expect(between(bars, 0, [0.2, 1.2], last_s, frame_s, false)).toEqual([0.2, 0.9]);
});

test('one bar changes, the others of its foot are written down as they were', () => {
  expect(setContact({ core: [0, 1] }, walk, 'left', 1, [1.1, 1.6])).toEqual({ core: [0, 1], left: [[0, 0.5], [1.1, 1.6]] });
  expect(removeContact({}, walk, 'right', 0)).toEqual({ right: [] });
});

test('a contact is added where the foot does not stand and there is room', () => {
  expect(addContact({}, walk, 'left', 2, last_s, frame_s)).toEqual({ left: [[0, 0.5], [1, 1.5], [2, 2.2]] });
  expect(addContact({}, walk, 'left', 1.2, last_s, frame_s)).toBeUndefined();
  expect(addContact({}, walk, 'left', 0.95, last_s, frame_s)).toEqual({ left: [[0, 0.5], [0.7, 0.9], [1, 1.5]] });
});

test('what is forgotten is found again', () => {
  expect(forget({ left: [], left_toes: [], right: [] }, 'left')).toEqual({ right: [] });
  expect(saysNothing({ take: 'Walk' })).toBe(true);
  expect(saysNothing({ core: [0, 1] })).toBe(false);
});

test('a joint gives up its former role', () => {
  const neck = { name: 'Neck', role: 'neck' } as Joint;
  expect(setRole({ jaw: 'X' }, neck, 'head')).toEqual({ jaw: 'X', neck: null, head: 'Neck' });
  expect(setRole({}, neck, undefined)).toEqual({ neck: null });
  expect(missingRoles([neck])).toContain('head');
});

test('a film has its frames in clusters that begin with one that stands alone', () => {
  const frame = (time_ms: number, key: boolean) => ({ time_ms, key, bytes: new Uint8Array([1, 2, 3]) });
  const bytes = writeWebm({ codec: 'V_VP8', width: 64, height: 36, duration_ms: 120, frames: [frame(0, true), frame(40, false), frame(80, true)] });
  const text = String.fromCharCode(...bytes);
  expect([...bytes.slice(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
  expect(text.match(/\x1f\x43\xb6\x75/g)).toHaveLength(2);
  // The segment's length is what is left.
  const segment = text.indexOf('\x18\x53\x80\x67');
  expect(Number(new DataView(bytes.buffer).getBigUint64(segment + 4) & 0xffffffffffffffn)).toBe(bytes.length - segment - 12);
  const second = text.indexOf('\xa3\x01', text.indexOf('\x1f\x43\xb6\x75')) + 9 + 7;
  expect([...bytes.slice(second + 9, second + 13)]).toEqual([0x81, 0, 40, 0]);
});

test('what is said is of one clip of a file: the first, or that which it names', () => {
  const names = ['Idle', 'Run'];
  expect([ofTake({}, undefined), ofTake({}, { names, index: 0 }), ofTake({}, { names, index: 1 })]).toEqual([true, true, false]);
  expect([ofTake({ take: 'Run' }, { names, index: 1 }), ofTake({ take: 'Run' }, { names, index: 0 }), ofTake({ take: 1 }, { names, index: 1 })]).toEqual([true, false, true]);
});
