import { bodyMapPath } from './body_map';
import { contactsPath } from './contacts';
import { documentAt, documentKind, type Files, isClip, resolvePath } from './files';
import { isObject, type Json, type JsonObject } from './json';

/** How a document has the file of a clip read (docs/cli.md, "Score"). */
export interface Reading {
  /** Of a file that holds several: name, or number from 0. */
  readonly take?: string;
  readonly unit_m?: number;
  readonly up?: 'y' | 'z';
  /** True frame rate where the file is wrong about it. */
  readonly fps_is?: number;
  readonly drop_tpose?: boolean;
  readonly as_captured?: boolean;
  /** Path of the skeleton of an .amc. */
  readonly asf?: string;
}

export interface References {
  /** The document as the engine gets it, which has the clips read already. */
  readonly value: Json;
  /** By what `value` calls them: the name in the document, and more where one file is read in several ways. */
  readonly clips: ReadonlyMap<string, { readonly name: string; readonly reading: Reading }>;
  /** Names of other documents. */
  readonly texts: ReadonlySet<string>;
}

/** Keys whose text names a file (docs/projects.md). */
const clipKeys = new Set(['clip', 'prior', 'clips']);
const textKeys = new Set(['ranges', 'contacts', 'body_map', 'graph']);
const units_m: Readonly<Record<string, number>> = { m: 1, cm: 0.01, mm: 0.001, dm: 0.1, in: 0.0254, ft: 0.3048 };

/** What stands beside `clip` in a document at `path` and is a matter of reading. What is wrong there stays for the engine to tell. */
export function readingOf(path: string, { take, unit, up, fps_is, drop_tpose, as_captured, asf }: { readonly [key: string]: unknown }): Reading {
  const unit_m = typeof unit === 'string' ? units_m[unit] : undefined;
  return {
    ...(typeof take === 'string' || typeof take === 'number' ? { take: String(take) } : {}),
    ...(unit_m === undefined ? {} : { unit_m }),
    ...(up === 'y' || up === 'z' ? { up } : {}),
    ...(typeof fps_is === 'number' ? { fps_is } : {}),
    ...(typeof drop_tpose === 'boolean' ? { drop_tpose } : {}),
    ...(typeof as_captured === 'boolean' ? { as_captured } : {}),
    ...(typeof asf === 'string' ? { asf: resolvePath(path, asf) } : {}),
  };
}

/** Tells readings apart. */
export const readingKey = (reading: Reading): string => JSON.stringify(reading, ['take', 'unit_m', 'up', 'fps_is', 'drop_tpose', 'as_captured', 'asf']);

/** What a document at `path` names. */
export function referencesIn(path: string, document: Json): References {
  const clips = new Map<string, { name: string; reading: Reading }>(), texts = new Set<string>();
  const called = (name: string, reading: Reading): string => {
    const key = readingKey(reading), same = [...clips].find(([, each]) => each.name === name && readingKey(each.reading) === key);
    if (same) return same[0];
    // Its stem stays the file's: reports are compared by it.
    let call = key === '{}' ? name : `${name} (${(reading.take ?? 'as said').replace(/[./\\]/g, ' ')})`;
    while (clips.has(call)) call += ')';
    clips.set(call, { name, reading });
    return call;
  };
  const walk = (value: Json | undefined, key: string): Json | undefined => {
    if (typeof value === 'string') {
      if (textKeys.has(key)) texts.add(value);
      return clipKeys.has(key) ? called(value, {}) : value;
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => walk(item, key)!);
    if (!isObject(value)) return value;
    const { clip } = value;
    if (typeof clip !== 'string') return mapped(value, walk);
    const reading = readingOf(path, value), done = new Set(Object.keys(reading).map((each) => (each === 'unit_m' ? 'unit' : each)).filter((each) => each !== 'as_captured'));
    return mapped(Object.fromEntries(Object.entries(value).filter(([inner]) => !done.has(inner))), (item, inner) => (inner === 'clip' ? called(clip, reading) : walk(item, inner)));
  };
  return { value: walk(document, '')!, clips, texts };
}

function mapped(value: JsonObject, change: (item: Json | undefined, key: string) => Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
}

/** A file and all that is read with it: what it names, what that names, and what stands beside clips. */
export function standsOn(files: Files, path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  if (isClip(path)) return known.add(contactsPath(path)).add(bodyMapPath(path));
  const value = documentAt(files, path);
  if (value === undefined) return known;
  const { clips, texts } = referencesIn(path, value);
  for (const name of [...[...clips.values()].map((clip) => clip.name), ...texts]) standsOn(files, resolvePath(path, name), known);
  return known;
}

/** Where a file is looked at: in its own work space, or with the first one that is read with it. */
export function placeOf(files: Files, path: string): { space: 'library' | 'pose' | 'compose'; path: string } | undefined {
  const own = (each: string) => {
    const kind = documentKind(documentAt(files, each) ?? null);
    return isClip(each) ? 'library' : kind === 'pose' ? 'pose' : kind === 'score' ? 'compose' : undefined;
  };
  const shown = !files.has(path) || own(path) ? path : [...files.keys()].find((each) => own(each) && standsOn(files, each).has(path));
  const space = shown !== undefined && files.has(shown) ? own(shown) : undefined;
  return space && { space, path: shown! };
}
