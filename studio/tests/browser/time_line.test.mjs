// The time line made wider: by Ctrl and the wheel, by keys; what is led on it then, and names that have no room.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone();
  await studio.addWalk();
});
after(() => studio?.close());

const zoom = () => studio.evaluate('studio.app.state.value.view.timeZoom');
/// Left and right of what is in sight of the time line, and of all of it, pixels.
const sight = () => studio.evaluate(`(() => {
  const area = document.querySelector('.track-area').getBoundingClientRect(), tracks = document.querySelector('.tracks').getBoundingClientRect(), labels = document.querySelector('.track-labels').getBoundingClientRect();
  return { left: labels.right, right: tracks.right, from: area.left, width: area.width, y: area.top + 8, duration_s: Number(document.querySelector('.track-area').dataset.duration) };
})()`);
const timeAt = (x, { from, width, duration_s }) => ((x - from) / width) * duration_s;
const wheel = (x, y, deltaY) => studio.page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY, modifiers: 2 });
const bar = (foot, index) => studio.evaluate(`(() => { const { left, top, width, height } = document.querySelector('[data-bar="${foot} ${index}"]').getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()`);

test('Ctrl and the wheel bring the moment under the pointer nearer, and it stays there', async () => {
  const whole = await sight(), x = whole.left + 0.7 * (whole.right - whole.left);
  for (let i = 0; i < 2; ++i) await wheel(x, whole.y, -200);
  await studio.waitFor(`studio.app.state.value.view.timeZoom > 3.7`, 'the time line to be wider');
  const near = await sight();
  assert.ok(Math.abs(timeAt(x, near) - timeAt(x, whole)) < 0.02, `${timeAt(x, near)} s, was ${timeAt(x, whole)} s`);
  assert.ok(await studio.evaluate(`(() => { const ticks = [...document.querySelectorAll('.tick')].map((each) => each.getBoundingClientRect()); return ticks.every(({ right }, i) => i + 1 === ticks.length || right <= ticks[i + 1].left + 1); })()`), 'its numbers do not lie over each other');
});

test('a contact that is led there goes as far as the hand, in the time that is in sight', async () => {
  const near = await sight(), contacts = () => studio.evaluate('studio.app.shown.contacts.left');
  const before = await contacts(), index = before.findIndex(([begin, end]) => (begin + end) / 2 > timeAt(near.left + 50, near) && (begin + end) / 2 < timeAt(near.right - 10, near));
  assert.ok(index >= 0, `a contact of ${JSON.stringify(before)} in sight, ${timeAt(near.left, near)} to ${timeAt(near.right, near)} s`);
  const place = await bar('left', index);
  await studio.drag(place, [place[0] - 40, place[1]]);
  await studio.waitFor(`studio.app.files.has('walk_normal.contacts.json')`, 'what was said by hand');
  await studio.settled();
  const moved = (await contacts())[index][0] - before[index][0];
  assert.ok(Math.abs(moved + (40 * near.duration_s) / near.width) < 0.02, `${moved} s`);
  await studio.press('Ctrl+z');
  await studio.settled();
});

test('while it plays, the moment that is shown stays in sight', async () => {
  await studio.press('Shift+ArrowLeft');
  await studio.press('Space');
  for (const time_s of [0.5, 1.5, 2.5]) {
    await studio.waitFor(`studio.app.state.value.transport.time_s > ${time_s}`, 'time to pass');
    const { left, right } = await sight(), x = await studio.evaluate(`document.querySelector('.playhead').getBoundingClientRect().left`);
    assert.ok(x >= left - 2 && x <= right, `at ${x}, of ${left} to ${right}`);
  }
  await studio.press('Space');
});

test('keys make it wider and narrower, and another clip is seen as a whole', async () => {
  await studio.press('Shift+Home');
  assert.equal(await zoom(), 1);
  await studio.press('=');
  await studio.press('=');
  assert.ok((await zoom()) > 2);
  await studio.press('-');
  assert.ok((await zoom()) < 2 && (await zoom()) > 1);
  await studio.click('kick');
  await studio.settled();
  assert.equal(await zoom(), 1);
});

test('of a long score, names of joins are shown where there is room for them', async () => {
  const path = join(studio.folder, 'long.json');
  writeFileSync(path, JSON.stringify({ motions: Array.from({ length: 16 }, () => ({ clip: 'walk_normal.bvh', at: 'auto' })) }));
  await studio.drop([path]);
  await studio.evaluate('studio.app.takingIn');
  await studio.click('Compose');
  await studio.click('long');
  await studio.settled();
  const names = () => studio.evaluate(`[...document.querySelectorAll('.method')].map((each) => each.getBoundingClientRect()).map(({ left, right }) => [left, right])`);
  const apart = (places) => places.every(([, right], i) => i + 1 === places.length || right <= places[i + 1][0]);
  const few = await names();
  assert.ok(few.length > 2 && few.length < 15 && apart(few), JSON.stringify(few));
  for (let i = 0; i < 5; ++i) await studio.press('=');
  await studio.drawn();
  const all = await names();
  assert.ok(all.length === 15 && apart(all), JSON.stringify(all));
  await studio.picture('time-line-near');
  await studio.press('Shift+Home');
  await studio.drawn();
  assert.deepEqual(await names(), few, 'all of it is in sight again');
});

test('with Ctrl held, the clips after the one that is dragged go along; without, they stay', async () => {
  const path = join(studio.folder, 'timed.json');
  writeFileSync(path, JSON.stringify({ motions: [{ clip: 'walk_normal.bvh' }, { clip: 'walk_normal.bvh', at: 4.5 }, { clip: 'walk_normal.bvh', at: 9 }] }));
  await studio.drop([path]);
  await studio.evaluate('studio.app.takingIn');
  await studio.click('timed');
  await studio.settled();
  const times = () => studio.evaluate('studio.app.shown.report.motions.map(({ at_s }) => at_s)'), before = await times();
  const lead = async (by_s, modifiers) => {
    const { place, by } = await studio.evaluate(`(() => { const block = document.querySelector('[data-motion="1"]').getBoundingClientRect(), area = document.querySelector('.track-area'); return { place: [block.left + 12, block.top + block.height / 2], by: (${by_s} * area.getBoundingClientRect().width) / Number(area.dataset.duration) }; })()`);
    await studio.drag(place, [place[0] + by, place[1]], { modifiers });
    await studio.settled();
    return times();
  };
  const along = await lead(0.6, 2);
  assert.ok(Math.abs(along[1] - before[1] - 0.6) < 0.03, `${along}`);
  assert.ok(Math.abs(along[2] - before[2] - (along[1] - before[1])) < 1e-3, `${along}`);
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.deepEqual(await times(), before, 'one step');
  const alone = await lead(-0.3, 0);
  assert.ok(alone[1] < before[1] - 0.2 && alone[2] === before[2], `${alone}`);
});

test('a key at the very begin can be taken hold of on both its sides', async () => {
  await studio.click('Pose');
  await studio.click('a standing figure (ships)');
  await studio.settled();
  await studio.evaluate(`studio.app.select(studio.app.shown.track.joints.findIndex(({ role }) => role === 'right_hand')), studio.pose.keyHere()`);
  await studio.settled();
  const met = await studio.evaluate(`(() => { const { left, top, width, height } = document.querySelector('.key').getBoundingClientRect(); return [0.3, 0.7].map((share) => document.elementFromPoint(left + share * width, top + height / 2).className); })()`);
  assert.deepEqual(met, ['key', 'key']);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
