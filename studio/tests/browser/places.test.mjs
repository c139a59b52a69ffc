// Where the user is: what is selected, what time it is, what an undo changes and what comes back after a reload, as one document after the other is opened.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, StudioPage } from './support.mjs';

let studio;

before(async () => {
  await engine.load();
  const clips = Object.fromEntries(['idle', 'walk_normal', 'jump', 'dog_walk'].map((name) => [`${name}.bvh`, engine.Clip.make(name).write('bvh')]));
  const pose = (clip) => JSON.stringify({ clip: `${clip}.bvh`, at_s: 0, duration_s: 2, fps: 60, drags: [] });
  studio = await StudioPage.behind({ ...clips, 'person.json': pose('idle'), 'other.json': pose('jump'), 'dog.json': pose('dog_walk') });
});
after(() => studio?.close());

const value = (expression) => studio.evaluate(`(({ space, open, joint, transport, scene, trial, messages, history }) => ${expression})(studio.app.state.value)`);
const onDisk = (name) => JSON.parse(readFileSync(join(studio.project, name), 'utf8'));
const open = async (name) => {
  await studio.click(name);
  await studio.settled();
};

async function dragHand(x, y) {
  const from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round), steps = await value('history.past.length');
  await studio.drag(from, [from[0] + x, from[1] + y]);
  await studio.waitFor(`studio.app.state.value.history.past.length > ${steps}`, 'the drag');
  await studio.settled();
}

test('what is selected is a joint of one body: it stays for another document of that body, and goes with another body', async () => {
  await studio.click('Pose');
  await open('dog');
  const count = await value('scene.figures[0].motion.track.joints.length'), human = engine.Clip.make('idle').joints.length;
  const [many, few, last] = count > human ? ['dog', 'person', count - 1] : ['person', 'dog', human - 1];
  await open(many);
  await studio.evaluate(`document.querySelector('select[aria-label=Joint]').focus()`);
  await studio.press('ArrowUp');
  await studio.press('ArrowDown');
  for (let i = 0; i < 60 && (await value('joint')) !== last; ++i) await studio.press('ArrowDown');
  assert.equal(await value('joint'), last);
  await open(few);
  assert.equal(await value('joint ?? null'), null);
  await open('person');
  await studio.clickAt((await studio.onScreen(await studio.joint('head'))).map(Math.round));
  const head = await value('joint');
  assert.equal(await value(`scene.figures[0].motion.track.joints[${head}].role`), 'head');
  await open('other');
  assert.equal(await value('joint'), head);
  assert.deepEqual(studio.complaints(), []);
});

test('undo and redo go to what they change, and say so; what is on the stage is changed there', async () => {
  await open('person');
  const still = await studio.posture();
  await dragHand(30, -20);
  const dragged = await studio.posture();
  await open('other');
  const before = await studio.posture();
  await dragHand(-20, -30);
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.equal(await value('open.pose'), 'other.json');
  assert.equal(await studio.posture(), before);
  assert.deepEqual(await value('messages.map(({ text }) => text)'), []);
  await studio.press('Ctrl+z');
  await studio.waitFor(`studio.app.state.value.open.pose === 'person.json'`, 'the page to go there');
  await studio.settled();
  assert.equal(await studio.posture(), still);
  assert.match(await value('messages.at(-1).text'), /^Undone: Drag right_hand, in person\.json$/);
  assert.deepEqual(onDisk('person.json').drags, []);
  await studio.click('Library');
  await studio.press('Ctrl+Shift+Z');
  await studio.waitFor(`studio.app.state.value.space === 'pose'`, 'the page to go there');
  await studio.settled();
  assert.equal(await studio.posture(), dragged);
  assert.match(await value('messages.at(-1).text'), /^Done again: /);
});

test('a clip opens at its start, and what was looked at before where it was left', async () => {
  await studio.click('Library');
  await open('walk_normal.bvh');
  assert.equal(await value('transport.time_s'), 0);
  await studio.press('Shift+ArrowRight');
  const end = await value('transport.time_s');
  await open('idle.bvh');
  assert.equal(await value('transport.time_s'), 0);
  await open('walk_normal.bvh');
  assert.equal(await value('transport.time_s'), end);
});

for (const what of ['Trim', 'Loop'])
  test(`${what}: the ghost is that part of what was, and so are the figures beside it`, async () => {
    await open('walk_normal.bvh');
    const [left, top, width] = await studio.evaluate(`(() => { const { left, top, width } = document.querySelector('.ruler').getBoundingClientRect(); return [left, top, width]; })()`);
    await studio.drag([left + 0.3 * width, top + 8], [left + 0.7 * width, top + 8], { modifiers: 8 });
    const walk = engine.Clip.make('walk_normal'), begin_s = Math.round((await value('transport.range[0]')) / walk.frameTime_s) * walk.frameTime_s;
    await studio.click(what);
    await studio.waitFor('studio.app.state.value.trial', 'the part');
    await studio.settled();
    for (const time_s of [0, 0.5]) {
      await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: ${time_s} }))`);
      const ghost = await studio.evaluate(`[...studio.stage.matricesOf(studio.app.state.value.scene.figures.find(({ tint }) => tint === 'ghost')).slice(12, 15)]`), hips = await studio.joint('hips');
      assert.ok(distance(ghost, walk.matrices(begin_s + time_s).slice(12, 15)) < 1e-3, `at ${time_s} s`);
      assert.ok(distance(ghost, hips) < 0.05, `the part is where the ghost is: ${ghost}, ${hips}`);
    }
    const frames = await value('scene.figures[0].motion.track.frameCount');
    const part = walk.cut(begin_s, begin_s + (frames - 1) * walk.frameTime_s).measure();
    await studio.waitFor(`!document.querySelector('.trial table').textContent.includes('–')`, 'the figures');
    const rows = await studio.evaluate(`[...document.querySelectorAll('.trial tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))`);
    assert.equal(rows[2][0], part.mean_jerk_mps3.toFixed(0));
    if (what === 'Trim') assert.deepEqual(rows.map(([was]) => was), rows.map(([, is]) => is), 'a part is as good as itself');
    await studio.click('Discard');
    await studio.settled();
  });

test('a reload comes back to the work space, the document and the time', async () => {
  await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: 1 }))`);
  await studio.press('ArrowRight');
  const time_s = await value('transport.time_s'), posture = await studio.posture();
  await studio.load();
  await studio.settled();
  assert.deepEqual(await value('[space, open.library, transport.time_s]'), ['library', 'walk_normal.bvh', time_s]);
  assert.equal(await studio.posture(), posture);
  await studio.click('Pose');
  await studio.settled();
  assert.equal(await value('open.pose'), 'person.json');
  await studio.click('Shosa');
  await studio.load();
  assert.equal(await value('space'), 'start');
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
