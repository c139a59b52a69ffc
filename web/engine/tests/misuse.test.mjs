// What a page does wrong comes back as a ShosaError that says so; the module lives on, and what it holds is as it was.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as shosa from 'shosa';

let engine, walk, idle, graph, kind;
const said = [];
let onLog = () => {};
before(async () => {
  engine = await shosa.load({ log: (level, text) => (said.push(text), onLog()) });
  walk = shosa.Clip.make('walk_normal');
  idle = shosa.Clip.make('idle').cut(0, 0.5);
  graph = shosa.Graph.link({ idle: shosa.Clip.make('idle'), walk });
  kind = shosa.CharacterKind.of(graph);
});

const refused = (body, message = /./) =>
  assert.throws(body, (error) => error instanceof shosa.ShosaError && error.code === 'bad_argument' && message.test(error.message), String(body));

test('a ground function cannot call the engine: not even the character that asks it', () => {
  let hero;
  const inside = [
    () => hero.update(1 / 60),
    () => hero.dispose(),
    () => shosa.Clip.make('idle'),
  ];
  for (const body of inside) {
    hero = undefined;
    const ground = shosa.Ground.from(() => (hero && body(), 0));
    const one = shosa.Character.of(kind, { ground });
    hero = one;
    refused(() => one.update(1 / 60), /the engine is at work/);
    hero = undefined;
    one.update(1 / 60);
    one.dispose();
    assert.ok(one.disposed && engine.alive);
  }
});

test('what a ground function throws is thrown by the call, which was carried out to its end', () => {
  let wrong;
  const ground = shosa.Ground.from(() => {
    if (wrong) throw wrong;
    return 0;
  });
  const hero = shosa.Character.of(kind, { ground }), other = shosa.Character.of(kind);
  wrong = new Error('mine');
  assert.throws(() => hero.update(1 / 60), (error) => error === wrong);
  wrong = undefined;
  for (const one of [hero, other]) one.update(1 / 60);
  assert.equal(hero.facts.time_s, 2 / 60);
  assert.equal(other.facts.time_s, 1 / 60);
});

test('a target that is not there is no target at the origin', () => {
  // What a game hands over that has no ball: `hero.reach('right_hand', ball?.position)`.
  const hero = shosa.Character.of(kind);
  for (const nothing of [undefined, null]) {
    for (const tell of [() => hero.reach('right_hand', nothing), () => hero.drag('right_hand', nothing), () => hero.lookAt(nothing), () => hero.push(nothing)]) refused(tell, /no numbers, expected 3/);
    refused(() => hero.goDirection(nothing), /heading_rad: (undefined|null), expected a number/);
    refused(() => shosa.Ground.heights({ columns: 2, rows: 2, cell_m: nothing, heights: [0, 0, 0, 0] }), /cell_m: (undefined|null), expected a number/);
  }
  for (const wrong of [2n, Symbol('two'), 1.5, '2']) refused(() => shosa.Ground.heights({ columns: wrong, rows: 2, cell_m: 1, heights: [0, 0, 0, 0] }), /columns: .*, expected a whole number/);
  hero.dispose();
});

test('heights that are no numbers are refused, where they were found', () => {
  for (const height of [NaN, Infinity, undefined, null, '0', {}]) {
    refused(() => shosa.Ground.from(() => height).height(3, 5), /a ground function gave .* at \[3, 5\], expected metres/);
    refused(() => shosa.Ground.from(() => height, { from: [0, 0], to: [1, 1] }));
  }
});

test('a log that calls the engine or throws spoils nothing', () => {
  onLog = () => shosa.Clip.make('idle');
  refused(() => shosa.Clip.read('no bvh', 'a.bvh'), /the engine is at work/);
  onLog = () => {};
  assert.throws(() => shosa.Clip.read('no bvh', 'a.bvh'), { code: 'bad_file' });
  assert.ok(said.length > 0);
});

