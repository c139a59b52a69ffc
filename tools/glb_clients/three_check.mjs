// Reads .glb files with a current three.js (GLTFLoader, AnimationMixer) and compares every joint with NAME.csv beside it, world positions
// as `shosa convert NAME.bvh NAME.csv` writes them.
//   node three_check.mjs FOLDER      standard output: one JSON object a file and line; exit status 1 when one is wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const kAllowed_m = 0.001;

/// {times: [s], joints: {name: [[x, y, z], …]}}
function readCsv(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
  const joints = {};
  head.forEach((name, column) => {
    if (name.endsWith('.x')) joints[name.slice(0, -2)] = lines.map((line) => [0, 1, 2].map((axis) => Number(line[column + axis])));
  });
  return { times: lines.map((line) => Number(line[1])), joints };
}

function load(path) {
  const bytes = readFileSync(path);
  return new Promise((resolve, reject) => new GLTFLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '', resolve, reject));
}

async function check(folder, name) {
  const truth = readCsv(join(folder, name + '.csv'));
  const model = await load(join(folder, name + '.glb'));
  const wrong = [];
  const clip = model.animations[0];
  const last_s = truth.times.at(-1);
  if (model.animations.length !== 1) wrong.push(`${model.animations.length} animations, expected 1`);
  if (Math.abs(clip.duration - last_s) > 1e-3) wrong.push(`lasts ${clip.duration} s, expected ${last_s}`);

  const mixer = new AnimationMixer(model.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce).clampWhenFinished = true;
  action.play();
  let worst_m = 0, compared = 0, missing = new Set();
  const heights = [];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const frame = Math.round(share * (truth.times.length - 1));
    mixer.setTime(truth.times[frame]);
    model.scene.updateMatrixWorld(true);
    let low = Infinity, high = -Infinity;
    for (const joint of Object.keys(truth.joints)) {
      const node = model.scene.getObjectByName(joint);
      if (!node) {
        missing.add(joint);
        continue;
      }
      const at = new Vector3().setFromMatrixPosition(node.matrixWorld).toArray();
      worst_m = Math.max(worst_m, Math.hypot(...at.map((x, axis) => x - truth.joints[joint][frame][axis])));
      low = Math.min(low, at[1]);
      high = Math.max(high, at[1]);
      compared += 1;
    }
    heights.push(high - low);
  }
  if (missing.size) wrong.push(`no node ${[...missing].join(', ')}`);
  if (!compared || !(worst_m <= kAllowed_m)) wrong.push(`a joint is ${worst_m} m off`);
  return { client: 'three.js', file: name + '.glb', duration_s: clip.duration, height_m: Math.max(...heights), compared, worst_mm: worst_m * 1000, wrong };
}

const folder = process.argv[2];
if (!folder) {
  console.error('usage: node three_check.mjs FOLDER');
  process.exit(2);
}
const names = readdirSync(folder).filter((file) => file.endsWith('.glb')).map((file) => file.slice(0, -4)).sort();
let bad = names.length ? 0 : 1;
for (const name of names) {
  const result = await check(folder, name).catch((error) => ({ client: 'three.js', file: name + '.glb', wrong: [String(error.message)] }));
  if (result.wrong.length) bad += 1;
  console.log(JSON.stringify(result));
}
process.exit(bad ? 1 : 0);
