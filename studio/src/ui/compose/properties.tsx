import { useRef } from 'preact/hooks';
import { scoreOf } from '../../app/compose_control';
import type { JsonObject } from '../../model/json';
import { changed, type Score, techniques } from '../../model/score';
import { scoreLayout } from '../../model/score_layout';
import type { ComposeView } from '../../model/state';
import { exportMotion } from '../files';
import { usePart, useStudio } from '../studio';
import { Said } from '../said';
import { gestureName } from './gestures';
import { LayerProperties, MotionProperties } from './selected';
import { methodWords, techniqueWords } from './words';

export function ComposeProperties() {
  const score = usePart(scoreOf), selected = usePart((state) => state.compose.selected);
  const report = usePart((state) => state.scene.figures[0]?.motion.report);
  if (!score) return <p class="empty">Choose a score on the left, or drag a clip onto the time line to begin one.</p>;
  const motion = selected?.kind === 'motion' ? score.motions[selected.index] : undefined;
  const layer = selected?.kind === 'layer' ? score.layers?.[selected.index] : undefined;
  return (
    <>
      <Whole score={score} />
      <Refused score={score} report={report} />
      {motion && <MotionProperties key={selected!.index} score={score} motion={motion} index={selected!.index} report={report} />}
      {layer && <LayerProperties key={selected!.index} layer={layer} index={selected!.index} />}
      <Compare />
      <Joins score={score} />
    </>
  );
}

function Whole({ score }: { score: Score }) {
  const { app, compose } = useStudio();
  const gesture = useRef('');
  const { smoothness = 0.5 } = score;
  return (
    <section>
      <h2>Score</h2>
      <label class="row" title="W of the method: 0 gets there fast, 1 is smooth">Smoothness
        <input type="range" min="0" max="1" step="0.01" value={smoothness} aria-label="Smoothness" onPointerDown={() => (gesture.current = gestureName('smoothness'))}
          onInput={(event) => compose.setSmoothness(Number(event.currentTarget.value), gesture.current || (gesture.current = gestureName('smoothness')))} onChange={() => ((gesture.current = ''), app.endGesture())} />
        <output>{smoothness.toFixed(2)}</output>
      </label>
      <label class="check" title="Between clips that leave a gap joints and hips go on as both ends have them"><input type="checkbox" checked={score.bridge !== false} onChange={(event) => compose.edit('Bridge gaps', (value) => changed(value, { bridge: event.currentTarget.checked ? undefined : false }))} /> Bridge gaps</label>
      <label class="row">Method
        <select value={score.method ?? 'optimal'} onChange={(event) => { const method = techniques.find((each) => each === event.currentTarget.value); compose.edit('Method', (value) => changed(value, { method: method === 'optimal' ? undefined : method })); }}>
          {techniques.map((each) => <option key={each} value={each}>{techniqueWords[each]}</option>)}
        </select>
      </label>
    </section>
  );
}

/** Motions that are left out, why, and from when on they fit. */
function Refused({ score, report }: { score: Score; report: JsonObject | undefined }) {
  const { compose } = useStudio();
  const refused = scoreLayout(score, report).blocks.filter((block) => block.refused !== undefined);
  return (
    <>
      {refused.map(({ index, name, refused: why, earliest_s }) => (
        <div key={index} class="trial">
          <p class="failed">{name} is not played: {why}.</p>
          <div class="buttons"><button onClick={() => compose.edit(`Move ${name}`, (value) => ({ ...value, motions: value.motions.map((each, i) => (i === index ? { ...each, at: Number(earliest_s.toFixed(4)) } : each)) }))}>Put it at {earliest_s.toFixed(2)} s</button></div>
        </div>
      ))}
    </>
  );
}

function Compare() {
  const { compose } = useStudio();
  const { against, apart } = usePart((state) => state.compose);
  const shown = usePart((state) => state.scene.figures.length > 1);
  const choose = (value: string) => compose.look({ against: (value || undefined) as ComposeView['against'] });
  return (
    <section>
      <h2>Compare</h2>
      <label class="row">With
        <select aria-label="Compare with" value={against ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">nothing</option>
          {techniques.map((each) => <option key={each} value={each}>{techniqueWords[each]}</option>)}
          <option value="before">before the last change</option>
        </select>
      </label>
      {against !== undefined && against !== 'before' && <label class="check"><input type="checkbox" checked={apart} onChange={(event) => compose.look({ apart: event.currentTarget.checked })} /> Side by side</label>}
      {shown && <p class="legend"><span class="swatch ours" /> this score <span class="swatch other" /> {against === undefined || against === 'before' ? 'before' : techniqueWords[against]}</p>}
    </section>
  );
}

function Joins({ score }: { score: Score }) {
  const studio = useStudio();
  const { app } = studio;
  const motion = usePart((state) => state.scene.figures[0]?.motion);
  const { blocks, joins } = scoreLayout(score, motion?.report);
  return (
    <section>
      <h2>Result</h2>
      <dl class="facts">{joins.map((join) => <div key={join.to}><dt>{blocks[join.from]!.name} → {blocks[join.to]!.name}</dt><dd>{join.method ? methodWords(join) : techniqueWords[score.method ?? 'optimal']}, {join.time_s.toFixed(2)} s</dd></div>)}</dl>
      {motion && <Said motion={motion} />}
      {app.shown && <div class="buttons">Export <button onClick={() => void exportMotion(studio, 'bvh')}>BVH</button><button onClick={() => void exportMotion(studio, 'glb')}>GLB</button><button onClick={() => void exportMotion(studio, 'csv')}>CSV</button><button onClick={() => studio.dialog('export')} title="Strip picture, film, several clips in one file (Ctrl+E)">More …</button></div>}
    </section>
  );
}
