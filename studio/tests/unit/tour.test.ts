import { expect, test } from 'vitest';
import { commit, undo } from '../../src/model/history';
import type { Files } from '../../src/model/files';
import { firstState, type State } from '../../src/model/state';
import { tourSteps } from '../../src/model/tour';

const step = (title: string) => tourSteps.find((each) => each.title === title)!;
const after = (state: State, label: string): State => ({ ...state, history: commit<Files>(state.history, label, new Map(state.history.present).set(label, { kind: 'document', value: state.history.past.length })) });
const undone = (state: State): State => ({ ...state, history: undo(state.history) });

test('a step is done by what its text asks for, and by nothing else', () => {
  expect(step('Drag a hand').done!(after(firstState, 'Drag right_hand'), firstState)).toBe(true);
  expect(step('Drag a hand').done!(after(firstState, 'Pin right_hand'), firstState)).toBe(false);
  expect(step('Undo').done!(undone(after(firstState, 'Drag head')), firstState)).toBe(true);
});

test('undo that leaves a drag as the last step is no drag', () => {
  const begun = after(after(firstState, 'Drag head'), 'Pin head');
  expect(step('Drag a hand').done!(undone(begun), begun)).toBe(false);
});

test('a project with as many steps as are kept goes on too', () => {
  let state = firstState;
  for (let i = 0; i < 500; ++i) state = after(state, `Pin ${i}`);
  expect(after(state, 'Drag head').history.past.length).toBe(state.history.past.length);
  expect(step('Drag a hand').done!(after(state, 'Drag head'), state)).toBe(true);
});
