// The tour, step by step: each is done by hand as its text says, and the page goes on to the next by itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone({ width: 1000, height: 640 });
});
after(() => studio?.close());

const shown = () => studio.evaluate(`document.querySelector('.tour p')?.textContent ?? ''`);
const reaches = (title) => studio.waitFor(`document.querySelector('.tour p')?.textContent.includes(${JSON.stringify(`: ${title}.`)})`, `the step '${title}'`, 60);

async function dragJoint(role, x, y) {
  const from = (await studio.onScreen(await studio.joint(role))).map(Math.round);
  await studio.drag(from, [from[0] + x, from[1] + y]);
}

test('the third door begins it with a body that can be dragged', async () => {
  await studio.click('Take the tour');
  await reaches('Drag a hand');
  await studio.settled();
  assert.equal(await studio.evaluate('studio.app.state.value.space'), 'pose');
  // What belongs to another step does not count.
  await studio.press('Space');
  await studio.press('Space');
  assert.match(await shown(), /^1 of 8: Drag a hand/);
  await studio.settled();
  await dragJoint('right_hand', -30, -40);
  await reaches('Pin a joint');
});

test('a pin, a second key that is played, and undo', async () => {
  await studio.settled();
  await studio.clickAt(await studio.onScreen(await studio.joint('left_foot')), { button: 'right' });
  await reaches('Key by key');
  await studio.settled();
  const [left, top, width] = await studio.evaluate(`(() => { const { left, top, width } = document.querySelector('.ruler').getBoundingClientRect(); return [left, top, width]; })()`);
  await studio.clickAt([left + 0.5 * width, top + 8]);
  await dragJoint('right_hand', 40, 30);
  await studio.waitFor(`studio.app.state.value.history.past.at(-1).label === 'Drag right_hand' && !studio.pose.dragging`, 'the second key');
  await studio.settled();
  await studio.press('Space');
  await reaches('Undo');
  const keys = () => studio.evaluate(`(() => { const { history, open } = studio.app.state.value; return history.present.get(open.pose).value.drags.find(({ joint }) => joint === 'right_hand').keys.length; })()`);
  assert.equal(await keys(), 2);
  await studio.press('Ctrl+z');
  await reaches('Change a clip');
});

test('a clip that is changed and kept', async () => {
  await studio.settled();
  assert.equal(await studio.evaluate('studio.app.state.value.open.library'), 'motions:walk_normal');
  await studio.click('Mirror');
  await studio.waitFor('studio.app.state.value.trial', 'the mirrored walk');
  assert.match(await shown(), /Change a clip/);
  await studio.click('Keep as a new file');
  await reaches('Join clips');
  assert.ok(await studio.evaluate(`studio.app.files.has('walk_normal_mirrored.bvh')`));
});

test('two clips are joined, and the result is led', async () => {
  await studio.click('css:[data-source="walk_normal_mirrored.bvh"]');
  await studio.settled();
  assert.match(await shown(), /Join clips/, 'one clip is not joined');
  await studio.click('css:[data-source="motions:kick"]');
  await reaches('Lead the result');
  await studio.settled();
  const [x, y] = await studio.placeOf('css:input[aria-label="Smoothness"]');
  await studio.drag([x, y], [x + 20, y]);
  await reaches('Take it with you');
});

test('Back and Skip lead through the steps, and it ends', async () => {
  await studio.click('Back');
  await reaches('Lead the result');
  await studio.click('Back');
  await studio.click('Back');
  await reaches('Change a clip');
  assert.equal(await studio.evaluate('studio.app.state.value.space'), 'library');
  await studio.click('Skip');
  await reaches('Join clips');
  await studio.click('End the tour');
  await studio.waitFor(`!document.querySelector('.tour')`, 'it to end');
  assert.equal(await studio.evaluate('studio.app.state.value.space'), 'compose', 'the work stays where it is');
});

test('Space plays after a click in a list, and presses a button that was reached by Tab', async () => {
  await studio.click('Library');
  await studio.click('walk_normal_mirrored.bvh');
  await studio.settled();
  const playing = () => studio.evaluate('studio.app.state.value.transport.playing');
  for (const expected of [true, false]) {
    await studio.press('Space');
    assert.equal(await playing(), expected);
  }
  await studio.evaluate(`document.querySelector('[aria-label="Dark or light"]').previousElementSibling.focus()`);
  await studio.press('Tab');
  await studio.waitFor(`document.activeElement.getAttribute('aria-label') === 'Dark or light'`, 'the next button to have the focus');
  const theme = await studio.evaluate('document.documentElement.dataset.theme');
  await studio.press('Space');
  await studio.waitFor(`document.documentElement.dataset.theme !== '${theme}'`, 'the button to be pressed');
  assert.equal(await playing(), false);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
