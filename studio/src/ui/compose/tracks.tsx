import { scoreOf } from '../../app/compose_control';
import type { Motion } from '../../model/motion';
import { moveMotion, nameOf, removeLayer, removeMotion, type Score, type ScoreLayer, setBlend, setCore, setLayer } from '../../model/score';
import { type Blend, type Block, type JoinMark, placeOfProblem, scoreLayout } from '../../model/score_layout';
import type { State } from '../../model/state';
import type { Studio, TimeRow, TimeScale } from '../studio';
import { dragTime } from '../time/drag_time';
import { curveRows } from './curves';
import { gestureName } from './gestures';
import { methodWords } from './words';

const laneHeight_px = 21;

/** Clips with their cores, how they are joined, layers, and speeds. */
export function composeRows(studio: Studio, state: State): TimeRow[] {
  const score = scoreOf(state);
  if (!score) return [];
  const { figures, problem, unreadable } = state.scene;
  const { blocks, joins } = scoreLayout(score, figures[0]?.motion.report);
  const wrong = placeOfProblem(problem);
  const marks = { wrong: (kind: string, index: number) => unreadable?.get((kind === 'motion' ? score.motions : score.layers)?.[index]?.clip ?? '') ?? (wrong?.kind === kind && wrong.index === index ? problem : undefined), selected: (kind: string, index: number) => state.compose.selected?.kind === kind && state.compose.selected.index === index };
  const blends = (part: Blend['part']): TimeRow => ({ label: `${part} body`, content: (scale) => joins.flatMap((join) => join.blends.filter((blend) => blend.part === part).map((blend, i) => <BlendBar key={`${join.to} ${i}`} {...{ studio, score, join, blend, block: blocks[join.to]!, scale }} />)) });
  const rows: TimeRow[] = [
    { label: 'clips', height_px: laneHeight_px * Math.max(2, ...blocks.map(({ lane }) => lane + 1)) + 2, content: (scale) => blocks.map((block) => <ClipBlock key={block.index} {...{ studio, score, blocks, block, scale }} wrong={marks.wrong('motion', block.index)} selected={marks.selected('motion', block.index)} />) },
    { label: 'joined by', content: (scale) => withRoom(joins.filter(({ method }) => method !== ''), scale).map((join) => <span key={join.to} class="method" style={{ left: scale.share(join.time_s) }}>{methodWords(join)}</span>) },
    blends('upper'),
    blends('lower'),
  ];
  const layers = score.layers ?? [];
  layers.forEach((layer, index) => rows.push({ label: `layer ${index + 1}`, content: (scale) => <LayerBar {...{ studio, layer, index, scale }} wrong={marks.wrong('layer', index)} selected={marks.selected('layer', index)} /> }));
  if (score.motions.length > 0) rows.push({ label: 'new layer', content: () => <div class="drop-row" data-layers>drop a clip here to lay it over</div> });
  const [ours, other] = figures;
  if (ours) rows.push(...curveRows(ours.motion, other?.motion, joins));
  return rows;
}

const methodRoom_px = 104;

/** Joins whose names do not lie over each other; the others' are in the list of the result. */
function withRoom(joins: readonly JoinMark[], scale: TimeScale): JoinMark[] {
  let last_s = -Infinity;
  return joins.filter(({ time_s }) => {
    const room = scale.pixels(time_s - last_s) >= methodRoom_px;
    if (room) last_s = time_s;
    return room;
  });
}

/** The time line reaches to the last block's end, though it may not be played. */
export function composeReach(state: State): number {
  const score = scoreOf(state);
  return score ? Math.max(0, ...scoreLayout(score, state.scene.figures[0]?.motion.report).blocks.map(({ end_s }) => end_s)) : 0;
}

interface OnTime {
  studio: Studio;
  scale: TimeScale;
  wrong?: string | undefined;
  selected?: boolean;
}

function frameOf(motion: Motion | undefined): number {
  return motion?.track.frameTime_s ?? 1 / 60;
}

