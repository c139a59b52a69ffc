import { asContacts, type Contacts, contactsPath, saysNothing } from '../model/contacts';
import { documentAt, isClip, putDocument, removeFile } from '../model/files';
import type { State } from '../model/state';
import type { App } from './app';

/** The clip whose contacts and core can be edited: a file of the project, as it is, in the library. */
export function editableClip({ space, open, trial, history, project }: State): string | undefined {
  const path = open.library;
  return space === 'library' && trial === undefined && !project?.readOnly && path !== undefined && isClip(path) && history.present.has(path) ? path : undefined;
}

export function contactsOf(state: State): Contacts {
  const path = editableClip(state);
  return path === undefined ? {} : asContacts(documentAt(state.history.present, contactsPath(path)));
}

/** Changes what is said of the open clip; where nothing is said any more, its file goes. */
export function editContacts(app: App, label: string, change: (contacts: Contacts) => Contacts | undefined): void {
  const path = editableClip(app.state.value);
  if (path === undefined) return;
  const next = change(contactsOf(app.state.value));
  if (!next) return;
  app.edit(label, (files) => (saysNothing(next) ? removeFile(files, contactsPath(path)) : putDocument(files, contactsPath(path), next)));
}
