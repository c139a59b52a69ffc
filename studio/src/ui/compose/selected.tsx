import { resolvePath } from '../../model/files';
import type { JsonObject } from '../../model/json';
import { insertMotion, nameOf, type Part, removeLayer, removeMotion, roundedTime, type Score, type ScoreLayer, type ScoreMotion, setBlend, setCore, setLayer, setMotion } from '../../model/score';
import { scoreLayout } from '../../model/score_layout';
import { usePart, useStudio } from '../studio';
import { TakeChoice } from '../takes';

/** As the document has it: a name, or a number. */
const takeOf = ({ take }: ScoreMotion | ScoreLayer) => (take === undefined ? undefined : String(take));

function Seconds({ label, value, set, min, step = 0.05 }: { label: string; value: number | undefined; set(value: number): void; min?: number; step?: number }) {
  return <input class="number" type="number" aria-label={label} title={label} step={step} {...(min === undefined ? {} : { min })} value={value === undefined ? '' : Number(value.toFixed(3))} onChange={(event) => Number.isFinite(event.currentTarget.valueAsNumber) && set(event.currentTarget.valueAsNumber)} />;
}

/** The motion that is selected: its time, its core, the blends into it. */
export function MotionProperties({ score, motion, index, report }: { score: Score; motion: ScoreMotion; index: number; report: JsonObject | undefined }) {
  const { compose } = useStudio();
  const document = usePart((state) => state.open.compose);
  const name = nameOf(motion);
  const { blocks, joins } = scoreLayout(score, report);
  const block = blocks[index], join = joins.find(({ to }) => to === index);
  if (!block) return null;
  const core = [block.core[0] - block.begin_s, block.core[1] - block.begin_s] as const;
  const move = (by: number) => compose.edit(`Move ${name}`, (value) => insertMotion(removeMotion(value, index), index + by, motion));
  const shift = (by: number) => {
    compose.select('motion', index + by);
    move(by);
  };
  return (
    <section aria-label="Selected clip">
      <h2>{name}</h2>
      {document !== undefined && <TakeChoice path={resolvePath(document, motion.clip)} take={takeOf(motion)} choose={(take) => compose.edit(`Clip of ${name}`, (value) => setMotion(value, index, { take, core: undefined, blend: undefined }))} />}
      <div class="row">
        <label class="check"><input type="checkbox" checked={typeof motion.at !== 'number'} onChange={(event) => compose.edit(`Time of ${name}`, (value) => setMotion(value, index, { at: event.currentTarget.checked ? undefined : roundedTime(block.begin_s) }))} /> Automatic</label>
        <Seconds label="Begins at, seconds" value={block.begin_s} set={(at) => compose.edit(`Move ${name}`, (value) => setMotion(value, index, { at }))} /> s
      </div>
      <div class="row">Core
        <Seconds label="Core from, seconds of the clip" value={core[0]} min={0} set={(begin) => begin < core[1] && compose.edit(`Core of ${name}`, (value) => setCore(value, index, [begin, core[1]]))} />–
        <Seconds label="Core to, seconds of the clip" value={core[1]} min={0} set={(end) => end > core[0] && compose.edit(`Core of ${name}`, (value) => setCore(value, index, [core[0], end]))} />
        {motion.core && <button class="small" onClick={() => compose.edit(`Core of ${name}`, (value) => setCore(value, index, undefined))} title="As the analysis finds it">found</button>}
      </div>
      {join && !join.bridged && (['upper', 'lower'] as const).map((part) => <BlendRow key={part} part={part} index={index} begin_s={block.begin_s} blend={join.blends.find((each) => each.part === part)} />)}
      <label class="check" title="It stays where its clip has it, seen from the clip before"><input type="checkbox" checked={motion.keep_place === true} onChange={(event) => compose.edit(`Place of ${name}`, (value) => setMotion(value, index, { keep_place: event.currentTarget.checked || undefined }))} /> Keep its place</label>
      <div class="buttons">
        <button disabled={index === 0} onClick={() => shift(-1)}>Earlier</button>
        <button disabled={index === score.motions.length - 1} onClick={() => shift(1)}>Later</button>
        <button onClick={() => compose.edit(`Remove ${name}`, (value) => removeMotion(value, index))}>Remove</button>
      </div>
    </section>
  );
}

