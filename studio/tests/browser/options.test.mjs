// What a body is told beside drags: feet that stay, weights, postures that are kept, the knowledge of how people bend, balance; and motions on other bodies.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone({ width: 1100, height: 700 });
  await engine.load();
  await studio.click('Pose');
  await studio.click('a standing figure (ships)');
  await studio.settled();
  await studio.click('Front');
});
after(() => studio?.close());

const script = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value; })()');
const last = () => studio.evaluate('studio.app.state.value.history.past.at(-1)?.label');
const select = (role) => studio.evaluate(`studio.app.select(studio.app.shown.track.joints.findIndex((each) => each.role === '${role}'))`);

/// A joint led by so many metres across the screen, seen from the front.
async function drag(role, right_m, up_m) {
  const place = await studio.joint(role), from = await studio.onScreen(place), to = await studio.onScreen([place[0] + right_m, place[1] + up_m, place[2]]);
  await studio.drag(from.map(Math.round), to.map(Math.round));
  await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === 'Drag ${role}' && !studio.pose.dragging`, 'the drag');
  await studio.settled();
}

async function undo(times = 1) {
  for (let i = 0; i < times; ++i) await studio.press('Ctrl+z');
  await studio.settled();
}

async function tick(title, label) {
  await studio.click(`css:label.check[title^="${title}"]`);
  await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === '${label}'`, label);
  await studio.settled();
}

/// The wheel over a slider, as often as it takes to its end.
async function wheel(label, up) {
  const place = await studio.placeOf(label);
  await studio.mouse('mouseMoved', place, { button: 'none' });
  for (let i = 0; i < 40; ++i) await studio.page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: place[0], y: place[1], deltaX: 0, deltaY: up ? -100 : 100 });
  await studio.settled();
}

