// The compose work space by mouse and keyboard, from a plain static server; every claim is checked on what the engine computed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone({ width: 1000, height: 640 });
  await studio.click('Compose');
  await studio.waitFor(`document.querySelector('[data-source="motions:kick"]')`, 'the motions that ship');
});
after(() => studio?.close());

const score = () => studio.evaluate('(() => { const { history, open } = studio.app.state.value; return history.present.get(open.compose)?.value; })()');
const report = () => studio.evaluate('studio.app.state.value.scene.figures[0]?.motion.report');
const steps = () => studio.evaluate('studio.app.state.value.history.past.map(({ label }) => label)');
/// All rotations of all frames, as one number that differs when they do.
const whole = () => studio.evaluate(`(() => { const { rotations, translations } = studio.app.state.value.scene.figures[0].motion.track; let sum = 0; rotations.forEach((v, i) => { sum += v * Math.cos(i); }); translations.forEach((v, i) => { sum += v * Math.sin(i); }); return sum; })()`);

/// Computed for the document as it is now, and saved.
async function settled() {
  await studio.waitFor(`(async () => { const { open, history, scene } = studio.app.state.value; if (scene.busy || scene.problem || !history.present.get(open.compose)) return false;
    const motion = await studio.app.motions.of(open.compose); return scene.figures[0]?.motion === motion; })()`, 'the score to be played', 60);
  await studio.settled();
}

