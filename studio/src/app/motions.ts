import { type Engine, type Evaluated, isLost, type ReadOptions, type RemoteClip } from '../engine/engine';
import { baseName, type Content, documentKind, ending, type Files, folderOf, resolvePath, stem } from '../model/files';
import { bodyMapPath } from '../model/body_map';
import { contactsPath } from '../model/contacts';
import { documentText, isObject, type Json, type JsonObject } from '../model/json';
import type { Motion } from '../model/motion';
import type { Project } from './project';

/** The motions that ship are shown under such paths; they are no files. */
export const shippedPrefix = 'motions:';

/** Keys whose text names a file (docs/projects.md). */
const clipKeys = new Set(['clip', 'prior', 'clips']);
const textKeys = new Set(['ranges', 'contacts', 'body_map', 'graph']);

/** Clips that a document names and that cannot be read: why, by the names that it has for them. */
export class UnreadableClips extends Error {
  constructor(readonly clips: ReadonlyMap<string, string>) {
    super([...clips.values()].join('; '));
  }
}

interface Answer {
  contents: readonly (Content | undefined)[];
  motion: Promise<Motion>;
}

/** Motions of files and documents. Each is computed once for what it is made of: undo finds the very motion of before. */
export class Motions {
  private readonly files = new WeakMap<Content, Promise<Motion>>();
  private readonly beside = new WeakMap<Content, { base: object; motion: Promise<Motion> }>();
  private readonly documents = new WeakMap<Content, Answer>();
  private readonly variants = new WeakMap<Content, Map<string, Extract<Content, { kind: 'document' }>>>();
  private readonly shipped = new Map<string, Promise<Motion>>();

  constructor(
    private readonly engine: Engine,
    private readonly project: () => Project | undefined,
  ) {}

  /** Of a clip, of a document, or one that ships. */
  async of(path: string): Promise<Motion> {
    if (path.startsWith(shippedPrefix)) return remembered(this.shipped, path, () => this.engine.make(path.slice(shippedPrefix.length)));
    const project = this.project();
    if (!project) throw new Error('no project is open');
    const content = await project.load(path);
    if (content.kind === 'document' && documentKind(content.value) !== 'other') return this.document(project, path, content, content.value);
    if (content.kind === 'bytes' && ending(path) === 'json') throw new Error(await this.engine.syntaxFault(path, content.bytes));
    if (content.kind !== 'bytes') throw new Error(`${path}: is no motion`);
    const [map, contacts] = await Promise.all([bodyMapPath(path), contactsPath(path)].map((beside) => loaded(project, beside)));
    const read = async (body_map?: object) => this.engine.read(content.bytes, baseName(path), await this.readOptions(project, path, body_map));
    const plain = remembered(this.files, content, () => read());
    const bodied = map?.kind === 'document' && isObject(map.value) ? await this.derived(map, plain, () => read(map.value as object)) : await plain;
    return contacts?.kind === 'document' && isObject(contacts.value) ? this.derived(contacts, Promise.resolve(bodied), (motion) => this.engine.withContacts(motion, contacts.value as object), bodied) : bodied;
  }

  /** A motion as a document beside its file has it: made again only where one of both has changed. */
  private async derived(document: Content, from: Promise<Motion>, make: (motion: Motion) => Promise<Motion>, base: object = from): Promise<Motion> {
    const known = this.beside.get(document);
    if (known?.base === base) return known.motion;
    const motion = from.then(make);
    this.beside.set(document, { base, motion });
    motion.catch(() => this.beside.get(document)?.motion === motion && this.beside.delete(document));
    return motion;
  }

  /** A document as it would be with a change that nobody keeps, such as another method to compare with. */
  async variant(path: string, content: Content, name: string, change: (value: JsonObject) => JsonObject): Promise<Motion> {
    const project = this.project();
    if (!project || content.kind !== 'document' || !isObject(content.value)) throw new Error(`${path}: is no document`);
    let variants = this.variants.get(content);
    if (!variants) this.variants.set(content, (variants = new Map()));
    let other = variants.get(name);
    if (!other) variants.set(name, (other = { kind: 'document', value: change(content.value) }));
    return this.document(project, path, other, other.value);
  }

