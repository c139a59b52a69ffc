// Little memory: what does not fit is an error, and what is there stays usable.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as shosa from 'shosa';

const limit = 48 * 2 ** 20;
let engine;
before(async () => {
  engine = await shosa.load({ maxMemoryBytes: limit });
});

const head = 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\n';
const file = (frames) => `${head}Frames: ${frames}\nFrame Time: 0.01\n${'1 2 3\n'.repeat(frames)}`;

test('a file that does not fit is an error, and the engine goes on', () => {
  const walk = shosa.Clip.make('walk_normal');
  const study = walk.study();
  const small = shosa.Clip.read(file(1000), 'small.bvh');
  for (const frames of [2_000_000, 12_000_000]) {
    assert.throws(() => shosa.Clip.read(file(frames), 'large.bvh'), { code: 'out_of_memory' });
    assert.ok(engine.alive);
    assert.ok(engine.memoryBytes <= limit);
  }
  assert.equal(small.frameCount, 1000);
  assert.deepEqual(walk.study(), study);
});

test('a call that brings the module down is an error, and load() starts a new one', async () => {
  const walk = shosa.Clip.make('walk_normal');
  assert.throws(() => engine.call('shosa_clip_make', 0xfffffff0, 65536), { code: 'crashed' });
  assert.ok(!engine.alive);
  assert.ok(walk.disposed);
  assert.throws(() => walk.study(), { code: 'disposed' });
  walk.dispose();
  assert.notEqual(await shosa.load(), engine);
  const other = shosa.Clip.make('walk_normal');
  assert.ok(other.frameCount > 10);
  // Of the old module, whose number something of the new one may have.
  assert.throws(() => shosa.join([other, walk]), { code: 'disposed' });
  assert.throws(() => other.retarget(walk), { code: 'disposed' });
});
