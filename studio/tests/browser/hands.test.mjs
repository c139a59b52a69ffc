// Contacts, cores and roles by hand: bars led along the time line, a joint given another role, and what the engine and the command line make of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone({ width: 1100, height: 700 });
  await engine.load();
  await studio.addWalk();
});
after(() => studio?.close());

const said = (name = 'walk_normal.contacts.json') => studio.evaluate(`studio.app.files.get('${name}')?.value ?? null`);
const found = () => studio.evaluate('({ contacts: studio.app.shown.contacts, core: studio.app.shown.core })');
/// The clip as it is in the project, in an engine of our own.
const clip = async () => engine.Clip.read(Uint8Array.from(await studio.evaluate(`[...studio.app.files.get('walk_normal.bvh').bytes]`)), 'walk_normal.bvh');
const near = (a, b, within = 2e-4) => assert.ok(a.length === b.length && a.flat().every((value, i) => Math.abs(value - b.flat()[i]) < within), `${JSON.stringify(a)} and ${JSON.stringify(b)}`);

async function pixelsPerSecond() {
  return studio.evaluate(`(() => { const area = document.querySelector('.track-area'); return area.getBoundingClientRect().width / Number(area.dataset.duration); })()`);
}
/// The place of a bar's begin, middle or end on the screen.
async function barAt(id, share) {
  return studio.evaluate(`(() => { const { left, top, width, height } = document.querySelector('[data-bar="${id}"]').getBoundingClientRect(); return [left + ${share} * (width - 6) + 3, top + height / 2]; })()`);
}
async function lead(id, share, by_s) {
  const from = await barAt(id, share), steps = await studio.evaluate('studio.app.state.value.history.past.length');
  await studio.drag(from, [from[0] + by_s * (await pixelsPerSecond()), from[1]]);
  await studio.waitFor(`studio.app.state.value.history.past.length === ${steps + 1}`, 'one step');
  await studio.settled();
}

let foundAtFirst;

test('a contact is led to another end, and the document, the engine and the time line say the same', async () => {
  foundAtFirst = await found();
  const [begin, end] = foundAtFirst.contacts.left[0];
  await lead('left 0', 1, 0.15);
  const doc = await said();
  near(doc.left[0], [begin, end + 0.15], 0.03);
  near((await found()).contacts.left, doc.left);
  near((await found()).contacts.right, foundAtFirst.contacts.right);
  near((await clip()).withContacts(doc).study().contacts.left, doc.left);
});

/// What is on the stage at a time, against a clip of our own engine: the farthest that a number of the posture is away.
async function apart(clip, time_s) {
  await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: ${time_s} }))`);
  const here = (await studio.posture()).split(' ').map(Number);
  return Math.max(...clip.matrices(time_s).map((value, i) => Math.abs(value - here[i])));
}

for (const [button, change] of [['Fix', (clip) => clip.fix()], ['Loop', (clip) => clip.loop()]]) {
  test(`${button.toLowerCase()} goes by the bar, as the engine does with the same document`, async () => {
    const doc = await said(), mine = change((await clip()).withContacts(doc)), plain = change(await clip());
    await studio.click(button);
    await studio.waitFor('studio.app.state.value.trial', 'the changed motion');
    await studio.settled();
    const times = [0.2, 0.4, 0.6, 0.8, 1].map((share) => share * Math.min(mine.duration_s, plain.duration_s)).concat(doc.left[0][1] - 0.03).filter((time) => time < Math.min(mine.duration_s, plain.duration_s) - 0.05);
    let [same, other] = [0, 0];
    for (const time of times) [same, other] = [Math.max(same, await apart(mine, time)), Math.max(other, await apart(plain, time))];
    assert.ok(same < 1e-3, `${same} from the engine's own`);
    assert.ok(other > 0.005, `it is another motion than without the bar: ${other}`);
    await studio.click('Discard');
    await studio.settled();
  });
}

