import { documentText, isObject, type Json } from './json';

/**
 * The files of a project, by path. This is what undo and redo go through; whoever keeps files (store/saver.ts) brings the disk to what this says.
 * A content is told from another by being another object.
 */
export type Files = ReadonlyMap<string, Content>;

export type Content =
  /** As the store has it, so many bytes; nobody has looked at it yet. */
  | { readonly kind: 'stored'; readonly size: number }
  /** `unreadable` is the file where it is no JSON any more; `value` is then its last good state. */
  | { readonly kind: 'document'; readonly value: Json; readonly unreadable?: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

export type DocumentKind = 'score' | 'pose' | 'footsteps' | 'graph' | 'commands' | 'run' | 'ranges' | 'submovements' | 'other';

export const clipEndings = ['bvh', 'glb', 'gltf', 'vrma', 'vrm', 'amc'];

export function ending(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function stem(path: string): string {
  return baseName(path).replace(/\.[^.]+$/, '');
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
}

export function isClip(path: string): boolean {
  return clipEndings.includes(ending(path));
}

/** What to do with a motion that is read elsewhere. */
export function foreignFormat(path: string): string | undefined {
  return ending(path) === 'fbx' ? `FBX is read by the command line: shosa convert ${baseName(path)} ${stem(path)}.glb` : undefined;
}

const collator = new Intl.Collator('en', { numeric: true });

/** In the order in which people look for them: capitals beside small letters, 2 before 10. */
export const byName = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : 1);

/** Documents are told apart by their keys (docs/projects.md). */
export function documentKind(value: Json): DocumentKind {
  if (!isObject(value)) return 'other';
  if ('motions' in value) return 'score';
  if ('commands' in value) return 'graph' in value || 'clips' in value ? 'run' : 'commands';
  if ('nodes' in value && 'links' in value) return 'graph';
  if ('joint_ranges' in value) return 'ranges';
  if ('submovements' in value) return 'submovements';
  if (['steps', 'stairs', 'stride_percent', 'slope_percent', 'rough', 'terrain'].some((key) => key in value)) return 'footsteps';
  if (typeof value['clip'] === 'string') return 'pose';
  return 'other';
}

export function putFile(files: Files, path: string, content: Content): Files {
  return new Map(files).set(path, content);
}

export function putDocument(files: Files, path: string, value: Json): Files {
  return putFile(files, path, { kind: 'document', value });
}

export function removeFile(files: Files, path: string): Files {
  const left = new Map(files);
  left.delete(path);
  return left;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Paths whose content is another one in the other. */
export function changedPaths(a: Files, b: Files): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
}

export function documentAt(files: Files, path: string | undefined): Json | undefined {
  const content = path === undefined ? undefined : files.get(path);
  return content?.kind === 'document' ? content.value : undefined;
}

/** The bytes of a document that is no JSON now, whether it was before or not. */
export function unreadableAt(files: Files, path: string): Uint8Array<ArrayBuffer> | undefined {
  const content = files.get(path);
  return content?.kind === 'document' ? content.unreadable : content?.kind === 'bytes' && ending(path) === 'json' ? content.bytes : undefined;
}

/** A name that nothing has yet: `walk.bvh`, `walk 2.bvh`, … */
export function freshPath(files: Files, wanted: string): string {
  if (!files.has(wanted)) return wanted;
  const dot = wanted.lastIndexOf('.');
  const [front, back] = dot > wanted.lastIndexOf('/') ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
  for (let number = 2; ; ++number) {
    const path = `${front} ${number}${back}`;
    if (!files.has(path)) return path;
  }
}

/** The path that a document at `from` means by a name of its own. */
export function resolvePath(from: string, name: string): string {
  const parts: string[] = [];
  for (const part of (folderOf(from) + name).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The name by which a document at `from` calls the file `path`. */
export function relativePath(from: string, path: string): string {
  const here = from.split('/').slice(0, -1), there = path.split('/');
  let same = 0;
  while (same < here.length && same < there.length - 1 && here[same] === there[same]) ++same;
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/');
}

export function contentBytes(content: Exclude<Content, { kind: 'stored' }>): Uint8Array<ArrayBuffer> {
  return content.kind === 'bytes' ? content.bytes : content.unreadable ?? new TextEncoder().encode(documentText(content.value)) as Uint8Array<ArrayBuffer>;
}

/** A content as its file's bytes say; text that is no JSON stays bytes, or what the document was before. */
export function contentOf(path: string, bytes: Uint8Array<ArrayBuffer>, before?: Content): Content {
  if (ending(path) === 'json') {
    try {
      return { kind: 'document', value: JSON.parse(new TextDecoder().decode(bytes)) as Json };
    } catch {
      // Whoever uses it is told what is wrong by the engine.
      if (before?.kind === 'document') return { kind: 'document', value: before.value, unreadable: bytes };
    }
  }
  return { kind: 'bytes', bytes };
}
