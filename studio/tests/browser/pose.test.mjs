// The pose work space by mouse and keyboard, from a plain static server; every claim is checked on what the engine computed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  await engine.load();
  studio = await StudioPage.alone();
});
after(() => studio?.close());

const script = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value; })()');
const steps = () => studio.evaluate('studio.app.state.value.history.past.map(({ label }) => label)');

test('the third door opens a standing figure', async () => {
  await studio.click('Take the tour');
  await studio.click('End the tour');
  await studio.settled();
  await studio.waitFor('studio.stage.drawn > 0', 'a picture');
  assert.deepEqual(await script(), { clip: 'idle.bvh', at_s: 0, duration_s: 2, fps: 60, return_s: false, pins: [], drags: [], ranges: true });
});

test('a right click pins a joint where it is, P holds its turn too', async () => {
  for (const foot of ['left_foot', 'right_foot']) {
    const place = await studio.joint(foot);
    await studio.clickAt(await studio.onScreen(place), { button: 'right' });
    await studio.settled();
    const pin = (await script()).pins.find(({ joint }) => joint === foot);
    assert.ok(distance(pin.position, place) < 1e-4, `${foot} at ${pin.position}, is at ${place}`);
  }
  await studio.press('p');
  await studio.settled();
  assert.equal((await script()).pins[1].orientation.length, 4);
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.equal((await script()).pins[1].orientation, undefined);
});

test('what is seen before the button is let go is what stays, within reach and far beyond it', async () => {
  for (const by of [[-60, -50], [-90, 160], [-300, -200]]) {
    const from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round);
    await studio.drag(from, [from[0] + by[0], from[1] + by[1]], { release: false });
    await studio.waitFor('studio.pose.resting', 'the body to rest');
    const seen = await studio.evaluate('[...studio.app.state.value.scene.figures[0].live]');
    await studio.mouse('mouseReleased', [from[0] + by[0], from[1] + by[1]]);
    await studio.waitFor('!studio.pose.dragging', 'the drag to end');
    await studio.settled();
    const kept = (await studio.posture()).split(' ').map(Number);
    const farthest = Math.max(...seen.map((value, i) => (i % 16 > 11 && i % 16 < 15 ? Math.abs(value - kept[i]) : 0)));
    assert.ok(farthest < 0.01, `${by}: a joint is ${farthest} m from where it was seen`);
    await studio.press('Ctrl+z');
    await studio.settled();
  }
});

test('a hand dragged 20 cm across the screen is under the pointer, pinned feet stay, and undo gives the posture back to the bit', async () => {
  const before = await studio.posture();
  const feet = [await studio.joint('left_foot'), await studio.joint('right_foot')];
  const hand = await studio.joint('right_hand');
  const from = await studio.onScreen(hand);
  const [up] = [await studio.onScreen([hand[0], hand[1] + 0.2, hand[2]])];
  const to = [from[0] - 0.6 * Math.abs(from[1] - up[1]), from[1] - 0.8 * Math.abs(from[1] - up[1])].map(Math.round);
  await studio.drag(from.map(Math.round), to, { release: false });
  await studio.waitFor('studio.app.state.value.scene.figures[0].live', 'the body to follow');
  await studio.waitFor(`(async () => { await studio.pose.settle(); const { joint } = studio.app.state.value; const m = studio.app.state.value.scene.figures[0].live; const [x, y] = studio.stage.onScreen([m[16 * joint + 12], m[16 * joint + 13], m[16 * joint + 14]]); return Math.hypot(x - ${to[0]}, y - ${to[1]}) < 2; })()`, 'the hand to be under the pointer');
  // Live, before the button is let go.
  assert.ok((await studio.fromRay(to, await studio.joint('right_hand'))) < 1e-3);
  for (const [i, foot] of ['left_foot', 'right_foot'].entries()) assert.ok(distance(feet[i], await studio.joint(foot)) < 1e-3, foot);
  await studio.picture('pose-live');
  await studio.mouse('mouseReleased', to);
  await studio.waitFor('!studio.pose.dragging', 'the drag to end');
  await studio.settled();
  // The document, carried out by the engine.
  const moved = await studio.joint('right_hand');
  assert.ok((await studio.fromRay(to, moved)) < 1e-3);
  assert.ok(distance(moved, hand) > 0.15 && distance(moved, hand) < 0.25, `${distance(moved, hand)} m`);
  for (const [i, foot] of ['left_foot', 'right_foot'].entries()) assert.ok(distance(feet[i], await studio.joint(foot)) < 1e-3, foot);
  assert.equal((await steps()).at(-1), 'Drag right_hand');
  const after = await studio.posture();
  assert.notEqual(after, before);
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.equal(await studio.posture(), before);
  await studio.press('Ctrl+Shift+Z');
  await studio.settled();
  assert.equal(await studio.posture(), after);
});

