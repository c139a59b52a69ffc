// The engine in a worker: the same answers, later; cancelled and crashed calls leave the rest as it was.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as shosa from 'shosa';
import { startWorker } from 'shosa/worker';

let worker, api;
const progress = [];
before(async () => {
  await shosa.load();
  worker = await startWorker({ progress: (done, total, part) => progress.push([done, total, part]) });
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

test('an object that comes again is the object that was given before', async () => {
  const kind = await api.CharacterKind.of(await api.Graph.link({ idle: await api.Clip.make('idle'), walk: await api.Clip.make('walk_normal') }));
  const hero = await api.Character.of(kind);
  const way = await hero.goPlace([0, 1]), told = [];
  for (let i = 0; i < 300; ++i) {
    await hero.update(1 / 60);
    told.push(...(await hero.events).filter(({ command }) => command === way));
  }
  assert.deepEqual(told.map((event) => event.kind), ['goal_met']);
  assert.equal(await hero.kind, kind);
  const pose = await hero.pose;
  assert.equal(await hero.pose, pose);
  assert.deepEqual(await pose.matrices, await (await hero.pose).matrices);
  // Disposed of, it is another one when it is asked for anew.
  way.dispose();
  await assert.rejects(Promise.resolve(way.outcome), { code: 'disposed' });
  const then = await hero.snapshot();
  await hero.update(0.5);
  await hero.restore(then);
  assert.deepEqual(await hero.snapshot(), then);
});

test('what was made from disposed clips is there again after a cancelled call', async () => {
  const clips = { idle: await api.Clip.make('idle'), walk: await (await api.Clip.make('walk_normal')).mirror() };
  const graph = await api.Graph.link(clips), kind = await api.CharacterKind.of(graph);
  const nodes = await graph.nodeCount;
  const long = assert.rejects(clips.walk.decompose(), { code: 'cancelled' });
  // Of calls that wait: they were made before.
  const waiting = clips.idle.study();
  for (const clip of Object.values(clips)) clip.dispose();
  await assert.rejects(clips.walk.study(), { code: 'disposed' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(worker.busy);
  const cancelled = assert.rejects(waiting, { code: 'cancelled' });
  await worker.cancel();
  await Promise.all([long, cancelled]);
  graph.dispose();
  const hero = await api.Character.of(kind);
  assert.deepEqual(await kind.states, await hero.kind.states);
  await assert.rejects(Promise.resolve(graph.nodeCount), { code: 'disposed' });
  assert.equal(await (await api.Graph.link({ idle: await api.Clip.make('idle'), walk: await (await api.Clip.make('walk_normal')).mirror() })).nodeCount, nodes);
});

test('a call that waits has what it was given, though that was disposed of meanwhile', async () => {
  const walk = await api.Clip.make('walk_normal'), hero = await api.Character.of(await api.CharacterKind.of(await api.Graph.link({ idle: await api.Clip.make('idle'), walk })));
  const calls = [walk.mirror(), hero.update(0.1), api.join([walk, walk]), hero.facts.then((facts) => facts)];
  walk.dispose();
  hero.dispose();
  const [mirrored, , joined, facts] = await Promise.all(calls);
  assert.equal(await mirrored.frameCount, await (await api.Clip.make('walk_normal')).frameCount);
  assert.ok((await joined.frameCount) > (await mirrored.frameCount));
  assert.ok(Math.abs(facts.time_s - 0.1) < 1e-9);
  await assert.rejects(hero.update(0.1), { code: 'disposed' });
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

test('long work says how far it is, loop after loop', async () => {
  const clips = { a: await api.Clip.make('walk_normal'), b: await api.Clip.make('kick'), c: await api.Clip.make('bow') };
  progress.length = 0;
  await api.compose({ motions: [{ clip: 'a' }, { clip: 'b', at: 'auto' }, { clip: 'c', at: 'auto' }] }, clips);
  assert.ok(progress.length > 0 && progress.every(([done, total, part]) => done <= total && total > 0 && Number.isInteger(part) && part >= 1));
  // Within one loop it goes on; later ones have larger numbers.
  for (let i = 1; i < progress.length; ++i) {
    const [done, , part] = progress[i], [before, , earlier] = progress[i - 1];
    assert.ok(part > earlier || (part === earlier && done > before), `${progress.slice(i - 1, i + 1)}`);
  }
});
