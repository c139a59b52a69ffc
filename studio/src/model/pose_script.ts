import { isObject, type Json, type JsonObject } from './json';
import type { Vec3 } from './track';

/** Which parts of a joint a pin holds. */
export type PinKind = 'position' | 'turn' | 'both';

export interface Pin {
  readonly joint: string;
  /** False: the turn alone is held. */
  readonly position?: Vec3 | false;
  readonly orientation?: readonly [number, number, number, number];
  readonly weight?: number;
  readonly from_s?: number;
  readonly to_s?: number;
}

export type Key = readonly [time_s: number, place: Vec3];

export interface Drag {
  readonly joint: string;
  readonly keys: readonly Key[];
  readonly relative?: boolean;
  readonly fade_in_s?: number;
  readonly fade_out_s?: number;
}

/** The document that `shosa pose` plays (docs/cli.md). Keys that the studio does not know are kept. */
export interface PoseScript {
  readonly clip: string;
  readonly at_s?: number;
  readonly duration_s?: number;
  readonly fps?: number;
  readonly pins?: readonly Pin[];
  readonly drags?: readonly Drag[];
  readonly ranges?: boolean | string;
  readonly stiffness?: readonly { readonly joint: string; readonly factor: number }[];
  readonly desired?: readonly { readonly joint: string; readonly weight: number }[];
  readonly balance?: boolean;
  readonly prior?: false | readonly string[];
  readonly keep_feet?: boolean;
  readonly return_s?: number | false;
  readonly [key: string]: Json | undefined | readonly object[];
}

export function asPoseScript(value: Json | undefined): PoseScript | undefined {
  return isObject(value) && typeof value['clip'] === 'string' ? (value as unknown as PoseScript) : undefined;
}

export function asJson(script: PoseScript): Json {
  return script as unknown as JsonObject;
}

/** A posture of a clip that is held for some seconds, to be dragged about; or the clip as it plays. */
/** Ranges are those of people; other bodies begin without. */
export function newPoseScript(clip: string, held: { at_s: number; duration_s: number } | undefined, human: boolean, take?: string): PoseScript {
  return { clip, ...(take === undefined ? {} : { take }), ...(held ? { at_s: rounded(held.at_s), duration_s: held.duration_s, fps: 60, return_s: false as const } : {}), pins: [], drags: [], ...(human ? { ranges: true } : {}) };
}

/** Documents are read by people: a hundredth of a millimetre and a tenth of a millisecond say enough. */
const rounded = (value: number, digits = 4) => Number(value.toFixed(digits));
const roundedPlace = (place: Vec3): Vec3 => [rounded(place[0], 5), rounded(place[1], 5), rounded(place[2], 5)];

const nearInTime = 1e-3;

export function dragOf(script: PoseScript, joint: string): Drag | undefined {
  return script.drags?.find((drag) => drag.joint === joint);
}

/** Where a joint is led to at a time, where there is a key. */
export function keyPlace(script: PoseScript, joint: string, time_s: number): Vec3 | undefined {
  return dragOf(script, joint)?.keys.find(([time]) => Math.abs(time - time_s) <= nearInTime)?.[1];
}

export function pinOf(script: PoseScript, joint: string): Pin | undefined {
  return script.pins?.find((pin) => pin.joint === joint);
}

export function pinKind(pin: Pin | undefined): PinKind | undefined {
  return pin && (pin.position === false ? 'turn' : pin.orientation ? 'both' : 'position');
}

/** A joint is at a place at a time: the key there is replaced, or a new one comes in its order. */
export function setKey(script: PoseScript, joint: string, time_s: number, place: Vec3): PoseScript {
  const key: Key = [rounded(time_s), roundedPlace(place)];
  const before = dragOf(script, joint);
  const keys = [...(before?.keys ?? []).filter(([time]) => Math.abs(time - time_s) > nearInTime), key].sort((a, b) => a[0] - b[0]);
  return putDrag(script, { ...before, joint, keys });
}

/** A path of a joint over some time: keys within that time give way to it. */
export function setPath(script: PoseScript, joint: string, path: readonly Key[]): PoseScript {
  const [first, last] = [path[0], path.at(-1)];
  if (!first || !last) return script;
  const before = dragOf(script, joint);
  const kept = (before?.keys ?? []).filter(([time]) => time < first[0] - nearInTime || time > last[0] + nearInTime);
  const keys = [...kept, ...path.map(([time, place]): Key => [rounded(time), roundedPlace(place)])].sort((a, b) => a[0] - b[0]);
  return putDrag(script, { ...before, joint, keys });
}

/** Every `step_s` of a path that came at any times, and its ends. */
export function thinned(path: readonly Key[], step_s: number): Key[] {
  const kept: Key[] = [];
  path.forEach((key, i) => {
    const last = kept.at(-1);
    if (!last || key[0] - last[0] >= step_s) kept.push(key);
    else if (i === path.length - 1 && key[0] > last[0]) kept.push(key);
  });
  return kept;
}

export function removeKey(script: PoseScript, joint: string, time_s: number): PoseScript {
  const drag = dragOf(script, joint);
  if (!drag) return script;
  const keys = drag.keys.filter(([time]) => Math.abs(time - time_s) > nearInTime);
  if (keys.length === drag.keys.length) return script;
  return keys.length === 0 ? { ...script, drags: script.drags!.filter((other) => other !== drag) } : putDrag(script, { ...drag, keys });
}

