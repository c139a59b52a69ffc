// Files that hold several clips, and documents that say how a file is read: seen, chosen, and played as the command line plays them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { readText, shosa, StudioPage } from './support.mjs';

const names = ['walk_normal', 'wave', 'kick'];
let studio;

before(async () => {
  await engine.load();
  const clips = Object.fromEntries(names.map((name) => [name, engine.Clip.make(name)]));
  studio = await StudioPage.behind({ 'several.glb': engine.writeAll(clips, 'glb'), 'slow.bvh': clips.kick.write('bvh') }, { width: 1000, height: 640 });
  await studio.click('Open the project');
  await studio.click('several.glb');
  await studio.settled();
});
after(() => studio?.close());

const frames = (name) => engine.Clip.make(name).frameCount;
const shown = () => studio.evaluate('({ name: studio.app.shown.name, frames: studio.app.shown.track.frameCount })');
const onDisk = (name) => JSON.parse(readText(join(studio.project, name)));

/// By the keyboard, as a list is used that has the focus.
async function choose(name) {
  await studio.evaluate(`document.querySelector('select[aria-label="Clip of the file"]').focus()`);
  const at = () => studio.evaluate(`(() => { const list = document.activeElement; return list.options[list.selectedIndex].text; })()`);
  for (let i = 0; i < 5 && (await at()) !== name; ++i) await studio.press(names.indexOf(await at()) < names.indexOf(name) ? 'ArrowDown' : 'ArrowUp');
  assert.equal(await at(), name);
  await studio.settled();
}

/// All places that the page plays are those of the command line.
async function sameAsPlayed(verb, name) {
  await studio.waitFor(`document.querySelector('.save').textContent === 'Saved' && !studio.app.project.saver.dirty`, 'it to be saved');
  const played = join(studio.folder, `${verb}.csv`);
  execFileSync(shosa, [verb, join(studio.project, name), '-o', played, '--quiet']);
  const [head, ...lines] = readText(played).trim().split('\n').map((line) => line.split(','));
  const { count, joints } = await studio.evaluate('({ count: studio.app.shown.track.frameCount, joints: studio.app.shown.track.joints.map(({ name }) => name) })');
  assert.equal(lines.length, count);
  for (const frame of [0, Math.floor(count / 2), count - 1]) {
    const matrices = await studio.evaluate(`(() => { const { app, stage } = studio; app.transport((t) => ({ ...t, time_s: ${frame} * t.frameTime_s })); return [...stage.matricesOf(app.state.value.scene.figures[0])]; })()`);
    joints.forEach((joint, j) => ['x', 'y', 'z'].forEach((axis, k) => {
      const column = head.indexOf(`${joint}.${axis}`);
      assert.ok(Math.abs(Number(lines[frame][column]) - matrices[16 * j + 12 + k]) < 1e-4, `${joint} ${axis} in frame ${frame}: ${lines[frame][column]}, ${matrices[16 * j + 12 + k]}`);
    }));
  }
}

test('the first clip of a file is shown, and any other can be', async () => {
  assert.deepEqual(await shown(), { name: 'several.glb', frames: frames('walk_normal') });
  await choose('kick');
  assert.deepEqual(await shown(), { name: 'several kick.glb', frames: frames('kick') });
});

test('it is changed, kept and exported', async () => {
  await studio.click('Mirror');
  await studio.waitFor('studio.app.state.value.trial', 'the mirrored clip');
  assert.equal((await shown()).frames, frames('kick'));
  await studio.click('Keep as a new file');
  await studio.waitFor(`studio.app.files.has('several_kick_mirrored.glb')`, 'the file');
  await studio.settled();
  await studio.click('several.glb');
  await studio.settled();
  await studio.click('BVH');
  assert.equal(JSON.parse(execFileSync(shosa, ['info', await studio.given('several kick.bvh'), '--json'])).frames, frames('kick'));
});

