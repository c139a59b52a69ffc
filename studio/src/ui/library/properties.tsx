import { useEffect, useState } from 'preact/hooks';
import { addMotion, dropTrial, keepTrial, showTake, takeIn, tryChange } from '../../app/library_control';
import { shippedPrefix } from '../../app/motions';
import { newPose } from '../../app/pose_control';
import { isClip } from '../../model/files';
import type { JsonObject } from '../../model/json';
import { type Motion, motionDuration } from '../../model/motion';
import type { Match } from '../../store/store';
import { exportMotion } from '../files';
import { usePart, useStudio } from '../studio';
import { Said } from '../said';
import { TakeChoice } from '../takes';
import { BodyMap } from './body_map';

const figures: [key: string, label: string, unit: string, digits: number, factor: number][] = [
  ['foot_skate_mps', 'foot slide', 'cm/s', 1, 100], ['penetration_m', 'in the floor', 'mm', 1, 1000], ['mean_jerk_mps3', 'mean jerk', 'm/s³', 0, 1], ['peak_acceleration_mps2', 'peak acceleration', 'm/s²', 1, 1], ['knee_kink_deg', 'knee kink', '°', 1, 1],
];

/** Facts of the clip that is open, and what can be done to it. */
export function LibraryProperties() {
  const motion = usePart((state) => state.scene.figures[0]?.motion), path = usePart((state) => state.open.library);
  const problem = usePart((state) => state.scene.problem);
  if (!motion && path !== undefined) return problem === undefined ? null : <><h2>{path}</h2><p class="failed">{problem}</p></>;
  if (!motion || path === undefined) return <p class="empty">Choose a clip on the left to see it, or drop files anywhere.</p>;
  return (
    <>
      <Facts motion={motion} path={path} />
      <Changes motion={motion} path={path} />
      <Onward motion={motion} path={path} />
      <Find path={path} />
      <Quality motion={motion} />
      <BodyMap motion={motion} />
    </>
  );
}

function Facts({ motion, path }: { motion: Motion; path: string }) {
  const { app } = useStudio();
  const { track } = motion, take = usePart((state) => state.takes[path]);
  const roles = track.joints.filter(({ role }) => role !== undefined).length;
  return (
    <section>
      <h2>{motion.name}</h2>
      {isClip(path) && <TakeChoice path={path} take={take} choose={(next) => showTake(app, path, next)} />}
      <dl class="facts">
        <div><dt>length</dt><dd>{motionDuration(motion).toFixed(2)} s</dd></div>
        <div><dt>frames</dt><dd>{track.frameCount}, {(1 / track.frameTime_s).toFixed(2).replace(/\.?0+$/, '')} a second</dd></div>
        <div><dt>body</dt><dd>{track.joints.length} joints, {roles} with a role</dd></div>
      </dl>
      <Said motion={motion} />
    </section>
  );
}

function Changes({ motion, path }: { motion: Motion; path: string }) {
  const { app } = useStudio();
  const trial = usePart((state) => state.trial), range = usePart((state) => state.transport.range), files = usePart((state) => state.history.present);
  const [fps, setFps] = useState('30');
  const others = [...files.keys()].filter((other) => isClip(other) && other !== path);
  const [onto, setOnto] = useState('');
  const retarget = async (target: string) => {
    if (target === '') return;
    const body = await app.attempt('The other body cannot be read', () => app.motions.of(target));
    if (body) await tryChange(app, 'retargeted', { kind: 'retarget', onto: body });
  };
  return (
    <section>
      <h2>Change</h2>
      <div class="buttons">
        <button onClick={() => void tryChange(app, 'fixed', { kind: 'fix' })} title="Takes foot slide and floor penetration out">Fix</button>
        <button onClick={() => void tryChange(app, 'looped', { kind: 'loop', ...(range ? { from_s: range[0], to_s: range[1] } : {}) })} title={range ? 'The marked part as a seamless cycle' : 'A seamless cycle; mark a part to say which: Shift-drag in the time line'}>Loop</button>
        <button onClick={() => void tryChange(app, 'mirrored', { kind: 'mirror' })} title="Left becomes right">Mirror</button>
        <button disabled={!range} onClick={() => range && void tryChange(app, 'trimmed', { kind: 'cut', begin_s: range[0], end_s: range[1] })} title={range ? 'Keeps the marked part' : 'Mark a part first: Shift-drag in the time line'}>Trim</button>
      </div>
      <div class="row">
        <label>Rate <input class="number" type="number" min="1" max="1000" value={fps} onInput={(event) => setFps(event.currentTarget.value)} /> fps</label>
        <button disabled={!(Number(fps) > 0)} onClick={() => void tryChange(app, `${fps}fps`, { kind: 'resample', fps: Number(fps) })}>Resample</button>
      </div>
      <div class="row">
        <label>Onto the body of{' '}
          <select value={onto} onChange={(event) => setOnto(event.currentTarget.value)}>
            <option value="">choose …</option>
            {others.map((other) => <option key={other} value={other}>{other}</option>)}
            <option value={`${shippedPrefix}walk_normal`}>the person that ships</option>
          </select>
        </label>
        <button disabled={onto === ''} onClick={() => void retarget(onto)}>Retarget</button>
      </div>
      {trial && (
        <div class="trial" role="status">
          <p>{trial.word.replaceAll('_', ', ')}: the ghost shows it before.</p>
          <div class="buttons"><button class="primary" onClick={() => void keepTrial(app)}>Keep as a new file</button><button onClick={() => dropTrial(app)}>Discard</button></div>
          <BeforeAfter before={trial.before} after={motion} />
        </div>
      )}
    </section>
  );
}

