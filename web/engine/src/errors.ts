/** What went wrong: the status names of the C API, and what only a page can meet. */
export type ErrorCode =
  | 'bad_argument'
  | 'bad_handle'
  | 'cannot_read'
  | 'bad_file'
  | 'cannot_write'
  | 'not_possible'
  | 'out_of_memory'
  | 'wrong_version'
  | 'failed'
  /** The module stopped inside a call. Everything it held is gone; `load()` starts a new one. */
  | 'crashed'
  /** The object was disposed of, or belonged to a module that stopped. */
  | 'disposed'
  /** A worker's call was cancelled. */
  | 'cancelled';

/** An error of the engine: a code, one line that says what was found and expected, and where. */
export class ShosaError extends Error {
  override readonly name = 'ShosaError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Where in the input: `walk.bvh:214`, `score.json: /motions/0/clip`. Empty where the input has no places. */
    readonly place: string = placeOf(message),
  ) {
    super(message);
  }
}

// Messages begin with their place, in parts that end in ": " and hold no blanks but for "byte 12".
function placeOf(message: string): string {
  const parts = message.split(': ');
  let count = 0;
  while (count < parts.length - 1 && /^(\S+|byte \d+)$/.test(parts[count]!)) ++count;
  return parts.slice(0, count).join(': ');
}
