import { useEffect, useState } from 'preact/hooks';
import { importFault, removeFromProject } from '../../app/library_control';
import { shippedPrefix } from '../../app/motions';
import { byName, documentAt, documentKind, type Files, foreignFormat, isClip, unreadableAt } from '../../model/files';
import { bodyMapPath } from '../../model/body_map';
import { contactsPath } from '../../model/contacts';
import { fitsWords, parseSearch, searchHelp } from '../../model/clip_search';
import type { Motion } from '../../model/motion';
import type { State } from '../../model/state';
import { pickFiles } from '../files';
import { usePart, useStudio } from '../studio';
import { Preview } from './preview';
import { Thumb } from './thumb';

const kindWords: Record<string, string> = { score: 'score', pose: 'pose', footsteps: 'steps', graph: 'graph', commands: 'commands', run: 'run', ranges: 'ranges', submovements: 'goals', other: '' };

interface Row {
  path: string;
  /** Empty for clips. */
  kind: string;
  /** Why it cannot be read. */
  fault?: string | undefined;
  /** What stands beside the clip and belongs to it. */
  note: string;
}

/** Contacts and roles by hand are shown with the clip that they are of. */
function besideClip(files: Files, path: string): boolean {
  return /\.(contacts|body_map)\.json$/.test(path) && [...files.keys()].some((clip) => isClip(clip) && (contactsPath(clip) === path || bodyMapPath(clip) === path));
}

function rowsOf(files: Files, faults: State['faults']): Row[] {
  return [...files.keys()].sort(byName).flatMap((path): Row[] => {
    const fault = faults.get(files.get(path)!) ?? foreignFormat(path);
    if (fault !== undefined) return [{ path, kind: foreignFormat(path) ? 'not read here' : 'unreadable', note: '', fault }];
    if (isClip(path)) return [{ path, kind: '', note: [files.has(contactsPath(path)) ? 'contacts' : '', files.has(bodyMapPath(path)) ? 'roles' : ''].filter(Boolean).join(', ') }];
    if (unreadableAt(files, path)) return [{ path, kind: 'unreadable', note: '' }];
    const value = documentAt(files, path);
    return value === undefined || besideClip(files, path) ? [] : [{ path, kind: kindWords[documentKind(value)] || 'document', note: '' }];
  });
}

/** The project's clips and documents, and the motions that ship. */
export function LibraryList() {
  const studio = useStudio();
  const { app } = studio;
  const [words, setWords] = useState('');
  const [shipped, setShipped] = useState<string[]>([]);
  const files = usePart((state) => state.history.present), open = usePart((state) => state.open.library), faults = usePart((state) => state.faults);
  useEffect(() => void app.engine.shipped().then(setShipped), [app]);
  const [hovered, setHovered] = useState<{ path: string; y_px: number } | undefined>();
  const hover = (path: string) => ({
    onPointerEnter: (event: PointerEvent) => setHovered({ path, y_px: (event.currentTarget as HTMLElement).getBoundingClientRect().top }),
    onPointerLeave: () => setHovered(undefined),
  });
  const search = parseSearch(words);
  const named = rowsOf(files, faults).filter(({ path, kind }) => fitsWords(search, path) && (!search.facts || kind === '')), ships = shipped.filter((name) => fitsWords(search, name));
  const { read, fit } = useFacts(search.facts && words, [...named.map(({ path }) => path), ...ships.map((name) => shippedPrefix + name)], search.facts);
  const rows = named.filter(({ path }) => fit(path)), motions = ships.filter((name) => fit(shippedPrefix + name));
  const openRow = ({ path }: Row) => {
    const kind = documentKind(documentAt(files, path) ?? null);
    app.go(kind === 'pose' ? 'pose' : kind === 'score' ? 'compose' : 'library', path);
  };
  return (
    <>
      <div class="row"><input type="search" aria-label="Search" placeholder="Search …" title={searchHelp} value={words} onInput={(event) => setWords(event.currentTarget.value)} /><button onClick={() => pickFiles(studio)} title="Import files (Ctrl+O)">Import …</button></div>
      {search.facts && <p class="hint" role="status">{read < named.length + ships.length ? `Reading clips: ${read} of ${named.length + ships.length}` : `${rows.length + motions.length} of ${read} clips fit`}</p>}
      <Imports />
      {hovered && <Preview key={hovered.path} {...hovered} />}
      <h2>Project</h2>
      {rows.length === 0 && <p class="empty">{words ? 'Nothing in the project fits.' : 'No clips yet. Drop BVH, GLB, VRMA or AMC with ASF here, or take one of the motions below.'}</p>}
      <ul class="list" aria-label="Project">
        {rows.map((row) => (
          <li key={row.path} class={row.path === open ? 'open' : ''} title={row.fault} {...(row.kind === '' ? hover(row.path) : {})}>
            <button class={`name ${row.kind === 'unreadable' ? 'broken' : ''}`} aria-current={row.path === open} onClick={() => openRow(row)}>{row.kind === '' && <Thumb path={row.path} />}{row.path}{row.kind && <span class={`kind ${row.kind}`}>{row.kind}</span>}{row.note && <span class="kind by-hand" title="By hand">{row.note}</span>}</button>
            <button class="small" aria-label={`Remove ${row.path}`} title="Remove from the project (can be undone)" onClick={() => void removeFromProject(app, row.path)}>✕</button>
          </li>
        ))}
      </ul>
      <h2>Motions that ship</h2>
      <ul class="list" aria-label="Motions that ship">
        {motions.map((name) => {
          const path = shippedPrefix + name;
          return <li key={name} class={path === open ? 'open' : ''} {...hover(path)}><button class="name" aria-current={path === open} onClick={() => app.go('library', path)}><Thumb path={path} />{name.replaceAll('_', ' ')}</button></li>;
        })}
      </ul>
    </>
  );
}

/** Which of the clips have the facts that are asked for; they are read one after the other, so that the page stays quick. */
function useFacts(asked: string | undefined, paths: readonly string[], facts: ((motion: Motion) => boolean) | undefined) {
  const { app } = useStudio();
  const [found, set] = useState<ReadonlyMap<string, boolean>>(new Map());
  useEffect(() => {
    let wanted = facts !== undefined;
    set(new Map());
    void (async () => {
      for (const path of paths) {
        if (!wanted || !facts) return;
        const fits = await app.motions.of(path).then(facts, () => false); // What cannot be read says so when it is opened.
        if (wanted) set((before) => new Map(before).set(path, fits));
      }
    })();
    return () => void (wanted = false);
  }, [asked, paths.join('\n')]);
  return { read: found.size, fit: (path: string) => facts === undefined || found.get(path) === true };
}

function Imports() {
  const { app } = useStudio();
  const imports = usePart((state) => state.imports);
  if (imports.length === 0) return null;
  const done = imports.filter(({ kind }) => kind === 'done').length, failed = imports.filter(({ kind }) => kind === 'failed');
  const under = imports.find(({ kind }) => kind === 'reading');
  return (
    <section class="imports" aria-label="Import">
      <div class="row"><progress max={imports.length} value={done + failed.length} aria-label="Files read" /><button class="small" aria-label="Close" onClick={() => app.state.update((value) => ({ ...value, imports: [] }))}>✕</button></div>
      <p role="status">{under ? `Reading ${under.name}${under.text && `, ${under.text}`} …` : `${done} of ${imports.length} files read`}</p>
      {failed.map((each) => <p key={each.id} class="failed">{importFault(each)}</p>)}
    </section>
  );
}