test('Escape cancels a drag, and leaves no step', async () => {
  const before = await studio.posture(), count = (await steps()).length;
  const from = (await studio.onScreen(await studio.joint('left_hand'))).map(Math.round);
  await studio.drag(from, [from[0] + 40, from[1] - 40], { release: false });
  await studio.waitFor('studio.app.state.value.scene.figures[0].live', 'the body to follow');
  await studio.press('Escape');
  await studio.mouse('mouseReleased', [from[0] + 40, from[1] - 40]);
  await studio.settled();
  assert.equal(await studio.posture(), before);
  assert.equal((await steps()).length, count);
});

test('a key at another time leads the hand there, and moves on the time line', async () => {
  for (let i = 0; i < 3; ++i) await studio.press('ArrowRight');
  const head = (await studio.onScreen(await studio.joint('head'))).map(Math.round);
  await studio.drag(head, [head[0] + 25, head[1] + 15]);
  await studio.waitFor('!studio.pose.dragging', 'the drag to end');
  await studio.settled();
  const keys = (await script()).drags.find(({ joint }) => joint === 'head').keys;
  assert.equal(keys.length, 1);
  assert.ok(Math.abs(keys[0][0] - 3 / 60) < 1e-3);
  const mark = await studio.evaluate(`(() => { const key = [...document.querySelectorAll('.key')].find((each) => each.title.includes('head')); key.scrollIntoView({ block: 'nearest' }); const { left, top, width, height } = key.getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()`);
  const span = await studio.evaluate(`document.querySelector('.ruler').getBoundingClientRect().width`);
  await studio.drag(mark, [mark[0] + span / 2, mark[1]]);
  await studio.settled();
  const moved = (await script()).drags.find(({ joint }) => joint === 'head').keys;
  assert.ok(Math.abs(moved[0][0] - (keys[0][0] + 1)) < 0.05, `${moved[0][0]}`);
  assert.equal((await steps()).at(-1), 'Move key of head');
});

test('a key that is led onto another stands beside it, and both are kept', async () => {
  await studio.click('First frame');
  const head = (await studio.onScreen(await studio.joint('head'))).map(Math.round);
  await studio.drag(head, [head[0] - 20, head[1] + 10]);
  await studio.waitFor('!studio.pose.dragging', 'the drag to end');
  await studio.settled();
  const keysOf = async () => (await script()).drags.find(({ joint }) => joint === 'head').keys, before = await keysOf();
  assert.equal(before.length, 2);
  const marks = await studio.evaluate(`[...document.querySelectorAll('.key')].filter((each) => each.title.includes('head')).map((key) => { key.scrollIntoView({ block: 'nearest' }); const { left, top, width, height } = key.getBoundingClientRect(); return [left + width / 2, top + height / 2]; })`);
  await studio.drag(marks[0], marks[1]);
  await studio.settled();
  const after = await keysOf();
  assert.equal(after.length, 2, `${JSON.stringify(after)}`);
  assert.deepEqual(after[1], before[1]);
  assert.ok(Math.abs(after[1][0] - after[0][0] - 1 / 60) < 1e-3, `${JSON.stringify(after)}`);
  await studio.press('Ctrl+z');
  await studio.press('Ctrl+z');
  await studio.settled();
});

