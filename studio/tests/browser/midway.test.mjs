// What happens in the middle of a gesture: keys, another window, and files that are still on their way in.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, StudioPage } from './support.mjs';

const name = 'idle pose.json';
let studio;

before(async () => {
  await engine.load();
  studio = await StudioPage.alone();
  await studio.click('Take the tour');
  await studio.click('End the tour');
  await studio.settled();
});
after(() => studio?.close());

const steps = () => studio.evaluate('studio.app.state.value.history.past.map(({ label }) => label)');

/// The right hand on its way, the button down.
async function lead() {
  const from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round), to = [from[0] - 30, from[1] - 40];
  await studio.drag(from, to, { release: false });
  await studio.waitFor('studio.app.state.value.scene.figures[0]?.live', 'the body to follow');
  return to;
}

test('keys in the middle of a drag neither undo what was before nor leave the work space; the drag is one step', async () => {
  const before = await steps(), hand = await studio.joint('right_hand');
  const to = await lead();
  for (const keys of ['Ctrl+z', 'Alt+3', 'Delete']) await studio.press(keys);
  assert.equal(await studio.evaluate('studio.app.state.value.space'), 'pose');
  await studio.mouse('mouseReleased', to);
  await studio.waitFor('!studio.pose.dragging', 'the drag to end');
  await studio.settled();
  assert.deepEqual(await steps(), [...before, 'Drag right_hand']);
  assert.ok(distance(await studio.joint('right_hand'), hand) > 0.05);
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.deepEqual(await steps(), before);
  assert.ok(distance(await studio.joint('right_hand'), hand) < 1e-4);
});

test('a pose that another window removes in the middle of a drag is gone, and the drag with it', async () => {
  const other = await studio.secondWindow();
  await other.click('Library');
  const to = await lead();
  await other.click(`Remove ${name}`);
  await studio.waitFor('studio.app.state.value.scene.figures.length === 0', 'the stage to be empty');
  await studio.mouse('mouseReleased', to);
  await studio.waitFor('!studio.pose.dragging', 'the drag to end');
  assert.equal((await steps()).at(-1), 'Removed elsewhere');
  await studio.press('Ctrl+z');
  await studio.settled();
  await lead().then((end) => studio.mouse('mouseReleased', end));
  await studio.waitFor('!studio.pose.dragging', 'the next drag to end');
  await studio.settled();
  assert.equal((await steps()).at(-1), 'Drag right_hand');
});

test('another body that comes onto the stage in the middle of a drag ends it', async () => {
  await studio.click('Library');
  await studio.click('dog stand');
  await studio.settled();
  await studio.click('Pose this moment');
  await studio.settled();
  await studio.click('idle pose');
  await studio.settled();
  const before = await steps(), to = await lead();
  await studio.evaluate(`[...document.querySelectorAll('.panel.left button')].find(({ textContent }) => textContent.startsWith('dog_stand pose')).click()`);
  await studio.waitFor(`studio.app.state.value.scene.figures[0]?.id === 'dog_stand pose.json'`, 'the dog');
  for (let i = 1; i < 8; ++i) await studio.mouse('mouseMoved', [to[0] + 5 * i, to[1]], { buttons: 1 });
  await studio.evaluate('studio.pose.settle()');
  assert.equal(await studio.evaluate('studio.app.state.value.scene.figures[0].live'), undefined, 'the dog is not drawn with the joints of a person');
  await studio.mouse('mouseReleased', to);
  await studio.settled();
  assert.deepEqual(await steps(), before);
  // The same where the drag begins while the next body is still computed.
  assert.equal(await studio.evaluate(`studio.app.go('pose', '${name}'), void studio.pose.begin(3), studio.pose.dragging`), false);
  await studio.settled();
});

/// Copies of a walk, which take the page a while.
function copies(count, word) {
  const walk = engine.Clip.make('walk_normal').write('bvh');
  return Array.from({ length: count }, (_, i) => {
    const path = join(studio.folder, `${word} ${String(i).padStart(2, '0')}.bvh`);
    writeFileSync(path, walk);
    return path;
  });
}

const rows = (kind) => `studio.app.state.value.imports.filter((each) => each.kind === '${kind}').length`;
const inProject = (word) => studio.evaluate(`[...studio.app.files.keys()].filter((path) => path.startsWith('${word}')).length`);

test('an import that is undone in the middle ends there, and comes back with what was read', async () => {
  await studio.click('Library');
  const before = await steps();
  await studio.drop(copies(40, 'undone'));
  await studio.waitFor(`${rows('done')} > 3 && ${rows('waiting')} > 3`, 'some to be read');
  await studio.press('Ctrl+z');
  await studio.evaluate('studio.app.takingIn');
  assert.equal(await inProject('undone'), 0);
  assert.deepEqual(await steps(), before);
  assert.match(await studio.evaluate(`studio.app.state.value.messages.at(-1).text`), /undone while it was under way; \d+ of 40 files were not read/);
  await studio.press('Ctrl+Shift+Z');
  assert.ok((await inProject('undone')) > 3);
  assert.deepEqual(await steps(), [...before, 'Import 40 files']);
  await studio.settled();
});

test('files that are dropped while others are read wait for them: each drop is a step, and what fails stays in sight', async () => {
  const before = await steps(), bad = ['bad one.bvh', 'bad two.bvh'].map((file) => join(studio.folder, file));
  for (const path of bad) writeFileSync(path, 'no motion');
  await studio.drop(copies(40, 'first'));
  await studio.waitFor(`${rows('done')} > 3 && ${rows('waiting')} > 3`, 'some to be read');
  // Names under the pointer stay where they are.
  await studio.evaluate(`void (window.tops = new Set()), void studio.app.state.subscribe(() => setTimeout(() => tops.add(document.querySelector('ul[aria-label=Project]').getBoundingClientRect().top)))`);
  await studio.waitFor(`${rows('done')} > 10`, 'some more to be read');
  assert.equal(await studio.evaluate('tops.size'), 1);
  await studio.drop(bad);
  await studio.waitFor(`studio.app.state.value.imports.length === 42`, 'both drops to be seen');
  await studio.evaluate('studio.app.takingIn');
  await studio.settled();
  assert.equal(await inProject('first'), 40);
  assert.equal(await inProject('bad'), 0);
  assert.deepEqual((await steps()).slice(0, before.length + 1), [...before, 'Import 40 files']);
  assert.deepEqual(await studio.evaluate(`[...document.querySelectorAll('.imports .failed')].map((each) => each.textContent.slice(0, 7))`), ['bad one', 'bad two']);
  await studio.click('Dismiss');
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
