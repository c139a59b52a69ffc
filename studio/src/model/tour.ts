import { documentAt } from './files';
import { asScore } from './score';
import type { Space, State } from './state';

/** A step of the tour: what to do, and what shows that it was done. */
export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** Where it is done. */
  readonly space: Space;
  /** What is opened for it. */
  readonly open?: string;
  /** Compared with the state in which the step began; the last one is over when the user says so. */
  done?(state: State, since: State): boolean;
}

/** A new step of undo under a label that begins so. What is undone leaves an older one behind, and is not meant. */
function did(word: string) {
  return ({ history }: State, since: State) => history.future.length === 0 && history.past.at(-1) !== since.history.past.at(-1) && history.past.at(-1)?.label.startsWith(word) === true;
}

function joined({ history, open }: State): number {
  return asScore(documentAt(history.present, open.compose))?.motions.length ?? 0;
}

export const tourSteps: readonly TourStep[] = [
  { title: 'Drag a hand', text: 'Press on the hand of the figure and drag it. The body follows, and its feet stay.', space: 'pose', done: did('Drag') },
  { title: 'Pin a joint', text: 'Click a foot, an elbow or any other joint with the right button: it is pinned where it is. Then drag the hand again.', space: 'pose', done: did('Pin') },
  { title: 'Key by key', text: 'Every drag is a key at its time. Click farther right in the time line, drag the hand to somewhere else, and press Space to see it move.', space: 'pose', done: ({ transport }, since) => transport.playing && !since.transport.playing },
  { title: 'Undo', text: 'Ctrl+Z takes back one gesture at a time; Ctrl+Shift+Z does it again. All is saved by itself.', space: 'pose', done: ({ history }, since) => history.future.length > since.history.future.length },
  { title: 'Change a clip', text: 'This walk ships; your own files come in when you drop them anywhere. Press Mirror on the right: the ghost is the walk before. Then keep it as a new file.', space: 'library', open: 'motions:walk_normal', done: did('Add') },
  { title: 'Join clips', text: 'Click two clips in the list on the left, or drag them onto the time line. Each joins the one before as early as it can.', space: 'compose', done: (state, since) => joined(state) >= 2 && state.history.present !== since.history.present },
  { title: 'Lead the result', text: 'Drag a block to another time, or Smoothness on the right, and see the body change. Space plays it.', space: 'compose', done: did('') },
  { title: 'Take it with you', text: 'Ctrl+E writes a motion, a picture or a film. F3 finds every command, ? shows all keys.', space: 'compose' },
];
