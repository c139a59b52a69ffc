import { expect, test } from 'vitest';
import { referencesIn, skeletonBeside } from '../../src/app/motions';
import { type Content, contentBytes, contentOf, documentKind, type Files, freshPath, putDocument, relativePath, resolvePath, unreadableAt } from '../../src/model/files';
import { documentText } from '../../src/model/json';

const stored: Content = { kind: 'stored', size: 1 };
const filesOf = (...paths: string[]): Files => new Map(paths.map((path) => [path, stored]));

test('documents are told apart by their keys', () => {
  expect(documentKind({ clip: 'a.bvh', pins: [] })).toBe('pose');
  expect(documentKind({ motions: [] })).toBe('score');
  expect(documentKind({ commands: [] })).toBe('commands');
  expect(documentKind({ commands: [], clips: ['a.bvh'] })).toBe('run');
  expect(documentKind({ nodes: [], links: [] })).toBe('graph');
  expect(documentKind({ stairs: {} })).toBe('footsteps');
  expect(documentKind([1])).toBe('other');
});

test('a document that somebody breaks is what it was before, and its file is kept as it is', () => {
  const bytes = (text: string) => new TextEncoder().encode(text), broken = bytes('{ "clip": ');
  const before = contentOf('a.json', bytes('{ "clip": "b.bvh" }'));
  const now = contentOf('a.json', broken, before);
  expect(now).toMatchObject({ kind: 'document', value: { clip: 'b.bvh' } });
  expect(contentBytes(now as typeof now & { kind: 'document' })).toBe(broken);
  expect(unreadableAt(new Map([['a.json', now]]), 'a.json')).toBe(broken);
  expect(unreadableAt(new Map([['a.json', contentOf('a.json', broken)]]), 'a.json')).toBe(broken);
  expect(unreadableAt(new Map([['a.json', before]]), 'a.json')).toBeUndefined();
  expect(unreadableAt(new Map([['a.bvh', contentOf('a.bvh', broken)]]), 'a.bvh')).toBeUndefined();
});

test('paths go from a document to a file and back', () => {
  for (const [from, to] of [['a.json', 'clips/b.bvh'], ['poses/a.json', 'clips/b.bvh'], ['poses/a.json', 'poses/b.bvh'], ['x/y/a.json', 'x/b.bvh']] as const) {
    expect(resolvePath(from, relativePath(from, to))).toBe(to);
  }
  expect(relativePath('poses/a.json', 'clips/b.bvh')).toBe('../clips/b.bvh');
});

test('a fresh name is like the one that was wanted', () => {
  expect(freshPath(filesOf('a.bvh'), 'b.bvh')).toBe('b.bvh');
  expect(freshPath(filesOf('a.bvh', 'a 2.bvh'), 'a.bvh')).toBe('a 3.bvh');
  expect(freshPath(filesOf('v1.0/a'), 'v1.0/a')).toBe('v1.0/a 2');
});

test('a document comes back from its bytes as it was', () => {
  const value = { clip: 'a, b.bvh', pins: [{ joint: 'left_foot', position: [1, 2.5, -3e-5] }], empty: [], none: {}, text: 'x\n"y"', deep: [[1, [2, 3]]], off: false };
  const content: Content = { kind: 'document', value };
  expect(contentOf('a.json', contentBytes(content))).toEqual(content);
  expect(documentText(value)).toContain('"position": [1, 2.5, -0.00003]');
  expect(contentOf('a.json', new TextEncoder().encode('{') as Uint8Array<ArrayBuffer>).kind).toBe('bytes');
});

test('names of files are found in documents', () => {
  const names = referencesIn({ clip: 'a.bvh', ranges: 'r.json', prior: ['b.bvh'], motions: [{ clip: 'c.bvh', take: 'x' }], balance: true });
  expect([...names]).toEqual([['a.bvh', 'clip'], ['r.json', 'text'], ['b.bvh', 'clip'], ['c.bvh', 'clip']]);
});

test('the skeleton of an .amc is the one of its name, of its subject, or the only one', () => {
  expect(skeletonBeside(filesOf('a/01.asf', 'a/02.asf', 'a/02_05.amc'), 'a/02_05.amc')).toBe('a/02.asf');
  expect(skeletonBeside(filesOf('a/x.asf', 'a/y.amc'), 'a/y.amc')).toBe('a/x.asf');
  expect(skeletonBeside(filesOf('a/x.asf', 'a/z.asf', 'a/y.amc'), 'a/y.amc')).toBeUndefined();
  expect(skeletonBeside(filesOf('b/x.asf', 'a/y.amc'), 'a/y.amc')).toBeUndefined();
});

test('files are never changed in place', () => {
  const files = filesOf('a.bvh');
  putDocument(files, 'b.json', {});
  expect([...files.keys()]).toEqual(['a.bvh']);
});
