import { useEffect, useState } from 'preact/hooks';
import { removeFromProject } from '../../app/library_control';
import { shippedPrefix } from '../../app/motions';
import { documentAt, documentKind, type Files, isClip } from '../../model/files';
import { pickFiles } from '../files';
import { usePart, useStudio } from '../studio';
import { Preview } from './preview';

const kindWords: Record<string, string> = { score: 'score', pose: 'pose', footsteps: 'steps', graph: 'graph', commands: 'commands', run: 'run', ranges: 'ranges', submovements: 'goals', other: '' };

interface Row {
  path: string;
  kind: string;
}

function rowsOf(files: Files): Row[] {
  return [...files.keys()].sort().flatMap((path): Row[] => {
    if (isClip(path)) return [{ path, kind: '' }];
    const value = documentAt(files, path);
    return value === undefined ? [] : [{ path, kind: kindWords[documentKind(value)] ?? '' }];
  });
}

/** The project's clips and documents, and the motions that ship. */
export function LibraryList() {
  const studio = useStudio();
  const { app } = studio;
  const [words, setWords] = useState('');
  const [shipped, setShipped] = useState<string[]>([]);
  const files = usePart((state) => state.history.present), open = usePart((state) => state.open.library);
  useEffect(() => void app.engine.shipped().then(setShipped), [app]);
  const [hovered, setHovered] = useState<{ path: string; y_px: number } | undefined>();
  const hover = (path: string) => ({
    onPointerEnter: (event: PointerEvent) => setHovered({ path, y_px: (event.currentTarget as HTMLElement).getBoundingClientRect().top }),
    onPointerLeave: () => setHovered(undefined),
  });
  const fits = (text: string) => words.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));
  const rows = rowsOf(files).filter(({ path }) => fits(path));
  const motions = shipped.filter(fits);
  const openRow = ({ path, kind }: Row) => (kind === 'pose' ? app.go('pose', path) : kind === 'score' ? app.go('compose', path) : app.go('library', path));
  return (
    <>
      <div class="row"><input type="search" aria-label="Search" placeholder="Search …" value={words} onInput={(event) => setWords(event.currentTarget.value)} /><button onClick={() => pickFiles(studio)} title="Import files (Ctrl+O)">Import …</button></div>
      <Imports />
      {hovered && <Preview key={hovered.path} {...hovered} />}
      <h2>Project</h2>
      {rows.length === 0 && <p class="empty">{words ? 'Nothing in the project fits.' : 'No clips yet. Drop BVH, GLB, VRMA or AMC with ASF here, or take one of the motions below.'}</p>}
      <ul class="list" aria-label="Project">
        {rows.map((row) => (
          <li key={row.path} class={row.path === open ? 'open' : ''} {...(row.kind === '' ? hover(row.path) : {})}>
            <button class="name" aria-current={row.path === open} onClick={() => openRow(row)}>{row.path}{row.kind && <span class="kind">{row.kind}</span>}</button>
            <button class="small" aria-label={`Remove ${row.path}`} title="Remove from the project (can be undone)" onClick={() => void removeFromProject(app, row.path)}>✕</button>
          </li>
        ))}
      </ul>
      <h2>Motions that ship</h2>
      <ul class="list" aria-label="Motions that ship">
        {motions.map((name) => {
          const path = shippedPrefix + name;
          return <li key={name} class={path === open ? 'open' : ''} {...hover(path)}><button class="name" aria-current={path === open} onClick={() => app.go('library', path)}>{name.replaceAll('_', ' ')}</button></li>;
        })}
      </ul>
    </>
  );
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
      <p role="status">{under ? `Reading ${under.name} …` : `${done} of ${imports.length} files read`}</p>
      {failed.map(({ name, text }) => <p key={name} class="failed">{name}: {text}</p>)}
    </section>
  );
}
