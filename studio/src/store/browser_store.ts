import { type Store, StoreError, type StoreEvent, type Stored, type StoredFile } from './store';

interface Row {
  project: string;
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Counts up with every write, over removals too. */
  version: number;
}

type News = { project: string; path: string; kind: 'added' | 'changed' | 'removed' };

const databaseName = 'shosa-studio', channelName = 'shosa-studio';

/** A project in the browser's own storage (IndexedDB, whose writes are whole or not at all), for pages from a static server. */
export class BrowserStore implements Store {
  readonly place = 'browser';
  readonly readOnly = false;
  private readonly channel = new BroadcastChannel(channelName);

  private constructor(
    private readonly database: IDBDatabase,
    readonly name: string,
  ) {}

  static async open(name: string): Promise<BrowserStore> {
    return new BrowserStore(await openDatabase(), name);
  }

  async list(): Promise<StoredFile[]> {
    const rows: StoredFile[] = [];
    await this.transaction('readonly', (files) => {
      files.openCursor(IDBKeyRange.bound([this.name], [this.name, []])).onsuccess = ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
        if (!cursor) return;
        const row = cursor.value as Row;
        rows.push({ path: row.path, bytes: row.bytes.byteLength });
        cursor.continue();
      };
    });
    return rows;
  }

  async read(path: string): Promise<Stored> {
    const row = await this.row(path);
    if (!row) throw new StoreError('missing', `${path}: is not there`);
    return { bytes: row.bytes, tag: String(row.version) };
  }

  async write(path: string, bytes: Uint8Array<ArrayBuffer>, seen: string | undefined): Promise<string> {
    let version = 0;
    await this.checked(path, seen, (files, row) => {
      version = (row?.version ?? Date.now()) + 1;
      files.put({ project: this.name, path, bytes, version } satisfies Row);
    });
    this.tell({ project: this.name, path, kind: seen === undefined ? 'added' : 'changed' });
    return String(version);
  }

  async remove(path: string, seen: string): Promise<void> {
    await this.checked(path, seen, (files) => files.delete([this.name, path]));
    this.tell({ project: this.name, path, kind: 'removed' });
  }

  watch(listener: (event: StoreEvent) => void): () => void {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = ({ data }: MessageEvent<News>) => {
      if (data.project === this.name) listener({ kind: data.kind, path: data.path });
    };
    return () => channel.close();
  }

  private tell(news: News): void {
    this.channel.postMessage(news);
  }

  private async row(path: string): Promise<Row | undefined> {
    let row: Row | undefined;
    await this.transaction('readonly', (files) => {
      files.get([this.name, path]).onsuccess = ({ target }) => (row = (target as IDBRequest<Row | undefined>).result);
    });
    return row;
  }

  /** Compares and changes in one transaction. */
  private async checked(path: string, seen: string | undefined, change: (files: IDBObjectStore, row: Row | undefined) => void): Promise<void> {
    let conflict = false;
    await this.transaction('readwrite', (files) => {
      files.get([this.name, path]).onsuccess = ({ target }) => {
        const row = (target as IDBRequest<Row | undefined>).result;
        conflict = (row === undefined ? undefined : String(row.version)) !== seen;
        if (!conflict) change(files, row);
      };
    });
    if (conflict) throw new StoreError('conflict', `${path}: was changed in another tab`);
  }

  private transaction(mode: IDBTransactionMode, body: (files: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction('files', mode);
      const failed = () => {
        const full = transaction.error?.name === 'QuotaExceededError';
        reject(new StoreError(full ? 'full' : 'refused', full ? 'the browser has no room left for this site' : (transaction.error?.message ?? 'the browser refused')));
      };
      transaction.oncomplete = () => resolve();
      transaction.onabort = failed;
      transaction.onerror = failed;
      body(transaction.objectStore('files'));
    });
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('files', { keyPath: ['project', 'path'] });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new StoreError('refused', `the browser keeps nothing for this page: ${request.error?.message ?? 'unknown'}`));
  });
}
