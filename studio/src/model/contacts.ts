import { folderOf, stem } from './files';
import { isObject, type Json, type JsonObject } from './json';
import type { Interval, Motion, Takes } from './motion';
import { roundedTime } from './score';

/** What somebody says of a clip: when feet stand, by foot, and under `core` which part must survive (docs/cli.md). */
export type Contacts = JsonObject;

/** The file beside a clip that every verb of the command line reads. */
export const contactsPath = (clip: string) => `${folderOf(clip)}${stem(clip)}.contacts.json`;

export function asContacts(value: Json | undefined): Contacts {
  return isObject(value) ? value : {};
}

/** What is said is of this clip of its file; of the first where it does not say. */
export function ofTake({ take }: Contacts, takes: Takes | undefined): boolean {
  return takes === undefined || (take === undefined ? takes.index === 0 : take === takes.names[takes.index] || String(take) === String(takes.index));
}

/** Feet that have a bar: heels and toes stand with their foot, and hind feet have left and right as a second name. */
export function feetOf(motion: Motion): string[] {
  const names = Object.keys(motion.contacts);
  return names.filter((foot) => !names.some((other) => other !== foot && (foot.startsWith(`${other}_`) || other === `hind_${foot}`)));
}

/** Where a bar can be between its neighbours: at least a frame long, and a frame away from them. As a whole it keeps its length where there is room; else its ends stop one by one. */
export function between(bars: readonly Interval[], index: number, [begin, end]: Interval, last_s: number, frame_s: number, whole = true): Interval {
  const least = index === 0 ? 0 : bars[index - 1]![1] + frame_s, most = index + 1 < bars.length ? bars[index + 1]![0] - frame_s : last_s;
  if (!whole) return [roundedTime(Math.max(begin, least)), roundedTime(Math.min(end, most))];
  const length = Math.min(Math.max(end - begin, frame_s), most - least);
  const from = Math.min(Math.max(begin, least), most - length);
  return [roundedTime(from), roundedTime(from + length)];
}

const withFoot = (contacts: Contacts, foot: string, bars: readonly Interval[]): Contacts => ({ ...contacts, [foot]: bars.map(([begin, end]) => [roundedTime(begin), roundedTime(end)]) });

export function setContact(contacts: Contacts, motion: Motion, foot: string, index: number, bar: Interval): Contacts {
  return withFoot(contacts, foot, (motion.contacts[foot] ?? []).map((each, i) => (i === index ? bar : each)));
}

export function removeContact(contacts: Contacts, motion: Motion, foot: string, index: number): Contacts {
  return withFoot(contacts, foot, (motion.contacts[foot] ?? []).filter((_, i) => i !== index));
}

const newBar_s = 0.2;

/** A foot stands from a moment on, for a while; undefined where it stands already, or has no room. */
export function addContact(contacts: Contacts, motion: Motion, foot: string, time_s: number, last_s: number, frame_s: number): Contacts | undefined {
  const bars = motion.contacts[foot] ?? [];
  const before = bars.filter(([, end]) => end < time_s), after = bars.filter(([begin]) => begin > time_s);
  const least = (before.at(-1)?.[1] ?? -frame_s) + frame_s, most = (after[0]?.[0] ?? last_s + frame_s) - frame_s;
  if (before.length + after.length < bars.length || most - least < frame_s) return undefined;
  const begin = Math.max(least, Math.min(time_s, most - newBar_s)), end = Math.min(most, begin + newBar_s);
  return withFoot(contacts, foot, [...before, [begin, end], ...after]);
}

export function setCoreByHand(contacts: Contacts, [begin, end]: Interval): Contacts {
  return { ...contacts, core: [roundedTime(begin), roundedTime(end)] };
}

/** Without what was said of a foot and its parts, or of the core: it is found again. */
export function forget(contacts: Contacts, name: string): Contacts {
  return Object.fromEntries(Object.entries(contacts).filter(([key]) => key !== name && !key.startsWith(`${name}_`)));
}

export const saysNothing = (contacts: Contacts) => Object.keys(contacts).every((key) => key === 'take');