function Onward({ motion, path }: { motion: Motion; path: string }) {
  const studio = useStudio();
  const { app } = studio;
  const time_s = usePart((state) => state.transport.time_s);
  const shipped = path.startsWith(shippedPrefix);
  const inProject = async () => (shipped ? addMotion(app, motion, path.slice(shippedPrefix.length), 'bvh') : path);
  const pose = async (held_s?: number) => {
    const clip = await inProject();
    if (clip !== undefined) await newPose(app, clip, held_s, takeIn(app.state.value, path));
  };
  return (
    <section>
      <h2>Go on</h2>
      <div class="buttons">
        {shipped && <button class="primary" onClick={() => void inProject()}>Add to the project</button>}
        <button onClick={() => void pose(time_s)} title="Holds the posture of this moment and lets you drag it">Pose this moment</button>
        <button onClick={() => void pose()} title="Drags laid over the clip while it plays">Edit over the clip</button>
        <button onClick={() => void studio.compose.addMotion(path, Infinity, takeIn(app.state.value, path).take).then((added) => added && app.go('compose'))} title="Joins the score that is open, or a new one">Compose</button>
      </div>
      <div class="buttons">Export <button onClick={() => void exportMotion(studio, 'bvh')}>BVH</button><button onClick={() => void exportMotion(studio, 'glb')}>GLB</button><button onClick={() => void exportMotion(studio, 'csv')}>CSV</button><button onClick={() => studio.dialog('export')} title="Strip picture, film, several clips in one file (Ctrl+E)">More …</button></div>
    </section>
  );
}

/** Moments like this one, and clips that can follow; the index is the server's. */
function Find({ path }: { path: string }) {
  const { app } = useStudio();
  // An answer that comes late is of the clip that it was asked for, whichever is open by then.
  const [found, set] = useState<{ path: string; what: string; matches: Match[] } | undefined>();
  const [asked, ask] = useState<{ path: string; what: string } | undefined>();
  const store = app.project?.store, answer = found?.path === path ? found : undefined, busy = asked?.path === path;
  if (!store?.find || path.startsWith(shippedPrefix)) return null;
  const find = (kind: 'like' | 'follows') => {
    const time_s = app.state.value.transport.time_s, question = { path, what: kind === 'like' ? `Like ${time_s.toFixed(2)} s` : 'Can follow' };
    ask(question);
    void app.attempt('Nothing can be found', async () => set({ ...question, matches: await store.find!(kind, path, time_s) })).finally(() => ask((latest) => (latest === question ? undefined : latest)));
  };
  const show = ({ file, time_s }: Match) => app.go('library', file, time_s);
  return (
    <section>
      <h2>Find in the project</h2>
      <div class="buttons"><button disabled={busy} onClick={() => find('like')} title="Moments of other clips that look and move like this one">Like this moment</button><button disabled={busy} onClick={() => find('follows')} title="Moments at which another clip can take over from this one">Can follow this</button></div>
      <p class="hint" role="status">{busy ? `${asked.what}: looking through the clips of the project …${answer ? ' Until then what was found before:' : ''}` : answer && `${answer.what}:`}</p>
      {answer?.matches.length === 0 && !busy && <p class="empty">No other clip of the project fits.</p>}
      <ul class="list" aria-label="Found" aria-busy={busy}>{answer?.matches.map((match) => <li key={`${match.file} ${match.time_s}`}><button class="name" onClick={() => show(match)}>{match.file} at {match.time_s.toFixed(2)} s<span class="kind">{(100 * match.distance).toFixed(1)} cm</span></button></li>)}</ul>
    </section>
  );
}

function useMeasures(motion: Motion): JsonObject | undefined {
  const { app } = useStudio();
  const [measures, set] = useState<JsonObject | undefined>();
  useEffect(() => {
    let wanted = true;
    set(undefined);
    app.engine.measure(motion).then((value) => wanted && set(value), () => undefined); // A body without feet has none.
    return () => void (wanted = false);
  }, [motion]);
  return measures;
}

const shown = (measures: JsonObject | undefined, key: string, digits: number, factor: number) => (typeof measures?.[key] === 'number' ? (Number(measures[key]) * factor).toFixed(digits) : '–');

function Quality({ motion }: { motion: Motion }) {
  const measures = useMeasures(motion);
  return (
    <section>
      <h2>Quality</h2>
      <dl class="facts">{figures.map(([key, label, unit, digits, factor]) => <div key={key}><dt>{label}</dt><dd>{shown(measures, key, digits, factor)} {unit}</dd></div>)}</dl>
    </section>
  );
}

function BeforeAfter({ before, after }: { before: Motion; after: Motion }) {
  const [was, is] = [useMeasures(before), useMeasures(after)];
  return (
    <table>
      <thead><tr><th scope="col">figure</th><th scope="col">before</th><th scope="col">after</th></tr></thead>
      <tbody>{figures.map(([key, label, unit, digits, factor]) => <tr key={key}><th scope="row">{label}, {unit}</th><td>{shown(was, key, digits, factor)}</td><td>{shown(is, key, digits, factor)}</td></tr>)}</tbody>
    </table>
  );
}
