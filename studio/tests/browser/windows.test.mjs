// One project in two windows of one browser, from a plain static server: both stay in step, and what both change at a time is kept twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { distance, StudioPage } from './support.mjs';

const name = 'idle pose.json';
let first, second;

before(async () => {
  first = await StudioPage.alone();
  await first.click('Take the tour');
  await first.click('End the tour');
  await first.settled();
  second = await first.secondWindow();
  await second.click('Pose');
  await second.click('idle pose');
  await second.settled();
});
after(() => first?.close());

const handOf = (page, path = name) => page.evaluate(`(async () => JSON.parse(new TextDecoder().decode((await studio.app.project.store.read('${path}')).bytes)).drags.find(({ joint }) => joint === 'right_hand')?.keys[0][1])()`);

async function dragHand(page, x, y) {
  const from = (await page.onScreen(await page.joint('right_hand'))).map(Math.round), before = await page.evaluate('studio.app.state.value.history.past.length');
  await page.drag(from, [from[0] + x, from[1] + y]);
  await page.waitFor(`studio.app.state.value.history.past.length > ${before} && !studio.pose.dragging`, 'the drag');
  await page.settled();
  return page.joint('right_hand');
}

test('what is dragged in one is shown in the other, both ways, and can be undone there', async () => {
  for (const [one, other] of [[first, second], [second, first]]) {
    const before = await other.posture(), steps = await other.evaluate('studio.app.state.value.history.past.length');
    const place = await dragHand(one, -20, -30);
    await other.waitFor(`studio.app.state.value.history.past.length > ${steps}`, 'the other window to hear of it');
    assert.equal(await other.evaluate('studio.app.state.value.history.past.at(-1).label'), 'Changed elsewhere');
    await other.settled();
    assert.ok(distance(await other.joint('right_hand'), place) < 1e-3);
    await other.press('Ctrl+z');
    await other.settled();
    assert.equal(await other.posture(), before);
    await other.press('Ctrl+Shift+Z');
    await other.settled();
    await one.waitFor('!studio.app.computing && !studio.app.project.saver.dirty', 'both to be in step');
  }
});

test('a file that comes or goes in one comes and goes in the other', async () => {
  await first.click('Library');
  await first.click('jump');
  await first.settled();
  await first.addShown('jump.bvh');
  await second.waitFor(`studio.app.files.has('jump.bvh')`, 'the file');
  await first.click('Remove jump.bvh');
  await second.waitFor(`!studio.app.files.has('jump.bvh')`, 'it to go');
  await first.click('Pose');
  await first.settled();
});

test('what both change at a time is kept twice, and said', async () => {
  // The second one does not hear of the first in time.
  await second.evaluate('studio.app.project.hear = async () => {}');
  const place = await dragHand(first, 25, 5), [x, y] = (await second.onScreen(await second.joint('right_hand'))).map(Math.round);
  await dragHand(second, -25, -15);
  assert.ok(distance(await handOf(first), place) < 1e-3, 'the name is of whoever was first');
  const mine = await handOf(second, 'idle pose (mine).json');
  assert.ok(distance(mine, place) > 0.01 && (await second.fromRay([x - 25, y - 15], mine)) < 1e-3, `${mine}`);
  assert.ok(await second.evaluate(`studio.app.state.value.messages.some(({ text }) => text.includes('changed elsewhere') && text.includes('idle pose (mine).json'))`));
  await first.waitFor(`studio.app.files.has('idle pose (mine).json')`, 'the first window to see it');
});

test('the console is clean', () => {
  assert.deepEqual(first.complaints(), []);
});
