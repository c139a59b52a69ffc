// A BVH of 100 MB dropped into the page: read with its progress said, every frame of it there, and kept to the byte.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { StudioPage } from './support.mjs';

const name = 'long.bvh';
let studio, long;

before(async () => {
  await engine.load();
  studio = await StudioPage.alone();
  long = studio.writeLong(name, engine.Clip.make('walk_normal').write('bvh'), 100);
});
after(() => studio?.close());

/// As the project has it.
const hashed = () => studio.evaluate(`(async () => { const { bytes } = await studio.app.project.load('${name}'); return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((value) => value.toString(16).padStart(2, '0')).join(''); })()`);

test('it is read while the page says how far it is, and goes on', async () => {
  await studio.evaluate(`window.seen = new Set(); studio.app.state.subscribe(({ imports }) => imports.forEach(({ text }) => seen.add(text.replace(/ .*/, ''))))`);
  await studio.drop([long.path]);
  await studio.waitFor(`studio.app.state.value.imports.length === 1`, 'the file to be seen');
  // While the engine is at it, the page answers: the other work space opens.
  await studio.click('Compose');
  await studio.waitFor(`studio.app.state.value.space === 'compose'`, 'the other work space');
  assert.equal(await studio.evaluate(`studio.app.state.value.imports[0].kind`), 'reading', 'it was not waited for');
  await studio.waitFor(`studio.app.state.value.imports[0].kind !== 'reading'`, 'the file to be read', 240);
  const [row] = await studio.evaluate('studio.app.state.value.imports');
  assert.equal(row.kind, 'done', row.text);
  assert.deepEqual((await studio.evaluate('[...seen]')).filter((word) => ['parsing', 'frame', 'finding'].includes(word)), ['parsing', 'frame', 'finding']);
  assert.equal(await studio.evaluate('studio.app.state.value.space'), 'compose', 'who has gone on meanwhile stays there');
  await studio.click('Library');
  await studio.click(name);
  await studio.waitFor(`studio.app.shown?.name === '${name}'`, 'the clip', 60);
  await studio.settled();
  assert.equal(await studio.evaluate(`studio.app.engine.clipOf(studio.app.shown).frameCount.then((count) => count)`), long.frames);
  // Contacts are found to the end: its steps are those of the clip that it repeats.
  const steps = engine.Clip.make('walk_normal').study().contacts.left.length, found = await studio.evaluate('studio.app.shown.contacts.left.length');
  assert.ok(found > 0.5 * steps * long.repeats, `${found} contacts`);
});

test('it is kept to the byte, over a reload', async () => {
  const own = createHash('sha256').update(readFileSync(long.path)).digest('hex');
  await studio.waitFor('!studio.app.project.saver.dirty', 'it to be saved', 120);
  assert.equal(await hashed(), own);
  await studio.load();
  assert.equal(await hashed(), own);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
