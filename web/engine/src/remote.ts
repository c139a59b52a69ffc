/// <reference lib="esnext.disposable" preserve="true" />
import { ShosaError } from './errors.js';
import type * as api from './index.js';

type Api = typeof api;
type Plain = string | number | boolean | bigint | null | undefined | ArrayBufferView | ArrayBuffer;
type Living = api.Handle | api.Command | api.Goal | api.Pose;
type Hidden = 'engine' | 'handle' | 'disposed' | 'dispose' | typeof Symbol.dispose;

/** What a worker gives back: an object that lives there, or a copy. */
export type Remote<T> = T extends Living ? RemoteObject<T> : T extends Plain ? T : T extends readonly (infer U)[] ? Remote<U>[] : { [K in keyof T]: Remote<T[K]> };

/** What a worker is given: objects that live there, and copies of all else. */
export type Given<T> = T extends Living ? RemoteObject<T> : T extends Plain | ((...args: never[]) => unknown) ? T : { [K in keyof T]: Given<T[K]> };

type GivenAll<A extends unknown[]> = { [K in keyof A]: Given<A[K]> };

/** The same methods and properties, all of them asynchronous. */
export type RemoteObject<T> = {
  readonly [K in Exclude<keyof T, Hidden>]: T[K] extends (...args: infer A) => infer R ? (...args: GivenAll<A>) => Promise<Remote<R>> : PromiseLike<Remote<T[K]>>;
} & {
  /** Frees it in the worker. Forgotten objects are freed some time later. */
  dispose(): void;
  [Symbol.dispose](): void;
};

type RemoteStatics<T> = {
  readonly [K in Exclude<keyof T, 'prototype'>]: T[K] extends (...args: infer A) => infer R ? (...args: GivenAll<A>) => Promise<Remote<R>> : never;
};

type Classes = 'Clip' | 'Graph' | 'CharacterKind' | 'Character' | 'PinDrag' | 'PoseMoment' | 'Ground';
type Functions = 'compose' | 'join' | 'pose' | 'footsteps' | 'play' | 'run' | 'recompose' | 'fix' | 'loop' | 'retarget' | 'decompose' | 'writeAll' | 'updateAll' | 'allMatrices';

/** A ground function is asked here, and travels as heights: the area is needed. */
interface RemoteGround {
  from(height: (x_m: number, z_m: number) => number, area: api.GroundArea): Promise<RemoteObject<api.Ground>>;
}

/** The package's classes and functions, as they are in a worker. */
export type RemoteApi = { readonly [K in Exclude<Classes, 'Ground'>]: RemoteStatics<Api[K]> } & { readonly Ground: Omit<RemoteStatics<Api['Ground']>, 'from'> & RemoteGround } & {
  readonly [K in Functions]: Api[K] extends (...args: infer A) => infer R ? (...args: GivenAll<A>) => Promise<Remote<R>> : never;
};

// ---- What goes between page and worker ----

export interface Request {
  id: string;
  /** Of the object that is asked; undefined for the package itself. */
  target?: string | undefined;
  /** `Clip.read`, `loop`, `frameCount`. */
  path: string;
  /** Left out: a property is read. */
  args?: unknown[];
  /** Objects that are not needed any more. */
  free: string[];
}

export interface Start {
  module: WebAssembly.Module;
  maxMemoryBytes?: number | undefined;
  /** Held by the worker as long as it lives. */
  lock?: string | undefined;
}

export type Reply =
  | { kind: 'ready' }
  | { kind: 'value'; id: string; value: unknown }
  | { kind: 'error'; id: string; error: { code: string; message: string; place: string }; crashed: boolean }
  | { kind: 'log'; level: 'note' | 'warning' | 'error'; text: string }
  | { kind: 'progress'; done: number; total: number; part: number };

/** Stands for an object that lives in the worker. */
export interface Key {
  $remote: string;
}

export function isKey(value: unknown): value is Key {
  return typeof value === 'object' && value !== null && typeof (value as Key).$remote === 'string';
}

/** No document is nested deeper, but for one that holds itself. */
const deepest = 500;

/** Copies lists and plain objects, with `change` for what is neither. */
export function mapped(value: unknown, change: (leaf: unknown) => unknown, depth = 0): unknown {
  if (depth > deepest) throw new ShosaError('bad_argument', `nested more than ${deepest} deep, or holds itself, expected what JSON can hold`, '');
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, depth + 1));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype && !isKey(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change, depth + 1)]));
  }
  return change(value);
}
