import { newPose } from '../../app/pose_control';
import { shippedPrefix } from '../../app/motions';
import { addMotion } from '../../app/library_control';
import { byName, documentAt, documentKind, isClip } from '../../model/files';
import { usePart, useStudio } from '../studio';

/** Pose scripts of the project, and clips to begin one with. */
export function PoseList() {
  const { app } = useStudio();
  const files = usePart((state) => state.history.present), open = usePart((state) => state.open.pose), faults = usePart((state) => state.faults);
  const scripts = [...files.keys()].sort(byName).filter((path) => {
    const value = documentAt(files, path);
    return value !== undefined && documentKind(value) === 'pose';
  });
  const clips = [...files.keys()].sort(byName).filter(isClip);
  const fromShipped = async () => {
    const motion = await app.attempt('The motion cannot be made', () => app.motions.of(`${shippedPrefix}idle`));
    const clip = motion && (await addMotion(app, motion, 'idle', 'bvh'));
    if (clip !== undefined) await newPose(app, clip, 0);
  };
  return (
    <>
      <h2>Poses</h2>
      {scripts.length === 0 && <p class="empty">A pose holds one moment of a clip, or goes over the clip as it plays. Begin one with a clip below.</p>}
      <ul class="list" aria-label="Poses">
        {scripts.map((path) => <li key={path} class={path === open ? 'open' : ''}><button class="name" aria-current={path === open} onClick={() => app.go('pose', path)}>{path.replace(/\.json$/, '')}</button></li>)}
      </ul>
      <h2>New pose of</h2>
      <ul class="list" aria-label="New pose of">
        {clips.map((path) => <li key={path}><button class={faults.has(files.get(path)!) ? 'name broken' : 'name'} onClick={() => void newPose(app, path, 0)} title={faults.get(files.get(path)!) ?? 'Holds its first moment'}>{path}</button><button class="small" title="Over the clip as it plays" onClick={() => void newPose(app, path)}>over it</button></li>)}
        <li><button class="name" onClick={() => void fromShipped()}>a standing figure (ships)</button></li>
      </ul>
    </>
  );
}