async function boxOf(selector) {
  const box = await studio.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); if (!e) return null; e.scrollIntoView({ block: 'nearest' }); const { left, top, width, height } = e.getBoundingClientRect(); return { left, top, width, height }; })()`);
  assert.ok(box, `${selector} is on the page`);
  return box;
}
const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

async function dragIn(source, to) {
  const before = (await steps()).length, from = middle(await boxOf(`[data-source="${source}"]`));
  await studio.drag(from, to, { steps: 12 });
  await studio.waitFor(`studio.app.state.value.history.past.length > ${before}`, `${source} to be in the score`);
}

/// Pixels of a second.
async function perSecond() {
  const { width } = await boxOf('.track-area');
  return width / (await studio.evaluate(`Number(document.querySelector('.track-area').dataset.duration)`));
}

/// Rotation of a joint of what is on the stage, or of a clip, at a frame.
const rotation = (role, time_s, path) => studio.evaluate(`(async () => { const m = ${path ? `await studio.app.motions.of('${path}')` : 'studio.app.state.value.scene.figures[0].motion'}; const { joints, rotations, frameTime_s } = m.track;
  const j = joints.findIndex((each) => each.role === '${role}'), f = Math.round(${time_s} / frameTime_s); return [...rotations.slice(4 * (f * joints.length + j), 4 * (f * joints.length + j) + 4)]; })()`);
const apart = (a, b) => Math.min(Math.hypot(...a.map((v, i) => v - b[i])), Math.hypot(...a.map((v, i) => v + b[i])));

test('clips dragged onto the time line become a score, a step each', async () => {
  const empty = await boxOf('.timeline');
  await dragIn('motions:walk_normal', middle(empty));
  await settled();
  assert.deepEqual(await score(), { smoothness: 0.5, motions: [{ clip: 'walk_normal.bvh' }] });
  const area = await boxOf('.track-area');
  await dragIn('motions:kick', [area.left + area.width - 4, area.top + 30]);
  await settled();
  assert.deepEqual(await score(), { smoothness: 0.5, motions: [{ clip: 'walk_normal.bvh' }, { clip: 'kick.bvh' }] });
  assert.deepEqual(await steps(), ['Add walk_normal', 'Add kick']);
  const { transitions: [join], motions } = await report();
  assert.equal(join.executed, true);
  assert.ok(['transition', 'connection', 'adaptation_with_step', 'adaptation_without_step'].includes(join.method), join.method);
  assert.ok(motions[1].at_s + motions[1].core[0] > motions[0].core[1]);
  // The method is named and the blends are shown.
  assert.ok(await studio.evaluate(`document.querySelector('.method').textContent.length > 3 && document.querySelectorAll('[data-blend]').length === 2`));
});

test('a block dragged in time takes its core there, and undo gives document and motion back', async () => {
  const before = { score: await score(), whole: await whole() };
  const { motions } = await report();
  const block = await boxOf('[data-motion="1"]');
  const from = [block.left + block.width - 12, block.top + block.height / 2];
  const by_s = 0.6, second = await perSecond();
  await studio.drag(from, [from[0] + by_s * second, from[1]]);
  await settled();
  const { at } = (await score()).motions[1];
  const frame_s = await studio.evaluate('studio.app.state.value.transport.frameTime_s');
  assert.ok(Math.abs(at - (motions[1].at_s + by_s)) < 2 / second + frame_s, `at ${at}, was at ${motions[1].at_s}`);
  assert.equal((await steps()).at(-1), 'Move kick');
  const now = await report();
  assert.ok(Math.abs(now.motions[1].at_s - at) < frame_s);
  // The kick's core is there: its arms and its trunk turn as the clip has them.
  const [begin, end] = now.motions[1].core;
  for (const share of [0.2, 0.5, 0.9]) {
    const local = Math.round((begin + share * (end - begin)) / frame_s) * frame_s;
    for (const role of ['right_upper_arm', 'left_lower_arm', 'spine']) assert.ok(apart(await rotation(role, now.motions[1].at_s + local), await rotation(role, local, 'kick.bvh')) < 1e-5, `${role} at ${local} s`);
  }
  await studio.press('Ctrl+z');
  await settled();
  assert.deepEqual(await score(), before.score);
  assert.equal(await whole(), before.whole);
  await studio.press('Ctrl+Shift+Z');
  await settled();
  assert.equal((await score()).motions[1].at, at);
});

test('a block is dragged by its label twice: nothing is selected as text on the way', async () => {
  const before = await score(), { at } = before.motions[1];
  for (const by of [1, 2]) {
    const label = await boxOf('[data-motion="1"] .block-name'), second = await perSecond();
    const from = [label.left + 20, label.top + label.height / 2];
    // To the left and down: over text that a selection would take in.
    await studio.drag(from, [from[0] - 0.25 * second, from[1] + 40], { steps: 15 });
    await settled();
    assert.equal(await studio.evaluate('getSelection().toString()'), '');
    assert.ok(Math.abs((await score()).motions[1].at - at + 0.25 * by) < 0.1, `at ${(await score()).motions[1].at}, drag ${by} from ${at}`);
  }
  await studio.press('Ctrl+z');
  await studio.press('Ctrl+z');
  await settled();
  assert.deepEqual(await score(), before);
});

test('a core that would overlap is refused where it stands, and can be put where it fits', async () => {
  const block = await boxOf('[data-motion="1"]');
  const from = [block.left + block.width - 12, block.top + block.height / 2];
  await studio.drag(from, [from[0] - 1.6 * (await perSecond()), from[1]]);
  await settled();
  assert.ok(await studio.evaluate(`document.querySelectorAll('.block.refused').length === 1 && document.querySelector('.panel.right').textContent.includes('is not played')`));
  await studio.click('Put it at');
  await settled();
  assert.equal((await report()).transitions[0].executed, true);
  await studio.press('Ctrl+z');
  await studio.press('Ctrl+z');
  await settled();
  assert.equal(await studio.evaluate(`document.querySelectorAll('.block.refused').length`), 0);
});

test('automatic again: the time is found', async () => {
  await studio.click('Automatic');
  await settled();
  assert.equal('at' in (await score()).motions[1], false);
});

test('the smoothness slider changes the result while it is dragged, as one step', async () => {
  const first = { score: await score(), whole: await whole(), steps: await steps() };
  const slider = await boxOf('input[aria-label="Smoothness"]');
  const y = slider.top + slider.height / 2;
  await studio.drag([slider.left + slider.width / 2, y], [slider.left + slider.width - 2, y], { steps: 10, release: false });
  await studio.waitFor(`studio.app.files.get(studio.app.state.value.open.compose).value.smoothness > 0.95`, 'the document to follow');
  await settled();
  const live = await whole();
  assert.notEqual(live, first.whole);
  await studio.mouse('mouseReleased', [slider.left + slider.width - 2, y]);
  await settled();
  assert.equal(await whole(), live);
  assert.deepEqual(await steps(), [...first.steps, 'Smoothness']);
  await studio.press('Ctrl+z');
  await settled();
  assert.deepEqual(await score(), first.score);
  assert.equal(await whole(), first.whole);
});

test('a blend dragged by its end is as long as that, and found again by a double click', async () => {
  const found = (await report()).transitions[0].intervals.find(({ part }) => part === 'upper');
  const { at_s } = (await report()).transitions[0];
  const bar = await boxOf('[data-blend="upper 1"]');
  const second = await perSecond(), end = [bar.left + bar.width - 3, bar.top + bar.height / 2];
  await studio.drag(end, [end[0] - (found.end_s - found.begin_s) * 0.4 * second, end[1]]);
  await settled();
  const { upper } = (await score()).motions[1].blend;
  assert.ok(upper[1] - upper[0] < 0.75 * (found.end_s - found.begin_s), `${upper}`);
  const made = (await report()).transitions[0];
  const given = made.intervals.find(({ part }) => part === 'upper');
  const frame_s = await studio.evaluate('studio.app.state.value.transport.frameTime_s');
  assert.ok(Math.abs(given.end_s - made.at_s - upper[1]) < frame_s && Math.abs(given.begin_s - made.at_s - upper[0]) < frame_s, `${given.begin_s} ${given.end_s} at ${at_s}, asked ${upper}`);
  const again = middle(await boxOf('[data-blend="upper 1"]'));
  await studio.clickAt(again);
  await studio.mouse('mousePressed', again, { buttons: 1, clickCount: 2 });
  await studio.mouse('mouseReleased', again, { clickCount: 2 });
  await settled();
  assert.equal('blend' in (await score()).motions[1], false);
});

test('a technique stands beside ours, with its speeds', async () => {
  assert.equal(await studio.evaluate(`document.querySelectorAll('.curves .other').length`), 0);
  await studio.press('Shift+B');
  await studio.waitFor('studio.app.state.value.scene.figures.length === 2', 'the second figure', 60);
  await settled();
  const [ours, other] = await studio.evaluate('studio.app.state.value.scene.figures.map(({ motion, offset, tint }) => ({ technique: motion.report.technique, offset, tint, frames: motion.track.frameCount }))');
  assert.deepEqual([ours.technique, other.technique], ['optimal', 'pose']);
  assert.equal(ours.frames, other.frames);
  assert.ok(other.offset[0] > 0.5);
  assert.equal(await studio.evaluate(`document.querySelectorAll('.curves .other').length`), 2);
  // The document does not know of it.
  assert.equal('method' in (await score()), false);
});

test('the edge of a core is dragged, and what was before stands there as a ghost', async () => {
  await studio.press('Shift+B');
  const { motions } = await report(), old = await whole();
  const block = await boxOf('[data-motion="1"]'), core = await boxOf('[data-motion="1"] .block-core');
  assert.ok(core.width < block.width);
  const edge = [core.left + 3, core.top + core.height / 2], second = await perSecond();
  await studio.drag(edge, [edge[0] + 0.15 * second, edge[1]]);
  await settled();
  const given = (await score()).motions[1].core;
  assert.ok(Math.abs(given[0] - motions[1].core[0] - 0.15) < 2 / second + 1 / 60, `${given}, was ${motions[1].core}`);
  assert.deepEqual((await report()).motions[1].core.map((time) => time.toFixed(3)), given.map((time) => time.toFixed(3)));
  await studio.evaluate(`(() => { const list = document.querySelector('[aria-label="Compare with"]'); list.value = 'before'; list.dispatchEvent(new Event('change', { bubbles: true })); })()`);
  await studio.waitFor('studio.app.state.value.scene.figures.length === 2', 'the ghost', 60);
  const ghost = await studio.evaluate(`(() => { const { motion, tint } = studio.app.state.value.scene.figures[1]; return { tint, core: motion.report.motions[1].core }; })()`);
  assert.deepEqual(ghost, { tint: 'ghost', core: motions[1].core });
  await studio.press('Shift+B');
  await studio.press('Ctrl+z');
  await settled();
  assert.equal(await whole(), old);
});

test('by keyboard: arrows move the clip that has the focus by a frame, Delete takes it out', async () => {
  const { motions } = await report(), before = await score();
  await studio.evaluate(`document.querySelector('[data-motion="1"]').focus()`);
  await studio.press('ArrowRight');
  await settled();
  assert.ok(Math.abs((await score()).motions[1].at - motions[1].at_s - 1 / 60) < 1e-4);
  await studio.press('Delete');
  await settled();
  assert.equal((await score()).motions.length, 1);
  await studio.press('Ctrl+z');
  await studio.press('Ctrl+z');
  await settled();
  assert.deepEqual(await score(), before);
});

test('a layer dragged onto its row moves the arms and leaves the legs', async () => {
  const legs = await rotation('left_lower_leg', 0.6), arm = await rotation('right_upper_arm', 0.6);
  const row = await boxOf('[data-layers]');
  await dragIn('motions:wave', [row.left + 3, row.top + row.height / 2]);
  await settled();
  const [layer] = (await score()).layers;
  assert.equal(layer.clip, 'wave.bvh');
  assert.equal(layer.mask, 'upper_body');
  const bar = middle(await boxOf('[data-layer="0"]'));
  await studio.drag(bar, [bar[0] + 0.1 * (await perSecond()), bar[1]]);
  await settled();
  assert.ok((await score()).layers[0].at > layer.at + 0.05);
  // It looks like no fault: beside it, the same bar with one.
  const apartInColour = await studio.evaluate(`(() => { const bar = document.querySelector('[data-layer="0"]'), rgb = () => getComputedStyle(bar).borderTopColor.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const whole = rgb(); bar.classList.add('refused'); const broken = rgb(); bar.classList.remove('refused'); return Math.hypot(...whole.map((value, i) => value - broken[i])); })()`);
  assert.ok(apartInColour > 150, `${apartInColour}`);
  assert.deepEqual(await rotation('left_lower_leg', 0.6), legs);
  assert.ok(apart(await rotation('right_upper_arm', 0.6), arm) > 0.02);
});

test('the GLB of a score has its name', async () => {
  await studio.click('GLB');
  const glb = readFileSync(await studio.given('score.glb'));
  assert.equal(JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12))).animations[0].name, 'score');
});

test('what is saved is played by the command line, joint by joint', async () => {
  const bar = await boxOf('[data-blend="upper 1"]'), end = [bar.left + bar.width - 3, bar.top + bar.height / 2];
  await studio.drag(end, [end[0] - 8, end[1]]);
  await settled();
  assert.equal((await score()).motions[1].blend.upper.length, 2);
  const names = ['walk_normal.bvh', 'kick.bvh', 'wave.bvh', 'score.json'];
  const texts = await studio.evaluate(`(async () => Promise.all(${JSON.stringify(names)}.map(async (path) => new TextDecoder().decode((await studio.app.project.store.read(path)).bytes))))()`);
  names.forEach((name, i) => writeFileSync(join(studio.folder, name), texts[i]));
  assert.deepEqual(JSON.parse(texts[3]), await score());
  execFileSync(shosa, ['compose', join(studio.folder, 'score.json'), '-o', join(studio.folder, 'played.csv'), '--quiet']);
  const [head, ...lines] = readFileSync(join(studio.folder, 'played.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const here = await studio.evaluate(`(() => { const { motion } = studio.app.state.value.scene.figures[0]; const { joints, frameCount, frameTime_s } = motion.track;
    return { joints: joints.map(({ name }) => name), frameCount, places: Array.from({ length: frameCount }, (_, f) => { studio.app.transport((t) => ({ ...t, playing: false, time_s: f * frameTime_s })); const m = studio.stage.matricesOf(studio.app.state.value.scene.figures[0]); return joints.flatMap((_, j) => [m[16 * j + 12], m[16 * j + 13], m[16 * j + 14]]); }) }; })()`);
  assert.equal(lines.length, here.frameCount);
  let most = 0;
  for (const [j, name] of here.joints.entries()) {
    const columns = ['x', 'y', 'z'].map((axis) => head.findIndex((title) => title.replaceAll('"', '').startsWith(`${name}`) && new RegExp(`^${name}[^a-z0-9]?${axis}(_m)?$`, 'i').test(title.replaceAll('"', ''))));
    assert.ok(columns.every((column) => column >= 0), `${name} in ${head.slice(0, 8)}`);
    for (const [f, line] of lines.entries()) columns.forEach((column, axis) => (most = Math.max(most, Math.abs(Number(line[column]) - here.places[f][3 * j + axis]))));
  }
  assert.ok(most <= 1e-5, `${1000 * most} mm`);
  console.log(`studio against the command line: ${(1000 * most).toFixed(5)} mm at most, ${lines.length} frames, ${here.joints.length} joints`);
});

test('a score written elsewhere opens, and shows where it is wrong', async () => {
  const text = JSON.stringify({ motions: [{ clip: 'walk_normal.bvh' }, { clip: 'kick.bvh', core: [0, 99] }] });
  await studio.evaluate(`studio.app.edit('test', (files) => new Map(files).set('other.json', { kind: 'document', value: ${text} }))`);
  await studio.click('other');
  await studio.waitFor('studio.app.state.value.scene.problem', 'the problem');
  assert.match(await studio.evaluate('studio.app.state.value.scene.problem'), /motions\/1\/core/);
  assert.equal(await studio.evaluate(`document.querySelectorAll('.block.refused[data-motion="1"]').length`), 1);
  await studio.evaluate(`studio.app.edit('test', (files) => new Map(files).set('other.json', { kind: 'document', value: { motions: [{ clip: 'kick.bvh' }] } }))`);
  await settled();
  await studio.click('score');
  await settled();
});

test('clips that cannot be read are named, red, and keep the score from being exported', async () => {
  const before = await score(), { motions } = before;
  await studio.evaluate(`studio.app.edit('test', (files) => new Map(files).set('torn.bvh', { kind: 'bytes', bytes: new TextEncoder().encode('HIERARCHY\\nno') }).set('score.json', { kind: 'document', value: ${JSON.stringify({ ...before, motions: [...motions, { clip: 'torn.bvh' }, { clip: 'gone.bvh' }] })} }))`);
  await studio.waitFor('studio.app.state.value.scene.problem', 'the problem');
  const said = await studio.evaluate(`document.querySelector('.stage-problem').textContent`);
  assert.match(said, /torn\.bvh:2/);
  assert.match(said, /gone\.bvh is not in the project/);
  assert.deepEqual(await studio.evaluate(`[...document.querySelectorAll('.block.refused')].map((each) => each.dataset.motion)`), ['2', '3']);
  await studio.picture('compose-unreadable');
  await studio.click('CSV');
  await studio.waitFor(`document.querySelector('.message.error')`, 'the refusal');
  assert.match(await studio.evaluate(`document.querySelector('.message.error').textContent`), /score cannot be exported: torn\.bvh:2.*gone\.bvh/);
  await studio.press('Ctrl+e');
  await studio.waitFor(`document.querySelector('dialog[open]')?.textContent.includes('gone.bvh')`, 'the dialog to say so');
  assert.equal(await studio.evaluate(`[...document.querySelectorAll('dialog button')].some((each) => each.textContent.startsWith('CSV'))`), false);
  await studio.press('Escape');
  assert.equal(existsSync(join(studio.folder, 'got', 'score.csv')), false);
  await studio.click('Dismiss');
  await studio.press('Ctrl+z');
  await settled();
  assert.deepEqual(await score(), before);
});

test('both themes', async () => {
  await studio.press('Shift+B');
  await studio.waitFor('studio.app.state.value.scene.figures.length === 2', 'the second figure', 60);
  await settled();
  await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: 4.1 })), studio.stage.frameFigure()`);
  for (const theme of ['dark', 'light']) {
    await studio.waitFor(`document.documentElement.dataset.theme === '${theme}' || (studio.commands().find(({ id }) => id === 'theme').run(), false)`, theme);
    const drawn = await studio.evaluate('(studio.stage.request(), studio.stage.drawn)');
    await studio.waitFor(`studio.stage.drawn > ${drawn}`, 'a picture');
    await studio.picture(`compose-${theme}`);
  }
});

test('reloading keeps the score', async () => {
  const kept = await score();
  await studio.load();
  await studio.click('Compose');
  await studio.click('score');
  await settled();
  assert.deepEqual(await score(), kept);
});

test('the console is clean, and nothing is fetched from elsewhere', () => {
  assert.deepEqual(studio.complaints(), []);
});
