import { expectNoOthers, expectRecord, heightAt, shown } from './checks.js';
import { Engine, type Exports } from './engine.js';
import { ShosaError } from './errors.js';
import { wasi } from './wasi.js';

export interface LoadOptions {
  /** Where the module is, or what it is; at first the file beside this one. */
  module?: string | URL | BufferSource | WebAssembly.Module | Response | Promise<Response>;
  /** The most memory that the module may take; at first 2 GiB, and never more than 4. A call that needs more throws `out_of_memory`. */
  maxMemoryBytes?: number;
  /** Told what the engine says: notes, warnings and errors (which are thrown besides). Cannot call the engine; what it throws is thrown once the call is over. */
  log?: (level: 'note' | 'warning' | 'error', text: string) => void;
  /**
   * Told now and then how far a long loop inside a call is. A call may have many of them, one after the other, nobody knows beforehand how many: `part` counts them from 1 on.
   * Bound as `log` is.
   */
  progress?: (done: number, total: number, part: number) => void;
}

const pageBytes = 65536;
const firstPages = 256;
let engine: Engine | undefined;
let loading: Promise<Engine> | undefined;

/** Starts the engine. Nothing is done when it runs already; where the module has stopped, a new one starts. */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  expectLoadOptions(options);
  if (engine?.alive) return engine;
  loading ??= start(options).finally(() => (loading = undefined));
  return (engine = await loading);
}

/** What is wrong with options is said before anything starts. @internal */
export function expectLoadOptions(options: LoadOptions): void {
  expectRecord('options', options);
  const { module, maxMemoryBytes, log, progress, ...others } = options;
  expectNoOthers(others);
  for (const [name, told] of Object.entries({ log, progress })) {
    if (told !== undefined && typeof told !== 'function') throw new ShosaError('bad_argument', `${name}: ${shown(told)}, expected a function`, name);
  }
  limitOf(options);
}

function limitOf({ maxMemoryBytes }: LoadOptions): number {
  const limit = Math.min(maxMemoryBytes ?? 2 ** 31, 2 ** 32);
  if (!(limit >= pageBytes)) throw new ShosaError('bad_argument', `maxMemoryBytes: ${shown(maxMemoryBytes)}, expected a number of bytes from ${pageBytes} on`, '');
  return limit;
}

/** The engine that runs. */
export function current(): Engine {
  if (engine === undefined) throw new ShosaError('failed', 'the engine does not run: await load() comes first', '');
  return engine;
}

async function start(options: LoadOptions): Promise<Engine> {
  const module = await compile(options.module);
  const limit = limitOf(options);
  const maximum = Math.floor(limit / pageBytes);
  const initial = WebAssembly.Module.imports(module).some((wanted) => wanted.kind === 'memory') ? Math.min(firstPages, maximum) : 0;
  const memory = new WebAssembly.Memory({ initial, maximum });
  const progress = throttled(options.progress, () => started?.calls ?? 0);
  const log = options.log;
  let started: Engine | undefined;
  const imports: WebAssembly.Imports = {
    env: { memory },
    wasi_snapshot_preview1: wasi(() => memory, (line) => log?.('error', line)),
    shosa: {
      out_of_memory(bytes: number): never {
        throw new ShosaError('out_of_memory', `${bytes >>> 0} bytes more than the module's memory of ${maximum * pageBytes}`, '');
      },
      log: (level: number, text: number) => started?.visit(() => log?.((['note', 'warning', 'error'] as const)[level] ?? 'note', started!.textAt(text >>> 0)), undefined),
      ground_height: (ground: number, x: number, z: number) => started?.visit(() => heightAt(started!.grounds.get(ground >>> 0) ?? (() => 0), x, z), 0),
      progress: (done: number, total: number) => started?.visit(() => progress(done >>> 0, total >>> 0), undefined),
    },
  };
  const instance = await WebAssembly.instantiate(module, imports).catch((error: Error) => {
    throw new ShosaError('failed', `the module does not start in ${limit} bytes of memory: ${error.message}`, '');
  });
  started = new Engine(instance.exports as unknown as Exports, memory);
  return started;
}

let usual: Promise<WebAssembly.Module> | undefined;

/** The usual module is fetched and compiled once, however many workers a page starts. @internal */
export function compile(source: LoadOptions['module']): Promise<WebAssembly.Module> {
  if (source !== undefined) return found(source);
  usual ??= found(new URL('./shosa.wasm', import.meta.url));
  usual.catch(() => (usual = undefined));
  return usual;
}

async function found(source: NonNullable<LoadOptions['module']>): Promise<WebAssembly.Module> {
  try {
    return await compiled(source);
  } catch (error) {
    if (error instanceof ShosaError) throw error;
    throw new ShosaError('cannot_read', `the module: ${(error as Error).message}`, source instanceof URL ? source.href : '');
  }
}

async function compiled(source: NonNullable<LoadOptions['module']>): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given === 'string' || given instanceof URL) return compiled(await fetched(given));
  if (typeof Response !== 'undefined' && given instanceof Response) {
    if (!given.ok) throw new ShosaError('cannot_read', `${given.url}: the server says ${given.status}`);
    // Streams need the type application/wasm, which not every static server sends.
    if (given.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(given);
    return WebAssembly.compile(await given.arrayBuffer());
  }
  return WebAssembly.compile(given as BufferSource);
}

async function fetched(place: string | URL): Promise<Response | BufferSource> {
  const url = new URL(place, import.meta.url);
  if (url.protocol !== 'file:' || typeof process === 'undefined') return fetch(url);
  const { readFile } = await import('node:fs/promises');
  return readFile(url);
}

function throttled(progress: LoadOptions['progress'], calls: () => number): (done: number, total: number) => void {
  if (progress === undefined) return () => {};
  let last = 0, part = 0, call = -1, before = [0, 0];
  return (done, total) => {
    if (call !== calls()) [call, part, before] = [calls(), 0, [0, 0]];
    if (done <= before[0]! || total !== before[1]) ++part;
    before = [done, total];
    const now = performance.now();
    if (now - last < 100) return;
    last = now;
    progress(done, total, part);
  };
}
