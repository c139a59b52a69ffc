/** Where in time the stage is, and how time passes. */
export interface Transport {
  readonly time_s: number;
  readonly playing: boolean;
  /** 1 is real time. */
  readonly speed: number;
  readonly loop: boolean;
  /** The part that is looped; undefined for all. */
  readonly range: readonly [number, number] | undefined;
  readonly duration_s: number;
  readonly frameTime_s: number;
}

export const slowest = 0.1, fastest = 4;

export const atRest: Transport = { time_s: 0, playing: false, speed: 1, loop: true, range: undefined, duration_s: 0, frameTime_s: 1 / 60 };

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** The last sample's time: every sample lasts one step, so it is one earlier than the end. */
export function lastTime(transport: Transport): number {
  return Math.max(0, transport.duration_s - transport.frameTime_s);
}

export function seek(transport: Transport, time_s: number): Transport {
  return { ...transport, time_s: clamp(time_s, 0, lastTime(transport)) };
}

/** The nearest frame's time. */
export function snapped(transport: Transport, time_s: number): number {
  return clamp(Math.round(time_s / transport.frameTime_s) * transport.frameTime_s, 0, lastTime(transport));
}

export function stepFrames(transport: Transport, frames: number): Transport {
  const frame = Math.round(transport.time_s / transport.frameTime_s) + frames;
  return { ...seek(transport, frame * transport.frameTime_s), playing: false };
}

export function setRange(transport: Transport, range: readonly [number, number] | undefined): Transport {
  if (range === undefined) return { ...transport, range };
  const begin = clamp(Math.min(...range), 0, transport.duration_s), end = clamp(Math.max(...range), 0, transport.duration_s);
  return { ...transport, range: end - begin < transport.frameTime_s ? undefined : [begin, end] };
}

/** The part that is looped begins at this moment, and ends where it did; at the clip's end where that is over. */
export function beginPart(transport: Transport): Transport {
  const end = transport.range?.[1] ?? 0;
  return setRange(transport, [transport.time_s, end > transport.time_s ? end : transport.duration_s]);
}

/** The part that is looped ends at this moment. */
export function endPart(transport: Transport): Transport {
  const begin = transport.range?.[0] ?? 0;
  return setRange(transport, [begin < transport.time_s ? begin : 0, transport.time_s]);
}

export function setSpeed(transport: Transport, speed: number): Transport {
  return { ...transport, speed: clamp(speed, slowest, fastest) };
}

/** Another motion is shown: time stays where it can. */
export function setLength(transport: Transport, duration_s: number, frameTime_s: number): Transport {
  if (transport.duration_s === duration_s && transport.frameTime_s === frameTime_s) return transport;
  const next = { ...transport, duration_s, frameTime_s };
  return seek(setRange(next, transport.range), transport.time_s);
}

/** Time passes by `dt_s` of the clock. */
export function advance(transport: Transport, dt_s: number): Transport {
  if (!transport.playing) return transport;
  const [begin, end] = transport.range ?? [0, lastTime(transport)];
  const length = end - begin;
  if (length <= 0) return { ...transport, playing: false };
  const time_s = transport.time_s + dt_s * transport.speed;
  if (time_s <= end) return { ...transport, time_s };
  if (!transport.loop) return { ...transport, time_s: end, playing: false };
  return { ...transport, time_s: begin + ((time_s - begin) % length) };
}

/** From where playing goes on: from the beginning where the end is reached or the time lies outside what is looped. */
export function play(transport: Transport): Transport {
  const [begin, end] = transport.range ?? [0, lastTime(transport)];
  const outside = transport.time_s < begin || transport.time_s >= end - 1e-9;
  return { ...transport, playing: transport.duration_s > 0, time_s: outside ? begin : transport.time_s };
}
