import { folderOf, stem } from './files';
import { isObject, type Json, type JsonObject } from './json';
import type { Joint } from './track';

/** Which joint plays which role where the guess is wrong: `{"left_foot": "LFoot", "jaw": null}` (docs/methods/body_map.md). */
export type BodyMapDocument = JsonObject;

/** The file beside a clip that every verb of the command line reads. */
export const bodyMapPath = (clip: string) => `${folderOf(clip)}${stem(clip)}.body_map.json`;

export function asBodyMap(value: Json | undefined): BodyMapDocument {
  return isObject(value) ? value : {};
}

const sides = (roles: readonly string[]) => ['left', 'right'].flatMap((side) => roles.map((role) => `${side}_${role}`));

/** Roles without which methods have nothing to hold on to. */
export const neededRoles = ['hips', 'spine', 'head', ...sides(['upper_arm', 'lower_arm', 'hand', 'upper_leg', 'lower_leg', 'foot'])];

/** All that are offered, body parts from the middle outwards. Fingers keep their guess. */
export const offeredRoles = ['hips', 'spine', 'chest', 'upper_chest', 'neck', 'head', 'jaw', ...sides(['eye', 'shoulder', 'upper_arm', 'lower_arm', 'hand', 'upper_leg', 'lower_leg', 'foot', 'toes'])];

export const roleWords = (role: string) => role.replaceAll('_', ' ');

/** Needed roles that no joint plays. */
export function missingRoles(joints: readonly Joint[]): string[] {
  return neededRoles.filter((role) => !joints.some((joint) => joint.role === role));
}

/** A joint plays a role, or none; whoever played it before gives it up, and so does the joint its former one. */
export function setRole(document: BodyMapDocument, joint: Joint, role: string | undefined): BodyMapDocument {
  const next: Record<string, Json | undefined> = { ...document };
  if (joint.role !== undefined && joint.role !== role) next[joint.role] = null;
  if (role !== undefined) next[role] = joint.name;
  return next;
}
