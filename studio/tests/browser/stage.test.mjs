// The stage by mouse and keyboard: the camera goes where the hand wants it, feet that stand are lit, paths and what follows the body.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { distance, serveStatic, StudioPage } from './support.mjs';

let studio;

before(async () => {
  await engine.load();
  studio = await StudioPage.alone();
  await studio.click('Try the motions that ship');
  await studio.settled();
  await studio.waitFor('studio.stage.drawn > 0', 'a picture');
});
after(() => studio?.close());

const camera = () => studio.evaluate('({ at: studio.stage.orbit.camera.position.toArray(), target: studio.stage.orbit.target.toArray() })');
const seek = (time_s) => studio.evaluate(`new Promise((resolve) => { studio.app.transport((t) => ({ ...t, time_s: ${time_s} })); requestAnimationFrame(() => requestAnimationFrame(resolve)); })`);
const floor = () => studio.evaluate(`(() => { const { left, top, width, height } = document.querySelector('canvas').getBoundingClientRect(); return [left + 0.15 * width, top + 0.85 * height]; })()`);
const direction = ({ at, target }) => at.map((value, axis) => (value - target[axis]) / distance(at, target));

test('a drag on the floor turns the camera about its target, with Shift it shifts both, the wheel comes nearer', async () => {
  const place = await floor(), first = await camera();
  await studio.drag(place, [place[0] + 60, place[1] - 20]);
  const turned = await camera();
  assert.deepEqual(turned.target, first.target);
  assert.ok(Math.abs(distance(turned.at, turned.target) - distance(first.at, first.target)) < 1e-6);
  assert.ok(distance(direction(turned), direction(first)) > 0.2);
  await studio.drag(place, [place[0] + 60, place[1] - 20], { modifiers: 8 });
  const shifted = await camera();
  assert.ok(distance(direction(shifted), direction(turned)) < 1e-9);
  assert.ok(distance(shifted.target, turned.target) > 0.1);
  await studio.page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: place[0], y: place[1], deltaX: 0, deltaY: -300 });
  await studio.waitFor(`studio.stage.orbit.camera.position.distanceTo(studio.stage.orbit.target) < ${0.8 * distance(shifted.at, shifted.target)}`, 'the camera to come nearer');
});

test('front, side and top look along the axes, and Frame brings the body into sight', async () => {
  for (const [button, axis] of [['Front', [0, 0, 1]], ['Side', [-1, 0, 0]], ['Top', [0, 1, 0]]]) {
    await studio.click(button);
    assert.ok(distance(direction(await camera()), axis) < 0.01, button);
  }
  await studio.click('Front');
  await studio.click('Frame');
  const [width, height] = await studio.evaluate(`(() => { const box = document.querySelector('canvas').getBoundingClientRect(); return [box.right, box.bottom]; })()`);
  for (const role of ['head', 'left_foot', 'right_hand']) {
    const [x, y] = await studio.onScreen(await studio.joint(role));
    assert.ok(x > 0 && x < width && y > 0 && y < height, `${role} at ${x}, ${y}`);
  }
});

test('Frame right after a jump in time has the body in the middle, before and after the next picture', async () => {
  await seek(0);
  await studio.evaluate('studio.app.transport((t) => ({ ...t, time_s: 2 })), studio.stage.frameFigure()');
  const middle = (await camera()).target;
  await studio.drawn();
  assert.ok(distance((await camera()).target, middle) < 1e-9);
  assert.ok(Math.abs(middle[2] - (await studio.joint('hips'))[2]) < 0.2, `${middle}`);
});

