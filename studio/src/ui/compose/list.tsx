import { useEffect, useState } from 'preact/hooks';
import { scoreOf } from '../../app/compose_control';
import { shippedPrefix } from '../../app/motions';
import { asScore } from '../../model/score';
import { byName, documentAt, isClip } from '../../model/files';
import { usePart, useStudio } from '../studio';
import { dragOut } from './gestures';

/** Scores of the project, and clips to take into one. */
export function ComposeList() {
  const { app, compose } = useStudio();
  const files = usePart((state) => state.history.present), open = usePart((state) => state.open.compose);
  const [words, setWords] = useState('');
  const [shipped, setShipped] = useState<string[]>([]);
  useEffect(() => void app.engine.shipped().then(setShipped), [app]);
  const layers = usePart((state) => (scoreOf(state)?.motions.length ?? 0) > 0);
  const scores = [...files.keys()].sort(byName).filter((path) => asScore(documentAt(files, path)));
  const fits = (name: string) => name.toLowerCase().includes(words.toLowerCase());
  const clips = [...files.keys()].sort(byName).filter((path) => isClip(path) && fits(path));
  const motions = shipped.filter((name) => fits(name) && !files.has(`${name}.bvh`));
  return (
    <>
      <div class="row"><h2>Scores</h2><button onClick={() => compose.create()}>New score</button></div>
      {scores.length === 0 && <p class="empty">A score joins clips into one motion. Drag clips from below onto the time line.</p>}
      <ul class="list" aria-label="Scores">
        {scores.map((path) => <li key={path} class={path === open ? 'open' : ''}><button class="name" aria-current={path === open} onClick={() => compose.open(path)}>{path.replace(/\.json$/, '')}</button></li>)}
      </ul>
      <h2>Clips</h2>
      <div class="row"><input type="search" aria-label="Search clips" placeholder="Search …" value={words} onInput={(event) => setWords(event.currentTarget.value)} /></div>
      <ul class="list" aria-label="Clips to add">
        {clips.map((path) => <Source key={path} source={path} name={path} layers={layers} />)}
        {motions.map((name) => <Source key={name} source={shippedPrefix + name} name={name.replaceAll('_', ' ')} layers={layers} ships />)}
      </ul>
    </>
  );
}

function Source({ source, name, ships = false, layers }: { source: string; name: string; ships?: boolean; layers: boolean }) {
  const { app, compose } = useStudio();
  const fault = usePart(({ history, faults }) => faults.get(history.present.get(source)!));
  const press = (event: PointerEvent) => dragOut(event, name, ({ time_s, onLayers }) => void (onLayers ? compose.addLayer(source, time_s) : compose.addMotion(source, compose.indexAt(time_s))));
  return (
    <li>
      <button class={`name source ${fault === undefined ? '' : 'broken'}`} data-source={source} onPointerDown={press} onClick={() => void compose.addMotion(source)} title={fault ?? 'Drag it onto the time line, or click to add it at the end'}>{name}{ships && <span class="kind">ships</span>}</button>
      {layers && <button class="small" aria-label={`Lay ${name} over the score`} title="Lays it over the score, from this moment on" onClick={() => void compose.addLayer(source, app.state.value.transport.time_s)}>over</button>}
    </li>
  );
}
