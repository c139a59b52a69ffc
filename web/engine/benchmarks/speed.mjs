// The module against the native library, in one run; then how soon the engine is ready, how large it is, and how many characters one worker moves.
//   node speed.mjs NATIVE_SPEED
// Native runs on one thread and one core, as the module does.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import * as shosa from 'shosa';
import { startWorker } from 'shosa/worker';

const [program] = process.argv.slice(2);
if (!program) {
  console.error('usage: node speed.mjs NATIVE_SPEED');
  process.exit(2);
}

function us(rounds, calls, call) {
  let best = Infinity;
  for (let round = 0; round < rounds; ++round) {
    const begin = performance.now();
    for (let i = 0; i < calls; ++i) call(i);
    best = Math.min(best, ((performance.now() - begin) * 1000) / calls);
  }
  return best;
}

const begin = performance.now();
await shosa.load();
shosa.Clip.make('idle').dispose();
const ready = performance.now() - begin;

const [walk, idle, run, kick] = ['walk_normal', 'idle', 'run_slow', 'kick'].map((name) => shosa.Clip.make(name));
const found = {};
const solver = shosa.PinDrag.of(walk);
solver.setRanges();
const drag = solver.drag('right_hand', [0, 0, 0]);
found.pin_and_drag_step = us(5, 2000, (i) => {
  drag.moveTo([-0.4 + (0.2 * (i % 200)) / 200, 1.2, 0.4]);
  solver.step(1 / 60);
});
const target = { rotations: new Float32Array(4 * walk.jointCount), translations: new Float32Array(3 * walk.jointCount) };
const matrices = new Float32Array(16 * walk.jointCount);
found.sample = us(5, 20000, (i) => walk.sample(0.013 * (i % 100), target));
found.sample_to_world = us(5, 20000, (i) => walk.matrices(0.013 * (i % 100), matrices));
found.compose = us(3, 3, () => shosa.join([walk, kick], 0.5).dispose());
found.fix = us(3, 3, () => walk.fix().dispose());
const kind = shosa.CharacterKind.of(shosa.Graph.link({ idle, walk_normal: walk, run_slow: run }));
const hero = shosa.Character.of(kind);
found.character_frame = us(5, 3000, (i) => {
  if (i % 600 === 0) hero.goPlace([i % 1200 === 0 ? 4 : -4, 5]);
  hero.update(1 / 60);
});
found.character_frame_reaching = us(5, 3000, (i) => {
  if (i % 600 === 0) {
    const [x, , z] = hero.pose.matrices.slice(12, 15);
    hero.stop();
    hero.reach('right_hand', [x - 0.3, 1.3, z + 0.3]);
  }
  hero.update(1 / 60);
});

const native = JSON.parse(execFileSync('taskset', ['-c', '0', program], { encoding: 'utf8' }));
console.log('| call | native µs | module µs | module ÷ native |\n|---|---|---|---|');
for (const [name, value] of Object.entries(found)) console.log(`| ${name} | ${native[name].toFixed(1)} | ${value.toFixed(1)} | ${(value / native[name]).toFixed(2)} |`);

const module = new URL('../dist/shosa.wasm', import.meta.url);
console.log(`\nready after ${ready.toFixed(0)} ms; module ${statSync(module).size} bytes, ${brotliCompressSync(readFileSync(module)).length} with brotli`);

// Characters that go about on stairs, in a worker: time of a frame for all of them.
const worker = await startWorker();
const { api } = worker;
const clips = Object.fromEntries(await Promise.all(['idle', 'walk_normal', 'run_slow'].map(async (name) => [name, await api.Clip.make(name)])));
const there = await api.CharacterKind.of(await api.Graph.link(clips));
const ground = await api.Ground.read({ stairs: { at: [0, 3], rise_m: 0.17, tread_m: 0.3, count: 5 } });
const crowd = [];
for (let i = 0; i < 200; ++i) {
  const hero = await api.Character.of(there, { at: [(i % 20) - 10, Math.floor(i / 20) - 5], ground });
  await hero.goPlace([((i * 7) % 21) - 10, ((i * 13) % 17) - 6]);
  crowd.push(hero);
}
const frames = 300;
const times = [];
for (let frame = 0; frame < frames; ++frame) {
  const before = performance.now();
  await Promise.all([api.updateAll(crowd, 1 / 60), api.allMatrices(crowd)]);
  times.push(performance.now() - before);
}
times.sort((a, b) => a - b);
console.log(`200 characters in a worker: ${(times.reduce((sum, time) => sum + time, 0) / frames).toFixed(1)} ms a frame, 95 % within ${times[Math.floor(0.95 * frames)].toFixed(1)} ms (16.7 are 60 Hz)`);
worker.terminate();
