// Objects come and go, errors say where, memory stays.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as shosa from 'shosa';

let engine, kind, walk;
before(async () => {
  engine = await shosa.load();
  walk = shosa.Clip.make('walk_normal');
  kind = shosa.CharacterKind.of(shosa.Graph.link({ idle: shosa.Clip.make('idle'), walk, run: shosa.Clip.make('run_slow') }));
});

test('ten thousand times made, used and disposed of: memory stays as it is', () => {
  const bytes = walk.cut(0, 0.1).write('glb');
  const round = (number) => {
    const clip = shosa.Clip.read(bytes, 'walk.glb');
    clip.sample(0.05);
    const solver = shosa.PinDrag.of(walk);
    solver.drag('right_hand', [0, 1, 1]);
    solver.step();
    assert.throws(() => shosa.Clip.read('no bvh', 'a.bvh'));
    clip.dispose();
    solver.dispose();
    // Characters take ten times as long to make.
    if (number % 10 !== 0) return;
    const hero = shosa.Character.of(kind);
    hero.goPlace([1, 1]);
    hero.update(1 / 60);
    hero.dispose();
  };
  for (let i = 0; i < 500; ++i) round(i);
  const before = engine.memoryBytes;
  for (let i = 0; i < 10_000; ++i) round(i);
  assert.equal(engine.memoryBytes, before);
});