test('the camera follows the body that walks', async () => {
  await seek(0);
  const [before, hips] = [await camera(), await studio.joint('hips')];
  await seek(1);
  const [after, there] = [await camera(), await studio.joint('hips')];
  assert.ok(distance(hips, there) > 0.5, 'it walks');
  // Where it was shifted to beside the body it stays.
  for (const axis of [0, 2]) assert.ok(Math.abs(after.target[axis] - before.target[axis] - (there[axis] - hips[axis])) < 1e-4);
  assert.ok(distance(direction(before), direction(after)) < 1e-9);
  await studio.press('Numpad5');
  await seek(0);
  assert.deepEqual((await camera()).target, after.target);
  await studio.press('Numpad5');
  await seek(0);
  for (const axis of [0, 2]) assert.ok(Math.abs((await camera()).target[axis] - hips[axis]) < 1e-4);
});

test('a foot is lit while the engine says that it stands, and not when lights are off', async () => {
  const lit = () => studio.evaluate(`(() => { const shown = [...studio.stage.shown.values()][0], roles = shown.motion.track.joints.map(({ role }) => role); return [...new Set(shown.body.bones.filter(({ mesh }) => mesh.material === shown.body.litMaterial).map(({ joint }) => roles[joint]))].sort(); })()`);
  const contacts = await studio.evaluate('studio.app.shown.contacts');
  const stands = (side, time) => contacts[side].some(([begin, end]) => begin <= time && time <= end);
  const seen = new Set();
  for (let time = 0.05; time < 1.2; time += 0.1) {
    await seek(time);
    const feet = ['left', 'right'].filter((side) => stands(side, time));
    seen.add(feet.join());
    assert.deepEqual((await lit()).filter((role) => role.endsWith('foot')), feet.map((side) => `${side}_foot`), `at ${time} s`);
  }
  assert.ok(seen.size > 1, 'not always the same foot');
  await studio.press('Shift+C');
  await seek(0.06);
  assert.deepEqual(await lit(), []);
  await studio.press('Shift+C');
});

test('a dog\'s front feet are lit too', async () => {
  await studio.click('dog walk');
  await studio.settled();
  const { front_left, front_right } = await studio.evaluate('studio.app.shown.contacts'), stands = (bars, time) => bars.some(([begin, end]) => begin <= time && time <= end);
  for (const time of [0.1, 0.45, 0.8]) {
    await seek(time);
    const lit = await studio.evaluate(`(() => { const shown = [...studio.stage.shown.values()][0]; return shown.body.bones.filter(({ mesh }) => mesh.material === shown.body.litMaterial).map(({ joint }) => shown.motion.track.joints[joint].role); })()`);
    for (const [side, bars] of [['left', front_left], ['right', front_right]]) assert.equal(lit.includes(`${side}_hand`), stands(bars, time), `${side} at ${time} s: ${lit}`);
  }
  await studio.click('walk normal');
  await studio.settled();
});

test('the path of a joint is where the engine has it at every frame', async () => {
  await seek(0.5);
  await studio.clickAt((await studio.onScreen(await studio.joint('right_hand'))).map(Math.round));
  await studio.press('t');
  await seek(0.5);
  const { points, frames } = await studio.evaluate(`(() => { const { geometry } = studio.stage.marks.trail; const count = geometry.drawRange.count; return { points: [...geometry.getAttribute('position').array.slice(0, 3 * count)], frames: studio.app.shown.track.frameCount }; })()`);
  assert.equal(points.length, 3 * frames);
  const frame = Math.round(0.5 / (await studio.evaluate('studio.app.shown.track.frameTime_s')));
  await seek(frame * (await studio.evaluate('studio.app.shown.track.frameTime_s')));
  assert.ok(distance(points.slice(3 * frame, 3 * frame + 3), await studio.joint('right_hand')) < 1e-5);
  await studio.press('t');
});

