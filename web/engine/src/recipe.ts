import { mapped } from './remote.js';

// Same call, same clip: these are made again where a worker starts anew. Characters and solvers have moved on since.
const lasting = /^(Clip|Graph|CharacterKind)\.|^Ground\.(read|heights)$|^(compose|join|pose|footsteps|play|run|recompose|fix|loop|retarget)$/;
const lastingMethods = new Set(['take', 'fix', 'loop', 'retarget', 'drag', 'cut', 'resample', 'mirror', 'withContacts', 'withBodyMap']);

/** How an object of a worker came about, so that it can be made again in a new one. */
export class Recipe {
  key = '';
  /** The page does not have it any more; what was made from it may still need it. */
  freed = false;
  /** Calls that wait for it, or are at work with it. */
  uses = 0;
  /** Number of the worker in which it is; 0: in none. */
  generation = 0;
  /** What stands for it on the page; undefined before it is there. */
  object: WeakRef<object> | undefined;
  /** It can be made again. */
  readonly lasting: boolean;

  constructor(
    /** The `EngineWorker` whose it is. */
    readonly owner: object,
    readonly target: Recipe | undefined,
    readonly path: string,
    readonly args: unknown[] | undefined,
    inside = false,
  ) {
    this.lasting = !inside && (target === undefined ? lasting.test(path) : target.lasting && lastingMethods.has(path));
  }

  /** What must be there before it is made. */
  get needed(): Recipe[] {
    return neededBy(this.target, this.args);
  }
}

/** What must be there for a call. */
export function neededBy(target: Recipe | undefined, args: unknown[] | undefined): Recipe[] {
  const needed = target ? [target] : [];
  mapped(args ?? [], (leaf) => leaf instanceof Recipe && needed.push(leaf));
  return needed;
}
