import { asContacts, type Contacts, contactsPath, ofTake, saysNothing } from '../model/contacts';
import { documentAt, isClip, putDocument, removeFile } from '../model/files';
import type { State } from '../model/state';
import type { App } from './app';

/** The clip whose contacts and core can be edited: a file of the project, as it is, in the library. */
export function editableClip({ space, open, trial, history, project }: State): string | undefined {
  const path = open.library;
  return space === 'library' && trial === undefined && !project?.readOnly && path !== undefined && isClip(path) && history.present.has(path) ? path : undefined;
}

function said(state: State, path: string): Contacts {
  return asContacts(documentAt(state.history.present, contactsPath(path)));
}

/** The same where what is said by hand, if anything, is of the clip that is shown: one file says it of one of them. */
export function editableContacts(state: State): string | undefined {
  const path = editableClip(state), contacts = path === undefined ? {} : said(state, path);
  return saysNothing(contacts) || ofTake(contacts, state.scene.figures[0]?.motion.takes) ? path : undefined;
}

export function contactsOf(state: State): Contacts {
  const path = editableContacts(state);
  return path === undefined ? {} : said(state, path);
}

/** Changes what is said of the open clip; where nothing is said any more, its file goes. */
export function editContacts(app: App, label: string, change: (contacts: Contacts) => Contacts | undefined): void {
  const path = editableContacts(app.state.value), takes = app.shown?.takes;
  if (path === undefined) return;
  const next = change(contactsOf(app.state.value));
  if (!next) return;
  const named = takes && takes.index > 0 ? { ...next, take: takes.names[takes.index]! } : next;
  app.edit(label, (files) => (saysNothing(named) ? removeFile(files, contactsPath(path)) : putDocument(files, contactsPath(path), named)));
}
