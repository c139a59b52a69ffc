import { expect, test } from 'vitest';
import { type Content, type Files, putDocument, putFile, removeFile } from '../../src/model/files';
import { Saver, type SaveState } from '../../src/store/saver';
import { type Store, StoreError, type Stored } from '../../src/store/store';

/** A store in memory that can be pulled away, and into which others write. */
class MemoryStore implements Store {
  readonly place = 'browser';
  readonly name = 'test';
  readonly readOnly = false;
  away = false;
  writes = 0;
  private version = 0;
  readonly rows = new Map<string, Stored>();

  list = async () => [...this.rows].map(([path, { bytes }]) => ({ path, bytes: bytes.length }));
  watch = () => () => undefined;

  async read(path: string): Promise<Stored> {
    if (this.away) throw new StoreError('away', 'nobody answers');
    const row = this.rows.get(path);
    if (!row) throw new StoreError('missing', path);
    return row;
  }

  async write(path: string, bytes: Uint8Array<ArrayBuffer>, seen: string | undefined): Promise<string> {
    if (this.away) throw new StoreError('away', 'nobody answers');
    if (this.rows.get(path)?.tag !== seen) throw new StoreError('conflict', path);
    this.writes += 1;
    return this.put(path, bytes);
  }

  async remove(path: string, seen: string): Promise<void> {
    if (this.away) throw new StoreError('away', 'nobody answers');
    if (this.rows.get(path)?.tag !== seen) throw new StoreError('conflict', path);
    this.rows.delete(path);
  }

  put(path: string, bytes: Uint8Array<ArrayBuffer>): string {
    const tag = String(++this.version);
    this.rows.set(path, { bytes, tag });
    return tag;
  }

  text(path: string): unknown {
    const row = this.rows.get(path);
    return row && JSON.parse(new TextDecoder().decode(row.bytes));
  }
}

function set() {
  const store = new MemoryStore();
  const states: SaveState['kind'][] = [];
  const conflicts: [string, Content | undefined][] = [];
  let files: Files = new Map();
  const saver: Saver = new Saver(store, { files: () => files, status: ({ kind }) => states.push(kind), conflict: (path, theirs) => {
    conflicts.push([path, theirs]);
    if (theirs) files = putFile(putFile(files, `${path} mine`, files.get(path)!), path, theirs);
  } });
  const change = (next: Files) => {
    files = next;
    saver.wake();
    return saver.settled();
  };
  return { store, states, conflicts, saver, change, files: () => files };
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)) as Uint8Array<ArrayBuffer>;

test('the store comes to have what the model has, and nothing is written twice', async () => {
  const { store, change, files } = set();
  await change(putDocument(files(), 'a.json', { a: 1 }));
  await change(putDocument(files(), 'b.json', { b: 1 }));
  expect(store.text('a.json')).toEqual({ a: 1 });
  expect(store.writes).toBe(2);
  await change(removeFile(files(), 'a.json'));
  expect([...store.rows.keys()]).toEqual(['b.json']);
});

test('a store that is away is tried again, and nothing is called saved meanwhile', async () => {
  const { store, states, saver, change, files } = set();
  store.away = true;
  const done = change(putDocument(files(), 'a.json', 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(states.at(-1)).toBe('waiting');
  expect(saver.dirty).toBe(true);
  store.away = false;
  await done;
  expect(states.at(-1)).toBe('saved');
  expect(store.text('a.json')).toBe(1);
});

test('what another has written meanwhile is not written over', async () => {
  const { store, conflicts, change, files } = set();
  await change(putDocument(files(), 'a.json', 'first'));
  store.put('a.json', bytes('theirs'));
  await change(putDocument(files(), 'a.json', 'ours'));
  expect(conflicts).toHaveLength(1);
  expect(store.text('a.json')).toBe('theirs');
  expect(store.text('a.json mine')).toBe('ours');
});

test('files that nobody has looked at are left alone', async () => {
  const { store, saver, change } = set();
  const content: Content = { kind: 'stored', size: 1 };
  saver.adopt('a.bvh', content, undefined);
  await change(new Map([['a.bvh', content]]));
  expect(store.writes).toBe(0);
});
