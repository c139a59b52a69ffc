// A drag over a clip that plays: a layer that comes and goes; checked on what the engine computed, against the clip.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone();
  await studio.addWalk();
  await studio.click('Edit over the clip');
  await studio.settled();
});
after(() => studio?.close());

const seek = (time_s) => studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: ${time_s} }))`);
const script = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value; })()');
/// How far a joint is from where the clip has it, metres.
const away = (role, time_s) => studio.evaluate(`(async () => {
  studio.app.transport((t) => ({ ...t, time_s: ${time_s} }));
  const clip = await studio.app.motions.of('walk_normal.bvh'), joint = clip.track.joints.findIndex((each) => each.role === '${role}');
  const places = [clip, studio.app.shown].map((motion) => { const m = studio.stage.matricesOf({ motion }); return [m[16 * joint + 12], m[16 * joint + 13], m[16 * joint + 14]]; });
  return Math.hypot(...places[0].map((value, axis) => value - places[1][axis]));
})()`);

test('it fades in before its key and out after it, in the times that are typed', async () => {
  await seek(0.5);
  const hand = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round);
  await studio.drag(hand, [hand[0] - 20, hand[1] - 50]);
  await studio.waitFor(`!studio.pose.dragging && studio.app.state.value.history.past.at(-1)?.label === 'Drag right_hand'`, 'the drag');
  await studio.settled();
  assert.equal((await script()).at_s, undefined);
  assert.equal(await studio.evaluate(`document.querySelectorAll('.bar.fade').length`), 1);
  assert.ok((await away('right_hand', 0.5)) > 0.1, 'at its key');
  assert.ok((await away('right_hand', 0.35)) > 5e-3, 'on its way');
  for (const [label, value] of [['Fades in', '0.1'], ['out', '0.2']]) {
    const at = await studio.placeOf(label);
    await studio.clickAt([at[0] + 10, at[1]]);
    await studio.evaluate(`[...document.querySelectorAll('.fades label')].find((each) => each.textContent.trim().startsWith('${label}')).querySelector('input').focus()`);
    await studio.press('Ctrl+a');
    await studio.type(value);
    await studio.press('Enter');
    await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === '${label} of right_hand'`, label);
    await studio.settled();
  }
  const [{ fade_in_s, fade_out_s }] = (await script()).drags;
  assert.deepEqual([fade_in_s, fade_out_s], [0.1, 0.2]);
  assert.ok((await away('right_hand', 0.35)) < 2e-3, 'not yet begun');
  assert.ok((await away('right_hand', 0.5)) > 0.1, 'at its key');
  assert.ok((await away('right_hand', 0.8)) < 2e-3, 'home again');
  for (const foot of ['left_foot', 'right_foot']) assert.ok((await away(foot, 0.5)) < 5e-3, foot);
});

test('the clip as it was is a ghost beside it', async () => {
  assert.deepEqual(await studio.evaluate('studio.app.state.value.scene.figures.map(({ tint }) => tint)'), ['main', 'ghost']);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
