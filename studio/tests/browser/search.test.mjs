// Clips found by words, facts and example, behind `shosa studio`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { shosa, StudioPage } from './support.mjs';

const names = ['walk_normal', 'run_slow', 'idle', 'wave'];
let studio;

before(async () => {
  await engine.load();
  studio = await StudioPage.behind(Object.fromEntries(names.map((name) => [`${name}.bvh`, engine.Clip.make(name).write('bvh')])));
  await studio.click('Open the project');
});
after(() => studio?.close());

const listed = () => studio.evaluate(`[...document.querySelectorAll('[aria-label=Project] .name')].map((each) => each.textContent)`);
async function search(text) {
  await studio.evaluate(`(() => { const input = document.querySelector('input[type=search]'); input.focus(); input.select(); })()`);
  await studio.press('Delete');
  await studio.type(text);
}

test('by words', async () => {
  await studio.waitFor(`document.querySelectorAll('[aria-label=Project] .name').length === 4`, 'the clips');
  await search('run');
  await studio.waitFor(`document.querySelectorAll('[aria-label=Project] .name').length === 1`, 'the run alone');
  assert.deepEqual(await listed(), ['run_slow.bvh']);
});

test('by facts, as the engine measures them', async () => {
  const speed = (name) => engine.Clip.make(name).study().root_speed_mps;
  const bound = (speed('walk_normal') + speed('run_slow')) / 2;
  await search(`speed>${bound.toFixed(2)}`);
  await studio.waitFor(`/\\d+ of \\d+ clips fit/.test(document.querySelector('.panel.left').textContent)`, 'all to be read', 60);
  assert.deepEqual(await listed(), names.filter((name) => speed(name) > bound).map((name) => `${name}.bvh`).sort());
  await search('speed<0.3');
  await studio.waitFor(`[...document.querySelectorAll('[aria-label=Project] .name')].some((each) => each.textContent === 'idle.bvh') && /clips fit/.test(document.querySelector('.panel.left').textContent)`, 'those that stand', 60);
  assert.ok(!(await listed()).includes('walk_normal.bvh'));
  await search('');
  await studio.waitFor(`document.querySelectorAll('[aria-label=Project] .name').length === 4`, 'all again');
});

test('a clip plays beside its name while the pointer is there', async () => {
  await studio.mouse('mouseMoved', await studio.placeOf('run_slow.bvh'), { button: 'none' });
  await studio.waitFor(`document.querySelector('.preview')`, 'the preview');
  const look = `document.querySelector('.preview')?.toDataURL() ?? ''`;
  const first = await studio.evaluate(look);
  await studio.waitFor(`(${look}) !== ${JSON.stringify(first)}`, 'it to move');
  await studio.mouse('mouseMoved', [500, 200], { button: 'none' });
  await studio.waitFor(`!document.querySelector('.preview')`, 'it to go');
});

test('beside every clip stands its body in the middle of its core, as the engine has it', async () => {
  await studio.waitFor(`[...document.querySelectorAll('[aria-label=Project] .thumb path')].every((path) => path.getAttribute('d') !== '')`, 'the pictures');
  const drawn = await studio.evaluate(`Object.fromEntries([...document.querySelectorAll('[aria-label=Project] li')].map((row) => [row.textContent.split('.')[0], row.querySelector('.thumb path').getAttribute('d')]))`);
  assert.deepEqual(Object.keys(drawn).sort(), [...names].sort());
  for (const name of names) {
    const clip = engine.Clip.make(name), [begin, end] = clip.study().core, matrices = clip.matrices((begin + end) / 2), { joints } = clip;
    const heights = joints.map((_, joint) => matrices[16 * joint + 13]), span = (values) => Math.max(...values) - Math.min(...values);
    const lines = [...drawn[name].matchAll(/M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)/g)].map((line) => line.slice(1).map(Number));
    assert.equal(lines.length, joints.length - 1, name);
    // Every line is as high as its bone, on one scale.
    const scale = span(lines.flatMap(([, y1, , y2]) => [y1, y2])) / span(heights);
    const bones = joints.map(({ parent }, joint) => parent >= 0 && heights[joint] - heights[parent]).filter((value) => value !== false);
    lines.forEach(([, y1, , y2], i) => assert.ok(Math.abs(y1 - y2 - scale * bones[i]) < 0.25, `${name}, bone ${i}`));
  }
});

for (const [kind, button] of [['like', 'Like this moment'], ['follows', 'Can follow this']]) {
  test(`by example: ${button}`, async () => {
    await studio.click('walk_normal.bvh');
    await studio.settled();
    await studio.click(button);
    await studio.waitFor(`document.querySelector('[aria-label=Found] .name')`, 'what is found', 90);
    const [text] = await studio.evaluate(`[...document.querySelectorAll('[aria-label=Found] .name')].map((each) => each.textContent)`);
    const [, file, time] = /^(\S+) at ([\d.]+) s/.exec(text);
    assert.ok(names.includes(file.replace('.bvh', '')) && file !== 'walk_normal.bvh', text);
    await studio.click('css:[aria-label=Found] .name');
    await studio.waitFor(`studio.app.state.value.open.library === '${file}' && Math.abs(studio.app.state.value.transport.time_s - ${time}) < 0.02`, `${kind}: the clip at that moment`);
    await studio.settled();
  });
}

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
