// Ranges, balance, handles, stiffness and pins of a turn in the pose work space; every claim is checked on what the engine computed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { distance, shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone();
  await studio.click('Take the tour');
  await studio.click('End the tour');
  await studio.settled();
});
after(() => studio?.close());

const script = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value; })()');
const last = () => studio.evaluate('studio.app.state.value.history.past.at(-1)?.label');
const handle = (id) => studio.evaluate(`(() => { const found = studio.stage.poseMarks.handles.find((each) => each.id === '${id}'); return found.points.map((place) => studio.stage.onScreen(place)); })()`);
const drawn = () => studio.evaluate('new Promise((resolve) => { studio.stage.request(); requestAnimationFrame(() => requestAnimationFrame(resolve)); })');
const outside = () => studio.evaluate('[...studio.stage.poseMarks.outside].map((joint) => studio.app.shown.track.joints[joint].role)');
const bounds = () => studio.evaluate(`studio.ranges.regionOf(studio.app.state.value.joint)`);
async function select(role) {
  await studio.clickAt((await studio.onScreen(await studio.joint(role))).map(Math.round));
  await studio.waitFor(`studio.app.shown.track.joints[studio.app.state.value.joint]?.role === '${role}'`, `${role} to be selected`);
  await drawn();
}
async function dropped(label) {
  await studio.waitFor(`!studio.pose.dragging && studio.app.state.value.history.past.at(-1)?.label === '${label}'`, label);
  await studio.settled();
  await drawn();
}
const undo = async () => {
  await studio.press('Ctrl+z');
  await studio.settled();
  await drawn();
};

test('a dragged arrow leads the joint along its axis alone', async () => {
  await select('right_hand');
  const place = await studio.joint('right_hand'), [inner, tip] = await handle('move y');
  const from = [(inner[0] + 2 * tip[0]) / 3, (inner[1] + 2 * tip[1]) / 3].map(Math.round);
  await studio.drag(from, [from[0], from[1] - 40]);
  await dropped('Drag right_hand');
  const now = await studio.joint('right_hand');
  assert.ok(now[1] - place[1] > 0.05, `${now[1] - place[1]} m up`);
  assert.ok(Math.hypot(now[0] - place[0], now[2] - place[2]) < 1e-3, 'and nowhere else');
  await undo();
});

test('a dragged ring turns the joint, which is then a pin of its turn alone', async () => {
  await studio.press('r');
  await drawn();
  const turn = () => studio.evaluate(`(() => { const f = studio.app.state.value.scene.figures[0], j = studio.app.state.value.joint; const m = studio.stage.matricesOf(f).slice(16 * j, 16 * j + 12); return [...m]; })()`);
  const before = await turn(), ring = await handle('turn x');
  // The ring's point that is farthest from the joint's own place on the screen, and a way along it.
  const joint = await studio.onScreen(await studio.joint('right_hand'));
  const i = ring.slice(0, -4).reduce((best, point, k) => (distance(point, joint) > distance(ring[best], joint) ? k : best), 0);
  await studio.drag(ring[i].map(Math.round), ring[i + 4].map(Math.round));
  await dropped('Turn right_hand');
  const pin = (await script()).pins.find((each) => each.joint === 'right_hand');
  assert.equal(pin.position, false);
  assert.equal(pin.orientation.length, 4);
  const after = await turn();
  const cosine = (before.slice(0, 3).reduce((sum, value, k) => sum + value * after[k], 0) + before.slice(4, 7).reduce((sum, value, k) => sum + value * after[4 + k], 0) + before.slice(8, 11).reduce((sum, value, k) => sum + value * after[8 + k], 0) - 1) / 2;
  assert.ok(Math.acos(cosine) > 0.3, `turned by ${Math.acos(cosine)} rad`);
  await undo();
  assert.deepEqual((await script()).pins, []);
  await studio.press('g');
});

test('a range’s corner dragged on the figure is a document of ranges that the command line poses by', async () => {
  await select('right_lower_arm');
  assert.deepEqual(await outside(), []);
  const before = await bounds();
  const corners = await studio.evaluate(`studio.stage.poseMarks.handles.filter(({ id }) => id.startsWith('corner')).map(({ id, points }) => [id, studio.stage.onScreen(points[0])])`);
  assert.ok(corners.length >= 12, `${corners.length} corners`);
  const center = await studio.onScreen(await studio.joint('right_lower_arm'));
  const [id, place] = corners.reduce((a, b) => (distance(b[1], center) > distance(a[1], center) ? b : a));
  const to = place.map((value, axis) => Math.round(value + 0.25 * (center[axis] - value)));
  await studio.drag(place.map(Math.round), to);
  await dropped('Range of right_lower_arm');
  const number = Number(id.split(' ')[1]), after = await bounds();
  assert.notDeepEqual(after.corners[number].slice(0, 2), before.corners[number].slice(0, 2));
  assert.deepEqual(after.corners.filter((_, k) => k !== number), before.corners.filter((_, k) => k !== number));
  assert.equal((await script()).ranges, 'idle pose ranges.json');
  const document = await studio.evaluate(`studio.app.files.get('idle pose ranges.json').value`);
  assert.deepEqual(document.joint_ranges.map((each) => each.joint), ['right_lower_arm']);
  assert.equal(document.others, 'human');

  const texts = await studio.evaluate(`(async () => { await studio.app.project.saver.settled(); return Object.fromEntries(await Promise.all(['idle.bvh', 'idle pose.json', 'idle pose ranges.json'].map(async (path) => [path, new TextDecoder().decode((await studio.app.project.store.read(path)).bytes)]))); })()`);
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(studio.folder, path), text);
  execFileSync(shosa, ['pose', join(studio.folder, 'idle pose.json'), '-o', join(studio.folder, 'posed.bvh'), '--quiet']);
  await undo();
  assert.equal((await script()).ranges, true);
  assert.deepEqual(await bounds(), before);
});

