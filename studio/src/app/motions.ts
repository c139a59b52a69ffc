import { type Engine, type Evaluated, isLost, type ReadOptions, type RemoteClip } from '../engine/engine';
import { baseName, type Content, documentKind, ending, type Files, folderOf, foreignFormat, resolvePath, stem } from '../model/files';
import { bodyMapPath } from '../model/body_map';
import { asContacts, contactsPath, ofTake } from '../model/contacts';
import { documentText, isObject, type Json, type JsonObject } from '../model/json';
import type { Motion } from '../model/motion';
import { type Reading, readingKey, referencesIn, type References } from '../model/references';
import type { Project } from './project';

/** The motions that ship are shown under such paths; they are no files. */
export const shippedPrefix = 'motions:';

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
  /** By how it is read: a file may hold several clips. */
  private readonly files = new WeakMap<Content, Map<string, Promise<Motion>>>();
  private readonly beside = new WeakMap<Content, Map<string, { base: object; motion: Promise<Motion> }>>();
  private readonly documents = new WeakMap<Content, Answer>();
  private readonly variants = new WeakMap<Content, Map<string, Extract<Content, { kind: 'document' }>>>();
  private readonly shipped = new Map<string, Promise<Motion>>();
  /** Of motions in other engines. */
  private readonly copies = new WeakMap<Engine, WeakMap<Motion, Promise<RemoteClip>>>();

  constructor(
    private readonly engine: Engine,
    private readonly project: () => Project | undefined,
    /** Told why a clip of the project cannot be read; undefined: it can. */
    private readonly fault: (content: Content, why: string | undefined) => void = () => {},
  ) {}

  /** Of a clip, read as somebody says, of a document, or one that ships. */
  async of(path: string, reading: Reading = {}): Promise<Motion> {
    if (path.startsWith(shippedPrefix)) return remembered(this.shipped, path, () => this.engine.make(path.slice(shippedPrefix.length)));
    const project = this.project();
    if (!project) throw new Error('no project is open');
    const content = await project.load(path);
    if (content.kind === 'document' && documentKind(content.value) !== 'other') return this.document(project, path, content, content.value);
    if (content.kind === 'bytes' && ending(path) === 'json') throw new Error(await this.engine.syntaxFault(path, content.bytes));
    const foreign = foreignFormat(path);
    if (foreign !== undefined) throw new Error(foreign);
    if (content.kind !== 'bytes') throw new Error(`${path}: is no motion`);
    const [map, contacts] = await Promise.all([bodyMapPath(path), contactsPath(path)].map((beside) => loaded(project, beside)));
    const key = readingKey(reading), read = async (body_map?: object) => this.engine.read(content.bytes, baseName(path), await this.readOptions(project, path, reading, body_map));
    const plain = remembered(byKey(this.files, content), key, () => read());
    plain.then(() => this.fault(content, undefined), (error: Error) => !isLost(error) && this.fault(content, error.message));
    const bodied = map?.kind === 'document' && isObject(map.value) ? await this.derived(map, key, plain, () => read(map.value as object)) : await plain;
    const said = contacts?.kind === 'document' && ofTake(asContacts(contacts.value), bodied.takes) ? contacts : undefined;
    return said ? this.derived(said, key, Promise.resolve(bodied), (motion) => this.engine.withContacts(motion, said.value as object), bodied) : bodied;
  }

  /** A motion as a document beside its file has it: made again only where one of both has changed. */
  private async derived(document: Content, key: string, from: Promise<Motion>, make: (motion: Motion) => Promise<Motion>, base: object = from): Promise<Motion> {
    const made = byKey(this.beside, document), known = made.get(key);
    if (known?.base === base) return known.motion;
    const motion = from.then(make);
    made.set(key, { base, motion });
    motion.catch(() => made.get(key)?.motion === motion && made.delete(key));
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

  /** A document for another engine: with the clips that it names, each read there once, as they are read here. */
  async givenTo(engine: Engine, path: string, document: Json): Promise<{ value: Json; named: Record<string, RemoteClip | string> }> {
    let copies = this.copies.get(engine);
    if (!copies) this.copies.set(engine, (copies = new WeakMap()));
    const { value, clips, texts } = referencesIn(path, document), named: Record<string, RemoteClip | string> = await this.textsOf(path, texts);
    for (const [called, { name, reading }] of clips) {
      const target = resolvePath(path, name), motion = await this.of(target, reading);
      let copy = copies.get(motion);
      if (!copy) {
        copies.set(motion, (copy = this.readBy(engine, target, reading, motion.takes)));
        copy.catch(() => copies.delete(motion));
      }
      named[called] = await copy;
    }
    return { value, named };
  }

  private async readBy(engine: Engine, path: string, reading: Reading, takes: Motion['takes']): Promise<RemoteClip> {
    if (path.startsWith(shippedPrefix)) return engine.worker.api.Clip.make(path.slice(shippedPrefix.length));
    const project = this.project()!, content = await project.load(path), [map, contacts] = await Promise.all([bodyMapPath(path), contactsPath(path)].map((beside) => loaded(project, beside)));
    if (content.kind !== 'bytes') throw new Error(`${path}: is no motion`);
    const clip = await engine.worker.api.Clip.read(content.bytes, baseName(path), await this.readOptions(project, path, reading, map?.kind === 'document' && isObject(map.value) ? map.value : undefined));
    return contacts?.kind === 'document' && isObject(contacts.value) && ofTake(asContacts(contacts.value), takes) ? clip.withContacts(contacts.value) : clip;
  }

  private async textsOf(path: string, names: Iterable<string>): Promise<Record<string, string>> {
    const texts: Record<string, string> = {};
    for (const name of names) {
      const content = await this.project()!.load(resolvePath(path, name));
      texts[name] = content.kind === 'document' ? documentText(content.value) : new TextDecoder().decode(content.kind === 'bytes' ? content.bytes : undefined);
    }
    return texts;
  }

  private async readOptions(project: Project, path: string, { drop_tpose, asf: named, ...plain }: Reading, body_map: object | undefined): Promise<ReadOptions> {
    const options: ReadOptions = { ...plain, ...(drop_tpose === false ? { keep_tpose: true } : {}), ...(body_map ? { body_map } : {}) };
    if (ending(path) !== 'amc') return options;
    const asf = named ?? skeletonBeside(project.files, path);
    if (!asf) throw new Error(`${path}: its skeleton (.asf) is not in the folder; drop both files together`);
    const content = await project.load(asf);
    return content.kind === 'bytes' ? { ...options, asf: new TextDecoder().decode(content.bytes) } : options;
  }

  private async document(project: Project, path: string, content: Content, value: Json): Promise<Motion> {
    const kind = documentKind(value);
    if (!['score', 'pose', 'run'].includes(kind)) throw new Error(`${path}: a document of this kind has no motion of its own`);
    const named = referencesIn(path, value), names = new Set([...[...named.clips.values()].flatMap(({ name, reading }) => [resolvePath(path, name), ...(reading.asf ? [reading.asf] : [])]), ...[...named.texts].map((name) => resolvePath(path, name))]);
    const needed = [...names].flatMap((file) => [file, contactsPath(file), bodyMapPath(file)]);
    const contents = await Promise.all(needed.map((file) => loaded(project, file)));
    const known = this.documents.get(content);
    if (known && known.contents.length === contents.length && known.contents.every((each, i) => each === contents[i])) return known.motion;
    const motion = this.evaluate(path, kind as Evaluated, named);
    this.documents.set(content, { contents, motion });
    motion.catch(() => this.documents.get(content)?.motion === motion && this.documents.delete(content));
    return motion;
  }

  private async evaluate(path: string, kind: Evaluated, { value, clips, texts }: References): Promise<Motion> {
    const named: Record<string, Motion | string> = {}, unreadable = new Map<string, string>();
    for (const [called, { name, reading }] of clips) {
      const target = resolvePath(path, name);
      try {
        named[called] = await this.of(target, reading);
      } catch (error) {
        if (isLost(error)) throw error;
        const { message } = error as Error;
        unreadable.set(name, message.includes(baseName(target)) ? message : `${target}: ${message}`);
      }
    }
    if (unreadable.size > 0) throw new UnreadableClips(unreadable);
    return this.engine.evaluate(kind, stem(path), value as object, { ...named, ...(await this.textsOf(path, texts)) });
  }
}

function byKey<V>(cache: WeakMap<Content, Map<string, V>>, content: Content): Map<string, V> {
  let values = cache.get(content);
  if (!values) cache.set(content, (values = new Map()));
  return values;
}

async function loaded(project: Project, path: string): Promise<Content | undefined> {
  return project.load(path).catch(() => undefined);
}

function remembered(cache: Map<string, Promise<Motion>>, key: string, make: () => Promise<Motion>): Promise<Motion> {
  let motion = cache.get(key);
  if (!motion) {
    motion = make();
    cache.set(key, motion);
    motion.catch(() => cache.delete(key));
  }
  return motion;
}

/** The .asf of an .amc: of the same name, of the name up to the last underscore (CMU's), or the only one in the folder. */
export function skeletonBeside(files: Files, amc: string): string | undefined {
  const folder = folderOf(amc);
  const skeletons = [...files.keys()].filter((path) => ending(path) === 'asf' && folderOf(path) === folder);
  const named = (name: string) => skeletons.find((path) => stem(path) === name);
  return named(stem(amc)) ?? named(stem(amc).replace(/_[^_]*$/, '')) ?? (skeletons.length === 1 ? skeletons[0] : undefined);
}
