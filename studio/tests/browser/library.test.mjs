// The library work space by mouse: motions that ship, files dropped in, changes tried, kept and undone.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, root, shosa, StudioPage } from './support.mjs';

let studio;

before(async () => {
  studio = await StudioPage.alone();
  await engine.load();
});
after(() => studio?.close());

const paths = () => studio.evaluate('[...studio.app.files.keys()].sort()');
const state = (expression) => studio.evaluate(`(({ ${expression.match(/^\w+/)[0]} }) => ${expression})(studio.app.state.value)`);

const imported = () => studio.waitFor(`(({ imports }) => imports.length > 0 && imports.every(({ kind }) => kind === 'done' || kind === 'failed'))(studio.app.state.value)`, 'the files to be read', 120);

test('a motion that ships plays by the clock, and nothing is drawn when nothing moves', async () => {
  await studio.click('Try the motions that ship');
  await studio.settled();
  const hips = await studio.joint('hips');
  await studio.press('Space');
  await studio.waitFor('studio.app.state.value.transport.time_s > 0.5', 'half a second');
  await studio.press('Space');
  await studio.waitFor('!studio.app.state.value.transport.playing', 'it to stop');
  assert.ok(distance(await studio.joint('hips'), hips) > 0.3, 'it has walked');
  const pictures = await studio.evaluate(`(async () => {
    const frames = (count) => new Promise((resolve) => { const next = () => (count-- > 0 ? requestAnimationFrame(next) : resolve()); next(); });
    await frames(3);
    const before = studio.stage.drawn;
    await frames(10);
    return studio.stage.drawn - before;
  })()`);
  assert.equal(pictures, 0);
});

test('the posture between frames is the engine\'s', async () => {
  const walk = engine.Clip.make('walk_normal');
  const time_s = 0.7312;
  await studio.evaluate(`studio.app.transport((t) => ({ ...t, time_s: ${time_s}, playing: false }))`);
  const here = (await studio.posture()).split(' ').map(Number), there = walk.matrices(time_s);
  assert.ok(Math.max(...here.map((value, i) => Math.abs(value - there[i]))) < 1e-4);
});

test('a panel that has just opened misses no change, though no picture was drawn since', async () => {
  const panel = await studio.evaluate(`(async () => {
    const { app } = studio, own = window.requestAnimationFrame, late = [], rendered = () => new Promise((resolve) => setTimeout(resolve));
    await app.motions.of('motions:kick');
    window.requestAnimationFrame = (body) => late.push(body);
    try {
      app.go('pose');
      await rendered();
      app.go('library');
      await rendered();
      app.go('library', 'motions:kick');
      await app.refreshScene();
      await rendered();
      return document.querySelector('.panel.right').textContent;
    } finally {
      window.requestAnimationFrame = own;
      for (const body of late) own(body);
    }
  })()`);
  assert.match(panel, /^kick/);
  await studio.evaluate(`studio.app.go('library', 'motions:walk_normal')`);
  await studio.settled();
});

test('mirrored, looked at beside what was, kept, undone and done again', async () => {
  const hand = await studio.joint('left_hand');
  await studio.click('Mirror');
  await studio.waitFor('studio.app.state.value.trial', 'the mirrored motion');
  await studio.settled();
  assert.equal(await state('scene.figures.length'), 2);
  const [x, y, z] = await studio.joint('right_hand');
  assert.ok(distance([-x, y, z], hand) < 2e-3, `${[x, y, z]} and ${hand}`);
  await studio.click('Keep as a new file');
  await studio.waitFor('studio.app.files.has("walk_normal_mirrored.bvh")', 'the file');
  await studio.settled();
  await studio.press('Ctrl+z');
  assert.deepEqual(await paths(), []);
  await studio.press('Ctrl+Shift+Z');
  assert.deepEqual(await paths(), ['walk_normal_mirrored.bvh']);
  await studio.settled();
});

