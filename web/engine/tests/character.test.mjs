// All that a character can do in C, it can do here: each once, with what came of it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import * as shosa from 'shosa';
import { engineFolder } from './support.mjs';

let engine, kind, walk;
before(async () => {
  engine = await shosa.load();
  walk = shosa.Clip.make('walk_normal');
  const clips = Object.fromEntries(['idle', 'run_slow', 'kick'].map((name) => [name, shosa.Clip.make(name)]));
  kind = shosa.CharacterKind.of(shosa.Graph.link({ ...clips, walk }));
});

const play = (hero, seconds, look = () => {}) => {
  for (let i = 0; i < 60 * seconds; ++i) hero.update(1 / 60), look(hero);
};
const place = (hero, joint) => [...hero.pose.matrices.slice(16 * hero.joint(joint) + 12, 16 * hero.joint(joint) + 15)];
const largest = (a, b) => a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i])), a.length === b.length ? 0 : Infinity);
const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));
/// Names of C that are not meant for JavaScript, and why.
const cAlone = {
  shosa_version: 'the package and its module have one version: that of package.json',
  shosa_version_text: 'the same',
  shosa_has_feature: 'a module is built in one way: docs/web.md says what is not there',
  shosa_context_create: 'the module makes its one context itself (shosa_web_context)',
  shosa_context_destroy: 'it ends with the module',
  shosa_error_function: 'the stack of a ShosaError has the method',
  shosa_error_status: 'every call gives its status',
  shosa_handle_kind: 'classes say what an object is',
  shosa_handle_count: 'counted by the tests of C',
  shosa_buffer_create: 'a Uint8Array is a buffer',
  shosa_clip_read: 'the module has no files: Clip.read takes bytes',
  shosa_clip_write: 'the same: clip.write gives bytes',
  shosa_folder_open: 'the same: documents are given what they name',
  shosa_joint_parents: '`joints` has them',
  shosa_rest_pose: '`joints` has it',
};

