// Skinned bodies that others made, worn by the sample page's character in Chromium: bones where the engine has the joints, skin on the ground.
//   SHOSA_REAL_DATA=folder/with/gltf node --test bodies.test.mjs
import assert from 'node:assert/strict';
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './support.mjs';
import { Page } from '../../../tests/demo/chromium.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript' };
const bodies = process.env.SHOSA_REAL_DATA ? join(process.env.SHOSA_REAL_DATA, 'gltf') : '';
const skip = existsSync(bodies) ? false : 'SHOSA_REAL_DATA names no folder with gltf/';
let server, page;

before(async () => {
  if (skip) return;
  server = createServer((request, response) => {
    const path = request.url.split('?')[0];
    const file = path.startsWith('/gltf/') ? join(bodies, path.slice(6)) : join(root, 'out/web/walk_to_click', path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  page = await Page.open({ width: 640, height: 400 });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitFor('window.sample && sample.frames > 2', 'the page to run', 60);
});
after(async () => {
  await page?.close();
  server?.close();
});

// In the page: how far bones are from their joints, and where the skin is.
const measure = `async () => {
  const { hero, body } = sample;
  const THREE = await import('three');
  body.updateWorldMatrix(true, true);
  const matrices = hero.pose.matrices, bone = new THREE.Vector3(), box = new THREE.Box3();
  let farthest = 0, bones = 0;
  hero.joints.forEach(({ name }, joint) => {
    const found = body.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name));
    if (!found) return;
    ++bones;
    bone.setFromMatrixPosition(found.matrixWorld);
    farthest = Math.max(farthest, bone.distanceTo(new THREE.Vector3().fromArray(matrices, 16 * joint + 12)));
  });
  body.traverse((mesh) => {
    if (!mesh.isMesh) return;
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i) box.expandByPoint(mesh.getVertexPosition(i, bone).applyMatrix4(mesh.matrixWorld));
  });
  const ground = sample.ground.height(...hero.facts.place);
  return { farthest, bones, joints: hero.jointCount, sole: box.min.y - ground, top: box.max.y - ground, place: hero.facts.place };
}`;

async function wear(name, motions = '') {
  const moves = motions && `, await import('shosa').then(({ Clip }) => Object.fromEntries(${JSON.stringify(motions)}.map((m) => [m, Clip.make(m)])))`;
  await page.evaluate(`(async () => { await sample.wear(await (await fetch('/gltf/${name}')).arrayBuffer()${moves}); })()`);
}

async function walkAndMeasure(name, speed_mps) {
  const seen = [];
  await page.evaluate(`(() => { const [x, z] = sample.hero.facts.place; window.way = sample.hero.goPlace([x + (x > 0 ? -2 : 2), z - 0.5], { speed_mps: ${speed_mps} }); })()`);
  for (let i = 0; i < 6; ++i) {
    const before = await page.evaluate('sample.time_s');
    await page.waitFor(`sample.time_s > ${before + 0.4}`, 'the character to move', 60);
    seen.push(await page.evaluate(`(${measure})()`));
    if (i === 2) {
      mkdirSync(join(root, 'build-web/pictures'), { recursive: true });
      writeFileSync(join(root, 'build-web/pictures', `${name}.png`), await page.screenshot());
    }
  }
  return seen;
}

for (const [name, speed, motions] of [['CesiumMan.glb', 1.2], ['RiggedFigure.glb', 1.2], ['Fox.glb', 0.8, ['dog_stand', 'dog_walk', 'dog_trot']]]) {
  test(`${name} walks`, { skip }, async () => {
    await wear(name, motions);
    const seen = await walkAndMeasure(name.replace('.glb', ''), speed);
    const [first, last] = [seen[0], seen.at(-1)];
    assert.ok(Math.hypot(first.place[0] - last.place[0], first.place[1] - last.place[1]) > 0.3, 'it stands still');
    // The engine knows joints and no skin: soles are some centimetres lower, those of paws most. Between two steps of a
    // trot no paw is down, and in single moments paws dip further: the usual height is judged.
    const tall = Math.max(...seen.map(({ top }) => top));
    const usual = seen.map(({ sole }) => sole / tall).sort((x, y) => x - y)[Math.floor(seen.length / 2)];
    assert.ok(usual < 0.02 && usual > -0.15, `soles are usually ${usual} of the height over the ground`);
    for (const { farthest, bones, joints } of seen) {
      assert.equal(bones, joints);
      assert.ok(farthest < 1e-3, `a bone is ${farthest} m from its joint`);
    }
  });
}

test('a body that cannot be worn is refused, and the last one walks on', { skip }, async () => {
  await assert.rejects(() => wear('SimpleSkin.gltf'), /ShosaError/);
  // Its feet hang on the root, for a solver of another program to move.
  await assert.rejects(() => wear('RobotExpressive.glb'), /the left foot does not hang on its leg/);
  const before = await page.evaluate('sample.frames');
  await page.waitFor(`sample.frames > ${before + 3}`, 'the page to go on', 30);
});
