// What could lose work, behind `shosa studio`: a server that goes away in the middle of a drag, two tabs that change one file.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  await engine.load();
  const reach = { clip: 'idle.bvh', at_s: 0, duration_s: 1, drags: [{ joint: 'right_hand', keys: [[0, [-0.3, 1.3, 0.3]]] }] };
  studio = await StudioPage.behind({ 'idle.bvh': engine.Clip.make('idle').write('bvh'), 'reach.json': JSON.stringify(reach) });
});
after(() => studio?.close());

const onDisk = (name) => JSON.parse(readFileSync(join(studio.project, name), 'utf8'));
const handKey = (name = 'reach.json') => onDisk(name).drags.find(({ joint }) => joint === 'right_hand').keys[0][1];
const saved = (page = studio) => page.waitFor(`document.querySelector('.save').textContent === 'Saved' && !studio.app.project.saver.dirty`, 'all to be saved', 120);

/// The browser itself notes an answer that says "somebody was faster"; it is what the page asked for.
const unexpected = (page) => page.complaints().filter((line) => !line.includes('status of 409'));

async function openReach(page) {
  await page.click('Pose');
  await page.click('reach');
  await page.settled();
}

test('the server is pulled away in the middle of a drag and brought back: the drag goes on, and is on disk', async () => {
  await openReach(studio);
  const before = handKey(), from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round), to = [from[0] + 36, from[1] + 24];
  await studio.mouse('mouseMoved', from, { button: 'none' });
  await studio.mouse('mousePressed', from, { buttons: 1 });
  await studio.mouse('mouseMoved', [from[0] + 12, from[1] + 8], { buttons: 1 });
  studio.server.program.kill('SIGSTOP');
  try {
    const hand = await studio.joint('right_hand');
    for (const share of [0.6, 0.8, 1]) await studio.mouse('mouseMoved', [0, 1].map((axis) => from[axis] + share * (to[axis] - from[axis])), { buttons: 1 });
    await studio.waitFor(`(() => { const f = studio.app.state.value.scene.figures[0]; return f.live !== undefined; })()`, 'the body to follow');
    await studio.mouse('mouseReleased', to);
    await studio.waitFor(`document.querySelector('.save').textContent !== 'Saved'`, 'it to say that it is not saved');
    assert.deepEqual(handKey(), before);
    await studio.waitFor('!studio.app.computing && studio.app.state.value.scene.figures.every((figure) => !figure.live)', 'the drag to be computed');
    assert.ok(distance(await studio.joint('right_hand'), hand) > 0.01, 'the hand went on without the server');
  } finally {
    studio.server.program.kill('SIGCONT');
  }
  await saved();
  assert.ok(distance(handKey(), await studio.joint('right_hand')) < 1e-3);
});

test('two tabs change one file while the server is away: both versions are kept, and both tabs say so or show it', async () => {
  const other = await StudioPage.open(studio.address);
  try {
    await openReach(other);
    const drag = async (page, x, y) => {
      const from = (await page.onScreen(await page.joint('right_hand'))).map(Math.round), steps = await page.evaluate('studio.app.state.value.history.past.length');
      await page.drag(from, [from[0] + x, from[1] + y]);
      await page.waitFor(`studio.app.state.value.history.past.length > ${steps}`, 'the drag');
      await page.waitFor('!studio.app.computing && studio.app.state.value.scene.figures.every((figure) => !figure.live)', 'it to be computed');
      return page.joint('right_hand');
    };
    studio.server.program.kill('SIGSTOP');
    let places;
    try {
      places = [await drag(studio, 30, 0), await drag(other, -30, -20)];
    } finally {
      studio.server.program.kill('SIGCONT');
    }
    await saved(studio);
    await saved(other);
    const kept = readdirSync(studio.project).filter((name) => name.startsWith('reach') && name.endsWith('.json'));
    assert.equal(kept.length, 2, `${kept}`);
    for (const place of places) assert.ok(kept.some((name) => distance(handKey(name), place) < 1e-3), `the hand at ${place} is in one of ${kept}`);
    const told = await Promise.all([studio, other].map((page) => page.evaluate(`studio.app.state.value.messages.some(({ text }) => text.includes('changed elsewhere')) || studio.app.state.value.history.past.some(({ label }) => label === 'Changed elsewhere')`)));
    assert.ok(told.some(Boolean));
    assert.deepEqual(unexpected(other), []);
  } finally {
    await other.close();
  }
});

test('the console is clean', () => {
  assert.deepEqual(unexpected(studio), []);
});
