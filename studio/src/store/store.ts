/** Where a project's files are kept: behind `shosa studio`, or in the browser. */
export interface Store {
  readonly place: 'server' | 'browser';
  readonly name: string;
  readonly readOnly: boolean;
  list(): Promise<StoredFile[]>;
  read(path: string): Promise<Stored>;
  /** Whole or not at all, and only over what was seen: `seen` is the tag that was read, undefined where nothing was there. Gives the new tag. */
  write(path: string, bytes: Uint8Array<ArrayBuffer>, seen: string | undefined): Promise<string>;
  remove(path: string, seen: string): Promise<void>;
  /** Moments of the project's clips that are like one, or can follow it; only where somebody keeps an index. */
  find?(kind: 'like' | 'follows', path: string, time_s: number): Promise<Match[]>;
  /** A WebM film as MP4; only where a program for it is installed. */
  readonly toMp4?: ((webm: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>) | undefined;
  /** Told of every change, whoever made it, and of the way to the files being lost or back. Gives what ends it. */
  watch(listener: (event: StoreEvent) => void): () => void;
}

export interface StoredFile {
  path: string;
  bytes: number;
}

export interface Match {
  file: string;
  time_s: number;
  distance: number;
  mirrored: boolean;
}

export interface Stored {
  bytes: Uint8Array<ArrayBuffer>;
  /** Tells this content from others that were or will be under the same path. */
  tag: string;
}

export type StoreEvent = { kind: 'added' | 'changed' | 'removed'; path: string } | { kind: 'away' } | { kind: 'back' };

export class StoreError extends Error {
  constructor(
    readonly code: 'conflict' | 'away' | 'missing' | 'refused' | 'full',
    message: string,
  ) {
    super(message);
    this.name = 'StoreError';
  }
}
