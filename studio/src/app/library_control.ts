import type { Change } from '../engine/engine';
import { baseName, clipEndings, contentBytes, contentOf, ending, type Files, foreignFormat, freshPath, folderOf, isClip, putFile, removeFile, sameBytes, stem } from '../model/files';
import { bodyMapPath } from '../model/body_map';
import { contactsPath } from '../model/contacts';
import { type Motion, motionDuration } from '../model/motion';
import { type Figure, type Import, placeIn, type State } from '../model/state';
import type { Reading } from '../model/references';
import { seek, setRange } from '../model/transport';
import { readZip, writeZip } from '../store/zip';
import type { App } from './app';
import { shippedPrefix } from './motions';

/** Which clip of a file the library shows. */
export function takeIn({ takes }: State, path: string): Reading {
  const take = takes[path];
  return take === undefined ? {} : { take };
}

/** Another clip of the file that is open. */
export function showTake(app: App, path: string, take: string | undefined): void {
  app.state.update((value) => {
    const { [path]: _, ...others } = value.takes;
    return { ...value, trial: undefined, takes: take === undefined ? others : { ...others, [path]: take }, transport: seek(setRange(value.transport, undefined), 0) };
  });
}

/** What the library shows: the clip that is open, or a change of it with what it was before. */
export async function libraryScene(app: App, state: State): Promise<Figure[]> {
  const { trial } = state;
  const place = [0, 0] as const;
  if (trial) return [{ id: 'after', motion: trial.after, tint: 'main', offset: place }, { id: 'before', motion: trial.before, tint: 'ghost', offset: place }];
  const path = state.open.library;
  if (path === undefined || (!path.startsWith(shippedPrefix) && !state.history.present.has(path))) return [];
  return [{ id: path, motion: await app.motions.of(path, takeIn(state, path)), tint: 'main', offset: place }];
}

/** Where in a motion a part of it begins that was cut out or looped. */
function beginsAt({ track }: Motion, { report }: Motion, change: Change): number | undefined {
  if (change.kind === 'loop') return Number(report['begin_s']);
  // The engine cuts at frames.
  return change.kind === 'cut' ? Math.round(change.begin_s / track.frameTime_s) * track.frameTime_s : undefined;
}

/** Tries a change of the clip that is open. */
export async function tryChange(app: App, word: string, change: Change): Promise<void> {
  const path = app.state.value.open.library;
  if (path === undefined) return;
  await app.attempt(`${baseName(path)} cannot be ${word}`, async () => {
    const before = app.state.value.trial?.after ?? (await app.motions.of(path, takeIn(app.state.value, path)));
    const after = await app.engine.change(before, change), begin_s = beginsAt(before, after, change);
    // A part is compared with that part of what was, in time and in figures; it is now the whole.
    const was = begin_s === undefined ? before : await app.engine.change(before, { kind: 'cut', begin_s, end_s: begin_s + motionDuration(after) - after.track.frameTime_s });
    app.state.update((value) => ({ ...value, trial: { path, word: value.trial ? `${value.trial.word}_${word}` : word, before: was, after }, transport: begin_s === undefined ? value.transport : seek(setRange(value.transport, undefined), value.transport.time_s - begin_s) }));
  });
}

export function dropTrial(app: App): void {
  app.state.update((value) => ({ ...value, trial: undefined }));
}

/** Writes what is tried as a new file beside the old one. */
export async function keepTrial(app: App): Promise<void> {
  const { trial } = app.state.value;
  if (!trial) return;
  const path = trial.path.startsWith(shippedPrefix) ? `${trial.path.slice(shippedPrefix.length)}.bvh` : trial.path;
  const { take } = takeIn(app.state.value, trial.path);
  await addMotion(app, trial.after, `${folderOf(path)}${stem(path)}_${take === undefined ? '' : `${take}_`}${trial.word}`, trial.after.skin || ending(path) === 'glb' ? 'glb' : 'bvh');
}

/** A motion becomes a file of the project, and is opened. */
export async function addMotion(app: App, motion: Motion, name: string, kind: 'bvh' | 'glb'): Promise<string | undefined> {
  return app.attempt(`${name} cannot be written`, async () => {
    const bytes = await app.engine.write(motion, kind);
    const path = freshPath(app.files, `${name}.${kind}`);
    app.edit(`Add ${baseName(path)}`, (files) => putFile(files, path, { kind: 'bytes', bytes }));
    app.go('library', path, app.state.value.transport.time_s);
    return path;
  });
}

/** Removes a file, and with a clip what is said of it by hand; undo has it again, so its content is read first. */
export async function removeFromProject(app: App, path: string): Promise<void> {
  await app.attempt(`${path} cannot be removed`, async () => {
    await app.project?.load(path);
    app.edit(`Remove ${baseName(path)}`, (files) => new Map([...files].filter(([other]) => other !== path && !(isClip(path) && [contactsPath(path), bodyMapPath(path)].includes(other)))));
  });
}

export interface Dropped {
  /** With the folders that were dropped. */
  path: string;
  file: Blob;
}

/** A project in one file, which `shosa project unzip` reads. What is in the page is in it whether or not the store answers; `left_out` are files that only the store has, and does not give. */
export async function projectZip(app: App): Promise<{ bytes: Uint8Array<ArrayBuffer>; left_out: string[] }> {
  const { project, files } = app;
  if (!project) throw new Error('no project is open');
  const left_out: string[] = [];
  const entries = await Promise.all([...files].map(async ([path, content]) => {
    const read = content.kind === 'stored' ? await project.load(path).catch(() => undefined) : content;
    if (read) return [{ path, bytes: contentBytes(read) }];
    left_out.push(path);
    return [];
  }));
  return { bytes: writeZip(entries.flat()), left_out };
}

