import { useRef, useState } from 'preact/hooks';
import { play, seek, setRange, setSpeed, snapped, stepFrames } from '../model/transport';
import { contactRows } from './time/contact_rows';
import { useTimeZoom } from './time/zoom';
import { type TimeKey, type TimeRow, type TimeScale, usePart, useStudio } from './studio';

/** Within this share of what is in sight before the end a number has no room on the right of its tick. */
const lastTick = 0.03;
const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

/** Time under the stage: scrubbed, looped, stepped; contacts, core and what the work space has in it. */
export function Timeline() {
  const studio = useStudio();
  const motion = usePart((state) => state.scene.figures[0]?.motion);
  const duration_s = usePart((state) => state.transport.duration_s);
  const extra = usePart((state) => state); // Rows of a work space may stand on anything.
  const space = studio.spaces.find(({ id }) => id === extra.space);
  const rows = [...(space?.rows?.(studio, extra) ?? []), ...(motion ? contactRows(studio, extra, motion, !space?.ownCores) : [])];
  return (
    <section class="timeline" aria-label="Time line">
      <Buttons />
      <Tracks rows={rows} hint={space?.emptyTime} reach_s={Math.max(duration_s, space?.reach_s?.(extra) ?? 0)} />
    </section>
  );
}

function Buttons() {
  const { app } = useStudio();
  const { playing, speed, loop, time_s, frameTime_s, duration_s, range } = usePart((state) => state.transport);
  return (
    <div class="transport" role="toolbar" aria-label="Transport">
      <button onClick={() => app.transport((t) => seek(t, 0))} title="First frame (Shift+←)" aria-label="First frame">|◀</button>
      <button onClick={() => app.transport((t) => stepFrames(t, -1))} title="Previous frame (←)" aria-label="Previous frame">◁</button>
      <button class="play" onClick={() => app.transport((t) => (t.playing ? { ...t, playing: false } : play(t)))} title="Play or pause (Space)" aria-label={playing ? 'Pause' : 'Play'}>{playing ? '❚❚' : '▶'}</button>
      <button onClick={() => app.transport((t) => stepFrames(t, 1))} title="Next frame (→)" aria-label="Next frame">▷</button>
      <button onClick={() => app.transport((t) => seek(t, t.duration_s))} title="Last frame (Shift+→)" aria-label="Last frame">▶|</button>
      <button aria-pressed={loop} onClick={() => app.transport((t) => ({ ...t, loop: !t.loop }))} title="Loop (Shift+L). Shift-drag in the ruler to loop a part">Loop</button>
      {range && <button onClick={() => app.transport((t) => setRange(t, undefined))} title="Play all (Alt+P)">{`${range[0].toFixed(2)}–${range[1].toFixed(2)} s ✕`}</button>}
      <label>Speed{' '}
        <select value={String(speed)} onChange={(event) => app.transport((t) => setSpeed(t, Number(event.currentTarget.value)))}>
          {[...new Set([...speeds, speed])].sort((a, b) => a - b).map((value) => <option key={value} value={String(value)}>{value}×</option>)}
        </select>
      </label>
      <output class="time" aria-live="off">{`${time_s.toFixed(2)} / ${duration_s.toFixed(2)} s · frame ${Math.round(time_s / frameTime_s)} · ${(1 / frameTime_s).toFixed(0)} fps`}</output>
    </div>
  );
}

