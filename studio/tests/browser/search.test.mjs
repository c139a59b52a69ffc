// Clips found by words, facts and example, behind `shosa studio`.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    // Held up, so that there is time to look: what is done is said, and what was found before stays until then.
    const before = await studio.evaluate(`document.querySelectorAll('[aria-label=Found] .name').length`);
    studio.server.program.kill('SIGSTOP');
    try {
      await studio.click(button);
      await studio.waitFor(`document.querySelector('[aria-label=Found][aria-busy=true]')`, 'it to say that it looks');
      assert.match(await studio.evaluate(`document.querySelector('[aria-label=Found]').previousElementSibling.textContent`), /looking through the clips/);
      assert.equal(await studio.evaluate(`document.querySelectorAll('[aria-label=Found] .name').length`), before);
      assert.equal(before > 0, kind === 'follows');
    } finally {
      studio.server.program.kill('SIGCONT');
    }
    await studio.waitFor(`document.querySelector('[aria-label=Found][aria-busy=false] .name')`, 'what is found', 90);
    const [text] = await studio.evaluate(`[...document.querySelectorAll('[aria-label=Found] .name')].map((each) => each.textContent)`);
    const [, file, time] = /^(\S+) at ([\d.]+) s/.exec(text);
    assert.ok(names.includes(file.replace('.bvh', '')) && file !== 'walk_normal.bvh', text);
    await studio.click('css:[aria-label=Found] .name');
    await studio.waitFor(`studio.app.state.value.open.library === '${file}' && Math.abs(studio.app.state.value.transport.time_s - ${time}) < 0.02`, `${kind}: the clip at that moment`);
    await studio.settled();
  });
}

test('clips that cannot be read are red, say why, and are not counted as whole; what is read elsewhere says where', async () => {
  for (const [name, text] of [['empty.bvh', ''], ['torn.bvh', 'HIERARCHY\nROOT a\n'], ['hollow.glb', ''], ['Actor.fbx', 'no matter'], ['take 10.bvh', engine.Clip.make('idle').write('bvh')], ['take 2.bvh', engine.Clip.make('idle').write('bvh')]]) writeFileSync(join(studio.project, name), text);
  await studio.waitFor(`studio.app.files.has('take 2.bvh') && document.querySelectorAll('.list .name.broken').length === 3`, 'them to be seen and tried');
  assert.deepEqual(await listed(), ['Actor.fbxnot read here', 'empty.bvhunreadable', 'hollow.glbunreadable', 'idle.bvh', 'run_slow.bvh', 'take 2.bvh', 'take 10.bvh', 'torn.bvhunreadable', 'walk_normal.bvh', 'wave.bvh']);
  const title = (name) => studio.evaluate(`[...document.querySelectorAll('[aria-label=Project] li')].find((row) => row.textContent.startsWith('${name}')).title`);
  assert.match(await title('empty.bvh'), /^empty\.bvh/);
  assert.equal(await title('hollow.glb'), 'hollow.glb: is empty');
  assert.match(await title('Actor.fbx'), /shosa convert Actor\.fbx Actor\.glb/);
  await studio.click('walk_normal.bvh');
  await studio.settled();
  for (const [name, why] of [['torn.bvh', /torn\.bvh/], ['Actor.fbx', /shosa convert Actor\.fbx/]]) {
    await studio.click(name);
    await studio.waitFor(`document.querySelector('.stage-problem')`, 'why it is not shown');
    assert.match(await studio.evaluate(`document.querySelector('.stage-problem').textContent`), why);
    assert.equal(await studio.evaluate('studio.app.state.value.transport.duration_s'), 0, 'the time line has nothing of the last clip');
    await studio.click('walk_normal.bvh');
    await studio.settled();
  }
  await studio.click('Shosa');
  assert.match(await studio.evaluate(`document.querySelector('.door').textContent`), /9 clips, 3 of them cannot be read/);
  await studio.click('Open the project');
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