/** Zip files are the files in them. */
async function opened(app: App, dropped: readonly Dropped[]): Promise<Dropped[]> {
  const lists = dropped.map(async (each): Promise<Dropped[]> => {
    if (!['zip', 'shosa'].includes(ending(each.path))) return [each];
    const entries = await app.attempt(each.path, async () => readZip(new Uint8Array(await each.file.arrayBuffer())));
    return (entries ?? []).map(({ path, bytes }) => ({ path, file: new Blob([bytes]) }));
  });
  return (await Promise.all(lists)).flat();
}

/** Why a file is not read, beginning with its name. */
export function importFault({ name, text }: Import): string {
  return text.startsWith(`${name}:`) || text.startsWith(`${baseName(name)}:`) ? text : `${name}: ${text}`;
}

/** The project has this very file, or this document however it is written. */
async function hasAlready(app: App, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const known = await app.project?.load(path).catch(() => undefined), given = contentOf(path, bytes);
  if (known?.kind === 'document') return !known.unreadable && given.kind === 'document' && JSON.stringify(known.value) === JSON.stringify(given.value);
  return known?.kind === 'bytes' && sameBytes(known.bytes, bytes);
}

/** A drop of files, and what has become of each. */
interface Drop {
  readonly id: string;
  readonly files: readonly Dropped[];
  readonly rows: Import[];
}

/** Takes files in, one after the other; each is read by the engine before it counts as there. All of them are one step of undo. Those that are dropped meanwhile wait for them. */
export async function importFiles(app: App, given: readonly Dropped[]): Promise<void> {
  const files = await opened(app, given), id = `import ${performance.now()}`;
  const rows = files.map(({ path }, row): Import => ({ id: `${id} ${row}`, name: path, kind: 'waiting', text: '' }));
  app.state.update((value) => ({ ...value, imports: [...(value.imports.some(({ kind }) => kind === 'waiting' || kind === 'reading') ? value.imports : []), ...rows] }));
  await (app.takingIn = app.takingIn.catch(() => undefined).then(() => readDrop(app, { id, files, rows })));
}

async function readDrop(app: App, { id, files: dropped, rows }: Drop): Promise<void> {
  const known = new Set([...clipEndings, 'asf', 'json']);
  const show = (row: number, change: Partial<Import>) => {
    const next = (rows[row] = { ...rows[row]!, ...change });
    app.state.update((value) => ({ ...value, imports: value.imports.map((each) => (each.id === next.id ? next : each)) }));
  };
  const { trial } = app.state.value, place = placeIn(app.state.value);
  const label = dropped.length === 1 ? `Import ${dropped[0]!.path}` : `Import ${dropped.length} files`;
  let begun = false;
  const edit = (change: (files: Files) => Files) => {
    app.edit(label, change, id);
    begun = true;
  };
  /** Somebody has undone what came so far, and may want it again as it was. */
  const undone = () => begun && app.state.value.history.future.some((step) => step.label === label);
  // Skeletons first: the motions beside them need them.
  const order = dropped.map((_, row) => row).sort((a, b) => Number(ending(dropped[b]!.path) === 'asf') - Number(ending(dropped[a]!.path) === 'asf'));
  let last: string | undefined;
  for (const row of order) {
    if (undone()) break;
    const { path: wanted, file } = dropped[row]!;
    show(row, { kind: 'reading' });
    if (!known.has(ending(wanted))) {
      show(row, { kind: 'failed', text: foreignFormat(wanted) ?? `.${ending(wanted)} is not read here; .bvh .glb .gltf .vrma .vrm .amc + .asf are` });
      continue;
    }
    const path = freshPath(app.files, wanted);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (path !== wanted && (await hasAlready(app, wanted, bytes))) {
        show(row, { kind: 'done', text: 'is in the project already' });
        if (isClip(wanted)) last = wanted;
        continue;
      }
      const content = contentOf(path, bytes);
      if (ending(path) === 'json' && content.kind !== 'document') throw new Error(await app.engine.syntaxFault(wanted, bytes));
      if (undone()) break;
      edit((files) => putFile(files, path, content));
      app.engine.step = (text) => show(row, { text });
      const isMotion = clipEndings.includes(ending(path));
      const motion = isMotion ? await app.motions.of(path) : undefined;
      show(row, { kind: 'done', text: motion?.warnings.join('; ') ?? '' });
      if (motion) last = path;
    } catch (error) {
      if (undone()) break;
      if (app.files.has(path)) edit((files) => removeFile(files, path));
      show(row, { kind: 'failed', text: (error as Error).message });
    }
  }
  app.engine.step = () => {};
  app.endGesture();
  if (undone()) {
    app.state.update((value) => ({ ...value, imports: value.imports.filter((each) => !each.id.startsWith(`${id} `)) }));
    return app.say('note', `The import was undone while it was under way; ${rows.filter(({ kind }) => kind === 'waiting' || kind === 'reading').length} of ${rows.length} files were not read.`);
  }
  // Wherever it was dropped: the list of all of them is in the library alone.
  const [failed, ...others] = rows.filter(({ kind }) => kind === 'failed').map(importFault);
  if (failed !== undefined) app.say('error', others.length === 0 ? failed : `${failed}; and ${others.length} more of ${rows.length} files, see the library`);
  if (last === undefined) return;
  // Who has gone on meanwhile is not taken away from there.
  if (place === placeIn(app.state.value) && trial === app.state.value.trial) app.go('library', last);
  else app.say('note', `${last} is in the library.`);
}