test('an error has a code, a message and a place', () => {
  const error = (body) => {
    try {
      body();
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  };
  const bvh = error(() => shosa.Clip.read('HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\nx\n', 'a.bvh'));
  assert.ok(bvh instanceof shosa.ShosaError);
  assert.equal(bvh.code, 'bad_file');
  assert.equal(bvh.place, 'a.bvh:10');
  const score = error(() => shosa.compose({ motions: [{ clip: 'walk', core: 'x' }] }, { walk }));
  assert.equal(score.code, 'bad_file');
  assert.equal(score.place, 'score.json: /motions/0/core');
  assert.equal(error(() => walk.loop({ cycles: 0 })).code, 'bad_argument');
  assert.equal(error(() => kind.states && shosa.Character.of(kind).reach('nose', [0, 0, 0])).code, 'not_possible');
});

test('what was disposed of is refused, and disposing twice does nothing', () => {
  const clip = shosa.Clip.make('idle');
  clip.dispose();
  clip.dispose();
  assert.ok(clip.disposed);
  assert.throws(() => clip.study(), { code: 'disposed' });
  if (Symbol.dispose) {
    const other = shosa.Clip.make('idle');
    other[Symbol.dispose]();
    assert.ok(other.disposed);
  }
});

test('the posture of what was disposed of is not shown: its memory is somebody else\'s', () => {
  const solver = shosa.PinDrag.of(walk), hero = shosa.Character.of(kind);
  for (const moved of [solver, hero]) {
    const { pose } = moved;
    assert.ok(pose.matrices.length > 0);
    moved.dispose();
    assert.throws(() => pose.matrices, { code: 'disposed' });
  }
});

test('postures are views into the module\'s memory, and survive its growth', () => {
  const hero = shosa.Character.of(kind);
  hero.goPlace([0, 3]);
  hero.update(1 / 60);
  assert.equal(hero.pose.matrices.buffer, engine.memory.buffer);
  assert.equal(hero.pose.matrices, hero.pose.matrices);
  const hips = hero.pose.matrices.slice(0, 16);
  engine.memory.grow(16);
  assert.deepEqual(hero.pose.matrices.slice(0, 16), hips);
  for (let i = 0; i < 60; ++i) hero.update(1 / 60);
  assert.notDeepEqual(hero.pose.matrices.slice(0, 16), hips);
});

test('a ground can be a function of the page', () => {
  const ground = shosa.Ground.from((x, z) => 0.3 + 0.1 * x + 0 * z);
  assert.equal(ground.height(1, 5), 0.4);
  const hero = shosa.Character.of(kind, { ground });
  for (let i = 0; i < 120; ++i) hero.update(1 / 60);
  const level = shosa.Character.of(kind);
  for (let i = 0; i < 120; ++i) level.update(1 / 60);
  const rise = hero.pose.matrices[13] - level.pose.matrices[13];
  assert.ok(Math.abs(rise - 0.3) < 0.03, `${rise}`);
});

test('frames come as the clip samples them, at another rate too', () => {
  const clip = walk.resample(30);
  assert.ok(Math.abs(clip.frameTime_s - 1 / 30) < 1e-12 && Math.abs(clip.duration_s - walk.duration_s) < 0.05);
  const { rotations, translations } = clip.frames(3, 2);
  const fourth = clip.sample(4 * clip.frameTime_s);
  assert.deepEqual(rotations.slice(4 * clip.jointCount), fourth.rotations);
  assert.deepEqual(translations.slice(3 * clip.jointCount), fourth.translations);
  assert.throws(() => clip.frames(clip.frameCount, 1), { code: 'bad_argument' });
});

test('a pull leads the hand there while pinned feet stay, and takes the same way twice', () => {
  const stand = shosa.Clip.make('idle');
  const pulled = () => {
    const solver = shosa.PinDrag.of(stand);
    solver.setPose(stand.sample(0));
    solver.setRanges();
    solver.allowPose();
    solver.useInertia();
    const place = (joint) => [...solver.pose.matrices.slice(16 * solver.joint(joint) + 12, 16 * solver.joint(joint) + 15)];
    for (const foot of ['left_foot', 'right_foot']) solver.pin(foot, place(foot));
    const before = place('left_foot'), [x, y, z] = place('right_hand');
    const hand = solver.drag('right_hand', [x, y, z]);
    const result = solver.pull(hand, [x, y + 0.2, z + 0.1]);
    assert.ok(result.max_drag_error_m < 1e-3 && result.max_pin_error_m < 1e-3, JSON.stringify([result.max_drag_error_m, result.max_pin_error_m, result.steps]));
    assert.ok(Math.hypot(...place('left_foot').map((value, axis) => value - before[axis])) < 1e-3);
    return result.matrices.slice();
  };
  assert.deepEqual(pulled(), pulled());
});

test('what is no clip or no ground is refused before it is looked at', () => {
  for (const content of [undefined, null, {}, 3]) assert.throws(() => shosa.Clip.read(content, 'walk.bvh'), { code: 'bad_argument' });
  const text = shosa.Clip.make('idle').write('bvh');
  assert.ok(shosa.Clip.read(text.buffer.slice(text.byteOffset, text.byteOffset + text.length), 'idle.bvh').frameCount > 1);
  assert.throws(() => shosa.Clip.read('1\n', 'walk.amc'), /walk.amc: has no skeleton of its own, expected \{ asf/);
  assert.throws(() => shosa.Ground.heights({ columns: 2, rows: 2, cell_m: 1, heights: [1, 2, 3] }), /3 heights, expected 2 columns times 2 rows/);
});

test('lists of a wrong length, counts that cannot be and clips that are not there are refused', () => {
  const solver = shosa.PinDrag.of(walk), hero = shosa.Character.of(kind);
  const wrong = [
    () => solver.setPose({ rotations: [0, 0, 0, 1] }),
    () => solver.setPose({ translations: new Float32Array(3 * walk.jointCount + 3) }),
    () => solver.setDesired('head', [0, 0, 1], 1),
    () => solver.drag('head', [0, 1]),
    () => walk.drag('head', [[0, [0, 1]], [0.5, [0, 1, 0, 2]]]),
    () => walk.sample(0, { rotations: new Float32Array(4) }),
    () => walk.matrices(0, new Float32Array(15)),
    () => walk.frames(0, -1),
    () => walk.positions(-5),
    () => hero.goPath([[0, 1], [2]]),
    () => shosa.allMatrices([hero], new Float32Array(16)),
    () => shosa.Ground.from(3),
    () => shosa.compose({ motions: [{ clip: 'walk' }] }, { walk: undefined }),
  ];
  for (const call of wrong) assert.throws(call, { code: 'bad_argument' }, `${call}`);
  assert.throws(() => walk.positions(0, 4e9), { code: 'out_of_memory' });
  assert.throws(() => shosa.compose({ motions: [{ clip: 'walk' }] }), shosa.ShosaError);
  assert.ok(engine.alive && walk.frames(0, 1).rotations.length === 4 * walk.jointCount);
});

test('numbers beyond 32 bits and lists of the wrong kind are refused, and the module lives on', () => {
  const refused = (body) => assert.throws(body, (error) => error instanceof shosa.ShosaError && error.code === 'bad_argument' && error.message.length > 0, String(body));
  for (const odd of [2 ** 53, -(2 ** 32), 2 ** 32 + 1, 0.5, NaN]) {
    refused(() => walk.frames(odd));
    refused(() => walk.positions(odd));
    refused(() => walk.frames(0, odd));
    refused(() => walk.take(odd));
    refused(() => walk.loop({ cycles: odd }));
    refused(() => shosa.PinDrag.of(walk).drag(odd, [0, 1, 0]));
  }
  refused(() => shosa.Ground.heights({ columns: -1, rows: -4, cell_m: 1, heights: [0, 0, 0, 0] }));
  const hero = shosa.Character.of(kind);
  for (const odd of [undefined, null, [1]]) {
    refused(() => walk.drag('left_hand', [[0, odd ?? null]]));
    refused(() => shosa.join(odd));
    refused(() => walk.retarget(odd));
    refused(() => hero.goPlace(odd));
    refused(() => shosa.CharacterKind.of(odd));
    refused(() => shosa.Character.of(odd));
    refused(() => shosa.PinDrag.of(odd));
  }
  const ring = {};
  ring.ring = ring;
  refused(() => shosa.compose(ring, {}));
  refused(() => shosa.compose({ motions: 10n }, {}));
  assert.ok(engine.alive);
});

test('a clip under another name leaves the first as it is', () => {
  const first = walk.name, named = walk.withName('stroll');
  assert.deepEqual([named.name, named.frameCount, walk.name], ['stroll', walk.frameCount, first]);
  named.dispose();
});

test('an object of the engine inside a document is named, its memory not written out', () => {
  assert.equal(JSON.stringify({ walk }), '{"walk":"[Clip]"}');
  assert.throws(() => walk.withContacts(walk), { code: 'bad_file', message: /\[Clip\]/ });
});