/** The frame nearest to a time that has no key of the joint yet, on the side from which a key is led there. */
export function freeTime(script: PoseScript, joint: string, from_s: number, to_s: number, frame_s: number): number {
  const others = (dragOf(script, joint)?.keys ?? []).map(([time]) => time).filter((time) => Math.abs(time - from_s) > nearInTime);
  let at_s = to_s;
  while (others.some((time) => Math.abs(time - at_s) <= nearInTime)) at_s += to_s > from_s ? -frame_s : frame_s;
  return at_s;
}

/** A key goes to another time; one that is there already gives way. */
export function moveKey(script: PoseScript, joint: string, from_s: number, to_s: number): PoseScript {
  const key = dragOf(script, joint)?.keys.find(([time]) => Math.abs(time - from_s) <= nearInTime);
  if (!key || Math.abs(to_s - from_s) <= nearInTime) return script;
  return setKey(removeKey(script, joint, from_s), joint, to_s, key[1]);
}

export function removeDrag(script: PoseScript, joint: string): PoseScript {
  return { ...script, drags: (script.drags ?? []).filter((drag) => drag.joint !== joint) };
}

export function setPin(script: PoseScript, pin: Pin): PoseScript {
  const clean: Pin = { ...pin, ...(pin.position ? { position: roundedPlace(pin.position) } : {}) };
  const pins = script.pins ?? [];
  const known = pins.some((other) => other.joint === pin.joint);
  return { ...script, pins: known ? pins.map((other) => (other.joint === pin.joint ? clean : other)) : [...pins, clean] };
}

export function removePin(script: PoseScript, joint: string): PoseScript {
  return { ...script, pins: (script.pins ?? []).filter((pin) => pin.joint !== joint) };
}

/** One pin by its number: scripts may hold a joint at one place, and later at another. */
export function removePinAt(script: PoseScript, which: number): PoseScript {
  return { ...script, pins: (script.pins ?? []).filter((_, i) => i !== which) };
}

/** For how long a pin, by its number, holds. From the first frame on, or to the last, goes without saying. */
export function setPinTime(script: PoseScript, which: number, [from_s, to_s]: readonly [number, number], last_s: number): PoseScript {
  const pins = (script.pins ?? []).map((pin, i) => {
    if (i !== which) return pin;
    const { from_s: _, to_s: __, ...rest } = pin;
    return { ...rest, ...(from_s > nearInTime ? { from_s: rounded(from_s) } : {}), ...(to_s < last_s - nearInTime ? { to_s: rounded(to_s) } : {}) };
  });
  return { ...script, pins };
}

/** How many times less readily a joint turns than it would; 1 takes that away. */
export function setStiffness(script: PoseScript, joint: string, factor: number): PoseScript {
  const { stiffness = [], ...rest } = script;
  const others = stiffness.filter((each) => each.joint !== joint);
  const next = factor === 1 ? others : [...others, { joint, factor }];
  return (next.length > 0 ? { ...rest, stiffness: next } : rest) as PoseScript;
}

/** How much other joints hold on to their turns when the clip's posture is kept. */
export const usualDesired = 0.3;

/** How firmly a joint keeps the clip's own turn; the usual weight takes that away. */
export function setDesired(script: PoseScript, joint: string, weight: number): PoseScript {
  const { desired = [], ...rest } = script;
  const others = desired.filter((each) => each.joint !== joint);
  const next = weight === usualDesired ? others : [...others, { joint, weight }];
  return (next.length > 0 ? { ...rest, desired: next } : rest) as PoseScript;
}

/** Fades of a drag over a playing clip, seconds; undefined leaves them to the engine. */
export function setFade(script: PoseScript, joint: string, which: 'fade_in_s' | 'fade_out_s', seconds: number | undefined): PoseScript {
  const drags = (script.drags ?? []).map((drag) => {
    if (drag.joint !== joint) return drag;
    const { [which]: _, ...rest } = drag;
    return seconds === undefined ? rest : { ...rest, [which]: rounded(seconds) };
  });
  return { ...script, drags };
}

/** Pins that hold at a time. */
export function pinsAt(script: PoseScript, time_s: number): Pin[] {
  return (script.pins ?? []).filter((pin) => (pin.from_s ?? 0) <= time_s + nearInTime && time_s <= (pin.to_s ?? Infinity) + nearInTime);
}

/** Times at which anything is keyed, in order. */
export function keyTimes(script: PoseScript): number[] {
  return [...new Set((script.drags ?? []).flatMap((drag) => drag.keys.map(([time]) => time)))].sort((a, b) => a - b);
}

/**
 * Of a held posture a drag would jump to its first key; it fades in from the beginning instead, so that the body goes there in that time. A fade that somebody
 * has written is kept.
 */
function fadedIn(script: PoseScript, before: Drag | undefined, drag: Drag): Drag {
  const own = before?.fade_in_s !== undefined && before.fade_in_s !== before.keys[0]?.[0];
  if (script.at_s === undefined || own) return drag;
  const { fade_in_s: _, ...rest } = drag;
  const first_s = drag.keys[0]?.[0] ?? 0;
  return first_s > nearInTime ? { ...rest, fade_in_s: first_s } : rest;
}

function putDrag(script: PoseScript, given: Drag): PoseScript {
  const drags = script.drags ?? [];
  const before = drags.find((other) => other.joint === given.joint);
  const drag = fadedIn(script, before, given);
  return { ...script, drags: before ? drags.map((other) => (other === before ? drag : other)) : [...drags, drag] };
}