test('a clip of 10 frames a second moves between its frames', async () => {
  await studio.click('Add to the project');
  await studio.waitFor('studio.app.files.size === 1', 'the file');
  await studio.settled();
  await studio.evaluate(`(async () => { const { app } = studio, motion = await app.engine.change(app.shown, { kind: 'resample', fps: 10 }); app.state.update((value) => ({ ...value, trial: { path: 'x', word: 'resampled', before: app.shown, after: motion } })); })()`);
  await studio.waitFor('Math.abs(studio.app.shown.track.frameTime_s - 0.1) < 1e-6 && studio.app.state.value.scene.figures.length === 2', 'the slow clip, with what it was as a ghost');
  const places = [];
  for (const time of [0.3, 0.32, 0.34, 0.36, 0.38, 0.4]) {
    await seek(time);
    places.push(await studio.joint('hips'));
  }
  for (let i = 1; i < places.length; ++i) assert.ok(distance(places[i], places[i - 1]) > 1e-3, `step ${i}`);
  await studio.press('Shift+G');
  await seek(0.3);
  assert.equal(await studio.evaluate('studio.stage.shown.size'), 1, 'the ghost can be put away');
  await studio.press('Shift+G');
});

test('a body whose file has its hips at 0 stands on a floor all the same', async () => {
  const [head, lines] = new TextDecoder().decode(engine.Clip.make('walk_normal').write('bvh')).split(/(?<=Frame Time:[^\n]*\n)/);
  const rows = lines.trim().split('\n').map((line) => line.trim().split(/\s+/).map(Number)), hips = rows[0][1];
  const path = join(studio.folder, 'hips_at_0.bvh');
  writeFileSync(path, head.replace(/OFFSET .*/, 'OFFSET 0 0 0') + rows.map(([x, y, ...rest]) => [x, y - hips, ...rest].join(' ')).join('\n'));
  const floor = () => studio.evaluate('studio.stage.ground.object.position.y');
  assert.equal(await floor(), 0);
  await studio.drop([path]);
  await studio.waitFor(`studio.app.shown?.name === 'hips_at_0.bvh'`, 'the clip');
  await studio.settled();
  const lowest = await studio.evaluate('Math.min(...[...studio.stage.matricesOf(studio.app.state.value.scene.figures[0])].filter((_, i) => i % 16 === 13))');
  assert.ok(lowest < -0.5 && Math.abs((await floor()) - lowest) < 0.06, `floor at ${await floor()} m, the lowest joint at ${lowest} m`);
  // Held in the air it is not drawn up to the feet.
  await studio.click('Pose this moment');
  await studio.settled();
  assert.ok(Math.abs((await floor()) - lowest) < 0.06);
});

test('a body that hangs on a root that stays behind is followed by its hips, and is all that is framed and pictured', async () => {
  const [head, lines] = new TextDecoder().decode(engine.Clip.make('walk_normal').write('bvh')).split(/(?<=Frame Time:[^\n]*\n)/);
  const path = join(studio.folder, 'on_a_root.bvh');
  writeFileSync(path, head.replace('ROOT ', 'ROOT place\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nJOINT ').replace('MOTION', '}\nMOTION') + lines.trim().split('\n').map((line) => `0 0 0 ${line.trim()}`).join('\n'));
  await studio.drop([path]);
  await studio.waitFor(`studio.app.shown?.name === 'on_a_root.bvh'`, 'the clip');
  await studio.settled();
  await seek(0);
  const [before, hips] = [await camera(), await studio.joint('hips')];
  await seek(1.5);
  const [after, there] = [await camera(), await studio.joint('hips')];
  assert.ok(distance(hips, there) > 0.5, 'it walks');
  for (const axis of [0, 2]) assert.ok(Math.abs(after.target[axis] - before.target[axis] - (there[axis] - hips[axis])) < 1e-4);
  await studio.press('f');
  const { at, target } = await camera();
  assert.ok(distance(at, target) < 6, `seen from ${distance(at, target)} m away`);
});

