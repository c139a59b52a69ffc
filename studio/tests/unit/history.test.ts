import { expect, test } from 'vitest';
import { amend, beginHistory, commit, endGesture, redo, undo } from '../../src/model/history';

test('undo and redo give the very values back', () => {
  const a = { a: 1 }, b = { a: 2 }, c = { a: 3 };
  let history = commit(commit(beginHistory(a), 'two', b), 'three', c);
  history = undo(history);
  expect(history.present).toBe(b);
  expect(undo(history).present).toBe(a);
  expect(redo(history).present).toBe(c);
  expect(redo(history).past.map(({ label }) => label)).toEqual(['two', 'three']);
});

test('one gesture is one step, however often it changes something', () => {
  let history = beginHistory(0);
  for (let i = 1; i <= 50; ++i) history = commit(history, 'Drag hand', i, 'drag 1');
  expect(history.past).toHaveLength(1);
  expect(undo(history).present).toBe(0);
  history = commit(history, 'Drag hand', 51, 'drag 2');
  expect(history.past).toHaveLength(2);
});

test('a gesture that has ended takes nothing more', () => {
  let history = commit(beginHistory(0), 'Drag', 1, 'drag');
  history = commit(endGesture(history), 'Drag', 2, 'drag');
  expect(undo(history).present).toBe(1);
});

test('what undo came back from is not merged into', () => {
  let history = commit(beginHistory(0), 'Drag', 1, 'drag');
  history = commit(undo(history), 'Drag', 2, 'drag');
  expect(undo(history).present).toBe(0);
  expect(history.future).toEqual([]);
});

test('the same value is no step', () => {
  const history = beginHistory('x');
  expect(commit(history, 'nothing', 'x')).toBe(history);
});

test('what was read is in every step, and is no step', () => {
  const history = undo(commit(beginHistory([1]), 'more', [1, 2]));
  const read = amend(history, (list) => [...list, 9]);
  expect(read.present).toEqual([1, 9]);
  expect(redo(read).present).toEqual([1, 2, 9]);
});
