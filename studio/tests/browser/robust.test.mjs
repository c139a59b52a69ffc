// What could lose work, behind `shosa studio`: a server that goes away in the middle of a drag, two tabs that change one file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, serveProject, shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  await engine.load();
  const reach = { clip: 'idle.bvh', at_s: 0, duration_s: 1, drags: [{ joint: 'right_hand', keys: [[0, [-0.3, 1.3, 0.3]]] }] };
  studio = await StudioPage.behind({ 'idle.bvh': engine.Clip.make('idle').write('bvh'), 'reach.json': JSON.stringify(reach), 'notes.txt': 'left foot first' });
});
after(() => studio?.close());

const onDisk = (name) => JSON.parse(readFileSync(join(studio.project, name), 'utf8'));
const handKey = (name = 'reach.json') => onDisk(name).drags.find(({ joint }) => joint === 'right_hand').keys[0][1];
const saved = (page = studio) => page.waitFor(`document.querySelector('.save').textContent === 'Saved' && !studio.app.project.saver.dirty`, 'all to be saved', 120);

/// The browser itself notes what was refused or not answered, and the tests here see to that.
const unexpected = (page) => page.complaints().filter((line) => !/^error: Failed to load resource: (net::|the server responded with a status of (409|401))/.test(line));

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

/// A drag of the hand that the server does not live to see the end of.
async function dragAndKill(x, y) {
  const from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round), steps = await studio.evaluate('studio.app.state.value.history.past.length');
  await studio.mouse('mouseMoved', from, { button: 'none' });
  await studio.mouse('mousePressed', from, { buttons: 1 });
  await studio.mouse('mouseMoved', [from[0] + x / 2, from[1] + y / 2], { buttons: 1 });
  const ended = new Promise((resolve) => studio.server.program.once('exit', resolve));
  studio.server.program.kill('SIGKILL');
  await ended;
  await studio.mouse('mouseMoved', [from[0] + x, from[1] + y], { buttons: 1 });
  await studio.mouse('mouseReleased', [from[0] + x, from[1] + y]);
  await studio.waitFor(`studio.app.state.value.history.past.length > ${steps} && !studio.app.computing && studio.app.state.value.scene.figures.every((figure) => !figure.live)`, 'the drag to be computed');
}

const startAgain = async (...options) => (studio.server = await serveProject(studio.project, process.env, ['--port', new URL(studio.address).port, ...options]));

test('the server is killed in the middle of a drag and started again: the page goes on, and the drag is on disk', async () => {
  const before = handKey();
  await dragAndKill(-30, 20);
  await studio.waitFor(`document.querySelector('.save').textContent === 'Not saved: will be tried again'`, 'it to say so');
  assert.deepEqual(handKey(), before);
  await startAgain();
  assert.equal(studio.server.address, studio.address);
  await saved();
  assert.ok(distance(handKey(), await studio.joint('right_hand')) < 1e-3);
  // It hears of what others write again.
  writeFileSync(join(studio.project, 'late.json'), '{"clip": "idle.bvh"}');
  await studio.waitFor(`studio.app.files.has('late.json')`, 'the page to hear of it');
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

test('a server that knows the page no more: the page says that nothing can be saved, and gives all that it has as one file', async () => {
  await dragAndKill(30, -20);
  await startAgain('--new-token');
  await studio.waitFor(`document.querySelector('.save').textContent === 'Cannot be saved'`, 'it to say so');
  await studio.click('Export the project');
  const name = studio.project.split('/').pop(), unpacked = join(studio.folder, 'unpacked');
  execFileSync(shosa, ['project', 'unzip', await studio.given(`${name}.shosa`), '-o', unpacked]);
  const hand = JSON.parse(readFileSync(join(unpacked, 'reach.json'), 'utf8')).drags.find(({ joint }) => joint === 'right_hand').keys[0][1];
  assert.ok(distance(hand, await studio.joint('right_hand')) < 1e-3, 'what was dragged is in it');
  // Nobody in the page has read this one.
  assert.ok(await studio.evaluate(`studio.app.state.value.messages.some(({ kind, text }) => kind === 'warning' && text.endsWith('could not be read: notes.txt'))`));
});

test('the console is clean', () => {
  assert.deepEqual(unexpected(studio), []);
});
