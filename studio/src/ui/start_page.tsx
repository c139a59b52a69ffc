import { addMotion } from '../app/library_control';
import { shippedPrefix } from '../app/motions';
import { newPose } from '../app/pose_control';
import { isClip } from '../model/files';
import { exportProject, pickFiles } from './files';
import { usePart, useStudio } from './studio';

/** Three doors. */
export function StartPage() {
  const studio = useStudio();
  const { app } = studio;
  const project = usePart((state) => state.project);
  const clips = usePart((state) => [...state.history.present.keys()].filter(isClip).length);
  const tour = async () => {
    const known = [...app.files.keys()].find(isClip);
    const clip = known ?? (await app.attempt('The tour cannot begin', async () => addMotion(app, await app.motions.of(`${shippedPrefix}idle`), 'idle', 'bvh')));
    if (clip !== undefined) newPose(app, clip, 0);
  };
  return (
    <main class="start">
      <h1>Short motions, made into what you need</h1>
      <div class="doors">
        <button class="door" onClick={() => app.go('library')}>
          <strong>Open the project</strong>
          <span>{project?.name}: {clips === 0 ? 'no clips yet. Drop files anywhere on this page.' : `${clips} ${clips === 1 ? 'clip' : 'clips'}`}</span>
        </button>
        <button class="door" onClick={() => app.go('library', `${shippedPrefix}walk_normal`)}>
          <strong>Try the motions that ship</strong>
          <span>Walks, runs, jumps, a dog: play them, change them, take them into your project.</span>
        </button>
        <button class="door" onClick={() => void tour()}>
          <strong>Drag a body</strong>
          <span>The tour’s first step: a standing figure whose hand follows the mouse while its feet stay.</span>
        </button>
      </div>
      <p class="hint">
        {project?.place === 'browser' ? 'This project is kept in this browser.' : 'This project is a folder; shosa studio keeps it.'} <button class="link" onClick={() => pickFiles(studio)}>Import files …</button>{' '}
        {clips > 0 && <button class="link" onClick={() => void exportProject(studio)} title="All files in one, for another browser or `shosa project unzip`">Export the project</button>}
      </p>
    </main>
  );
}
