// The same page in Debian's Firefox, where that is installed: it opens, draws, and a hand follows the mouse.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Firefox, missing } from './firefox.mjs';
import { distance, pictures, serveStatic } from './support.mjs';

// Marionette tells nobody what the console says, so the page keeps it itself from its first line on.
const listener = `<script>window.complaints = []; for (const kind of ['error', 'warn']) { const own = console[kind]; console[kind] = (...words) => (complaints.push(words.join(' ')), own.apply(console, words)); } addEventListener('error', (event) => complaints.push(event.message)); addEventListener('unhandledrejection', (event) => complaints.push(String(event.reason)));</script>`;

test('a hand is dragged in Firefox', { skip: missing ? `${missing} not installed` : false }, async () => {
  const server = await serveStatic(undefined, (file, text) => (file.endsWith('index.html') ? text.replace('<head>', `<head>${listener}`) : text));
  const browser = await Firefox.open();
  try {
    await browser.goto(server.address);
    await browser.waitFor('window.studio', 'the studio');
    const door = await browser.evaluate(`(() => { const { left, top, width, height } = [...document.querySelectorAll('button')].find((each) => each.textContent.startsWith('Take the tour')).getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()`);
    await browser.drag([door]);
    await browser.waitFor('window.studio.stage?.drawn > 0 && !window.studio.app.computing && window.studio.app.shown && !window.studio.stage.due', 'the figure');
    const hand = () => browser.evaluate(`(() => { const f = studio.app.state.value.scene.figures[0], j = f.motion.track.joints.findIndex(({ role }) => role === 'right_hand'), m = studio.stage.matricesOf(f); return { place: [...m.slice(16 * j + 12, 16 * j + 15)], at: studio.stage.onScreen([...m.slice(16 * j + 12, 16 * j + 15)]) }; })()`);
    const before = await hand();
    const to = [before.at[0] - 30, before.at[1] - 40].map(Math.round);
    // Kept from before the drag: a new row of the time line makes the stage lower.
    const { origin, direction } = await browser.evaluate(`(() => { const { origin, direction } = studio.stage.ray(${to}); return { origin: origin.toArray(), direction: direction.toArray() }; })()`);
    await browser.drag([0, 1, 2, 3, 4].map((i) => before.at.map((value, axis) => value + ((to[axis] - value) * i) / 4)));
    await browser.waitFor(`window.studio.app.state.value.history.past.at(-1)?.label === 'Drag right_hand' && !window.studio.app.computing`, 'the drag');
    const after = await hand();
    const away = after.place.map((value, axis) => value - origin[axis]), along = away.reduce((sum, value, axis) => sum + value * direction[axis], 0);
    assert.ok(distance(away, direction.map((value) => along * value)) < 1e-3, 'the hand is on the ray of the pointer');
    assert.ok(distance(after.place, before.place) > 0.05);
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, 'firefox.png'), await browser.screenshot());
    assert.deepEqual(await browser.evaluate('window.complaints'), []);
  } finally {
    await browser.close();
    server.close();
  }
});
