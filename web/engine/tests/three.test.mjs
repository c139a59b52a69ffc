// three.js follows the engine: bones of a loaded GLB stand where the engine says the joints are, whatever scale and axes the file has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as shosa from 'shosa';
import { capsuleBody, follow, loadBody, restMatrices } from 'shosa/three';
import * as THREE from 'three';

let clips;
before(async () => {
  await shosa.load();
  clips = Object.fromEntries(['idle', 'walk_normal', 'run_slow'].map((name) => [name, shosa.Clip.make(name)]));
});

/// Largest distance of a bone from its joint, in metres.
function farthest(mover, root) {
  root.updateWorldMatrix(true, true);
  const matrices = mover.pose.matrices;
  let largest = 0, count = 0;
  mover.joints.forEach(({ name }, joint) => {
    const bone = root.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name));
    if (!bone) return;
    ++count;
    const expected = new THREE.Vector3().fromArray(matrices, 16 * joint + 12);
    largest = Math.max(largest, new THREE.Vector3().setFromMatrixPosition(bone.matrixWorld).distanceTo(expected));
  });
  return { largest, count };
}

test('at rest the matrices are those of the file', () => {
  const { joints } = clips.idle;
  const rest = restMatrices(joints);
  joints.forEach(({ parent, restTranslation }, joint) => {
    if (parent < 0) return;
    const place = new THREE.Vector3().setFromMatrixPosition(rest[joint]);
    const above = new THREE.Vector3().setFromMatrixPosition(rest[parent]);
    assert.ok(Math.abs(place.distanceTo(above) - Math.hypot(...restTranslation)) < 1e-6);
  });
});

/// A GLB whose JSON is changed.
function changed(glb, change) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.length);
  const jsonLength = view.getUint32(12, true);
  const document = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength)));
  change(document);
  let text = JSON.stringify(document);
  text = text.padEnd(Math.ceil(text.length / 4) * 4);
  const out = new Uint8Array(20 + text.length + glb.length - 20 - jsonLength);
  out.set(glb.subarray(0, 20));
  out.set(new TextEncoder().encode(text), 20);
  out.set(glb.subarray(20 + jsonLength), 20 + text.length);
  new DataView(out.buffer).setUint32(8, out.length, true);
  new DataView(out.buffer).setUint32(12, text.length, true);
  return out.buffer;
}

test('the bones of a GLB that three.js loaded follow a character', async () => {
  // A file in centimetres below a turned node, as exporters leave them.
  const bytes = changed(clips.idle.write('glb'), (document) => {
    const [rootNode] = document.scenes[0].nodes;
    for (const node of document.nodes) if (node.translation) node.translation = node.translation.map((x) => 100 * x);
    document.nodes.push({ name: 'Armature', scale: [0.01, 0.01, 0.01], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], children: [rootNode] });
    document.scenes[0].nodes[0] = document.nodes.length - 1;
    document.asset.generator = 'another program';
    delete document.animations;
  });
  const { object, kind } = await loadBody(bytes, clips);
  const hero = shosa.Character.of(kind);
  const follower = follow(hero, object);
  hero.goPlace([1, 3]);
  for (let i = 0; i < 100; ++i) {
    hero.update(1 / 60);
    follower.update();
    if (i % 20 !== 0) continue;
    const { largest, count } = farthest(hero, object);
    assert.equal(count, hero.jointCount);
    assert.ok(largest < 1e-4, `${largest} m at frame ${i}`);
  }
  const hips = object.getObjectByName('hips');
  assert.ok(Math.abs(hips.getWorldScale(new THREE.Vector3()).x - 0.01) < 1e-6, 'the file\'s own scale is kept');
});

test('a body that stands elsewhere in the scene is moved with what carries it', () => {
  const solver = shosa.PinDrag.of(clips.idle);
  const group = capsuleBody(solver);
  const holder = new THREE.Group();
  holder.position.set(5, 0, 0);
  holder.add(group);
  solver.drag('right_hand', [-0.4, 1.6, 0.3]);
  for (let i = 0; i < 60; ++i) solver.step();
  group.update();
  holder.updateMatrixWorld(true);
  const hand = solver.joint('right_hand');
  const place = new THREE.Vector3().setFromMatrixPosition(group.children[hand].matrixWorld);
  assert.ok(place.distanceTo(new THREE.Vector3(4.6, 1.6, 0.3)) < 0.01, place.toArray().join(' '));
  let meshes = 0;
  group.traverse((object) => (meshes += object.isMesh ? 1 : 0));
  assert.ok(meshes >= solver.jointCount - 1);
});

test('a root without any of the joints is refused', () => {
  assert.throws(() => follow(shosa.PinDrag.of(clips.idle), new THREE.Group()), /none of the/);
});

test('a body of capsules has hands and feet', () => {
  const mover = shosa.PinDrag.of(shosa.Clip.make('idle'));
  const body = capsuleBody(mover);
  for (const role of ['head', 'left_hand', 'right_hand', 'left_toes', 'right_toes']) {
    const node = body.children[mover.joint(role)];
    assert.ok(node.children.some((mesh) => mesh.geometry.type === 'SphereGeometry'), role);
  }
  const foot = body.children[mover.joint('left_foot')].children[0];
  assert.ok(foot.geometry.parameters.radius >= 0.04, `${foot.geometry.parameters.radius}`);
});
