// Figures of docs/studio.md, measured in the page: node studio/tests/browser/measure.mjs
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, serveStatic, StudioPage } from './support.mjs';

const folder = join(root, 'build-web/studio_page');
const bytes = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name))).filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
console.log(`page with engine, packed: ${(bytes / 1e6).toFixed(2)} MB`);

const server = await serveStatic();
const studio = await StudioPage.open(server.address, { width: 640, height: 400 });
await studio.click('Drag a body');
await studio.settled();
await studio.evaluate('studio.app.project.saver.settled()');
// A warm start: the page again, until the figure is drawn. All times from the beginning of its loading.
for (let run = 0; run < 5; ++run) {
  await studio.load();
  const times = await studio.evaluate(`(async () => {
    const shell = performance.now();
    studio.app.go('pose', 'idle pose.json');
    let engine;
    studio.app.engine.worker.ready.then(() => (engine = performance.now()));
    while (!(studio.app.state.value.scene.figures.length > 0)) await new Promise((resolve) => setTimeout(resolve));
    const computed = performance.now(), before = studio.stage.drawn;
    while (studio.stage.drawn === before || !studio.stage.shown.size) await new Promise((resolve) => setTimeout(resolve));
    return { shell, engine, computed, drawn: performance.now() };
  })()`);
  console.log(`page ${times.shell.toFixed(0)} ms, engine ${times.engine.toFixed(0)} ms, figure computed ${times.computed.toFixed(0)} ms, drawn ${times.drawn.toFixed(0)} ms`);
}
await studio.evaluate(`(async () => { for (const foot of ['left_foot', 'right_foot']) { const j = studio.app.shown.track.joints.findIndex(({ role }) => role === foot); studio.pose.pin(j, 'position'); } })()`);
await studio.settled();
const { waits, took } = await studio.evaluate(`(async () => {
  const joint = studio.app.shown.track.joints.findIndex(({ role }) => role === 'right_hand');
  const m = studio.pose.matrices(), at = [m[16 * joint + 12], m[16 * joint + 13], m[16 * joint + 14]];
  await studio.pose.begin(joint);
  for (let i = 0; i < 600; ++i) {
    studio.pose.move([at[0] - 0.2 * Math.sin(i / 40), at[1] + 0.25 * Math.sin(i / 55), at[2] + 0.2 * Math.sin(i / 70)]);
    await studio.pose.settle();
  }
  studio.pose.cancel();
  return studio.pose.times_ms;
})()`);
for (const [what, list] of [['in the worker', took], ['from asking to the answer', waits]]) {
  list.sort((a, b) => a - b);
  const percentile = (share) => list[Math.min(list.length - 1, Math.floor(share * list.length))].toFixed(2);
  console.log(`a posture ${what}, ${list.length} moves: median ${percentile(0.5)} ms, 99 % ${percentile(0.99)} ms, most ${percentile(1)} ms`);
}
await studio.close();
server.close();