function ClipBlock({ studio, score, blocks, block, scale, wrong, selected }: OnTime & { score: Score; blocks: readonly Block[]; block: Block }) {
  const { app, compose } = studio;
  const { index, name, begin_s, end_s, core, refused } = block;
  const frame_s = frameOf(app.shown);
  // From the score as it was when the gesture began: what comes between is forgotten.
  const moveBy = (gesture: string, along: boolean) => (by_s: number) => {
    const least_s = index === 0 ? 0 : -block.core[0] + begin_s;
    const at_s = Math.max(least_s, Math.round((begin_s + by_s) / frame_s) * frame_s);
    const along_s = along ? at_s - begin_s : 0;
    const begins = blocks.map((other) => (other.index === index ? at_s + other.core[0] - other.begin_s : other.core[0] + (other.index > index ? along_s : 0)));
    const next = moveMotion(score, index, at_s, begins, along_s);
    compose.edit(along ? `Move ${name} and what follows` : `Move ${name}`, () => next.score, gesture);
    compose.select('motion', next.index);
  };
  const press = (event: PointerEvent) => {
    compose.select('motion', index);
    dragTime(event, scale, moveBy(gestureName('move'), event.ctrlKey || event.metaKey), () => app.endGesture());
  };
  const edge = (which: 0 | 1) => (event: PointerEvent) => {
    const gesture = gestureName('core');
    compose.select('motion', index);
    dragTime(event, scale, (by_s) => {
      const at = Math.round((core[which] + by_s - begin_s) / frame_s) * frame_s;
      const other = core[1 - which]! - begin_s, length = end_s - begin_s - frame_s;
      const next: [number, number] = which === 0 ? [Math.max(0, Math.min(at, other - frame_s)), other] : [other, Math.min(length, Math.max(at, other + frame_s))];
      compose.edit(`Core of ${name}`, () => setCore(score, index, next), gesture);
    }, () => app.endGesture());
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) moveBy(gestureName('key'), event.ctrlKey || event.metaKey)(step * (event.shiftKey ? 0.1 : frame_s));
    else if (event.key === 'Delete' || event.key === 'Backspace' || event.key === 'x') compose.edit(`Remove ${name}`, (value) => removeMotion(value, index));
    else if (event.key === 'Enter' || event.key === ' ') compose.select('motion', index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const trouble = wrong ?? refused;
  const title = `${name}${block.automatic ? ' auto' : ''} from ${begin_s.toFixed(2)} s, core ${core[0].toFixed(2)} to ${core[1].toFixed(2)} s: drag it to another time, with Ctrl what follows goes along, its core’s edges to another length, Delete removes it${trouble === undefined ? '' : `. Not played: ${trouble}`}`;
  const inside = (time_s: number) => `${(100 * (time_s - begin_s)) / Math.max(1e-6, end_s - begin_s)}%`;
  return (
    <div class={`block ${trouble === undefined ? '' : 'refused'}`} role="button" tabIndex={0} aria-pressed={selected === true} aria-label={title} title={title} data-motion={index}
      style={{ left: scale.share(begin_s), width: scale.share(end_s - begin_s), top: `${1 + laneHeight_px * block.lane}px`, height: `${laneHeight_px - 2}px` }} onPointerDown={press} onKeyDown={keys}>
      <div class="block-core" style={{ left: inside(core[0]), width: `calc(${inside(core[1])} - ${inside(core[0])})` }}>
        <i class="edge begin" onPointerDown={edge(0)} /><i class="edge end" onPointerDown={edge(1)} />
      </div>
      <span class="block-name" style={{ left: inside(Math.max(0, begin_s)) }}>{name}{block.automatic && <small> auto</small>}</span>
    </div>
  );
}

function BlendBar({ studio, score, join, blend, block, scale }: OnTime & { score: Score; join: JoinMark; blend: Blend; block: Block }) {
  const { app, compose } = studio;
  const { part, begin_s, end_s, byHand } = blend;
  const main = blend.kind !== 'hold' && blend.kind !== 'pose_motion', canMove = main && !join.bridged;
  const frame_s = frameOf(app.shown);
  const lead = (begins: boolean, ends: boolean) => (event: PointerEvent) => {
    const gesture = gestureName('blend');
    compose.select('motion', join.to);
    dragTime(event, scale, (by_s) => {
      const by = Math.round(by_s / frame_s) * frame_s;
      const begin = begin_s - block.begin_s + (begins ? by : 0), end = end_s - block.begin_s + (ends ? by : 0);
      compose.edit(`Blend of the ${part} body`, () => setBlend(score, join.to, part, [Math.min(begin, end - frame_s), Math.max(end, begin + frame_s)]), gesture);
    }, () => app.endGesture());
  };
  const title = `${part} body: ${blend.kind.replace('_', ' to ')} from ${begin_s.toFixed(2)} to ${end_s.toFixed(2)} s${byHand && main ? ', by hand; double click searches it again' : canMove ? '; drag it or its ends' : join.bridged ? ', a gap is bridged as a whole' : ''}`;
  const again = () => compose.edit(`Search the blend of the ${part} body`, (value) => setBlend(value, join.to, part, undefined));
  return (
    <div class={`bar blend ${main ? '' : 'faint'} ${byHand && main ? 'by-hand' : ''} ${canMove ? 'movable' : ''}`} title={title} data-blend={main ? `${part} ${join.to}` : undefined}
      style={{ left: scale.share(begin_s), width: scale.share(Math.max(0, end_s - begin_s)) }} onPointerDown={canMove ? lead(true, true) : undefined} onDblClick={byHand ? again : undefined}>
      {canMove && <><i class="edge begin" onPointerDown={lead(true, false)} /><i class="edge end" onPointerDown={lead(false, true)} /></>}
    </div>
  );
}

function LayerBar({ studio, layer, index, scale, wrong, selected }: OnTime & { layer: ScoreLayer; index: number }) {
  const { app, compose } = studio;
  const begin_s = layer.at ?? 0, name = nameOf(layer);
  const length_s = Math.max(0.2, ((layer.to ?? layerLength(studio, layer)) as number) - ((layer.from ?? 0) as number)) / (layer.speed ?? 1);
  const moveTo = (at_s: number, gesture: string) => compose.edit(`Move layer ${name}`, (value) => setLayer(value, index, { at: Number(at_s.toFixed(3)) }), gesture);
  const press = (event: PointerEvent) => {
    const gesture = gestureName('layer');
    compose.select('layer', index);
    dragTime(event, scale, (by_s) => moveTo(begin_s + by_s, gesture), () => app.endGesture());
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) moveTo(begin_s + step * (event.shiftKey ? 0.1 : frameOf(app.shown)), gestureName('key'));
    else if (event.key === 'Delete' || event.key === 'Backspace' || event.key === 'x') compose.edit(`Remove layer ${name}`, (value) => removeLayer(value, index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const title = `${name}, ${maskWords(layer)} from ${begin_s.toFixed(2)} s: drag it to another time, Delete removes it${wrong === undefined ? '' : `. Not played: ${wrong}`}`;
  return (
    <div class={`block layer ${wrong === undefined ? '' : 'refused'}`} role="button" tabIndex={0} aria-pressed={selected === true} aria-label={title} title={title} data-layer={index}
      style={{ left: scale.share(begin_s), width: scale.share(length_s) }} onPointerDown={press} onKeyDown={keys}><span class="block-name">{name}, {maskWords(layer)}</span></div>
  );
}

export function maskWords({ mask }: ScoreLayer): string {
  return mask === undefined ? 'the whole body' : typeof mask === 'string' ? `the ${mask.replace('_', ' ')}` : mask.join(', ').replaceAll('_', ' ');
}

/** As the file has it, where it has been read. */
function layerLength({ compose }: Studio, layer: ScoreLayer): number {
  return compose.lengthOf(layer) ?? 1;
}