test('a pin whose bar is made shorter on the time line holds for that time, and no longer', async () => {
  const hand = await studio.joint('right_hand'), at = (time_s) => studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: ${time_s} }))`);
  await studio.clickAt((await studio.onScreen(hand)).map(Math.round), { button: 'right' });
  await studio.settled();
  await at(1.5);
  await drag('hips', 0.05, -0.12);
  await studio.waitFor(`document.querySelector('[data-bar="pin right_hand"]')`, 'the bar');
  const bar = () => studio.evaluate(`(() => { const { left, right, top, height } = document.querySelector('[data-bar="pin right_hand"]').getBoundingClientRect(); return { left, right, y: top + height / 2 }; })()`);
  const { left, right, y } = await bar();
  await studio.drag([right - 2, y], [left + 0.5 * (right - left) - 2, y]);
  await studio.settled();
  assert.equal(await last(), 'When right_hand is pinned');
  const { from_s, to_s } = (await script()).pins.find(({ joint }) => joint === 'right_hand');
  assert.ok(from_s === undefined && Math.abs(to_s - 1) < 0.03, `${from_s} to ${to_s}`);
  await at(0.9);
  assert.ok(distance(await studio.joint('right_hand'), hand) < 1e-3, 'it holds before');
  await at(1.5);
  assert.ok(distance(await studio.joint('right_hand'), hand) > 0.02, 'and not after');
  // As a whole, by its middle: later, as long as it was.
  const half = await bar(), middle = (half.left + half.right) / 2;
  await studio.drag([middle, half.y], [middle + 0.25 * (right - left), half.y]);
  await studio.settled();
  const later = (await script()).pins.find(({ joint }) => joint === 'right_hand');
  assert.ok(Math.abs(later.to_s - later.from_s - to_s) < 0.03 && Math.abs(later.from_s - 0.5) < 0.03, JSON.stringify(later));
  await undo(4);
  await at(0);
  assert.deepEqual((await script()).pins, []);
});

test('feet stay while the hips are led, and go along where they are let', async () => {
  const feet = async () => [await studio.joint('left_foot'), await studio.joint('right_foot')], before = await feet();
  const moved = async () => Math.max(...(await feet()).map((place, i) => distance(place, before[i])));
  await drag('hips', 0.1, -0.05);
  assert.ok((await moved()) < 1e-3, `${await moved()} m`);
  await tick('Feet that are neither', 'Feet stay off');
  assert.equal((await script()).keep_feet, false);
  assert.ok((await moved()) > 0.02, `${await moved()} m`);
  await undo(2);
});

test('a pin of much weight holds better than one of little', async () => {
  const head = await studio.joint('head');
  await studio.clickAt(await studio.onScreen(head), { button: 'right' });
  await studio.settled();
  await drag('hips', 0, -0.3);
  const away = async () => distance(await studio.joint('head'), head);
  await select('head');
  await wheel('Weight', false);
  assert.equal((await script()).pins.find(({ joint }) => joint === 'head').weight, 0.01);
  const light = await away();
  await wheel('Weight', true);
  assert.equal((await script()).pins.find(({ joint }) => joint === 'head').weight, 100);
  assert.ok((await away()) < light - 5e-3, `${await away()} m, and ${light} m where it weighs little`);
  while ((await last()) !== 'New pose idle pose.json') await undo();
});

test('a joint that keeps its posture turns less', async () => {
  // From shoulder to hand: what an elbow that bends takes away.
  const reach = async () => distance(await studio.joint('right_upper_arm'), await studio.joint('right_hand')), rest = await reach();
  await drag('right_hand', -0.1, 0.2);
  const usual = rest - (await reach());
  await select('right_lower_arm');
  await wheel('Keeps posture', true);
  assert.deepEqual((await script()).desired, [{ joint: 'right_lower_arm', weight: 100 }]);
  assert.ok(usual > 0.01 && rest - (await reach()) < 0.95 * usual, `${rest - (await reach())} m, usually ${usual} m`);
  await undo(2);
});

test('a hand led to the ground bends the body as people do, or as limbs alone have it', async () => {
  await drag('right_hand', -0.1, -0.55);
  const known = await studio.posture();
  await tick('Known postures', 'Bend as people do off');
  assert.equal((await script()).prior, false);
  const here = (await studio.posture()).split(' ').map(Number), there = engine.pose(await script(), { 'idle.bvh': engine.Clip.make('idle') }).matrices(0);
  assert.ok(Math.max(...here.map((value, i) => Math.abs(value - known.split(' ')[i]))) > 0.02, 'another posture');
  assert.ok(Math.max(...here.map((value, i) => Math.abs(value - there[i]))) < 2e-3, 'the one that the engine has for the same document');
  await undo();
  assert.equal(await studio.posture(), known);
  await undo();
});

test('with balance the body leans so that it does not fall', async () => {
  const balanced = () => studio.evaluate('studio.stage.poseMarks.balanced');
  await drag('hips', 0.16, 0);
  assert.equal(await balanced(), false);
  await tick('The centre of mass stays', 'Balance on');
  assert.equal(await balanced(), true);
  await undo(2);
});

test('a VRMA is dropped in, and a walk is put onto a body of another size', async () => {
  const write = (name, content) => (writeFileSync(join(studio.folder, name), content), join(studio.folder, name));
  const bvh = Buffer.from(engine.Clip.make('walk_normal').write('bvh')).toString();
  const tall = bvh.replace(/OFFSET(.*)/g, (_, numbers) => `OFFSET ${numbers.trim().split(/\s+/).map((value) => 1.2 * Number(value)).join(' ')}`);
  await studio.drop([write('wave.vrma', engine.Clip.make('wave').write('vrma')), write('tall.bvh', tall), write('walk.bvh', bvh)]);
  await studio.waitFor(`(({ imports }) => imports.length === 3 && imports.every(({ kind }) => kind === 'done'))(studio.app.state.value)`, 'all to be read', 60);
  await studio.click('wave.vrma');
  await studio.settled();
  assert.ok(Math.abs((await studio.evaluate('studio.app.state.value.transport.duration_s')) - engine.Clip.make('wave').duration_s) < 0.05);
  await studio.click('walk.bvh');
  await studio.settled();
  const legs = () => studio.evaluate(`studio.app.shown.track.joints.filter(({ role }) => /lower_leg|foot/.test(role ?? '')).reduce((sum, { restTranslation }) => sum + Math.hypot(...restTranslation), 0)`);
  const before = { legs: await legs(), hips: await studio.joint('hips') };
  await studio.evaluate(`(() => { const list = [...document.querySelectorAll('.panel.right select')][0]; list.value = 'tall.bvh'; list.dispatchEvent(new Event('change', { bubbles: true })); })()`);
  await studio.click('Retarget');
  await studio.waitFor(`studio.app.state.value.trial?.word === 'retargeted'`, 'the walk on the tall body', 60);
  await studio.settled();
  assert.ok(Math.abs((await legs()) / before.legs - 1.2) < 1e-3);
  assert.ok(Math.abs((await studio.joint('hips'))[1] / before.hips[1] - 1.2) < 0.03, 'its hips are higher');
  assert.deepEqual(await studio.evaluate('studio.app.state.value.scene.figures.map(({ tint }) => tint)'), ['main', 'ghost']);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
