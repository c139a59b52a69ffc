// Without a pointer: everything that a hand does on the stage and on the time line is done by keys, and checked on what the engine computed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { distance, StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone({ width: 1000, height: 640 });
});
after(() => studio?.close());

const script = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value; })()');
const score = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.compose).value; })()');
const steps = () => studio.evaluate('studio.app.state.value.history.past.map(({ label }) => label)');
const camera = () => studio.evaluate('({ at: studio.stage.orbit.camera.position.toArray(), target: studio.stage.orbit.target.toArray() })');
const focused = () => studio.evaluate(`document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`);

/// Tab, again and again, until something of this name has the focus; Enter is for the caller.
async function tabTo(name, most = 250) {
  const seen = [];
  for (let i = 0; i < most; ++i) {
    await studio.press('Tab');
    seen.push(await focused());
    if (seen.at(-1).startsWith(name)) return;
  }
  throw new Error(`'${name}' is not reached by Tab; seen ${[...new Set(seen)].join(' | ')}`);
}

test('the third door, and the end of the tour', async () => {
  await tabTo('Take the tour');
  await studio.press('Enter');
  await studio.settled();
  await tabTo('End the tour');
  await studio.press('Enter');
  await studio.waitFor(`!document.querySelector('.tour')`, 'it to end');
});

test('a joint is chosen by its name and led by numbers, one stay in a field a step; undo gives the posture back to the bit', async () => {
  const before = await studio.posture(), feet = [await studio.joint('left_foot'), await studio.joint('right_foot')];
  await tabTo('Joint');
  const chosen = () => studio.evaluate('studio.app.shown.track.joints[studio.app.state.value.joint]?.role');
  for (let i = 0; i < 40 && (await chosen()) !== 'left_hand'; ++i) await studio.press('ArrowDown');
  assert.equal(await chosen(), 'left_hand');
  const [x, y, z] = await studio.joint('left_hand'), count = (await steps()).length;
  await tabTo('Place y');
  for (let i = 1; i <= 3; ++i) {
    await studio.press('ArrowUp');
    await studio.waitFor(`studio.app.state.value.history.past.length === ${count + 1}`, 'the drag');
    await studio.settled();
  }
  const wanted = Number(y.toFixed(3)) + 0.03;
  // The browser steps from what the field shows to whole centimetres.
  const hand = await studio.joint('left_hand');
  assert.ok(Math.abs(hand[1] - wanted) < 0.0101 && hand[1] > y + 0.019, `${hand}, was at ${y}`);
  assert.ok(Math.hypot(hand[0] - x, hand[2] - z) < 1e-3);
  assert.deepEqual((await script()).drags.map(({ joint, keys }) => [joint, keys.length]), [['left_hand', 1]]);
  assert.ok(distance((await script()).drags[0].keys[0][1], hand) < 1e-3);
  for (const [i, foot] of ['left_foot', 'right_foot'].entries()) assert.ok(distance(feet[i], await studio.joint(foot)) < 1e-3, foot);
  assert.equal((await steps()).length, count + 1, 'three presses of an arrow are one step');
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.equal(await studio.posture(), before);
  await studio.press('Ctrl+Shift+Z');
  await studio.settled();
});

test('a key of the time line goes from frame to frame, and keeps the focus', async () => {
  const frame_s = await studio.evaluate('studio.app.state.value.transport.frameTime_s');
  await tabTo('Key of left hand at 0.00 s');
  for (let i = 1; i <= 3; ++i) {
    await studio.press('ArrowRight');
    await studio.settled();
    assert.ok(Math.abs((await script()).drags[0].keys[0][0] - i * frame_s) < 1e-4, `${(await script()).drags[0].keys[0][0]}`);
    assert.ok((await focused()).startsWith('Key of left hand'), await focused());
  }
  await studio.press('ArrowLeft');
  await studio.settled();
  assert.ok(Math.abs((await script()).drags[0].keys[0][0] - 2 * frame_s) < 1e-4);
  assert.ok(Math.abs((await studio.evaluate('studio.app.state.value.transport.time_s')) - 2 * frame_s) < 1e-6, 'time goes along');
});

test('the view turns, shifts and comes nearer', async () => {
  await studio.evaluate('document.activeElement.blur()');
  const way = ({ at, target }) => at.map((value, axis) => value - target[axis]), angle = (a, b) => Math.acos(Math.min(1, a.reduce((sum, value, axis) => sum + value * b[axis], 0) / (Math.hypot(...a) * Math.hypot(...b))));
  await studio.press('Numpad1');
  const first = await camera();
  await studio.press('Numpad6');
  assert.ok(Math.abs(angle(way(await camera()), way(first)) - Math.PI / 12) < 1e-6);
  await studio.press('Numpad4');
  assert.ok(distance((await camera()).at, first.at) < 1e-9);
  await studio.press('Numpad8');
  assert.ok((await camera()).at[1] > first.at[1] + 0.1);
  await studio.press('Numpad2');
  await studio.press('Ctrl+Numpad8');
  assert.ok((await camera()).target[1] > first.target[1] + 0.05, 'up is up');
  await studio.press('Ctrl+Numpad2');
  await studio.press('NumpadAdd');
  assert.ok(Math.abs(Math.hypot(...way(await camera())) * 1.2 - Math.hypot(...way(first))) < 1e-6);
  await studio.press('NumpadSubtract');
  assert.ok(distance((await camera()).at, first.at) < 1e-9);
});

test('a part is marked and kept', async () => {
  await studio.press('Alt+1');
  await tabTo('walk normal');
  await studio.press('Enter');
  await studio.settled();
  await studio.evaluate('document.activeElement.blur()');
  const { frame_s, length_s } = await studio.evaluate('({ frame_s: studio.app.state.value.transport.frameTime_s, length_s: studio.app.state.value.transport.duration_s })');
  await studio.press('Shift+ArrowLeft');
  for (let i = 0; i < 12; ++i) await studio.press('ArrowRight');
  await studio.press('Ctrl+Home');
  assert.deepEqual(await studio.evaluate('studio.app.state.value.transport.range.map((time) => time.toFixed(4))'), [12 * frame_s, length_s].map((time) => time.toFixed(4)));
  for (let i = 0; i < 30; ++i) await studio.press('ArrowRight');
  await studio.press('Ctrl+End');
  assert.deepEqual(await studio.evaluate('studio.app.state.value.transport.range.map((time) => time.toFixed(4))'), [12 * frame_s, 42 * frame_s].map((time) => time.toFixed(4)));
  await tabTo('Trim');
  await studio.press('Enter');
  await studio.waitFor('studio.app.state.value.trial', 'the part');
  assert.ok(Math.abs((await studio.evaluate('studio.app.state.value.trial.after.track.frameCount')) - 30) <= 1);
});

test('clips are joined, and one is laid over them', async () => {
  await studio.press('Alt+3');
  for (const name of ['walk normal', 'kick']) {
    await tabTo(name);
    await studio.press('Enter');
    await studio.waitFor(`studio.app.shown?.report.motions?.some(({ clip }) => clip.startsWith('${name.replace(' ', '_')}'))`, name, 60);
    await studio.settled();
  }
  await tabTo('Lay wave over the score');
  await studio.press('Enter');
  await studio.waitFor(`document.querySelector('[data-layer]')`, 'the layer');
  await studio.settled();
  assert.deepEqual((await score()).motions.map(({ clip }) => clip), ['walk_normal.bvh', 'kick.bvh']);
  assert.deepEqual((await score()).layers.map(({ clip, mask }) => [clip, mask]), [['wave.bvh', 'upper_body']]);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