test('files that are dropped are read one by one, and each that fails says why', async () => {
  const write = (name, content) => (writeFileSync(join(studio.folder, name), content), join(studio.folder, name));
  const asf = ':units\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n name leg\n direction 0 -1 0\n length 7\n axis 0 0 20 XYZ\n dof rx rz\n end\n:hierarchy\n begin\n root leg\n end\n';
  await studio.drop([
    write('jump.glb', engine.Clip.make('jump').write('glb')),
    write('07_01.amc', '#!OML\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\nleg 10 -20\n2\nroot 1 2 3 4 5 6\nleg 11 -21\n'),
    write('07.asf', asf),
    write('broken.bvh', 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\nx\n'),
    write('holiday.jpg', 'no motion'),
    write('actor.fbx', 'no matter'),
    write('half.json', '{ "clip": '),
    write('lonely.json', JSON.stringify({ clip: 'gone.bvh', at_s: 0 })),
  ]);
  await imported();
  const rows = await state('imports.map(({ name, kind, text }) => [name, kind, text])');
  assert.deepEqual(rows.map(([name, kind]) => `${name} ${kind}`), ['jump.glb done', '07_01.amc done', '07.asf done', 'broken.bvh failed', 'holiday.jpg failed', 'actor.fbx failed', 'half.json failed', 'lonely.json done']);
  assert.match(rows[3][2], /broken\.bvh:10/);
  assert.match(rows[4][2], /\.jpg is not read/);
  assert.match(rows[5][2], /shosa convert actor\.fbx actor\.glb/);
  assert.match(rows[6][2], /^half\.json: byte \d+: no JSON/);
  assert.match(await studio.evaluate(`document.querySelector('.message.error').textContent`), /^broken\.bvh:10.*; and 3 more of 8 files, see the library/);
  await studio.click('Dismiss');
  assert.deepEqual(await paths(), ['07.asf', '07_01.amc', 'jump.glb', 'lonely.json', 'walk_normal_mirrored.bvh']);
  await studio.press('Ctrl+z');
  assert.deepEqual(await paths(), ['walk_normal_mirrored.bvh'], 'one gesture, one step');
  await studio.press('Ctrl+Shift+Z');
});

test('a document whose clip is missing says so, on an empty stage', async () => {
  await studio.click('jump.glb');
  await studio.settled();
  await studio.evaluate(`studio.app.go('pose', 'lonely.json')`);
  await studio.waitFor('studio.app.state.value.scene.problem', 'the problem');
  assert.match(await studio.evaluate(`document.querySelector('.stage-problem').textContent`), /gone\.bvh is not in the project/);
  assert.equal(await state('scene.figures.length'), 0, 'the clip before is gone');
  await studio.click('Library');
  await studio.settled();
});

/// Where an element is, and whether a click in its middle meets it.
const seen = (selector) => studio.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); if (!e) return null; const { left, top, right, bottom } = e.getBoundingClientRect(); return { left, top, right, bottom, met: e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) }; })()`);

test('a drop is taken at whatever comes under the pointer last', async () => {
  // Where the first event of a drag over an element is not answered, a drop right after it is no drop.
  const refused = await studio.evaluate(`['canvas', '.panel.left', '.panel.right', '.timeline', '.top-bar'].filter((place) => document.querySelector(place).dispatchEvent(new DragEvent('dragenter', { bubbles: true, cancelable: true })))`);
  assert.deepEqual(refused, []);
  await studio.evaluate(`document.querySelector('.shell').dispatchEvent(new DragEvent('dragleave', { bubbles: true }))`);
  await studio.waitFor(`!document.querySelector('.drop-hint')`, 'the hint to go');
});

test('a drop that fails is said in every work space, clear of the time line, until it is closed', async () => {
  const path = join(studio.folder, 'photo.png');
  writeFileSync(path, 'no motion');
  for (const space of ['Pose', 'Compose', 'Library']) {
    await studio.click(space);
    await studio.drop([path]);
    await studio.waitFor(`document.querySelector('.message.error')?.textContent.startsWith('photo.png: .png is not read here')`, `${space} to say so`);
    const message = await seen('.message.error'), time = await seen('.timeline'), right = await seen('.panel.right');
    assert.ok(message.met && message.bottom <= time.top && message.right <= right.left, `${space}: ${JSON.stringify([message, time, right])}`);
    if (space === 'Pose') await studio.picture('failed-drop');
    await studio.click('Dismiss');
    await studio.waitFor(`!document.querySelector('.message')`, 'it to go');
  }
});

test('of many faults the last is in sight, the others behind a button, and all can be closed', async () => {
  for (const name of ['one.png', 'two.png', 'three.png']) {
    writeFileSync(join(studio.folder, name), 'no motion');
    await studio.drop([join(studio.folder, name)]);
    await studio.waitFor(`document.querySelector('.message.error')?.textContent.startsWith('${name}')`, `${name} to be said`);
  }
  assert.equal(await studio.evaluate(`document.querySelectorAll('.message').length`), 1);
  await studio.click('2 messages');
  await studio.waitFor(`document.querySelectorAll('.message').length === 3`, 'all of them');
  await studio.click('Close all');
  await studio.waitFor(`!document.querySelector('.message') && !document.querySelector('.messages button')`, 'them to go');
});

test('a file that the project has already is not there twice', async () => {
  const before = await paths(), steps = await state('history.past.length');
  await studio.drop([join(studio.folder, 'jump.glb'), join(studio.folder, 'lonely.json')]);
  await studio.waitFor(`studio.app.state.value.imports.length === 2`, 'the drop to be seen');
  await imported();
  assert.deepEqual(await paths(), before);
  assert.equal(await state('history.past.length'), steps);
  assert.deepEqual(await state('imports.map(({ kind, text }) => [kind, text])'), Array(2).fill(['done', 'is in the project already']));
  await studio.settled();
  assert.equal(await state('open.library'), 'jump.glb');
  writeFileSync(join(studio.folder, 'jump.glb'), engine.Clip.make('kick').write('glb'));
  await studio.drop([join(studio.folder, 'jump.glb')]);
  await studio.waitFor(`studio.app.files.has('jump 2.glb')`, 'it');
  await imported();
  assert.deepEqual(await paths(), [...before, 'jump 2.glb'].sort(), 'another one of that name is');
  await studio.press('Ctrl+z');
  await studio.click('jump.glb');
  await studio.settled();
});

test('what fails of a clip is said until another one is open', async () => {
  await studio.click('07_01.amc');
  await studio.settled();
  await studio.click('Fix');
  await studio.waitFor(`document.querySelector('.message.error')?.textContent.startsWith('07_01.amc cannot be fixed')`, 'why it cannot be fixed');
  await studio.click('jump.glb');
  await studio.settled();
  assert.equal(await studio.evaluate(`document.querySelectorAll('.message').length`), 0);
});

test('a clip that cannot be read says why where its facts would be', async () => {
  await studio.evaluate(`studio.app.edit('test', (files) => new Map(files).set('torn.bvh', { kind: 'bytes', bytes: new TextEncoder().encode('HIERARCHY\\nno') }))`);
  await studio.click('torn.bvh');
  await studio.waitFor('studio.app.state.value.scene.problem', 'the problem');
  assert.match(await studio.evaluate(`document.querySelector('.panel.right').textContent`), /^torn\.bvhtorn\.bvh:2/);
  await studio.press('Ctrl+z');
});

test('a motion on a body with a skin is kept with the skin', async () => {
  // The name of its skin, as long as the one that the engine gives.
  const glb = Buffer.from(engine.Clip.make('idle').write('glb')).toString('latin1').replace('"name":"skeleton"', '"name":"raincoat"');
  writeFileSync(join(studio.folder, 'coat.glb'), Buffer.from(glb, 'latin1'));
  await studio.drop([join(studio.folder, 'coat.glb')]);
  await studio.waitFor(`studio.app.files.has('coat.glb')`, 'the body');
  // Whoever goes on while a file is read stays there.
  await studio.click('walk normal');
  await studio.waitFor(`studio.app.state.value.open.library === 'motions:walk_normal'`, 'the walk to be open');
  await studio.settled();
  await studio.evaluate(`(() => { const list = [...document.querySelectorAll('.panel.right select')].find((each) => [...each.options].some(({ value }) => value === 'coat.glb')); list.value = 'coat.glb'; list.dispatchEvent(new Event('change', { bubbles: true })); })()`);
  await studio.click('Retarget');
  await studio.waitFor('studio.app.state.value.trial', 'the walk on the other body');
  await studio.settled();
  await studio.click('Keep as a new file');
  await studio.waitFor(`studio.app.files.has('walk_normal_retargeted.glb')`, 'the file');
  await studio.settled();
  assert.ok(await studio.evaluate(`new TextDecoder('latin1').decode(studio.app.files.get('walk_normal_retargeted.glb').bytes).includes('raincoat')`));
});

test('what the engine warns of is told without flags of the command line', async () => {
  const document = JSON.parse(new TextDecoder().decode(engine.Clip.make('idle').write('gltf')));
  for (const node of document.nodes) if (node.translation) node.translation = node.translation.map((metres) => 100 * metres);
  document.asset.generator = 'another program';
  delete document.animations;
  const file = join(studio.folder, 'giant.gltf');
  writeFileSync(file, JSON.stringify(document));
  assert.match(engine.Clip.read(JSON.stringify(document), 'giant.gltf').describe().warnings.join(), / \(--unit m keeps metres\)/);
  await studio.drop([file]);
  await studio.waitFor(`studio.app.state.value.open.library === 'giant.gltf'`, 'it to be read');
  await studio.settled();
  const said = await studio.evaluate(`document.querySelector('.panel.right').textContent`);
  assert.match(said, /the body would be 155 m large in metres; centimetres taken/);
  assert.doesNotMatch(said, /--/);
});

test('a part is marked with Shift and kept, at another rate', async () => {
  await studio.click('jump.glb');
  await studio.settled();
  const [left, top, width] = await studio.evaluate(`(() => { const { left, top, width } = document.querySelector('.ruler').getBoundingClientRect(); return [left, top, width]; })()`);
  await studio.drag([left + 0.25 * width, top + 8], [left + 0.75 * width, top + 8], { modifiers: 8 });
  const range = await state('transport.range'), length = await state('transport.duration_s');
  assert.ok(Math.abs(range[1] - range[0] - length / 2) < 0.02 * length);
  await studio.click('Loop');
  await studio.waitFor('studio.app.state.value.trial', 'the part as a cycle');
  await studio.settled();
  assert.ok(Math.abs((await state('transport.duration_s')) - length / 2) < 0.1, 'the marked part is looped');
  assert.equal(await studio.evaluate('studio.app.state.value.transport.range ?? null'), null, 'and all of that is played');
  await studio.click('Discard');
  await studio.settled();
  await studio.drag([left + 0.25 * width, top + 8], [left + 0.75 * width, top + 8], { modifiers: 8 });
  await studio.click('Trim');
  await studio.waitFor('studio.app.state.value.trial', 'the part');
  await studio.click('Resample');
  await studio.waitFor(`studio.app.state.value.trial?.word === 'trimmed_30fps'`, 'the other rate');
  await studio.settled();
  assert.ok(Math.abs((await state('transport.duration_s')) - length / 2) < 0.1);
  assert.ok(Math.abs((await state('transport.frameTime_s')) - 1 / 30) < 1e-6);
  await studio.click('Discard');
  await studio.settled();
});

test('what is exported is read by the command line', async () => {
  await studio.click('GLB');
  const file = await studio.given('jump.glb');
  const info = JSON.parse(execFileSync(shosa, ['info', file, '--json']));
  assert.equal(info.frames, engine.Clip.make('jump').frameCount);
});

test('two hundred files at once', async () => {
  const walk = engine.Clip.make('idle').cut(0, 0.2).write('bvh');
  mkdirSync(join(studio.folder, 'many'));
  for (let i = 0; i < 200; ++i) writeFileSync(join(studio.folder, 'many', `${String(i).padStart(3, '0')}.bvh`), walk);
  await studio.drop([join(studio.folder, 'many')]);
  await studio.waitFor('studio.app.state.value.imports.length === 200', 'the folder to be seen');
  await imported();
  assert.equal((await paths()).filter((path) => path.startsWith('many/')).length, 200);
  await studio.evaluate('studio.app.project.saver.settled()');
  await studio.load();
  assert.equal((await paths()).filter((path) => path.startsWith('many/')).length, 200);
});

test('the report of a drop is in sight however far the list was scrolled', async () => {
  await studio.click('Library');
  await studio.evaluate(`(() => { const panel = document.querySelector('.panel.left'); panel.scrollTop = panel.scrollHeight; })()`);
  await studio.drop([join(studio.folder, 'photo.png')]);
  await studio.waitFor(`document.querySelector('.imports .failed')`, 'the report');
  const report = await seen('.imports .failed'), panel = await seen('.panel.left');
  assert.ok(report.met && report.top >= panel.top && report.bottom <= panel.bottom, JSON.stringify([report, panel]));
  await studio.picture('import-report');
});

test('the console is clean, and nothing is fetched from elsewhere', () => {
  assert.deepEqual(studio.complaints(), []);
});
