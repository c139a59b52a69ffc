import { type ErrorCode, ShosaError } from './errors.js';
import { type GroundArea, sampleGround } from './ground.js';
import { Handle } from './handle.js';
import { compile, expectLoadOptions, type LoadOptions } from './load.js';
import { neededBy, Recipe } from './recipe.js';
import { type Key, isKey, mapped, type RemoteApi, type Reply, type Request } from './remote.js';

export type { Given, Remote, RemoteApi, RemoteObject } from './remote.js';
export { ShosaError, type ErrorCode } from './errors.js';

interface Waiting {
  target: Recipe | undefined;
  path: string;
  args: unknown[] | undefined;
  /** What it keeps alive until it is over. */
  holds: Recipe[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Thread {
  postMessage(message: unknown): void;
  terminate(): unknown;
  /** Node.js alone: whether the program waits for the thread. */
  ref?(): void;
  unref?(): void;
}

const recipes = new WeakMap<object, Recipe>();

/** The engine in a worker of its own: the page goes on while it works. */
export class EngineWorker {
  private readonly waiting: Waiting[] = [];
  private current: Waiting | undefined;
  private thread: Thread | undefined;
  private generation = 0;
  /** The thread is gone, and nobody was waiting for an answer. */
  private dead = false;
  private count = 0;
  private ended = false;
  private readonly freed: string[] = [];
  /** What the page has of the worker's objects, by their keys: an object that comes again is the same object. */
  private readonly known = new Map<string, Recipe>();
  private answer: ((reply: Reply & { kind: 'value' | 'error' }) => void) | undefined;
  private readonly forgotten = new FinalizationRegistry<Recipe>((recipe) => this.free(recipe));

  private readonly module: Promise<WebAssembly.Module>;
  private starting: Promise<void>;
  /** Ends the wait for a start that another has taken the place of. */
  private giveWay: (() => void) | undefined;

  /** @internal */
  constructor(private readonly options: LoadOptions) {
    // The thread starts while the module is compiled.
    this.module = compile(options.module);
    this.starting = this.restart();
  }

  /** The engine runs. Calls may be made before: they wait, and throw where it cannot start. */
  get ready(): Promise<void> {
    return this.starting;
  }

  /** The package's classes and functions. */
  readonly api = this.branch(undefined, '') as unknown as RemoteApi;

  /** A call is being carried out, or waits for it. */
  get busy(): boolean {
    return this.current !== undefined || this.waiting.length > 0;
  }

  /** Ends what is being carried out, and forgets what waits: those calls throw `cancelled`. Clips, graphs, kinds and grounds are made again when they are next used. */
  async cancel(): Promise<void> {
    const cancelled = [...(this.current ? [this.current] : []), ...this.waiting.splice(0)];
    if (cancelled.length === 0) return;
    this.current = undefined;
    this.answer = undefined;
    for (const call of cancelled) {
      this.letGo(call);
      call.reject(new ShosaError('cancelled', `${call.path} was cancelled`, ''));
    }
    await this.restart();
    void this.next();
  }

  /** Ends the worker. */
  terminate(): void {
    this.ended = true;
    this.giveWay?.();
    this.thread?.terminate();
    for (const { reject, path } of [...(this.current ? [this.current] : []), ...this.waiting.splice(0)]) reject(new ShosaError('disposed', `${path}: the worker has ended`, ''));
  }

  private restart(): Promise<void> {
    this.starting = this.start();
    // The next call tries again.
    this.starting.catch(() => (this.dead = true));
    return this.starting;
  }

  private start(): Promise<void> {
    this.giveWay?.();
    this.thread?.terminate();
    const generation = ++this.generation;
    this.freed.length = 0;
    this.known.clear();
    this.dead = false;
    const lock = lockName();
    return new Promise<void>((resolve, reject) => {
      this.giveWay = resolve;
      const receive = (reply: Reply) => {
        if (generation !== this.generation) return;
        if (reply.kind === 'ready') {
          this.thread!.unref?.();
          resolve();
          // The worker holds the lock as long as it lives: whoever gets it next knows that the browser has ended it.
          if (lock) void navigator.locks.request(lock, () => fail('the browser has ended it')).catch(() => undefined);
        }
        else if (reply.kind === 'log') this.options.log?.(reply.level, reply.text);
        else if (reply.kind === 'progress') this.options.progress?.(reply.done, reply.total, reply.part);
        else this.answer?.(reply);
      };
      const fail = (message: string) => {
        if (generation !== this.generation || this.ended) return;
        const error = { code: 'crashed', message: `the worker has stopped: ${message}`, place: '' };
        this.dead = true;
        reject(new ShosaError('crashed', error.message, ''));
        this.answer?.({ kind: 'error', id: '', error, crashed: true });
      };
      newThread(receive, fail).then(async (made) => {
        if (generation !== this.generation || this.ended) return void made.terminate();
        this.thread = made;
        made.postMessage({ module: await this.module, maxMemoryBytes: this.options.maxMemoryBytes, lock });
      }).catch((error: unknown) => {
        if (generation === this.generation) this.thread?.terminate();
        reject(error);
      });
    });
  }

  /** The newest worker runs: another may have begun to start while one was waited for. */
  private async running(): Promise<void> {
    for (let start: Promise<void> | undefined; start !== this.starting; ) await (start = this.starting).catch(() => undefined); // Tried again.
    if (this.dead) await this.restart();
  }

  private free(recipe: Recipe): void {
    recipe.freed = true;
    this.drop(recipe);
  }

  /** Out of the worker with what nobody has and no call needs. */
  private drop(recipe: Recipe): void {
    if (!recipe.freed || recipe.uses > 0) return;
    // A forgotten object may have come anew since.
    const current = this.known.get(recipe.key) ?? recipe;
    if (recipe.generation === this.generation && current === recipe) {
      this.freed.push(recipe.key);
      this.known.delete(recipe.key);
    }
    recipe.generation = 0;
  }

  private hold(call: Waiting, recipe: Recipe): void {
    ++recipe.uses;
    call.holds.push(recipe);
  }

  private letGo(call: Waiting): void {
    for (const recipe of call.holds.splice(0)) {
      --recipe.uses;
      this.drop(recipe);
    }
  }

  private enqueue(target: Recipe | undefined, path: string, args: unknown[] | undefined): Promise<unknown> {
    if (this.ended) return Promise.reject(new ShosaError('disposed', `${path}: the worker has ended`, ''));
    try {
      if (target === undefined && path === 'Ground.from') [path, args] = ['Ground.heights', [sampled(args)]];
      args &&= mapped(args, (leaf) => this.given(path, leaf)) as unknown[];
      if (neededBy(target, args).some(({ freed }) => freed)) throw new ShosaError('disposed', `${path}: of an object that was disposed of`, '');
    } catch (error) {
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      const call: Waiting = { target, path, args, holds: [], resolve, reject };
      for (const recipe of neededBy(target, args)) this.hold(call, recipe);
      this.waiting.push(call);
      void this.next();
    });
  }

  /** What stands for something that a call is given: its recipe where it lives in this worker. */
  private given(path: string, leaf: unknown): unknown {
    const recipe = recipes.get(leaf as object);
    // The same key is of something else there.
    if (recipe && recipe.owner !== this) throw new ShosaError('bad_argument', `${path}: an object of another worker, expected one of this worker`, '');
    if (leaf instanceof Handle) throw new ShosaError('bad_argument', `${path}: a ${leaf.constructor.name} of the page, expected one of this worker`, '');
    return recipe ?? leaf;
  }

  private async next(): Promise<void> {
    if (this.current !== undefined || this.waiting.length === 0) return;
    const call = (this.current = this.waiting.shift()!);
    const finish = (settle: () => void) => {
      if (this.current !== call) return;
      this.current = undefined;
      settle();
      this.letGo(call);
      // A worker that nobody waits for does not keep the program.
      if (this.waiting.length === 0) this.thread?.unref?.();
      void this.next();
    };
    try {
      await this.running();
      if (this.current !== call) return;
      this.thread?.ref?.();
      const recipe = new Recipe(this, call.target, call.path, call.args);
      const value = await this.carryOut(recipe, call);
      finish(() => call.resolve(this.incoming(value, recipe)));
    } catch (error) {
      if (this.current === call && error instanceof ShosaError && error.code === 'crashed') await this.restart().catch(() => undefined);
      finish(() => call.reject(error));
    }
  }

  /** Sends one call, after all that it needs was made again where it has to be. */
  private async carryOut(recipe: Recipe, call: Waiting): Promise<unknown> {
    for (const other of recipe.needed) {
      if (other.generation === this.generation) continue;
      if (!other.lasting) throw new ShosaError('disposed', 'the object was lost when the worker started again', '');
      // Kept until the call is over: what was disposed of goes again then.
      this.hold(call, other);
      await this.carryOut(other, call);
    }
    recipe.key = String(++this.count);
    const args = recipe.args && (mapped(recipe.args, (leaf) => (leaf instanceof Recipe ? ({ $remote: leaf.key } satisfies Key) : leaf)) as unknown[]);
    const request: Request = { id: recipe.key, target: recipe.target?.key, path: recipe.path, free: this.freed.splice(0), ...(args ? { args } : {}) };
    return new Promise((resolve, reject) => {
      this.answer = (reply) => {
        this.answer = undefined;
        if (reply.kind === 'value') {
          recipe.generation = this.generation;
          if (recipe.object) this.known.set(recipe.key, recipe);
          resolve(reply.value);
        }
        else reject(new ShosaError(reply.error.code as ErrorCode, reply.error.message, reply.error.place));
      };
      try {
        this.thread!.postMessage(request);
      } catch (error) {
        this.answer = undefined;
        this.freed.push(...request.free);
        reject(new ShosaError('bad_argument', `${recipe.path}: ${(error as Error).message}`, ''));
      }
    });
  }

  private incoming(value: unknown, recipe: Recipe): unknown {
    return mapped(value, (leaf) => {
      if (!isKey(leaf)) return leaf;
      const object = this.known.get(leaf.$remote)?.object?.deref();
      if (object !== undefined) return object;
      if (leaf.$remote === recipe.key) return this.object(recipe);
      // The worker has it still: it was not told yet that it can go.
      const leaving = this.freed.indexOf(leaf.$remote);
      if (leaving >= 0) this.freed.splice(leaving, 1);
      const inside = new Recipe(this, recipe.target, recipe.path, recipe.args, true);
      inside.key = leaf.$remote;
      inside.generation = recipe.generation;
      return this.object(inside);
    });
  }

  private object(recipe: Recipe): object {
    const object = this.branch(recipe, '');
    recipes.set(object, recipe);
    recipe.object = new WeakRef(object);
    this.known.set(recipe.key, recipe);
    this.forgotten.register(object, recipe);
    return object;
  }

  /** Something whose members are asked of the worker: called, or awaited as properties. */
  private branch(target: Recipe | undefined, path: string): object {
    return new Proxy(function () {}, {
      get: (_, name) => {
        if (path === '' && target && (name === 'dispose' || name === Symbol.dispose)) return () => this.free(target);
        if (typeof name === 'symbol') return undefined;
        if (name === 'then') {
          // An object itself is not awaited, its properties are.
          if (path === '') return undefined;
          return (resolve: (value: unknown) => void, reject: (error: unknown) => void) => this.enqueue(target, path, undefined).then(resolve, reject);
        }
        return this.branch(target, path === '' ? name : `${path}.${name}`);
      },
      apply: (_, __, args: unknown[]) => this.enqueue(target, path, args),
    });
  }
}

/** Where pages have locks; Node.js says itself when a thread ends. */
function lockName(): string | undefined {
  return typeof Worker !== 'undefined' && typeof navigator !== 'undefined' && 'locks' in navigator ? `shosa-worker-${crypto.getRandomValues(new Uint32Array(4)).join('-')}` : undefined;
}

/** What a worker is given instead of a ground function. */
function sampled([height, area]: unknown[] = []): unknown {
  if (typeof height !== 'function' || typeof area !== 'object' || area === null) {
    throw new ShosaError('bad_argument', 'Ground.from: a function does not travel into a worker, expected (height, { from: [x, z], to: [x, z], cell_m }) and heights are sent', '');
  }
  return sampleGround(height as (x_m: number, z_m: number) => number, area as GroundArea);
}

async function newThread(receive: (reply: Reply) => void, fail: (message: string) => void): Promise<Thread> {
  if (typeof Worker === 'undefined') {
    const { Worker: NodeWorker } = await import('node:worker_threads');
    const thread = new NodeWorker(new URL('./worker_main.js', import.meta.url));
    thread.on('message', receive);
    thread.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
    thread.on('exit', (status) => fail(`it ended with ${status}`));
    return thread as Thread;
  }
  const thread = new Worker(new URL('./worker_main.js', import.meta.url), { type: 'module' });
  thread.onmessage = (event: MessageEvent<Reply>) => receive(event.data);
  thread.onerror = (event) => fail(event.message);
  return thread;
}

/** Starts the engine in a worker; there at once, its calls wait until the engine runs. */
export function beginWorker(options: LoadOptions = {}): EngineWorker {
  expectLoadOptions(options);
  return new EngineWorker(options);
}

/** Starts the engine in a worker, and waits until it runs. */
export async function startWorker(options: LoadOptions = {}): Promise<EngineWorker> {
  const worker = beginWorker(options);
  await worker.ready;
  return worker;
}
