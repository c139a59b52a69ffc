// The engine in a worker: the same answers, later; cancelled and crashed calls leave the rest as it was.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as shosa from 'shosa';
import { startWorker } from 'shosa/worker';

let worker, api;
const progress = [];
before(async () => {
  await shosa.load();
  worker = await startWorker({ progress: (done, total) => progress.push([done, total]) });
  ({ api } = worker);
});
after(() => worker.terminate());

test('methods, properties, lists and documents give what they give on the page', async () => {
  const here = shosa.Clip.make('walk_normal'), there = await api.Clip.make('walk_normal');
  assert.equal(await there.frameCount, here.frameCount);
  assert.deepEqual(await there.study(), here.study());
  const looped = await there.loop({ cycles: 3 });
  assert.deepEqual(await looped.positions(), here.loop({ cycles: 3 }).positions());
  const score = { motions: [{ clip: 'a' }, { clip: 'b', at: 'auto' }] };
  const both = await api.compose(score, { a: there, b: await api.Clip.make('kick') });
  assert.deepEqual(await both.write('glb'), shosa.compose(score, { a: here, b: shosa.Clip.make('kick') }).write('glb'));
  await assert.rejects(() => api.Clip.read('no bvh', 'a.bvh'), (error) => error instanceof shosa.ShosaError && error.code === 'bad_file' && error.place.startsWith('a.bvh'));
});

test('characters run there', async () => {
  const clips = { idle: await api.Clip.make('idle'), walk: await api.Clip.make('walk_normal') };
  const kind = await api.CharacterKind.of(await api.Graph.link(clips));
  const heroes = await Promise.all([0, 1].map((x) => api.Character.of(kind, { at: [x, 0] })));
  const way = await heroes[0].goPlace([0, 2]);
  for (let i = 0; i < 300; ++i) await api.updateAll(heroes, 1 / 60);
  assert.equal((await way.outcome).status, 'done');
  const matrices = await api.allMatrices(heroes);
  assert.equal(matrices.length, 2 * 16 * (await heroes[0].jointCount));
  assert.ok(Math.abs(matrices[14] - 2) < 0.2, `${matrices[14]}`);
});

test('a ground function goes there as heights, and is there again after a cancelled call', async () => {
  const hills = (x, z) => 0.3 * Math.sin(x) * Math.cos(0.7 * z);
  const area = { from: [-3, -2], to: [3, 4], cell_m: 0.05 };
  const there = await api.Ground.from(hills, area), here = shosa.Ground.from(hills, area);
  for (const [x, z] of [[0, 0], [1.234, -1.5], [-2.99, 3.9], [9, 9]]) {
    assert.equal(await there.height(x, z), here.height(x, z));
    if (Math.abs(x) < 3) assert.ok(Math.abs(here.height(x, z) - hills(x, z)) < 2e-4, `${here.height(x, z)} and ${hills(x, z)}`);
  }
  const long = assert.rejects(() => api.Clip.make('walk_normal').then((walk) => walk.decompose()), { code: 'cancelled' });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await worker.cancel();
  await long;
  assert.equal(await there.height(1, 1), here.height(1, 1));
  await assert.rejects(() => api.Ground.from(hills), /does not travel into a worker, expected \(height, \{ from/);
  await assert.rejects(() => api.Ground.from(hills, { from: [0, 0], to: [-1, 1] }), { code: 'bad_argument' });
  assert.throws(() => shosa.Ground.from(hills, { from: [0, 0], to: [1e6, 1e6] }), /at most 4000000 heights/);
});

test('a cancelled call throws, and clips are there again', async () => {
  const walk = await api.Clip.make('walk_normal');
  const mirrored = await walk.mirror();
  const frames = await mirrored.frameCount;
  const long = mirrored.decompose();
  const waiting = walk.study();
  const both = Promise.allSettled([long, waiting]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(worker.busy);
  await worker.cancel();
  for (const { status, reason } of await both) assert.equal(`${status} ${reason?.code}`, 'rejected cancelled');
  assert.equal(await mirrored.frameCount, frames);
  assert.equal(worker.busy, false);
});

test('a call that brings the module down leaves the others as they were', async () => {
  const walk = await api.Clip.make('walk_normal');
  const study = await walk.study();
  // A pointer to nowhere: no method gives one.
  const crashed = assert.rejects(() => walk.engine.call('shosa_clip_make', 0xfffffff0, 65536), { code: 'crashed' });
  const after = walk.study();
  await crashed;
  assert.deepEqual(await after, study);
});

test('calls that are made while a cancel is under way are carried out, however many cancels there are', async () => {
  const walk = await api.Clip.make('walk_normal');
  const frames = await walk.frameCount;
  for (let round = 0; round < 3; ++round) {
    const lost = [walk.decompose()];
    const first = worker.cancel();
    lost.push(walk.decompose());
    const second = worker.cancel();
    const kept = walk.frameCount;
    for (const call of lost) await assert.rejects(call, { code: 'cancelled' });
    assert.equal(await kept, frames);
    await Promise.all([first, second]);
  }
});

test('a thread that is killed is replaced, in the middle of a call and between two', async () => {
  const walk = await api.Clip.make('walk_normal');
  const frames = await walk.frameCount;
  const long = assert.rejects(walk.decompose(), { code: 'crashed' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  await worker.thread.terminate();
  await long;
  assert.equal(await walk.frameCount, frames);
  await worker.thread.terminate();
  assert.equal(await walk.frameCount, frames);
});

test('what cannot travel, is not there or was disposed of is said', async () => {
  await assert.rejects(api.Clip.read(() => 1, 'a.bvh'), { name: 'ShosaError', code: 'bad_argument' });
  await assert.rejects(api.Nothing.read('x'), { code: 'bad_argument', message: 'Nothing.read: no such method' });
  const walk = await api.Clip.make('walk_normal');
  await assert.rejects(Promise.resolve(walk.frameKount), { code: 'bad_argument', message: 'frameKount: no such property' });
  walk.dispose();
  await assert.rejects(walk.study(), { code: 'disposed', message: /disposed of/ });
  await assert.rejects(api.join([walk, walk]), { code: 'disposed' });
});

test('an object of another worker or of the page is refused, not taken for one that has its key', async () => {
  const other = await startWorker();
  try {
    // The first object of each has the same key.
    const [mine, theirs] = [await api.Clip.make('idle'), await other.api.Clip.make('kick')];
    const refusal = { name: 'ShosaError', code: 'bad_argument', message: /an object of another worker, expected one of this worker/ };
    await assert.rejects(other.api.join([mine, theirs]), refusal);
    await assert.rejects(theirs.retarget(mine), refusal);
    assert.equal(await (await other.api.join([theirs, theirs])).jointCount, await theirs.jointCount);
  } finally {
    other.terminate();
  }
  const here = shosa.Clip.make('idle');
  for (const call of [api.join([here, here]), api.compose({ motions: [{ clip: 'a' }] }, { a: here })]) await assert.rejects(call, { name: 'ShosaError', code: 'bad_argument', message: /: a Clip of the page, expected one of this worker/ });
});

test('a score that holds itself, or is nested without end, is refused', async () => {
  const circle = { motions: [] };
  circle.itself = circle;
  let deep = {};
  for (let i = 0; i < 20000; ++i) deep = { deep };
  for (const score of [circle, deep]) await assert.rejects(api.compose(score, {}), { name: 'ShosaError', code: 'bad_argument', message: /nested more than 500 deep, or holds itself/ });
});

test('long work says how far it is', () => {
  assert.ok(progress.every(([done, total]) => done <= total && total > 0));
});