test('contacts by hand are of the clip that was shown, here and on the command line', async () => {
  const feet = () => studio.evaluate('studio.app.shown.contacts');
  await choose('wave');
  const found = await feet();
  await studio.evaluate(`document.querySelector('[data-bar="left 0"]').focus()`);
  await studio.press('Shift+ArrowLeft');
  await studio.waitFor(`studio.app.files.has('several.contacts.json')`, 'the document');
  await studio.settled();
  const given = await feet();
  assert.ok(given.left[0][1] < found.left[0][1] - 0.01, `${given.left}, found ${found.left}`);
  await studio.waitFor(`document.querySelector('.save').textContent === 'Saved'`, 'it to be saved');
  assert.equal(onDisk('several.contacts.json').take, 'wave');
  const analyzed = (take) => JSON.parse(execFileSync(shosa, ['analyze', join(studio.project, 'several.glb'), '--clip', take, '--json'])).contacts.left;
  assert.ok(Math.abs(analyzed('wave')[0][1] - given.left[0][1]) < 1e-3, JSON.stringify(analyzed('wave')));
  await choose('walk_normal');
  assert.equal(await studio.evaluate(`document.querySelector('[data-bar="left 0"]')`), null, 'one file speaks of one clip: the others cannot be led');
  assert.deepEqual((await feet()).left.length, engine.Clip.make('walk_normal').study().contacts.left.length);
});

test('a pose of it names it, is dragged, and is played by the command line', async () => {
  await choose('kick');
  await studio.evaluate('studio.app.transport((t) => ({ ...t, time_s: 0.5 }))');
  await studio.click('Pose this moment');
  await studio.settled();
  const kick = engine.Clip.make('kick').matrices(0.5), there = await studio.evaluate('[...studio.stage.matricesOf(studio.app.state.value.scene.figures[0])]');
  assert.ok(Math.max(...there.map((value, i) => Math.abs(value - kick[i]))) < 1e-3, 'the moment of that clip');
  const hand = (await studio.onScreen(await studio.joint('left_hand'))).map(Math.round);
  await studio.drag(hand, [hand[0] + 12, hand[1] - 24]);
  await studio.waitFor(`studio.app.state.value.history.past.at(-1).label === 'Drag left_hand'`, 'the drag');
  await studio.settled();
  await sameAsPlayed('pose', 'several pose.json');
  assert.equal(onDisk('several pose.json').take, 'kick');
});

test('a score has several clips of one file, which can be changed there', async () => {
  await studio.click('Library');
  await studio.settled();
  await choose('walk_normal');
  await studio.click('css:.panel.right button[title^="Joins the score"]');
  await studio.waitFor(`studio.app.shown?.report.motions?.length === 1`, 'the walk', 60);
  await studio.click('css:[data-source="several.glb"]');
  await studio.waitFor(`studio.app.shown?.report.motions?.length === 2`, 'another', 60);
  await studio.settled();
  await studio.clickAt(await studio.placeOf('css:[data-motion="1"] .block-core'));
  await studio.waitFor(`studio.app.state.value.compose.selected?.index === 1 && document.querySelector('select[aria-label="Clip of the file"]')`, 'its properties');
  await choose('kick');
  await studio.waitFor(`studio.app.files.get('score.json').value.motions[1].take === 'kick' && !studio.app.computing`, 'the other clip', 60);
  await studio.settled();
  assert.equal(await studio.evaluate('studio.app.state.value.scene.problem ?? null'), null);
  assert.match(await studio.evaluate(`document.querySelector('[data-motion="1"]').textContent`), /several kick/);
  const { motions } = await studio.evaluate('studio.app.shown.report');
  assert.ok(Math.abs(motions[1].duration_s - engine.Clip.make('kick').duration_s) < 0.02, `${motions[1].duration_s}`);
  await sameAsPlayed('compose', 'score.json');
});

test('a score that says how a file is read is read so', async () => {
  writeFileSync(join(studio.project, 'slow score.json'), JSON.stringify({ motions: [{ clip: 'slow.bvh', fps_is: 30 }, { clip: 'several.glb', take: 1 }] }));
  await studio.waitFor(`studio.app.files.has('slow score.json')`, 'it to be seen');
  await studio.click('slow score');
  await studio.waitFor(`studio.app.shown?.report.motions?.length === 2 && studio.app.shown.name === 'slow score'`, 'the score', 60);
  await studio.settled();
  const { motions } = await studio.evaluate('studio.app.shown.report');
  assert.ok(Math.abs(motions[0].duration_s - 2 * engine.Clip.make('kick').duration_s) < 0.1, `${motions[0].duration_s}`);
  await sameAsPlayed('compose', 'slow score.json');
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