test('a drag over the clip keeps the foot for as long as the bar says', async () => {
  const doc = await said(), time_s = doc.left[0][1] - 0.03;
  await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: ${time_s} }))`);
  await studio.click('Edit over the clip');
  await studio.settled();
  // The hips are led higher than the legs are long: a foot that stands holds on harder than one in the air.
  const hips = (await studio.onScreen(await studio.joint('hips'))).map(Math.round);
  await studio.drag(hips, [hips[0], hips[1] - 45]);
  await studio.waitFor(`!studio.pose.dragging && studio.app.state.value.history.past.at(-1)?.label === 'Drag hips'`, 'the drag');
  await studio.settled();
  const script = await studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value; })()');
  const played = (clip) => engine.pose(script, { 'walk_normal.bvh': clip });
  const [mine, plain] = [played((await clip()).withContacts(doc)), played(await clip())];
  assert.ok((await apart(mine, time_s)) < 1e-3, 'as the engine plays it with the bar');
  assert.ok((await apart(plain, time_s)) > 0.02, 'and not as without it');
  for (let undone = 0; undone < 2; ++undone) await studio.press('Ctrl+z');
  await studio.click('Library');
  await studio.settled();
});

test('undo gives what was found, to the bit; redo the bar by hand', async () => {
  const doc = await said();
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.equal(await said(), null);
  assert.deepEqual(await found(), foundAtFirst);
  await studio.press('Ctrl+Shift+Z');
  await studio.settled();
  assert.deepEqual(await said(), doc);
});

test('a contact is added by a double click, moved by arrows and removed by Delete', async () => {
  const before = (await found()).contacts.left;
  const gap = [before[1][1], before[2][0]], time_s = (gap[0] + gap[1]) / 2;
  const [left, y] = await studio.evaluate(`(() => { const { left, top, height } = document.querySelector('[data-foot=left]').getBoundingClientRect(); return [left, top + height / 2]; })()`);
  const place = [left + time_s * (await pixelsPerSecond()), y];
  await studio.mouse('mouseMoved', place, { button: 'none' });
  for (const clickCount of [1, 2]) {
    await studio.mouse('mousePressed', place, { buttons: 1, clickCount });
    await studio.mouse('mouseReleased', place, { clickCount });
  }
  await studio.waitFor(`studio.app.shown.contacts.left.length === ${before.length + 1}`, 'the contact');
  const added = (await found()).contacts.left[2];
  assert.ok(added[0] > gap[0] && added[1] < gap[1] && added[0] <= time_s + 0.02, `${added} in ${gap}`);
  await studio.settled();
  await studio.evaluate(`document.querySelector('[data-bar="left 2"]').focus()`);
  await studio.press('Shift+ArrowLeft');
  await studio.waitFor(`studio.app.files.get('walk_normal.contacts.json').value.left[2][1] < ${added[1]} - 0.005`, 'its end to move');
  await studio.settled();
  const frame_s = await studio.evaluate('studio.app.state.value.transport.frameTime_s');
  near((await said()).left[2], [added[0], added[1] - frame_s], 0.5 * frame_s);
  await studio.press('Delete');
  await studio.waitFor(`studio.app.shown.contacts.left.length === ${before.length}`, 'it to go');
  await studio.settled();
  near((await found()).contacts.left, before);
});

test('a bar stops at its neighbour', async () => {
  await lead('left 0', 1, 3);
  const { left } = (await found()).contacts;
  assert.ok(left[0][1] < left[1][0] && left[0][1] > left[1][0] - 0.05, JSON.stringify(left.slice(0, 2)));
  await studio.press('Ctrl+z');
  await studio.settled();
});

test('the core by hand is what compose keeps', async () => {
  const { core } = await found();
  await lead('core', 1, -0.3);
  const doc = await said();
  near(doc.core, [core[0], core[1] - 0.3], 0.03);
  assert.deepEqual((await found()).core, doc.core);
  await studio.click('Compose');
  await studio.waitFor(`studio.app.state.value.space === 'compose'`, 'the work space');
  await studio.evaluate(`document.querySelector('[data-source="walk_normal.bvh"]')?.scrollIntoView()`);
  if (!(await studio.evaluate('studio.app.shown?.report.motions?.length'))) await studio.click('css:[data-source="walk_normal.bvh"]');
  await studio.waitFor('studio.app.shown?.report.motions?.length === 1', 'the score', 60);
  await studio.settled();
  near(await studio.evaluate('studio.app.shown.report.motions[0].core'), doc.core, 0.02);
  await studio.click('Library');
  await studio.settled();
});

test('the exported project analyzed by the command line has the same contacts and core', async () => {
  const doc = await said();
  await studio.press('F3');
  await studio.type('export the project');
  await studio.press('Enter');
  const file = await studio.given('My project.shosa');
  execFileSync(shosa, ['project', 'unzip', file, '-o', join(studio.folder, 'out')]);
  const { contacts, core } = JSON.parse(execFileSync(shosa, ['analyze', join(studio.folder, 'out/walk_normal.bvh'), '--json']));
  near(contacts.left, doc.left);
  near(core, doc.core);
});

test('a joint that is clicked is given another role, and what nobody plays is said', async () => {
  await studio.click('Show on the figure');
  await studio.waitFor(`[...document.querySelectorAll('.joint-names span')].some((each) => each.textContent === 'left foot')`, 'roles on the figure');
  await studio.clickAt(await studio.onScreen(await studio.joint('neck')));
  await studio.waitFor(`studio.app.shown.track.joints[studio.app.state.value.joint]?.role === 'neck'`, 'the neck to be chosen');
  const name = await studio.evaluate('studio.app.shown.track.joints[studio.app.state.value.joint].name');
  await studio.placeOf('css:[aria-label="Role of the joint"]');
  await studio.evaluate(`document.querySelector('[aria-label="Role of the joint"]').focus()`);
  await studio.press('ArrowDown'); // Neck, head.
  await studio.waitFor(`studio.app.shown.track.joints.find(({ name }) => name === ${JSON.stringify(name)}).role === 'head'`, 'the neck to be the head');
  assert.deepEqual(await said('walk_normal.body_map.json'), { neck: null, head: name });
  await studio.settled();
  await studio.waitFor(`studio.app.state.value.joint !== undefined`, 'the joint to stay chosen');
  await studio.evaluate(`document.querySelector('[aria-label="Role of the joint"]').focus()`);
  await studio.press('ArrowDown'); // Head, jaw.
  await studio.waitFor(`document.querySelector('[aria-label="Body map"] .warning')?.textContent.includes('head')`, 'the head to be missed');
  await studio.press('Ctrl+z');
  await studio.settled();
  await studio.picture('studio-body-map');
  const got = join(studio.folder, 'map');
  mkdirSync(got);
  writeFileSync(join(got, 'walk_normal.bvh'), (await clip()).write('bvh'));
  writeFileSync(join(got, 'map.json'), JSON.stringify(await said('walk_normal.body_map.json')));
  const roles = (args) => JSON.parse(execFileSync(shosa, ['info', join(got, 'walk_normal.bvh'), ...args, '--json'])).roles;
  assert.equal(roles(['--body-map', join(got, 'map.json')]).head, name);
  assert.notEqual(roles([]).head, name);
  writeFileSync(join(got, 'walk_normal.body_map.json'), JSON.stringify(await said('walk_normal.body_map.json')));
  assert.equal(roles([]).head, name, 'beside the clip it is read without being named');
  await studio.click('As guessed');
  await studio.waitFor(`!studio.app.files.has('walk_normal.body_map.json')`, 'the map to go');
  await studio.settled();
});

test('reload keeps it', async () => {
  const doc = await said();
  await studio.evaluate('studio.app.project.saver.settled()');
  await studio.load();
  await studio.settled();
  near((await found()).contacts.left, doc.left);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
