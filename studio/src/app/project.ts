import { amend, commit } from '../model/history';
import { type Content, contentOf, type Files, freshPath, putFile, removeFile } from '../model/files';
import type { State } from '../model/state';
import { Saver } from '../store/saver';
import { type Store, StoreError, type StoreEvent } from '../store/store';
import type { Observable } from './observable';

/** A project that is open: its files in the model, and the store brought to what the model says. */
export class Project {
  readonly saver: Saver;
  private stop: (() => void) | undefined;
  private readonly loading = new Map<string, Promise<Content>>();

  constructor(
    private readonly state: Observable<State>,
    readonly store: Store,
    private readonly say: (kind: 'note' | 'warning' | 'error', text: string) => void,
  ) {
    this.saver = new Saver(store, {
      files: () => this.files,
      status: (saving) => {
        const before = this.state.value.saving.why;
        this.state.update((value) => ({ ...value, saving }));
        // A store that is away comes back; what it refuses the user has to know.
        if (saving.kind === 'waiting' && saving.refused && saving.why !== before) this.say('error', `Not saved: ${saving.why}`);
      },
      conflict: (path, theirs) => this.settleConflict(path, theirs),
    });
  }

  get files(): Files {
    return this.state.value.history.present;
  }

  async open(): Promise<void> {
    const files = new Map<string, Content>();
    for (const { path, bytes } of await this.store.list()) {
      const content: Content = { kind: 'stored', size: bytes };
      files.set(path, content);
      this.saver.adopt(path, content, undefined);
    }
    const { name, place, readOnly } = this.store;
    this.state.update((value) => ({ ...value, project: { name, place, readOnly }, history: { past: [], present: files, future: [], gesture: undefined }, saving: { kind: readOnly ? 'read_only' : 'saved' } }));
    // Documents are small, and what they are is told by their keys.
    await Promise.all([...files.keys()].filter((path) => path.endsWith('.json')).map((path) => this.load(path).catch(() => undefined)));
    const ended = this.state.subscribe((value, before) => value.history.present !== before.history.present && this.saver.wake());
    const watching = this.store.watch((event) => void this.hear(event));
    this.stop = () => (ended(), watching());
  }

  close(): void {
    this.stop?.();
  }

  /** A file's content, read where nobody has looked at it yet. */
  async load(path: string): Promise<Exclude<Content, { kind: 'stored' }>> {
    const known = this.files.get(path);
    if (!known) throw new StoreError('missing', `${path} is not in the project; drop it here, or open another document`);
    if (known.kind !== 'stored') return known;
    let reading = this.loading.get(path);
    if (!reading) {
      reading = this.store.read(path).then(({ bytes, tag }) => {
        const content = contentOf(path, bytes);
        this.saver.adopt(path, content, tag);
        // What was read is no step: every step that had the file has it with this content.
        this.amend((files) => (files.get(path) === known ? putFile(files, path, content) : files));
        return content;
      }).finally(() => this.loading.delete(path));
      this.loading.set(path, reading);
    }
    return (await reading) as Exclude<Content, { kind: 'stored' }>;
  }

  private amend(change: (files: Files) => Files): void {
    this.state.update((value) => ({ ...value, history: amend(value.history, change) }));
  }

  /** Both versions stay: theirs under the name, ours beside it. */
  private settleConflict(path: string, theirs: Content | undefined): void {
    const ours = this.files.get(path);
    if (ours === theirs) return;
    let files = theirs ? putFile(this.files, path, theirs) : this.files;
    if (ours && theirs) {
      const copy = freshPath(files, path.replace(/(\.[^./]*)?$/, ' (mine)$1'));
      files = putFile(files, copy, ours);
      this.say('warning', `${path} was changed elsewhere at the same time. Your version is kept as ${copy}.`);
    } else if (theirs) {
      this.say('warning', `${path} was changed elsewhere before it was removed here, and is kept.`);
    }
    this.state.update((value) => ({ ...value, history: commit(value.history, 'Changed elsewhere', files) }));
    this.saver.wake();
  }

  private async hear(event: StoreEvent): Promise<void> {
    if (event.kind === 'back') {
      this.saver.wake();
      return this.compare();
    }
    if (event.kind === 'away') return;
    const { path } = event;
    if (path.split('/').some((part) => part.startsWith('.'))) return;
    if (event.kind === 'removed') {
      if (!this.files.has(path) || !this.saver.isClean(path)) return;
      this.saver.forget(path);
      this.state.update((value) => ({ ...value, history: commit(value.history, 'Removed elsewhere', removeFile(value.history.present, path)) }));
      return;
    }
    await this.refresh(path);
  }

  /** Reads a file again that somebody has written; our own writes come by here too, with the tag that they gave. */
  private async refresh(path: string): Promise<void> {
    const before = this.files.get(path);
    if (before && !this.saver.isClean(path)) return; // The saver meets it, and settles it.
    if (before?.kind === 'stored') return;
    try {
      const { bytes, tag } = await this.store.read(path);
      if (tag === this.saver.tagOf(path) || this.files.get(path) !== before) return;
      const content = contentOf(path, bytes, before);
      this.saver.adopt(path, content, tag);
      if (before) this.state.update((value) => ({ ...value, history: commit(value.history, 'Changed elsewhere', putFile(value.history.present, path, content)) }));
      else this.amend((files) => putFile(files, path, content));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** After the way to the files was lost: what has come or gone meanwhile. */
  private async compare(): Promise<void> {
    const listed = new Set((await this.store.list().catch(() => [])).map(({ path }) => path));
    if (listed.size === 0) return;
    for (const path of listed) if (this.files.get(path)?.kind !== 'stored') await this.refresh(path);
  }
}