test('a skin that is larger than its bones is in sight, until somebody looks elsewhere', async () => {
  const body = JSON.parse(new TextDecoder().decode(engine.Clip.make('idle').write('gltf'))), { accessors, bufferViews, buffers, meshes = [], nodes, skins } = body;
  // A flag on the head, up to 3.2 m.
  const flag = Buffer.alloc(3 * (12 + 4 + 16)), joint = skins[0].joints.findIndex((node) => /head/i.test(nodes[node].name));
  [[0, 1.6, 0], [0, 3.2, 0], [0.2, 3.2, 0]].forEach((place, i) => {
    place.forEach((value, axis) => flag.writeFloatLE(value, 12 * i + 4 * axis));
    flag.writeUInt8(joint, 36 + 4 * i);
    flag.writeFloatLE(1, 48 + 16 * i);
  });
  const view = (byteOffset, byteLength) => bufferViews.push({ buffer: buffers.length, byteOffset, byteLength }) - 1;
  const accessor = (componentType, type, byteOffset, byteLength, more = {}) => accessors.push({ bufferView: view(byteOffset, byteLength), componentType, count: 3, type, ...more }) - 1;
  meshes.push({ primitives: [{ attributes: { POSITION: accessor(5126, 'VEC3', 0, 36, { min: [0, 1.6, 0], max: [0.2, 3.2, 0] }), JOINTS_0: accessor(5121, 'VEC4', 36, 12), WEIGHTS_0: accessor(5126, 'VEC4', 48, 48) } }] });
  buffers.push({ byteLength: flag.length, uri: `data:application/octet-stream;base64,${flag.toString('base64')}` });
  body.meshes = meshes;
  body.scenes[0].nodes.push(nodes.push({ name: 'flag', mesh: meshes.length - 1, skin: 0 }) - 1);
  const path = join(studio.folder, 'flag.gltf');
  writeFileSync(path, JSON.stringify(body));
  await studio.drop([path]);
  await studio.waitFor(`studio.app.shown?.name === 'flag.gltf'`, 'the body');
  await studio.settled();
  const top = () => studio.evaluate(`document.querySelector('canvas').getBoundingClientRect().top`);
  await studio.waitFor(`studio.stage.onScreen([0.1, 3.2, 0])[1] > ${await top()} && studio.stage.onScreen([0.1, 3.2, 0])[1] < 200`, 'the flag to be in sight');
  // Feet that stand shine through the skin.
  await studio.drawn();
  const shining = () => studio.evaluate(`(() => { const { motion, body } = [...studio.stage.shown.values()][0], found = []; body.object.traverse((each) => each.isMesh && each.visible && each.material.depthTest === false && found.push(each.parent)); return [...new Set(found.map((node) => motion.track.joints[node.parent.children.indexOf(node)].role))].sort(); })()`);
  assert.deepEqual(await shining(), ['left_foot', 'left_toes', 'right_foot', 'right_toes']);
  await studio.picture('stage-skin-lit');
  await studio.press('Shift+C');
  await studio.drawn();
  assert.deepEqual(await shining(), []);
  await studio.press('Shift+C');
  await studio.click('Side');
  const before = await camera();
  // Its skin is made anew in the other colours.
  await studio.evaluate(`studio.commands().find(({ id }) => id === 'theme').run()`);
  await studio.waitFor(`[...studio.stage.shown.values()].every(({ body }) => body.bones === undefined)`, 'the skin to be there again');
  assert.deepEqual(await camera(), before);
  await studio.evaluate(`studio.commands().find(({ id }) => id === 'theme').run()`);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});

test('without WebGL the page says so and goes on', async () => {
  const blind = await serveStatic(undefined, (_, text) => text.replace('<head>', '<head><script>const own = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith("webgl") ? null : own.call(this, kind, ...rest); };</script>'));
  const page = await StudioPage.open(blind.address);
  try {
    await page.click('Try the motions that ship');
    await page.waitFor(`document.querySelector('.stage-problem')?.textContent.includes('no WebGL') && studio.app.shown?.name`, 'what is missing, beside a motion that is there');
    assert.deepEqual(page.complaints().filter((line) => !line.includes('THREE.WebGLRenderer')), []);
  } finally {
    await page.close();
    blind.close();
  }
});
