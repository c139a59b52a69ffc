import type { State } from '../model/state';
import { exportProject } from './files';
import { shownKey } from './keys';
import { usePart, useStudio } from './studio';
import { toggleTheme } from './theme';

function saveWords({ kind, refused }: State['saving']): string {
  if (kind === 'waiting') return refused ? 'Cannot be saved' : 'Not saved: will be tried again';
  return { saved: 'Saved', saving: 'Saving …', read_only: 'Read only' }[kind];
}

export function TopBar() {
  const studio = useStudio();
  const { app } = studio;
  const space = usePart((state) => state.space), project = usePart((state) => state.project), saving = usePart((state) => state.saving);
  const past = usePart((state) => state.history.past.at(-1)?.label), future = usePart((state) => state.history.future[0]?.label);
  const where = project?.place === 'browser' ? 'kept in this browser' : 'kept by shosa studio';
  return (
    <header class="top-bar">
      <button class="brand" onClick={() => app.go('start')} title="Start page">Shosa</button>
      <nav aria-label="Work spaces">
        {studio.spaces.map(({ id, title }, i) => <button key={id} aria-current={space === id ? 'page' : undefined} onClick={() => app.go(id)} title={`${title} (${shownKey(`Alt+${i + 1}`)})`}>{title}</button>)}
      </nav>
      <div class="spread" />
      <span class="project" title={where}>{project?.name}</span>
      <span class={`save ${saving.kind}`} role="status" title={saving.why ?? where}>{saveWords(saving)}</span>
      {saving.refused && <button onClick={() => void exportProject(studio)} title={`${saving.why}. The project as one file has all that this page knows of.`}>Export the project</button>}
      <button disabled={past === undefined} onClick={() => app.undo()} aria-label="Undo" title={past === undefined ? 'Nothing to undo' : `Undo: ${past} (${shownKey('Ctrl+Z')})`}>↶</button>
      <button disabled={future === undefined} onClick={() => app.redo()} aria-label="Redo" title={future === undefined ? 'Nothing to redo' : `Redo: ${future} (${shownKey('Ctrl+Shift+Z')})`}>↷</button>
      <button onClick={() => studio.dialog('palette')} title={`Command palette (F3, ${shownKey('Ctrl+K')})`}>Search …</button>
      <button onClick={() => studio.dialog('shortcuts')} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">?</button>
      <button onClick={() => toggleTheme(studio)} aria-label="Dark or light" title="Dark or light">◐</button>
    </header>
  );
}
