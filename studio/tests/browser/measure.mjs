// Figures of docs/studio.md, measured in the page: node studio/tests/browser/measure.mjs [MOVES] [BVH_MB]
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as engine from '../../../web/engine/dist/index.js';
import { root, StudioPage } from './support.mjs';

const moves = Number(process.argv[2] ?? 600), bvh_mb = Number(process.argv[3] ?? 100);
const say = (what, list) => {
  const sorted = [...list].sort((a, b) => a - b), at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  console.log(`${what} (${sorted.length}): median ${at(0.5)} ms, 90 % ${at(0.9)}, 99 % ${at(0.99)}, most ${at(1)}`);
};

const folder = join(root, 'build-web/studio_page');
const bytes = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name))).filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
console.log(`page with engine, packed: ${(bytes / 1e6).toFixed(2)} MB`);

await engine.load();
const idle = engine.Clip.make('idle').write('bvh'), script = { clip: 'idle.bvh', at_s: 0, duration_s: 2, ranges: true };
const studio = await StudioPage.behind({ 'idle.bvh': idle, 'idle pose.json': JSON.stringify(script) });

// From the beginning of loading to the first figure, whose picture is read back: it is there, not only asked for.
await studio.page.send('Page.addScriptToEvaluateOnNewDocument', { source: `window.times = {}; {
  const soon = (test, then) => { const look = () => (test() ? then() : setTimeout(look)); look(); };
  soon(() => window.studio, () => {
    times.page = performance.now();
    studio.app.engine.worker.ready.then(() => (times.engine = performance.now()));
    studio.app.go('pose', 'idle pose.json');
    soon(() => studio.app.state.value.scene.figures.length > 0, () => (times.computed = performance.now()));
    soon(() => studio.stage?.shown.size > 0, () => {
      const gl = studio.stage.renderer.getContext();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      times.drawn = performance.now();
    });
  });
}` });
const starts = [];
for (let run = 0; run < 12; ++run) {
  await studio.load();
  await studio.waitFor('times.drawn', 'the figure');
  starts.push(await studio.evaluate('times'));
}
for (const what of ['page', 'engine', 'computed', 'drawn']) say(`start, ${what}`, starts.map((times) => times[what]));

// The hand led by the mouse, both feet pinned, with ranges.
await studio.settled();
await studio.evaluate(`for (const foot of ['left_foot', 'right_foot']) studio.pose.pin(studio.app.shown.track.joints.findIndex(({ role }) => role === foot), 'position')`);
await studio.settled();
await studio.evaluate(`new Promise((resolve) => setTimeout(resolve, 1000))`);
const hand = (await studio.onScreen(await studio.joint('right_hand'))).map(Math.round);
await studio.mouse('mouseMoved', hand, { button: 'none' });
await studio.mouse('mousePressed', hand, { buttons: 1 });
for (let i = 0; i < moves; ++i) await studio.mouse('mouseMoved', [hand[0] + 40 * Math.sin(i / 40), hand[1] - 50 * Math.abs(Math.sin(i / 55))], { buttons: 1 });
await studio.mouse('mouseReleased', hand);
const { waits, took } = await studio.evaluate('studio.pose.times_ms');
say('a posture in the worker', took);
say('from asking to the answer in the page', waits);
await studio.close();

if (bvh_mb > 0) {
  const alone = await StudioPage.alone();
  const { path, frames } = alone.writeLong('long.bvh', engine.Clip.make('walk_normal').write('bvh'), bvh_mb);
  // The longest time for which the page did not come to its turn.
  await alone.evaluate(`window.still = 0; let last = performance.now(); setInterval(() => { const now = performance.now(); still = Math.max(still, now - last); last = now; }, 10)`);
  const begin = Date.now();
  await alone.drop([path]);
  let shown = '';
  while (!(await alone.evaluate(`studio.app.state.value.imports.some(({ kind }) => kind === 'done' || kind === 'failed')`))) {
    const said = await alone.evaluate(`document.querySelector('.imports')?.textContent ?? ''`);
    if (said !== shown) console.log(`  ${((Date.now() - begin) / 1000).toFixed(1)} s: ${(shown = said)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  console.log(`${(statSync(path).size / 1e6).toFixed(0)} MB BVH, ${frames} frames: read after ${((Date.now() - begin) / 1000).toFixed(1)} s, the page stood still for ${(await alone.evaluate('still')).toFixed(0)} ms at most; ${await alone.evaluate('JSON.stringify(studio.app.state.value.imports)')}`);
  await alone.settled();
  console.log(`  shown and saved after ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  await alone.close();
}