  /** A clip's file read by another engine, as it is read here. */
  async readBy(engine: Engine, path: string): Promise<RemoteClip> {
    const project = this.project()!, content = await project.load(path), map = await loaded(project, bodyMapPath(path));
    if (content.kind !== 'bytes') throw new Error(`${path}: is no motion`);
    return engine.worker.api.Clip.read(content.bytes, baseName(path), await this.readOptions(project, path, map?.kind === 'document' && isObject(map.value) ? map.value : undefined));
  }

  private async readOptions(project: Project, path: string, body_map: object | undefined): Promise<ReadOptions> {
    const options = body_map ? { body_map } : {};
    if (ending(path) !== 'amc') return options;
    const asf = skeletonBeside(project.files, path);
    if (!asf) throw new Error(`${path}: its skeleton (.asf) is not in the folder; drop both files together`);
    const content = await project.load(asf);
    return content.kind === 'bytes' ? { ...options, asf: new TextDecoder().decode(content.bytes) } : options;
  }

  private async document(project: Project, path: string, content: Content, value: Json): Promise<Motion> {
    const kind = documentKind(value);
    if (!['score', 'pose', 'run'].includes(kind)) throw new Error(`${path}: a document of this kind has no motion of its own`);
    const names = referencesIn(value);
    const needed = [...names.keys()].map((name) => resolvePath(path, name)).flatMap((file) => [file, contactsPath(file), bodyMapPath(file)]);
    const contents = await Promise.all(needed.map((file) => loaded(project, file)));
    const known = this.documents.get(content);
    if (known && known.contents.length === contents.length && known.contents.every((each, i) => each === contents[i])) return known.motion;
    const motion = this.evaluate(path, kind as Evaluated, value as object, names);
    this.documents.set(content, { contents, motion });
    motion.catch(() => this.documents.get(content)?.motion === motion && this.documents.delete(content));
    return motion;
  }

  private async evaluate(path: string, kind: Evaluated, value: object, names: ReadonlyMap<string, 'clip' | 'text'>): Promise<Motion> {
    const named: Record<string, Motion | string> = {}, unreadable = new Map<string, string>();
    for (const [name, sort] of names) {
      const target = resolvePath(path, name);
      if (sort === 'clip') {
        try {
          named[name] = await this.of(target);
        } catch (error) {
          if (isLost(error)) throw error;
          const { message } = error as Error;
          unreadable.set(name, message.includes(baseName(target)) ? message : `${target}: ${message}`);
        }
      } else {
        const content = await this.project()!.load(target);
        named[name] = content.kind === 'document' ? documentText(content.value) : new TextDecoder().decode(content.kind === 'bytes' ? content.bytes : undefined);
      }
    }
    if (unreadable.size > 0) throw new UnreadableClips(unreadable);
    return this.engine.evaluate(kind, stem(path), value, named);
  }
}

async function loaded(project: Project, path: string): Promise<Content | undefined> {
  return project.load(path).catch(() => undefined);
}

function remembered<K extends object | string>(cache: { get(key: K): Promise<Motion> | undefined; set(key: K, value: Promise<Motion>): unknown; delete(key: K): unknown }, key: K, make: () => Promise<Motion>): Promise<Motion> {
  let motion = cache.get(key);
  if (!motion) {
    motion = make();
    cache.set(key, motion);
    motion.catch(() => cache.delete(key));
  }
  return motion;
}

/** Names of files in a document, as it writes them. */
export function referencesIn(value: Json | undefined, names = new Map<string, 'clip' | 'text'>, key = ''): Map<string, 'clip' | 'text'> {
  if (typeof value === 'string') {
    if (clipKeys.has(key)) names.set(value, 'clip');
    else if (textKeys.has(key)) names.set(value, 'text');
  } else if (Array.isArray(value)) {
    for (const item of value) referencesIn(item as Json, names, key);
  } else if (isObject(value)) {
    for (const [inner, item] of Object.entries(value)) referencesIn(item, names, inner);
  }
  return names;
}

/** The .asf of an .amc: of the same name, of the name up to the last underscore (CMU's), or the only one in the folder. */
export function skeletonBeside(files: Files, amc: string): string | undefined {
  const folder = folderOf(amc);
  const skeletons = [...files.keys()].filter((path) => ending(path) === 'asf' && folderOf(path) === folder);
  const named = (name: string) => skeletons.find((path) => stem(path) === name);
  return named(stem(amc)) ?? named(stem(amc).replace(/_[^_]*$/, '')) ?? (skeletons.length === 1 ? skeletons[0] : undefined);
}