test('every function of the C API is called by a class, or stands in the list of those that are not meant for it', () => {
  const source = join(engineFolder, 'src');
  const called = readdirSync(source).filter((name) => name !== 'abi.ts').map((name) => readFileSync(join(source, name), 'utf8').replace(/^type .*$/gm, '')).join('\n');
  const all = [...readFileSync(join(source, 'abi.ts'), 'utf8').matchAll(/^ {2}(shosa_\w+)\(/gm)].map(([, name]) => name);
  const forgotten = all.filter((name) => !new RegExp(`'${name}'|exports\\.${name}\\b`).test(called));
  assert.ok(all.length > 100);
  assert.deepEqual(forgotten.sort(), Object.keys(cAlone).sort());
});

test('every command of the C API, with all that it can be told, is a method', () => {
  const source = readFileSync(join(engineFolder, 'src/abi.ts'), 'utf8');
  const methods = readFileSync(join(engineFolder, 'src/commands.ts'), 'utf8');
  for (const [, name, fields] of source.matchAll(/^ {2}(shosa_(?:go_\w+|footstep|stop|play_once|face|reach|drag|pin|look_at|layer|push)): \{ size: \d+, fields: \{ (.*) \} \},$/gm)) {
    const said = [...fields.matchAll(/(\w+): \[/g)].map(([, field]) => field).filter((field) => field !== 'size' && field !== 'reserved');
    assert.deepEqual(said.filter((field) => !new RegExp(`\\b${field}\\b`).test(methods)), [], name);
  }
});

test('states say how they are, feet have names', () => {
  assert.deepEqual(kind.stateInfos.map(({ name }) => name), kind.states);
  const state = (name) => kind.stateInfos.find((info) => info.name === name);
  assert.ok(state('walk').lasting && state('idle').lasting && state('walk').core_length_s > 0.5);
  assert.ok(state('walk').speed_mps > 0.8 && state('idle').speed_mps < 0.1);
  assert.deepEqual(kind.feet, ['left', 'right']);
  assert.deepEqual(shosa.Character.of(kind).feet, walk.feet);
});

test('a character lands on the places of a plan, foot after foot', () => {
  const hero = shosa.Character.of(kind), met = [];
  const steps = Array.from({ length: 8 }, (_, i) => ({ foot: hero.feet[i % 2], at: [i % 2 === 0 ? 0.09 : -0.09, 0.1 + 0.65 * (i + 1)], heading_rad: 0 }));
  const plan = hero.goSteps(steps);
  play(hero, 8, () => met.push(...hero.events.filter(({ kind: what }) => what === 'step_met')));
  assert.equal(plan.outcome.status, 'done');
  assert.deepEqual(met.map(({ index }) => index), steps.map((_, i) => i));
  assert.ok(met.every(({ command }) => command === plan));
  assert.ok(Math.abs(hero.facts.place[1] - 5.3) < 0.3, `${hero.facts.place}`);
  assert.throws(() => hero.goSteps([{ foot: 'third', at: [0, 1] }]), { code: 'bad_argument', message: /foot of step 0: third, expected one of left, right/ });
  assert.throws(() => hero.goSteps([{ foot: 'left', at: [0, 1], heading: 1 }]), /heading: no such option/);
  assert.throws(() => hero.goSteps([]), { code: 'bad_argument' });
});

test('a character faces aside while it goes, to a heading or to a place', () => {
  const chest = (told) => {
    const hero = shosa.Character.of(kind);
    told(hero);
    play(hero, 2.5);
    // Where the trunk faces: the third column of its matrix, turned as it is at rest.
    const [left, right] = ['left_upper_arm', 'right_upper_arm'].map((joint) => place(hero, joint));
    assert.ok(hero.facts.place[1] > 1, `it goes along +Z: ${hero.facts.place}`);
    return Math.atan2(-(left[2] - right[2]), left[0] - right[0]);
  };
  const straight = chest((hero) => hero.goDirection(0, 1.2));
  for (const told of [
    (hero) => hero.goDirection(0, 1.2, { facing: 0.6 }),
    (hero) => hero.goDirection(0, 1.2, { facing: [50, 50] }),
    (hero) => hero.goPlace([0, 9], { speed_mps: 1.2, facing: 0.6 }),
  ]) assert.ok(chest(told) - straight > 0.3, `${told}: ${chest(told)} and ${straight}`);
});

test('two hands hold one thing, and a reach in the body\'s frame goes along', () => {
  const hero = shosa.Character.of(kind);
  const hold = hero.reach('left_hand', [0, 1.1, 0.35], { other: 'right_hand', apart_m: 0.3, frame: 'body', duration_s: 0.5 });
  play(hero, 1.5);
  assert.ok(hold.outcome.met);
  assert.ok(Math.abs(distance(place(hero, 'left_hand'), place(hero, 'right_hand')) - 0.3) < 0.02);
  hero.goDirection(0, 1.2);
  play(hero, 3);
  const hands = ['left_hand', 'right_hand'].map((joint) => place(hero, joint));
  assert.ok(hands[0][2] > 2 && Math.abs(distance(...hands) - 0.3) < 0.03, `${hands}`);
  assert.ok(hands[0][2] - hero.facts.place[1] > 0.25);
  // Seconds alone, as before.
  assert.equal(shosa.Character.of(kind).reach('right_hand', [-0.2, 1.2, 0.3], 0.4).outcome.status, 'active');
  for (const wrong of [{ frame: 'hand' }, { apart_m: 5, other: 'right_hand' }, { duration: 1 }, null]) assert.throws(() => hero.reach('left_hand', [0, 1, 0.3], wrong), { code: 'bad_argument' });
});

test('a layer moves its part alone, ends once it is over, and keeps the heading that it is given', () => {
  const still = shosa.Character.of(kind), hero = shosa.Character.of(kind);
  const over = hero.layer('kick', { part: 'right_arm', once: true, weight: 1, fade_s: 0.1 });
  let arm = 0, leg = 0;
  play(hero, 0.5, () => {
    still.update(1 / 60);
    arm = Math.max(arm, distance(place(hero, 'right_hand'), place(still, 'right_hand')));
    leg = Math.max(leg, distance(place(hero, 'right_foot'), place(still, 'right_foot')));
  });
  assert.ok(arm > 0.05 && leg < 1e-6, `${arm} ${leg}`);
  play(hero, 8);
  assert.equal(over.outcome.status, 'done');
  const turned = (options) => {
    const one = shosa.Character.of(kind);
    const layer = one.layer('idle', options);
    play(one, 1.5);
    const [left, right] = ['left_upper_arm', 'right_upper_arm'].map((joint) => place(one, joint));
    assert.equal(layer.outcome.status, 'active');
    layer.release();
    return Math.atan2(-(left[2] - right[2]), left[0] - right[0]);
  };
  assert.ok(turned({ heading_rad: 0.5 }) - turned({}) > 0.3);
  assert.ok(Math.abs(turned({ top: 'head', from_s: 0.2 }) - turned({})) < 0.05);
  assert.throws(() => hero.layer('nothing'), /idle/);
  for (const wrong of [{ part: 'legs' }, { part: 'arms', top: 'head' }, { weight: 2 }, { wait: 1 }]) assert.throws(() => hero.layer('kick', wrong), { code: 'bad_argument' });
});

test('a snapshot that is restored goes on with the same bits, and knows its commands', () => {
  const hero = shosa.Character.of(kind), other = shosa.Character.of(kind, { at: [3, 3] });
  const way = hero.goPlace([1, 4]);
  hero.reach('left_hand', [0.4, 1.4, 0.6]);
  play(hero, 1);
  const then = hero.snapshot();
  assert.deepEqual(hero.snapshot(), then);
  const run = (one) => {
    const seen = [];
    play(one, 2, () => seen.push(one.pose.rotations.slice(), one.pose.translations.slice()));
    return seen;
  };
  const first = run(hero);
  hero.restore(then);
  assert.deepEqual(hero.snapshot(), then);
  assert.deepEqual(run(hero), first);
  other.restore(then);
  assert.deepEqual(run(other), first);
  play(hero, 6);
  assert.equal(way.outcome.status, 'done');
  const damaged = then.slice();
  damaged[damaged.length >> 1] ^= 1;
  const before = other.snapshot();
  for (const bytes of [damaged, then.slice(1), new Uint8Array(0), 'text']) assert.throws(() => other.restore(bytes), shosa.ShosaError);
  assert.throws(() => other.restore(3), { code: 'bad_argument' });
  assert.deepEqual(other.snapshot(), before);
});

test('a push is active until it is caught, and what no steps catch is told in the next update', () => {
  for (const [speed, told, status] of [[0.8, ['goal_met'], 'done'], [8, ['out_of_balance', 'given_up'], 'given_up']]) {
    const hero = shosa.Character.of(kind), seen = [];
    const push = hero.push([0, 0, speed]);
    if (status === 'done') assert.equal(push.outcome.status, 'active');
    play(hero, 4, () => seen.push(...hero.events.filter(({ command }) => command === push).map((event) => event.kind)));
    assert.deepEqual(seen, told);
    assert.equal(push.outcome.status, status);
  }
});

test('a character of less detail waits with its reach, and of full detail goes on with it', () => {
  const hero = shosa.Character.of(kind);
  const reach = hero.reach('right_hand', [-0.2, 1.3, 0.4], 0.3);
  hero.setDetail('steered');
  play(hero, 1);
  assert.ok(!reach.outcome.met);
  hero.setDetail('full');
  play(hero, 1);
  assert.ok(reach.outcome.met);
  hero.setDetail('played');
  play(hero, 0.1);
  assert.throws(() => hero.setDetail('low'), { code: 'bad_argument', message: /expected one of full, steered, played/ });
});

test('facts say how far the last update went', () => {
  const hero = shosa.Character.of(kind, { heading_rad: 1 });
  hero.goDirection(1, 1.2);
  play(hero, 2);
  const before = hero.facts;
  hero.update(1 / 60);
  const { place: [x, z], heading_rad, step_ahead_m, step_aside_m, step_turn_rad } = hero.facts;
  const moved = Math.hypot(x - before.place[0], z - before.place[1]);
  assert.ok(moved > 0.01 && Math.abs(Math.hypot(step_ahead_m, step_aside_m) - moved) < 1e-9 && step_ahead_m > 0.9 * moved);
  assert.ok(Math.abs(heading_rad - before.heading_rad - step_turn_rad) < 1e-9);
});

test('a character goes on after its kind was disposed of', () => {
  const own = shosa.CharacterKind.of(shosa.Graph.link({ idle: shosa.Clip.make('idle'), walk }));
  const hero = shosa.Character.of(own);
  own.dispose();
  assert.equal(hero.facts.state, 'idle');
  const way = hero.goState('walk');
  hero.layer('idle', { part: 'arms' });
  play(hero, 3);
  assert.equal(hero.facts.state, 'walk');
  assert.equal(way.outcome.status, 'done');
  assert.equal(hero.playOnce('idle').outcome.status, 'active');
  assert.throws(() => shosa.Character.of(own), { code: 'disposed' });
  hero.dispose();
  assert.throws(() => hero.facts, { code: 'disposed' });
});

test('the command of an event is the one that was given', () => {
  const hero = shosa.Character.of(kind), ended = [];
  const first = hero.goPlace([0, 1]);
  play(hero, 5, () => ended.push(...hero.events.filter((event) => event.command === first)));
  assert.deepEqual(ended.map((event) => event.kind), ['goal_met']);
  // Restored, a character gives its numbers once more: what was told since is another command.
  const then = hero.snapshot(), lost = hero.goPlace([0, 3]);
  hero.restore(then);
  const again = hero.goPlace([0, 2]);
  assert.equal(again.number, lost.number);
  play(hero, 5, () => ended.push(...hero.events.filter(({ command }) => command)));
  assert.ok(ended.at(-1).command === again && again !== lost);
});

test('a clip from arrays is the clip that they were read from', () => {
  const again = shosa.Clip.from({ joints: walk.joints, frameTime_s: walk.frameTime_s, ...walk.frames() });
  assert.equal(again.frameCount, walk.frameCount);
  for (const part of ['rotations', 'translations']) assert.ok(largest(again.frames()[part], walk.frames()[part]) < 1e-6);
  assert.deepEqual(again.joints, walk.joints);
  const { joints } = walk, rotations = new Float32Array(4 * joints.length);
  for (const wrong of [null, {}, { joints: [], frameTime_s: 0.01, rotations }, { joints, frameTime_s: 0.01, rotations: rotations.slice(1) }, { joints, frameTime_s: 0, rotations }, { joints: [{ name: 3, parent: -1 }], frameTime_s: 0.01, rotations }, { joints, frameTime_s: 0.01 }]) {
    assert.throws(() => shosa.Clip.from(wrong), { code: 'bad_argument' });
  }
  const motion = walk.rootMotion();
  assert.equal(motion.length, 3 * walk.frameCount);
  assert.ok(motion.at(-2) - motion[1] > 0.5, 'it goes along +Z');
  assert.equal(walk.withBodyMap({ jaw: null, left_hand: null }).joints[walk.joint('left_hand')].role, undefined);
  assert.equal(walk.joints[walk.joint('left_hand')].role, 'left_hand');
});

test('a solver\'s root comes to a place, joints turn as freely as they are told, and ranges are off for one', () => {
  const stand = shosa.Clip.make('idle'), first = stand.sample(0).rotations;
  const turn = (rotations) => [...rotations.slice(4 * stand.joint('left_lower_arm')).slice(0, 4)];
  const elbow = (told) => {
    const solver = shosa.PinDrag.of(stand);
    solver.setPose(stand.sample(0));
    told(solver);
    const [x, y, z] = [...solver.pose.matrices.slice(16 * solver.joint('left_hand') + 12).slice(0, 3)];
    const hand = solver.drag('left_hand', [x, y, z]);
    solver.pin('hips', [...solver.pose.matrices.slice(12, 15)]);
    solver.pull(hand, [x - 0.1, y + 0.3, z + 0.3]);
    return turn(solver.pose.rotations);
  };
  const free = elbow(() => {});
  const fixed = elbow((solver) => solver.setFreedom('left_lower_arm', 'fixed'));
  assert.ok(largest(fixed, turn(first)) < 1e-6 && largest(free, turn(first)) > 0.05, `${[fixed, free, turn(first)].join(' | ')}`);
  assert.notDeepEqual(elbow((solver) => solver.setFreedom('left_lower_arm', 'hinge', [0, 1, 0])), free);
  const nod = (told) => {
    const solver = shosa.PinDrag.of(stand);
    solver.setRanges();
    told(solver);
    solver.setDesired('head', [0, Math.sin(1), 0, Math.cos(1)], 10);
    for (let i = 0; i < 120; ++i) solver.step();
    return Math.abs(solver.pose.rotations[4 * solver.joint('head') + 1]);
  };
  const kept = nod(() => {}), far = nod((solver) => solver.enableRange('head', false));
  assert.ok(kept < 0.7 && far > 0.8, `${kept} ${far}`);
  const solver = shosa.PinDrag.of(walk);
  const [x, y, z] = solver.pose.matrices.slice(12, 15);
  solver.setDesiredPlace([x + 0.3, y, z], 10);
  for (let i = 0; i < 120; ++i) solver.step();
  assert.ok(Math.abs(solver.pose.matrices[12] - x - 0.3) < 0.02, `${solver.pose.matrices[12] - x}`);
  assert.throws(() => solver.setFreedom('head', 'hinge'), { code: 'bad_argument' });
  assert.throws(() => solver.setFreedom('head', 'door'), { code: 'bad_argument' });
  assert.ok(engine.alive);
});
