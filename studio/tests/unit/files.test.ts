import { expect, test } from 'vitest';
import { skeletonBeside } from '../../src/app/motions';
import { byName, changedPaths, type Content, contentBytes, contentOf, documentKind, type Files, freshPath, putDocument, relativePath, resolvePath, unreadableAt } from '../../src/model/files';
import { documentText } from '../../src/model/json';
import { placeOf, referencesIn, standsOn } from '../../src/model/references';

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

test('names of files are found in documents, which stay as they are where nothing is said about reading', () => {
  const document = { clip: 'a.bvh', ranges: 'r.json', prior: ['b.bvh'], motions: [{ clip: 'c.bvh', core: [0, 1] }], balance: true };
  const { value, clips, texts } = referencesIn('d.json', document);
  expect(value).toEqual(document);
  expect([...clips]).toEqual([['a.bvh', { name: 'a.bvh', reading: {} }], ['b.bvh', { name: 'b.bvh', reading: {} }], ['c.bvh', { name: 'c.bvh', reading: {} }]]);
  expect([...texts]).toEqual(['r.json']);
});

test('a clip that is read in several ways has as many names, and the engine is not told again how', () => {
  const motions = [{ clip: 'c.glb' }, { clip: 'c.glb', take: 'mixamo.com', core: [0, 1] }, { clip: 'c.glb', take: 'mixamo.com' }, { clip: 'w.amc', unit: 'cm', up: 'z', fps_is: 60, drop_tpose: false, as_captured: true, asf: '../w.asf' }, { clip: 'w.amc', unit: 'furlong' }];
  const { value, clips } = referencesIn('s/score.json', { motions });
  const [first, second, third, fourth, fifth] = (value as unknown as { motions: { clip: string }[] }).motions;
  expect([first, fifth]).toEqual([{ clip: 'c.glb' }, { clip: 'w.amc', unit: 'furlong' }]);
  expect(second).toEqual({ clip: second!.clip, core: [0, 1] });
  expect(third).toEqual({ clip: second!.clip });
  expect(second!.clip.replace(/\.[^.]+$/, '')).toBe('c');
  expect(fourth).toEqual({ clip: fourth!.clip, as_captured: true });
  expect(clips.get(second!.clip)).toEqual({ name: 'c.glb', reading: { take: 'mixamo.com' } });
  expect(clips.get(fourth!.clip)).toEqual({ name: 'w.amc', reading: { unit_m: 0.01, up: 'z', fps_is: 60, drop_tpose: false, as_captured: true, asf: 'w.asf' } });
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

test('names stand as people look for them', () => {
  expect(['b.bvh', 'B 10.bvh', 'a.bvh', 'B 2.bvh', 'C.bvh'].sort(byName)).toEqual(['a.bvh', 'B 2.bvh', 'B 10.bvh', 'b.bvh', 'C.bvh']);
});

test('a change is looked at where the file is shown, or what is read with it', () => {
  const clips = filesOf('a.bvh', 'b.bvh'), documents = { 'pose.json': { clip: 'a.bvh', ranges: 'r.json' }, 'r.json': { joint_ranges: [] }, 'score.json': { motions: [{ clip: 'b.bvh' }] }, 'b.contacts.json': { left: [] }, 'notes.json': {} };
  const files = Object.entries(documents).reduce((all: Files, [path, value]) => putDocument(all, path, value), clips);
  expect([...standsOn(files, 'pose.json')].sort()).toEqual(['a.body_map.json', 'a.bvh', 'a.contacts.json', 'pose.json', 'r.json']);
  expect(placeOf(files, 'a.bvh')).toEqual({ space: 'library', path: 'a.bvh' });
  expect(placeOf(files, 'r.json')).toEqual({ space: 'pose', path: 'pose.json' });
  expect(placeOf(files, 'score.json')).toEqual({ space: 'compose', path: 'score.json' });
  expect(placeOf(files, 'b.contacts.json')).toEqual({ space: 'library', path: 'b.bvh' });
  expect(placeOf(files, 'notes.json')).toBeUndefined();
  expect(placeOf(files, 'gone.json')).toBeUndefined();
  expect(changedPaths(clips, files)).toEqual(Object.keys(documents));
});