function Tracks({ rows, hint, reach_s }: { rows: readonly TimeRow[]; hint: string | undefined; reach_s: number }) {
  const { app } = useStudio();
  const [held_s, holdAt] = useState<number | undefined>();
  const duration_s = held_s ?? reach_s;
  const ruler = useRef<HTMLDivElement>(null), host = useRef<HTMLDivElement>(null), area = useRef<HTMLDivElement>(null);
  const { zoom, wheel, width, width_px } = useTimeZoom(host, area, duration_s);
  const share = (time: number) => `${(100 * time) / Math.max(duration_s, 1e-6)}%`;
  const timeAt = (event: MouseEvent) => {
    const box = ruler.current!.getBoundingClientRect();
    return ((event.clientX - box.left) / Math.max(1, box.width)) * duration_s;
  };
  const scrub = (event: PointerEvent) => {
    if (event.button !== 0 || duration_s === 0) return;
    // Heard by the window: a captured pointer would take double clicks away from what lies under it.
    const begin = timeAt(event), marks = event.shiftKey;
    const follow = (moved: PointerEvent) => app.transport((t) => (marks ? setRange(t, [begin, timeAt(moved)]) : { ...seek(t, timeAt(moved)), playing: false }));
    const end = () => {
      removeEventListener('pointermove', follow);
      // The hand that lets go means a frame.
      if (!marks) app.transport((t) => seek(t, snapped(t, t.time_s)));
    };
    follow(event);
    addEventListener('pointermove', follow);
    addEventListener('pointerup', end, { once: true });
  };
  // The first click has brought the play head under the pointer: rows are asked for below it.
  const add = (event: MouseEvent) => {
    const track = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.classList.contains('track')) as HTMLElement | undefined;
    rows[Number(track?.dataset['row'])]?.add?.(timeAt(event));
  };
  const pixels = (span_s: number) => (span_s / Math.max(duration_s, 1e-6)) * width_px();
  const scale: TimeScale = { duration_s, share, pixels, hold: (on) => holdAt(on ? duration_s : undefined) };
  const height = (row: TimeRow) => (row.height_px === undefined ? {} : { style: { height: `${row.height_px}px` } });
  return (
    <div class="tracks" ref={host} onWheel={wheel}>
      <div class="track-labels" aria-hidden="true">
        <div class="ruler-label">s</div>
        {rows.map((row) => <div key={row.label} class="track-label" title={row.label} {...height(row)}>{row.label}</div>)}
      </div>
      <div class="track-area" ref={area} data-duration={duration_s} style={{ width }} onPointerDown={scrub} onDblClick={add}>
        <Ruler duration_s={duration_s} zoom={zoom} host={ruler} share={share} />
        {rows.map((row, i) => (
          <div key={row.label} class="track" data-row={i} {...height(row)}>
            {row.content?.(scale)}
            {row.bars?.map((bar, i) => <div key={i} class={`bar ${bar.look}`} title={bar.title} style={{ left: share(bar.begin_s), width: share(Math.max(bar.end_s - bar.begin_s, 0)) }} />)}
            {row.keys?.map((key, i) => <KeyMark key={i} mark={key} share={share} timeAt={timeAt} />)}
          </div>
        ))}
        <Playhead share={share} />
      </div>
      {rows.length === 0 && hint && <p class="empty time-hint">{hint}</p>}
    </div>
  );
}

function Ruler({ duration_s, zoom, host, share }: { duration_s: number; zoom: number; host: { current: HTMLDivElement | null }; share(time: number): string }) {
  const step = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300].find((value) => duration_s / zoom / value <= 12) ?? 600;
  const ticks = Array.from({ length: duration_s > 0 ? Math.floor(duration_s / step) + 1 : 0 }, (_, i) => i * step);
  const range = usePart((state) => state.transport.range);
  return (
    <div class="ruler" ref={host}>
      {range && <div class="range" style={{ left: share(range[0]), width: share(range[1] - range[0]) }} />}
      {ticks.map((time) => <span key={time} class={time > (1 - lastTick / zoom) * duration_s ? 'tick last' : 'tick'} style={{ left: share(time) }}>{Number(time.toFixed(2))}</span>)}
    </div>
  );
}

function Playhead({ share }: { share(time: number): string }) {
  const { app } = useStudio();
  const { time_s, duration_s } = usePart((state) => state.transport);
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    app.transport((t) => stepFrames(t, step));
  };
  return <div class="playhead" role="slider" tabIndex={0} aria-label="Time" aria-valuemin={0} aria-valuemax={duration_s} aria-valuenow={Number(time_s.toFixed(3))} aria-valuetext={`${time_s.toFixed(2)} seconds`} onKeyDown={keys} style={{ left: share(time_s) }} />;
}

function KeyMark({ mark, share, timeAt }: { mark: TimeKey; share(time: number): string; timeAt(event: PointerEvent): number }) {
  const { app } = useStudio();
  const press = (event: PointerEvent) => {
    event.stopPropagation();
    if (event.button !== 0) return;
    const element = event.currentTarget as HTMLElement, gesture = `key ${performance.now()}`;
    const area = element.closest('.track-area') as HTMLElement;
    area.setPointerCapture(event.pointerId);
    let now_s = mark.time_s, moved = false;
    const follow = (motion: PointerEvent) => {
      const to_s = snapped(app.state.value.transport, timeAt(motion));
      if (Math.abs(to_s - now_s) < 1e-6) return;
      moved = true;
      element.style.left = share((now_s = to_s));
    };
    area.addEventListener('pointermove', follow);
    area.addEventListener('pointerup', () => {
      area.removeEventListener('pointermove', follow);
      if (moved) {
        now_s = mark.move(now_s, gesture);
        element.style.left = share(now_s);
      }
      app.transport((t) => seek(t, now_s));
    }, { once: true });
  };
  const keys = (event: KeyboardEvent) => {
    const { transport } = app.state.value, step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      const to_s = mark.move(snapped(transport, mark.time_s + step * transport.frameTime_s), `key ${performance.now()}`);
      app.transport((t) => seek(t, to_s));
    } else if (event.key === 'Delete' || event.key === 'Backspace' || event.key === 'x') mark.remove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return <button class="key" title={mark.title} aria-label={mark.title} style={{ left: share(mark.time_s) }} onPointerDown={press} onKeyDown={keys} onClick={() => app.transport((t) => seek(t, mark.time_s))} />;
}
