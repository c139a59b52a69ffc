// The studio behind `shosa studio`: files on disk, a server that goes away and comes back, a second tab, a worker that dies.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  await engine.load();
  const reach = { clip: 'idle.bvh', at_s: 0, duration_s: 1, drags: [{ joint: 'right_hand', keys: [[0, [-0.3, 1.4, 0.3]]] }] };
  studio = await StudioPage.behind({ 'idle.bvh': engine.Clip.make('idle').write('bvh'), 'reach.json': JSON.stringify(reach) });
});
after(() => studio?.close());

const onDisk = (name) => JSON.parse(readFileSync(join(studio.project, name), 'utf8'));
const handKey = () => onDisk('reach.json').drags.find(({ joint }) => joint === 'right_hand').keys[0][1];

async function dragHand(x, y) {
  const from = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round);
  const before = await studio.evaluate('studio.app.state.value.history.past.length');
  await studio.drag(from, [from[0] + x, from[1] + y]);
  await studio.waitFor(`studio.app.state.value.history.past.length > ${before}`, 'the drag to be a step');
}

test('the page comes from the program, and opens the folder', async () => {
  assert.equal(await studio.evaluate('studio.app.state.value.project.place'), 'server');
  await studio.click('Pose');
  await studio.click('reach');
  await studio.settled();
  assert.ok(distance(await studio.joint('right_hand'), [-0.3, 1.4, 0.3]) < 1e-3, 'what the command line plays');
});

test('a drag is on disk once it is called saved', async () => {
  await dragHand(40, 20);
  await studio.settled();
  await studio.waitFor(`document.querySelector('.save').textContent === 'Saved'`, 'it to say so');
  assert.ok(distance(handKey(), await studio.joint('right_hand')) < 1e-3);
});

test('a server that does not answer is waited for, and has everything once it is back', async () => {
  const before = handKey();
  studio.server.program.kill('SIGSTOP');
  try {
    await dragHand(-30, -30);
    await studio.waitFor(`document.querySelector('.save').textContent !== 'Saved'`, 'it to say that it is not');
    assert.deepEqual(handKey(), before);
  } finally {
    studio.server.program.kill('SIGCONT');
  }
  await studio.settled();
  await studio.waitFor(`document.querySelector('.save').textContent === 'Saved'`, 'it to be saved');
  assert.ok(distance(handKey(), await studio.joint('right_hand')) < 1e-3);
});

test('what another program writes is shown, and can be undone', async () => {
  const ours = await studio.posture();
  writeFileSync(join(studio.project, 'reach.json'), JSON.stringify({ ...onDisk('reach.json'), drags: [{ joint: 'right_hand', keys: [[0, [-0.4, 1.2, 0.2]]] }] }));
  await studio.waitFor(`studio.app.state.value.history.past.at(-1)?.label === 'Changed elsewhere'`, 'the change to be seen');
  await studio.settled();
  assert.ok(distance(await studio.joint('right_hand'), [-0.4, 1.2, 0.2]) < 1e-3);
  await studio.press('Ctrl+z');
  await studio.settled();
  assert.equal(await studio.posture(), ours);
  assert.ok(distance(handKey(), await studio.joint('right_hand')) < 1e-3, 'and is so on disk');
});

test('a document that another program breaks stays as it was on the stage, and says where it is broken until it is mended', async () => {
  const path = join(studio.project, 'reach.json'), whole = readFileSync(path, 'utf8'), posture = await studio.posture();
  writeFileSync(path, '{\n  "clip": "idle.bvh",\n');
  await studio.waitFor(`document.querySelector('.stage-problem')`, 'the page to say so');
  assert.match(await studio.evaluate(`document.querySelector('.stage-problem').textContent`), /^reach\.json: byte \d+: no JSON: .*shown as it was before/);
  assert.equal(await studio.posture(), posture);
  assert.equal(await studio.evaluate(`document.querySelector('[aria-label="Poses"] [aria-current="true"]').textContent`), 'reach');
  await studio.picture('broken-document');
  await studio.click('Library');
  await studio.waitFor(`document.querySelector('.kind.unreadable')?.parentElement.textContent.startsWith('reach.json')`, 'the list to mark it');
  await studio.evaluate('studio.app.project.saver.settled()');
  assert.equal(readFileSync(path, 'utf8'), '{\n  "clip": "idle.bvh",\n', 'nobody writes over what is to be mended');
  await studio.click('Pose');
  writeFileSync(path, whole);
  await studio.waitFor(`!document.querySelector('.stage-problem')`, 'it to be readable');
  await studio.settled();
  assert.equal(await studio.posture(), posture);
});

test('a document that was never readable is listed, and says where it is broken', async () => {
  const path = join(studio.project, 'torn.json');
  writeFileSync(path, '{ "motions": [ }');
  await studio.click('Library');
  await studio.click('torn.json');
  await studio.waitFor(`document.querySelector('.stage-problem')?.textContent.startsWith('torn.json: byte 16: no JSON')`, 'the fault');
  assert.match(await studio.evaluate(`document.querySelector('.panel.right').textContent`), /^torn\.jsontorn\.json: byte 16/);
  rmSync(path);
  await studio.waitFor(`!studio.app.files.has('torn.json')`, 'the page to see it go');
  await studio.click('Pose');
  await studio.settled();
});

test('clips are found by example', async () => {
  await studio.click('Library');
  await studio.click('idle.bvh');
  await studio.settled();
  await studio.click('Like this moment');
  await studio.waitFor(`document.querySelector('[aria-label=Found] button') || [...document.querySelectorAll('.panel.right .empty')].some((each) => each.textContent.includes('No other clip'))`, 'an answer');
  assert.deepEqual(await studio.evaluate('studio.app.state.value.messages'), []);
  await studio.click('Pose');
  await studio.settled();
});

test('a second tab is in step', async () => {
  const other = await StudioPage.open(studio.address);
  try {
    await other.click('Pose');
    await other.click('reach');
    await other.settled();
    await dragHand(20, 10);
    await studio.settled();
    const place = await studio.joint('right_hand');
    await other.waitFor(`studio.app.state.value.history.past.some(({ label }) => label === 'Changed elsewhere')`, 'the other tab to hear of it');
    await other.settled();
    assert.ok(distance(await other.joint('right_hand'), place) < 1e-3);
    assert.deepEqual(other.complaints(), []);
  } finally {
    await other.close();
  }
});

test('a worker that is killed costs nothing that was done', async () => {
  const value = handKey();
  await studio.evaluate(`(async () => { studio.app.engine.worker.thread.terminate(); studio.app.live().worker.thread.terminate(); })()`);
  await dragHand(-20, 10);
  await studio.settled();
  assert.ok(distance(handKey(), value) > 0.01 && distance(handKey(), await studio.joint('right_hand')) < 1e-3);
});

test('the project is whole for the command line', () => {
  const { problems } = JSON.parse(execFileSync(shosa, ['project', 'check', studio.project, '--json']));
  assert.deepEqual(problems, []);
  assert.ok(existsSync(join(studio.project, 'idle.bvh')));
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