test('a reload keeps the work', async () => {
  const value = await script(), posture = await studio.posture();
  await studio.load();
  assert.deepEqual(await studio.evaluate('studio.app.state.value.history.present.get("idle pose.json").value'), value);
  assert.deepEqual(await studio.evaluate('[studio.app.state.value.space, studio.app.state.value.open.pose]'), ['pose', 'idle pose.json'], 'in the browser\'s own storage too');
  await studio.settled();
  await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: 0 }))`);
  const again = await studio.posture();
  // The time differs; both hold at the first frame what the hand's only key says.
  assert.equal(again.length > 0, posture.length > 0);
  assert.ok(distance(await studio.joint('right_hand'), value.drags[0].keys[0][1]) < 1e-3);
});

test('a drag is recorded as a motion', async () => {
  await studio.press('Shift+ArrowLeft');
  await studio.settled();
  await studio.click('Record drags');
  await studio.waitFor('studio.pose.recording', 'the button to be pressed');
  // Slowly, so that a slow machine too sees the pointer at many times.
  await studio.evaluate('studio.app.transport((t) => ({ ...t, speed: 0.1 }))');
  const hand = await studio.joint('left_hand'), from = (await studio.onScreen(hand)).map(Math.round);
  await studio.drag(from, [from[0] + 20, from[1] - 10], { release: false, steps: 2 });
  await studio.waitFor('studio.app.state.value.scene.figures[0].live', 'the body to follow');
  for (let i = 0; i < 2000 && (await studio.evaluate('studio.app.state.value.transport.time_s')) < 0.4; ++i) await studio.mouse('mouseMoved', [from[0] + 20 + (i % 40), from[1] - 10 - (i % 30)], { buttons: 1 });
  await studio.mouse('mouseReleased', [from[0] + 30, from[1] - 30]);
  await studio.waitFor('!studio.pose.dragging', 'the drag to end');
  await studio.settled();
  assert.equal((await steps()).at(-1), 'Record left_hand');
  const { keys } = (await script()).drags.find(({ joint }) => joint === 'left_hand');
  assert.ok(keys.length >= 3 && keys.every(([time], i) => i === 0 || time > keys[i - 1][0]), JSON.stringify(keys));
  assert.equal(await studio.evaluate('studio.app.state.value.transport.playing'), false);
  await studio.click('Record drags');
  await studio.press('Ctrl+z');
  await studio.settled();
});

test('the project goes into one file that the command line unpacks', async () => {
  await studio.evaluate(`void studio.commands().find(({ id }) => id === 'export-project').run()`);
  const packed = await studio.given('My project.shosa');
  execFileSync(shosa, ['project', 'unzip', packed, '-o', join(studio.folder, 'unpacked'), '--quiet']);
  assert.deepEqual(readdirSync(join(studio.folder, 'unpacked')).sort(), ['idle pose.json', 'idle.bvh']);
  assert.deepEqual(JSON.parse(readFileSync(join(studio.folder, 'unpacked', 'idle pose.json'), 'utf8')), await script());
});

test('the command line plays what was saved, and reads what was exported', async () => {
  await studio.evaluate(`void studio.commands().find(({ id }) => id === 'export-bvh').run()`);
  const exported = await studio.given('idle pose.bvh');
  const texts = await studio.evaluate(`(async () => Object.fromEntries(await Promise.all(['idle.bvh', 'idle pose.json'].map(async (path) => [path, new TextDecoder().decode((await studio.app.project.store.read(path)).bytes)]))))()`);
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(studio.folder, path), text);
  execFileSync(shosa, ['pose', join(studio.folder, 'idle pose.json'), '-o', join(studio.folder, 'played.bvh'), '--quiet']);
  const hand = (file) => JSON.parse(execFileSync(shosa, ['info', file, '--at', '0', '--joint', 'right_hand', '--json', '--quiet'])).places[0].position;
  const here = await studio.joint('right_hand');
  assert.ok(distance(hand(exported), here) < 1e-3, 'the exported file');
  assert.ok(distance(hand(join(studio.folder, 'played.bvh')), here) < 1e-3, 'the script played');
});

test('a late moment that is posed is the pose\'s beginning, and its first drag a key there', async () => {
  await studio.click('Library');
  await studio.click('idle.bvh');
  await studio.settled();
  await studio.press('Shift+ArrowRight');
  const held_s = await studio.evaluate('studio.app.state.value.transport.time_s');
  assert.ok(held_s > 2, `${held_s}`);
  await studio.click('Pose this moment');
  await studio.waitFor(`studio.app.state.value.open.pose === 'idle pose 2.json'`, 'the pose');
  await studio.settled();
  const from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round);
  await studio.drag(from, [from[0] - 20, from[1] - 20]);
  await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === 'Drag right_hand' && !studio.pose.dragging`, 'the drag');
  await studio.settled();
  const { at_s, drags } = await script();
  assert.ok(Math.abs(at_s - held_s) < 1e-3);
  assert.equal(drags[0].keys[0][0], 0);
});

