import { asBodyMap, type BodyMapDocument, bodyMapPath, setRole } from '../model/body_map';
import { documentAt, putDocument, removeFile } from '../model/files';
import type { State } from '../model/state';
import type { App } from './app';
import { editableClip } from './contacts_control';

export function bodyMapOf(state: State): BodyMapDocument {
  const path = editableClip(state);
  return path === undefined ? {} : asBodyMap(documentAt(state.history.present, bodyMapPath(path)));
}

/** A joint of the open clip plays a role, or none. */
export function giveRole(app: App, joint: number, role: string | undefined): void {
  const path = editableClip(app.state.value), known = app.shown?.track.joints[joint];
  if (path === undefined || !known || known.role === role) return;
  app.edit(`${known.name}: ${role?.replaceAll('_', ' ') ?? 'no role'}`, (files) => putDocument(files, bodyMapPath(path), setRole(bodyMapOf(app.state.value), known, role)));
}

/** All roles as they are guessed. */
export function guessRoles(app: App): void {
  const path = editableClip(app.state.value);
  if (path !== undefined) app.edit('Roles as guessed', (files) => removeFile(files, bodyMapPath(path)));
}