test('what has left its range is red, and said', async () => {
  const twist = await studio.evaluate(`(() => { const region = studio.ranges.regionOf(studio.app.state.value.joint); return studio.ranges.swingOf(region).twist_deg; })()`);
  const input = await studio.placeOf('css:input[aria-label="Most twist, degrees"]');
  await studio.clickAt(input);
  await studio.press('Ctrl+a');
  await studio.type(String(Math.floor(twist) - 20));
  await studio.press('Enter');
  await studio.waitFor('studio.stage.poseMarks.outside.size > 0', 'the joint to be red');
  await studio.settled();
  assert.deepEqual(await outside(), ['right_lower_arm']);
  await studio.waitFor(`document.querySelector('.range-disc .region.left')`, 'the disc to be red');
  await studio.evaluate('document.activeElement.blur()');
  await studio.click('As people have them');
  await studio.settled();
  await drawn();
  assert.deepEqual(await outside(), []);
});

test('corners move by arrow keys', async () => {
  const before = await bounds();
  await studio.evaluate(`document.querySelector('.range-disc .corner').focus()`);
  await studio.press('ArrowUp');
  await dropped('Range of right_lower_arm');
  const steps = (await bounds()).corners.map((corner, k) => corner[0] - before.corners[k][0]).filter((step) => Math.abs(step) > 1e-9);
  assert.ok(steps.length === 1 && Math.abs(steps[0] - 0.02) < 1e-4, `${steps}`);
  await studio.evaluate('document.activeElement.blur()');
  await undo();
});

test('the centre of mass is drawn over the feet, and red where the body would fall', async () => {
  assert.equal(await studio.evaluate('studio.stage.poseMarks.balanced'), true);
  const hips = (await studio.onScreen(await studio.joint('hips'))).map(Math.round);
  await studio.drag(hips, [hips[0] + 90, hips[1] + 10]);
  await dropped('Drag hips');
  assert.equal(await studio.evaluate('studio.stage.poseMarks.balanced'), false);
  await studio.click('Balance');
  await drawn();
  assert.equal(await studio.evaluate('studio.stage.poseMarks.balanced ?? null'), null);
  await studio.click('Balance');
  await undo();
  assert.equal(await studio.evaluate('studio.stage.poseMarks.balanced'), true);
});

test('a stiffer elbow bends less, by the wheel over its slider', async () => {
  const bend = () => studio.evaluate(`(() => { const f = studio.app.state.value.scene.figures[0], m = studio.stage.matricesOf(f), at = (role) => { const j = f.motion.track.joints.findIndex((each) => each.role === role); return [m[16 * j + 12], m[16 * j + 13], m[16 * j + 14]]; };
    const [a, b, c] = ['right_upper_arm', 'right_lower_arm', 'right_hand'].map(at); return Math.hypot(a[0] - c[0], a[1] - c[1], a[2] - c[2]); })()`);
  // Seen from the side the hand is led up: the elbow has to bend, and what it saves the shoulder and trunk pay for.
  await studio.click('Side');
  await drawn();
  const hand = await studio.joint('right_hand');
  const [from, to] = [hand, [hand[0], hand[1] + 0.4, hand[2] + 0.2]].map((place) => studio.onScreen(place));
  await studio.drag((await from).map(Math.round), (await to).map(Math.round));
  await dropped('Drag right_hand');
  const before = await bend();
  await select('right_lower_arm');
  const slider = await studio.placeOf('css:.slider[title^="How many times"]');
  await studio.mouse('mouseMoved', slider, { button: 'none' });
  for (let i = 0; i < 10; ++i) await studio.page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: slider[0], y: slider[1], deltaX: 0, deltaY: -100 });
  await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === 'Stiffness of right_lower_arm'`, 'the wheel');
  await studio.settled();
  const [{ joint, factor }] = (await script()).stiffness;
  assert.equal(joint, 'right_lower_arm');
  assert.ok(factor > 5, `${factor}`);
  assert.ok((await bend()) > before + 0.0002, `${await bend()} m from shoulder to hand, was ${before}`);
  await undo();
  assert.equal((await script()).stiffness, undefined, 'one turn of the wheel is one step');
  await undo();
});

test('K keys the posture, P goes through all kinds of pins', async () => {
  await studio.press('k');
  await studio.settled();
  assert.deepEqual((await script()).drags.map((each) => each.joint).sort(), ['head', 'hips', 'left_foot', 'left_hand', 'right_foot', 'right_hand']);
  await undo();
  for (const kind of [['position'], ['position', 'orientation'], ['orientation'], []]) {
    await studio.press('p');
    await studio.settled();
    const pin = (await script()).pins.find((each) => each.joint === 'right_lower_arm');
    assert.deepEqual(['position', 'orientation'].filter((key) => pin?.[key]), kind);
  }
  assert.equal(await last(), 'Unpin right_lower_arm');
});

test('nothing is drawn when nothing moves', async () => {
  await drawn();
  const before = await studio.evaluate('studio.stage.drawn');
  await studio.evaluate('new Promise((resolve) => setTimeout(resolve, 400))');
  assert.equal(await studio.evaluate('studio.stage.drawn'), before);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