test('an animal is dragged too, without the ranges of people', async () => {
  await studio.click('Library');
  await studio.click('dog stand');
  await studio.settled();
  await studio.click('Pose this moment');
  await studio.waitFor(`studio.app.state.value.open.pose === 'dog_stand pose.json'`, 'its pose');
  await studio.settled();
  assert.equal(await studio.evaluate('studio.app.state.value.scene.problem ?? null'), null);
  const paw = await studio.joint('left_hand'), from = (await studio.onScreen(paw)).map(Math.round), to = [from[0] + 12, from[1] - 14];
  const { origin, direction } = await studio.evaluate(`(() => { const { origin, direction } = studio.stage.ray(${to}); return { origin: origin.toArray(), direction: direction.toArray() }; })()`);
  await studio.drag(from, to);
  await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === 'Drag left_hand' && !studio.pose.dragging`, 'the drag');
  await studio.settled();
  const away = (await studio.joint('left_hand')).map((value, axis) => value - origin[axis]), along = away.reduce((sum, value, axis) => sum + value * direction[axis], 0);
  assert.ok(distance(away, direction.map((value) => along * value)) < 1e-3, 'the paw is under the pointer');
  assert.ok(distance(await studio.joint('left_hand'), paw) > 0.03, 'and has moved');
});

test('a body whose feet hang on no leg is dragged without the ranges of people', async () => {
  // As programs write it whose feet are led by a solver of their own: below the root, beside the legs.
  const document = JSON.parse(new TextDecoder().decode(engine.Clip.make('idle').write('gltf'))), { nodes } = document;
  const numberOf = (name) => nodes.findIndex((node) => node.name === name), hips = nodes[numberOf('hips')];
  for (const side of ['left', 'right']) {
    const foot = numberOf(`${side}_foot`), leg = nodes[numberOf(`${side}_lower_leg`)];
    assert.ok(foot >= 0 && leg.children.includes(foot));
    leg.children = leg.children.filter((child) => child !== foot);
    if (leg.children.length === 0) delete leg.children;
    hips.children.push(foot);
    nodes[foot].translation = [side === 'left' ? 0.09 : -0.09, -0.9, 0];
  }
  writeFileSync(join(studio.folder, 'robot.gltf'), JSON.stringify(document));
  await studio.click('Library');
  await studio.drop([join(studio.folder, 'robot.gltf')]);
  await studio.waitFor(`studio.app.shown?.name === 'robot.gltf'`, 'the body');
  await studio.settled();
  await studio.click('Pose this moment');
  await studio.waitFor(`studio.app.state.value.space === 'pose' && !studio.app.computing`, 'the pose');
  assert.equal(await studio.evaluate('studio.app.state.value.scene.problem ?? null'), null);
  await studio.settled();
  assert.equal((await script()).ranges, undefined);
});

test('the console is clean, and nothing is fetched from elsewhere', () => {
  assert.deepEqual(studio.complaints(), []);
});
