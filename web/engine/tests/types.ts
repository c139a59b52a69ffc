// Compiled, not run: what a user of the package writes.
import { Character, CharacterKind, Clip, compose, Graph, Ground, load, PinDrag, ShosaError, type ClipStudy } from 'shosa';
import { load as loadInline } from 'shosa/inline';
import { startWorker } from 'shosa/worker';

await load({ maxMemoryBytes: 2 ** 28, log: (level: 'note' | 'warning' | 'error', text: string) => console.log(level, text) });
await loadInline();
const walk: Clip = Clip.read(new Uint8Array(), 'walk.bvh', { up: 'y' });
const study: ClipStudy = walk.study();
const length: number = study.core[1] - study.core[0];
const both: Clip = compose({ motions: [{ clip: 'a' }, { clip: 'b', at: 'auto' }] }, { a: walk, b: walk.loop({ cycles: 2 }) });
const bytes: Uint8Array = both.write('glb');
const kind = CharacterKind.of(Graph.link({ idle: Clip.make('idle'), walk }));
const hero = Character.of(kind, { ground: Ground.from((x, z) => 0.1 * Math.sin(x + z)), at: [0, 1] });
const matrices: Float32Array = hero.pose.matrices;
const done: boolean = hero.goPlace([1, 2], { speed_mps: 1.2 }).outcome.status === 'done';
const way = hero.goPlace([0, 3], { facing: [1, 1] });
const steps: number[] = hero.events.filter((event) => event.kind === 'step_met' && event.command === way).map(({ index }) => index);
hero.goSteps([{ foot: 'left', at: [0, 1] }]);
hero.reach('left_hand', [0, 1, 0.3], { other: 'right_hand', apart_m: 0.3, frame: 'body' });
hero.layer('walk', { part: 'right_arm', once: true }).release();
hero.setDetail('played');
hero.restore(hero.snapshot());
const solver = PinDrag.of(walk);
solver.drag('right_hand', [0, 1, 0.5]).moveTo([0, 1.2, 0.5]);
try {
  // @ts-expect-error a clip is written as one of a few kinds
  walk.write('fbx');
  // @ts-expect-error a worker needs the area of a ground function
  await (await startWorker()).api.Ground.from(() => 0);
  // @ts-expect-error clips are given by name
  Graph.link(walk);
  // @ts-expect-error there is no such option
  walk.loop({ cycle: 2 });
  // @ts-expect-error legs are no part for layers
  hero.layer('walk', { part: 'legs' });
} catch (error) {
  if (error instanceof ShosaError) console.log(error.code, error.place, error.message);
}
const worker = await startWorker();
const remote = await worker.api.Clip.read('text', 'walk.bvh');
const frames: number = await remote.frameCount;
const looped = await remote.loop({ cycles: 3 });
const glb: Uint8Array = await looped.write('glb');
const joined = await worker.api.compose({ motions: [] }, { a: remote, b: looped });
joined.dispose();
const hills = await worker.api.Ground.from((x, z) => 0.1 * Math.sin(x + z), { from: [-5, -5], to: [5, 5] });
hills.dispose();
console.log(steps, length, bytes, matrices, done, frames, glb);
