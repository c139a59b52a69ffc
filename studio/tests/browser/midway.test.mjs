// What happens in the middle of a gesture: keys, another window, and files that are still on their way in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { distance, StudioPage } from './support.mjs';

const name = 'idle pose.json';
let studio;

before(async () => {
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

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
