import { type Content, contentBytes, contentOf, type Files } from '../model/files';
import { type Store, StoreError } from './store';

export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** Tried again until it works; what the store refuses only works once somebody does something about it. */
  | { readonly kind: 'waiting'; readonly why: string; readonly refused: boolean }
  | { readonly kind: 'read_only' };

interface Known {
  /** What the store has, as the model's own object. */
  content: Content;
  /** Undefined: never read. */
  tag: string | undefined;
}

export interface SaverHooks {
  files(): Files;
  status(state: SaveState): void;
  /** Somebody else wrote the same file meanwhile: `theirs` is there now, undefined where they removed it. The model decides, and is saved again. */
  conflict(path: string, theirs: Content | undefined): void;
}

const firstRetry_ms = 500, longestRetry_ms = 5000;

/** Brings a store to what the model says, again and again, one file at a time. */
export class Saver {
  private readonly known = new Map<string, Known>();
  private running = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private retry_ms = firstRetry_ms;
  private readonly idle: (() => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly hooks: SaverHooks,
  ) {}

  /** What the store has, and the model knows of. */
  adopt(path: string, content: Content, tag: string | undefined): void {
    this.known.set(path, { content, tag });
  }

  forget(path: string): void {
    this.known.delete(path);
  }

  tagOf(path: string): string | undefined {
    return this.known.get(path)?.tag;
  }

  /** The store has this file as the model last saved or read it. */
  isClean(path: string): boolean {
    return this.known.get(path)?.content === this.hooks.files().get(path);
  }

  get dirty(): boolean {
    return this.next() !== undefined;
  }

  /** The model has changed, or the way to the store is open again. */
  wake(): void {
    clearTimeout(this.retry);
    void this.run();
  }

  /** Done when all is saved. */
  settled(): Promise<void> {
    if (!this.running && !this.dirty) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private next(): { path: string; content: Content | undefined } | undefined {
    const files = this.hooks.files();
    for (const [path, content] of files) if (content.kind !== 'stored' && this.known.get(path)?.content !== content) return { path, content };
    for (const path of this.known.keys()) if (!files.has(path)) return { path, content: undefined };
    return undefined;
  }

  private async run(): Promise<void> {
    if (this.running) return;
    if (this.store.readOnly) return this.hooks.status({ kind: 'read_only' });
    this.running = true;
    try {
      for (let job = this.next(); job; job = this.next()) {
        this.hooks.status({ kind: 'saving' });
        await this.save(job.path, job.content);
      }
      this.retry_ms = firstRetry_ms;
      this.hooks.status({ kind: 'saved' });
      this.idle.splice(0).forEach((resolve) => resolve());
    } catch (error) {
      this.hooks.status({ kind: 'waiting', why: (error as Error).message, refused: error instanceof StoreError && error.code !== 'away' });
      this.retry = setTimeout(() => void this.run(), this.retry_ms);
      this.retry_ms = Math.min(2 * this.retry_ms, longestRetry_ms);
    } finally {
      this.running = false;
    }
  }

  private async save(path: string, content: Content | undefined): Promise<void> {
    try {
      const seen = this.known.get(path)?.tag;
      if (content === undefined) {
        await this.store.remove(path, seen ?? (await this.store.read(path)).tag);
        this.known.delete(path);
      } else if (content.kind !== 'stored') {
        this.known.set(path, { content, tag: await this.store.write(path, contentBytes(content), seen) });
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'missing' && content === undefined) this.known.delete(path);
      else if (error.code === 'conflict' || error.code === 'missing') await this.resolve(path);
      else throw error;
    }
  }

  private async resolve(path: string): Promise<void> {
    try {
      const { bytes, tag } = await this.store.read(path);
      const theirs = contentOf(path, bytes, this.hooks.files().get(path));
      this.known.set(path, { content: theirs, tag });
      this.hooks.conflict(path, theirs);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'missing') throw error;
      this.known.delete(path);
      this.hooks.conflict(path, undefined);
    }
  }
}
