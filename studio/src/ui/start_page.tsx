import { shippedPrefix } from '../app/motions';
import { isClip } from '../model/files';
import { exportProject, pickFiles } from './files';
import { usePart, useStudio } from './studio';
import { beginTour } from './tour';

/** Three doors. */
export function StartPage() {
  const studio = useStudio();
  const { app } = studio;
  const project = usePart((state) => state.project);
  const clips = usePart((state) => [...state.history.present.keys()].filter(isClip).length);
  const broken = usePart(({ history, faults }) => [...history.present].filter(([path, content]) => isClip(path) && faults.has(content)).length);
  return (
    <main class="start">
      <h1>Short motions, made into what you need</h1>
      <div class="doors">
        <button class="door" onClick={() => app.go('library')}>
          <strong>Open the project</strong>
          <span>{project?.name}: {clips === 0 ? 'no clips yet. Drop files anywhere on this page.' : `${clips} ${clips === 1 ? 'clip' : 'clips'}${broken > 0 ? `, ${broken} of them cannot be read` : ''}`}</span>
        </button>
        <button class="door" onClick={() => app.go('library', `${shippedPrefix}walk_normal`)}>
          <strong>Try the motions that ship</strong>
          <span>Walks, runs, jumps, a dog: play them, change them, take them into your project.</span>
        </button>
        <button class="door" onClick={() => void beginTour(studio)}>
          <strong>Take the tour</strong>
          <span>Drag a body whose feet stay, pin it, key it; then change a clip and join two. Five minutes.</span>
        </button>
      </div>
      <p class="hint">
        {project?.place === 'browser' ? 'This project is kept in this browser.' : 'This project is a folder; shosa studio keeps it.'} <button class="link" onClick={() => pickFiles(studio)}>Import files …</button>{' '}
        {clips > 0 && <button class="link" onClick={() => void exportProject(studio)} title="All files in one, for another browser or `shosa project unzip`">Export the project</button>}
      </p>
    </main>
  );
}
