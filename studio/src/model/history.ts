/** What was, is, and could be again. A value, never changed in place. */
export interface History<T> {
  readonly past: readonly Step<T>[];
  readonly present: T;
  readonly future: readonly Step<T>[];
  /** Of the gesture that made the last step; what it does more belongs to that step. */
  readonly gesture: string | undefined;
}

export interface Step<T> {
  /** Said in menus: "Undo drag of left_hand". */
  readonly label: string;
  /** Before the step in `past`, after it in `future`. */
  readonly value: T;
}

const mostSteps = 500;

export function beginHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], gesture: undefined };
}

/** One gesture is one step: what comes under the name of the gesture before changes the present alone. */
export function commit<T>(history: History<T>, label: string, present: T, gesture?: string): History<T> {
  if (present === history.present) return history;
  if (gesture !== undefined && gesture === history.gesture) return { ...history, present, future: [] };
  const past = [...history.past, { label, value: history.present }].slice(-mostSteps);
  return { past, present, future: [], gesture };
}

/** Ends a gesture: the next one of the same name is a step of its own. */
export function endGesture<T>(history: History<T>): History<T> {
  return history.gesture === undefined ? history : { ...history, gesture: undefined };
}

export function undo<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  if (!last) return history;
  return { past: history.past.slice(0, -1), present: last.value, future: [{ label: last.label, value: history.present }, ...history.future], gesture: undefined };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { past: [...history.past, { label: next.label, value: history.present }], present: next.value, future, gesture: undefined };
}

/** The present replaced without a step: what was read, not what was done. Steps keep their own view of everything else. */
export function amend<T>(history: History<T>, change: (value: T) => T): History<T> {
  const steps = (list: readonly Step<T>[]) => list.map((step) => ({ ...step, value: change(step.value) }));
  return { ...history, past: steps(history.past), present: change(history.present), future: steps(history.future) };
}
