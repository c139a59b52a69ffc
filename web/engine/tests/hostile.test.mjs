// Hostile files and documents: an error or a motion, never a trap.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { before, test } from 'node:test';
import * as shosa from 'shosa';
import { root } from './support.mjs';

const corpus = join(root, 'fuzz/corpus');
const seeds = process.env.FUZZ_SEEDS;
let engine;
before(async () => {
  engine = await shosa.load({ maxMemoryBytes: 2 ** 30 });
});

function* filesOf(kind) {
  for (const folder of [corpus, seeds].filter(Boolean)) {
    let names = [];
    try {
      names = readdirSync(join(folder, kind));
    } catch {
      continue;
    }
    for (const name of names) {
      if (statSync(join(folder, kind, name)).isFile()) yield { name, bytes: readFileSync(join(folder, kind, name)) };
    }
  }
}

/// Numbers that look random and are always the same.
function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function* damaged(bytes, count, seed) {
  const next = random(seed);
  yield bytes;
  yield new Uint8Array(0);
  for (let i = 0; i < count; ++i) {
    const copy = Uint8Array.from(bytes);
    if (i % 3 === 0) {
      yield copy.subarray(0, next(copy.length + 1));
    } else {
      for (let changes = 1 + next(4); changes > 0 && copy.length > 0; --changes) copy[next(copy.length)] = i % 3 === 1 ? next(256) : '0123456789-.,:{}[]"e'.charCodeAt(next(20));
      yield copy;
    }
  }
}

/// Runs `body`; whatever it throws must be the engine's own error, with a message.
function attempt(what, body) {
  try {
    body()?.dispose?.();
    return true;
  } catch (error) {
    assert.ok(error instanceof shosa.ShosaError, `${what}: ${error.stack}`);
    assert.ok(error.message.length > 0, what);
    assert.notEqual(error.code, 'crashed', `${what}: ${error.message}`);
    assert.ok(engine.alive, what);
    return false;
  }
}

const asf = () => readFileSync(join(corpus, 'asf/small.asf'), 'utf8');

test('the skeleton of an .amc may be bytes or text', () => {
  const amc = ':FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\nleg 7 8\n2\nroot 2 3 4 5 6 7\nleg 8 9\n';
  const read = (skeleton) => shosa.Clip.read(amc, 'small.amc', { asf: skeleton });
  assert.deepEqual(read(new TextEncoder().encode(asf())).frames(), read(asf()).frames());
  assert.throws(() => read(5), { code: 'bad_argument' });
});

for (const kind of ['bvh', 'asf', 'amc', 'gltf']) {
  test(`${kind}: damaged files are errors or motions`, () => {
    let read = 0, refused = 0;
    for (const { name, bytes } of filesOf(kind)) {
      const extension = extname(name) || `.${kind}`;
      const count = bytes.length > 100_000 ? 20 : 150;
      let number = 0;
      for (const content of damaged(bytes, count, bytes.length)) {
        const what = `${name} ${number++}`;
        const ok = attempt(what, () => {
          const clip = shosa.Clip.read(content, `hostile${extension}`, kind === 'amc' ? { asf: asf() } : {});
          attempt(what, () => void clip.write('glb'));
          return clip;
        });
        if (ok) ++read;
        else ++refused;
      }
    }
    assert.ok(read > 0 && refused > 0, `${read} read, ${refused} refused`);
  });
}

const evaluators = {
  score: (text) => shosa.compose(text, { 'a.bvh': walk, 'b.bvh': walk }),
  pose_script: (text) => shosa.pose(text, { 'walk.bvh': walk }),
  footstep_plan: (text) => shosa.footsteps(text, walk),
  run_script: (text) => shosa.run(text, { 'a.bvh': idle, 'b.bvh': walk }),
  submovement_text: (text) => shosa.recompose(text),
  graph: (text) => shosa.Graph.read(text, { 'a.bvh': walk }),
};
let walk, idle;
for (const [kind, evaluate] of Object.entries(evaluators)) {
  test(`${kind}: damaged documents are errors or motions`, () => {
    walk ??= shosa.Clip.make('walk_normal');
    idle ??= shosa.Clip.make('idle');
    for (const { name, bytes } of filesOf(kind)) {
      let number = 0;
      for (const content of damaged(bytes, 60, bytes.length)) attempt(`${name} ${number++}`, () => evaluate(new TextDecoder('latin1').decode(content)));
    }
  });
}

test('a value of another kind at any place of a glTF is an error or harmless', () => {
  const document = JSON.parse(new TextDecoder().decode(shosa.Clip.make('wave').cut(0, 0.05).write('gltf')));
  const others = [null, true, -1, 7, 1e300, 'text', [], {}, [-1, 'x']];
  const places = [];
  const collect = (holder, depth) => {
    // Long lists of alike values: the first of them are enough.
    for (const key of Object.keys(holder).slice(0, 4)) {
      places.push([holder, key]);
      if (typeof holder[key] === 'object' && holder[key] !== null && depth < 8) collect(holder[key], depth + 1);
    }
  };
  collect(document, 0);
  for (const key of Object.keys(document)) places.push([document, key]);
  for (const [holder, key] of places) {
    const kept = holder[key];
    for (const other of others) {
      holder[key] = other;
      attempt(`${key} = ${JSON.stringify(other)}`, () => {
        const clip = shosa.Clip.read(JSON.stringify(document), 'hostile.gltf');
        attempt(key, () => void clip.write('glb'));
        return clip;
      });
    }
    holder[key] = kept;
  }
});

test('promises that no memory holds are refused before anything is taken', () => {
  const before = engine.memoryBytes;
  assert.equal(attempt('bvh', () => shosa.Clip.read('HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 2000000000\nFrame Time: 0.01\n0 0 0\n', 'a.bvh')), true);
  const deep = `{"asset":{"version":"2.0"},"extras":${'['.repeat(100000)}}`;
  assert.equal(attempt('deep', () => shosa.Clip.read(deep, 'a.gltf')), false);
  assert.ok(engine.memoryBytes - before < 64 * 2 ** 20);
});