function BlendRow({ part, index, begin_s, blend }: { part: Part; index: number; begin_s: number; blend: { begin_s: number; end_s: number; byHand: boolean } | undefined }) {
  const { compose } = useStudio();
  if (!blend) return null;
  const set = (begin: number, end: number) => end > begin && compose.edit(`Blend of the ${part} body`, (value) => setBlend(value, index, part, [begin - begin_s, end - begin_s]));
  return (
    <div class="row">Blend, {part}
      <Seconds label={`Blend of the ${part} body from`} value={blend.begin_s} set={(begin) => set(begin, blend.end_s)} />–
      <Seconds label={`Blend of the ${part} body to`} value={blend.end_s} set={(end) => set(blend.begin_s, end)} />
      {blend.byHand && <button class="small" onClick={() => compose.edit(`Search the blend of the ${part} body`, (value) => setBlend(value, index, part, undefined))} title="As the method finds it">found</button>}
    </div>
  );
}

const limbs: [mask: string, label: string][] = [
  ['', 'the whole body'], ['upper_body', 'the upper body'], ['lower_body', 'the lower body'], ['left_upper_arm', 'the left arm'], ['right_upper_arm', 'the right arm'], ['left_upper_arm right_upper_arm', 'both arms'], ['neck', 'neck and head'],
];

/** The layer that is selected: on what, how much, from when. */
export function LayerProperties({ layer, index }: { layer: ScoreLayer; index: number }) {
  const { compose } = useStudio();
  const document = usePart((state) => state.open.compose);
  const name = nameOf(layer);
  const mask = layer.mask === undefined ? '' : typeof layer.mask === 'string' ? layer.mask : layer.mask.join(' ');
  const edit = (what: string, change: Parameters<typeof setLayer>[2]) => compose.edit(`${what} of ${name}`, (value) => setLayer(value, index, change));
  const chooseMask = (value: string) => edit('Mask', { mask: value === '' ? undefined : value === 'upper_body' || value === 'lower_body' ? value : value.split(' ') });
  return (
    <section aria-label="Selected layer">
      <h2>Layer {name}</h2>
      {document !== undefined && <TakeChoice path={resolvePath(document, layer.clip)} take={takeOf(layer)} choose={(take) => edit('Clip', { take })} />}
      <label class="row">Over
        <select aria-label="Mask" value={mask} onChange={(event) => chooseMask(event.currentTarget.value)}>
          {limbs.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          {!limbs.some(([value]) => value === mask) && <option value={mask}>{mask.replaceAll('_', ' ')}</option>}
        </select>
      </label>
      <label class="row">As
        <select value={layer.kind ?? 'override'} onChange={(event) => edit('Kind', { kind: event.currentTarget.value === 'additive' ? 'additive' : undefined })}>
          <option value="override">what the joints do</option>
          <option value="additive">what is added to it</option>
        </select>
      </label>
      <div class="row">From <Seconds label="Layer begins at, seconds" value={layer.at ?? 0} set={(at) => edit('Time', { at })} /> s, speed <Seconds label="Speed" value={layer.speed ?? 1} min={0.01} set={(speed) => speed > 0 && edit('Speed', { speed: speed === 1 ? undefined : speed })} /></div>
      <div class="row">Fades <Seconds label="Fade in, seconds" value={layer.fade_in ?? 0} min={0} set={(fade_in) => fade_in >= 0 && edit('Fade', { fade_in })} /> <Seconds label="Fade out, seconds" value={layer.fade_out ?? 0} min={0} set={(fade_out) => fade_out >= 0 && edit('Fade', { fade_out })} /> s</div>
      <div class="row">Weight <Seconds label="Weight, 0 to 1" value={layer.weight ?? 1} min={0} set={(weight) => weight >= 0 && weight <= 1 && edit('Weight', { weight: weight === 1 ? undefined : weight })} /></div>
      <div class="buttons"><button onClick={() => compose.edit(`Remove layer ${name}`, (value) => removeLayer(value, index))}>Remove</button></div>
    </section>
  );
}