test('a clip in place of clips by name is refused at once, its memory not read', () => {
  for (const clips of [walk, [walk], 'walk', 3, new Map()]) {
    refused(() => shosa.writeAll(clips, 'glb'), /expected \{ name: value/);
    refused(() => shosa.Graph.link(clips));
    refused(() => shosa.compose({ motions: [{ clip: 'walk' }] }, clips));
  }
  refused(() => shosa.writeAll({ walk: kind }, 'glb'), /walk, which is no clip: a CharacterKind/);
});

test('a goal that was led to nowhere still goes where it was', () => {
  const solver = shosa.PinDrag.of(walk);
  const goal = solver.drag('right_hand', [0, 1, 0.3], { orientation: [0, 0, 0, 1] });
  for (const wrong of [undefined, null, [1], ['0', '1', '2'], [NaN, 0, 0], {}]) {
    refused(() => goal.moveTo(wrong));
    refused(() => goal.turnTo(wrong));
    refused(() => solver.drag('head', wrong));
  }
  const before = goal.error_m;
  goal.moveTo([0, 1, 0.3]);
  assert.equal(goal.error_m, before);
});

test('what is refused is named, with what was expected', () => {
  const cases = [
    [() => shosa.writeAll(null, 'glb'), 'clips: null, expected { name: value, … }'],
    [() => shosa.writeAll({}, 'glb'), 'clips: {}, expected one or more as { name: Clip }'],
    [() => walk.loop({ cycles: 1.5 }), 'cycles: 1.5, expected a whole number from 1 on'],
    [() => walk.loop({ cycles: 0 }), 'cycles: 0, expected a whole number from 1 on'],
    [() => walk.loop({ cycles: null }), 'cycles: null, expected a whole number from 1 on'],
    [() => walk.loop({ rise: 'x' }), 'rise: x, expected one of as_floor, level, climb'],
    [() => shosa.Graph.link(), 'clips: undefined, expected { name: value, … }'],
    [() => shosa.Graph.link({}), 'clips: {}, expected one or more as { name: Clip }'],
    [() => shosa.Graph.build({}), 'clips: {}, expected one or more as { name: Clip }'],
    [() => new shosa.Clip(), 'new Clip: expected a static method of Clip, which makes one'],
    [() => new shosa.Character(), 'new Character: expected a static method of Character, which makes one'],
    [() => walk.fix({ level: null }), 'level: null, expected a number or true or false'],
    [() => walk.joint(42), `joint: 42, expected 0 to ${walk.jointCount - 1}`],
  ];
  for (const [body, message] of cases) assert.throws(body, { name: 'ShosaError', code: 'bad_argument', message });
  assert.equal(walk.joint(walk.jointCount - 1), walk.jointCount - 1);
});

// Every argument that a method takes, as a function of what is given for it.
const numbers = {
  sample: (x) => walk.sample(x),
  matrices: (x) => walk.matrices(x),
  frames: (x) => walk.frames(x),
  positions: (x) => walk.positions(x),
  cut: (x) => walk.cut(0, x),
  resample: (x) => idle.resample(x),
  drag: (x) => idle.drag('head', [[x, [0, 1.6, 0]]]),
  smoothness: (x) => shosa.join([idle, idle], x),
  unit: (x) => shosa.Clip.read(idle.write('bvh'), 'a.bvh', { unit_m: x }),
  hurry: (x) => graph.plan('idle', 'walk', x),
  update: (x) => shosa.Character.of(kind).update(x),
  direction: (x) => shosa.Character.of(kind).goDirection(x),
  speed: (x) => shosa.Character.of(kind).goPlace([0, 1], { speed_mps: x }),
  ahead: (x) => shosa.Character.of(kind).stop(x),
  place: (x) => shosa.Character.of(kind).goPlace([x, 1]),
  path: (x) => shosa.Character.of(kind).goPath([[0, 1], [x, 1]]),
  reach: (x) => shosa.Character.of(kind).reach('right_hand', [x, 1, 0]),
  move: (x) => shosa.Character.of(kind).reach('right_hand', [0, 1, 0]).moveTo([x, 1, 0]),
  stiffness: (x) => shosa.PinDrag.of(walk).setStiffness('head', x),
  step: (x) => shosa.PinDrag.of(walk).step(x),
  desired: (x) => shosa.PinDrag.of(walk).setDesiredPlace([x, 0, 0], 1),
  facing: (x) => shosa.Character.of(kind).goDirection(0, 1, { facing: [x, 1] }),
  foot: (x) => shosa.Character.of(kind).goSteps([{ foot: 'left', at: [x, 1] }]),
  apart: (x) => shosa.Character.of(kind).reach('left_hand', [0, 1, 0.3], { other: 'right_hand', apart_m: x }),
  push: (x) => shosa.Character.of(kind).push([x, 0, 0]),
  weight: (x) => shosa.Character.of(kind).layer('idle', { weight: x }),
  height: (x) => shosa.Ground.read({ stairs: { at: [0, 2], rise_m: 0.17, tread_m: 0.3, count: 5 } }).height(x, 0),
  cell: (x) => shosa.Ground.from(() => 0, { from: [0, 0], to: [1, 1], cell_m: x }),
  heights: (x) => shosa.Ground.heights({ columns: 2, rows: 1, cell_m: 1, heights: [x, 0] }),
};
const texts = {
  make: (x) => shosa.Clip.make(x),
  read: (x) => shosa.Clip.read('', x),
  write: (x) => idle.write(x),
  name: (x) => (idle.name = x),
  joint: (x) => walk.drag(x, [[0, [0, 1, 0]]]),
  state: (x) => shosa.Character.of(kind).goState(x),
  layer: (x) => shosa.Character.of(kind).layer(x),
  part: (x) => shosa.Character.of(kind).layer('idle', { part: x }),
  detail: (x) => shosa.Character.of(kind).setDetail(x),
  frame: (x) => shosa.Character.of(kind).reach('left_hand', [0, 1, 0.3], { frame: x }),
  up: (x) => shosa.Clip.read(idle.write('bvh'), 'a.bvh', { up: x }),
  from: (x) => graph.plan(x, 'walk'),
  to: (x) => graph.plan('idle', x),
};
const records = {
  read: (x) => shosa.Clip.read(idle.write('bvh'), 'a.bvh', x),
  fix: (x) => idle.fix(x),
  loop: (x) => walk.loop(x),
  target: (x) => walk.sample(0, x),
  place: (x) => shosa.Character.of(kind).goPlace([0, 1], x),
  character: (x) => shosa.Character.of(kind, x),
  ground: (x) => shosa.Character.of(kind).setGround(x),
  direction: (x) => shosa.Character.of(kind).goDirection(0, 1, x),
  steps: (x) => shosa.Character.of(kind).goSteps([x]),
  layer: (x) => shosa.Character.of(kind).layer('idle', x),
  arrays: (x) => shosa.Clip.from(x),
  pull: (x) => {
    const solver = shosa.PinDrag.of(walk);
    solver.pull(solver.drag('head', [0, 1, 0]), [0, 1, 0], x);
  },
  goal: (x) => shosa.PinDrag.of(walk).drag('head', [0, 1, 0], x),
  pose: (x) => shosa.PinDrag.of(walk).setPose(x),
  field: (x) => shosa.Ground.heights(x),
  area: (x) => shosa.Ground.from(() => 0, x),
};

test('no argument of the wrong type is taken for another', () => {
  const wrongNumbers = [NaN, null, '1', [], [1], {}, 10n, Symbol('s'), () => 1];
  for (const call of Object.values(numbers)) for (const wrong of wrongNumbers) refused(() => call(wrong));
  for (const [name, call] of Object.entries(texts)) {
    for (const wrong of [null, 3, {}, [1], 10n, Symbol('s'), true, walk]) {
      assert.throws(() => call(wrong), (error) => error instanceof shosa.ShosaError, `${name} of ${typeof wrong}`);
    }
  }
  for (const call of Object.values(records)) for (const wrong of [null, 3, 'x', [], () => 1, 10n, Symbol('s')]) refused(() => call(wrong));
  refused(() => shosa.Character.of(kind, { heading: 1 }), /heading: no such option/);
  refused(() => shosa.Character.of(kind).goPlace([0, 1], { speed: 1 }), /speed: no such option/);
  for (const wrong of [null, walk, [walk], [undefined], 3]) refused(() => shosa.updateAll(wrong, 0.1));
  assert.ok(engine.alive);
});

test('options of the engine that are none are said, whether it runs or not', async () => {
  const { startWorker } = await import('shosa/worker');
  for (const start of [shosa.load, startWorker]) {
    for (const [options, message] of [
      [{ modul: 5 }, 'modul: no such option'],
      [{ log: 5 }, 'log: 5, expected a function'],
      [{ progress: 'x' }, 'progress: x, expected a function'],
      [null, 'options: null, expected { name: value, … }'],
      [{ maxMemoryBytes: 'x' }, 'maxMemoryBytes: x, expected a number of bytes from 65536 on'],
    ]) await assert.rejects(async () => start(options), { name: 'ShosaError', code: 'bad_argument', message });
  }
});

test('a module that is none, or has no room, is said', async () => {
  const { startWorker } = await import('shosa/worker');
  await assert.rejects(() => startWorker({ module: new Uint8Array([1, 2, 3]) }), { name: 'ShosaError', code: 'cannot_read' });
  await assert.rejects(() => startWorker({ module: new URL('file:///no/such.wasm') }), { name: 'ShosaError', code: 'cannot_read', place: 'file:///no/such.wasm' });
  await assert.rejects(() => startWorker({ maxMemoryBytes: 1e6 }), (error) => error instanceof shosa.ShosaError && /does not start in 1000000 bytes/.test(error.message));
  await assert.rejects(() => startWorker({ maxMemoryBytes: NaN }), (error) => error instanceof shosa.ShosaError && /maxMemoryBytes: NaN/.test(error.message));
});
