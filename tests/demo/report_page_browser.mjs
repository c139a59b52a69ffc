// Opens a report page in headless Chromium, from its file, and checks that it loads clean, plays, scrubs and obeys.
//   node report_page_browser.mjs PAGE.html [EXPECTED.json]
// EXPECTED.json: [{"figure", "place", "samples": [{"time_s", "joints": {NAME: [x, y, z]}}]}], world positions that the
// library's forward kinematics gives. Standard output: one line a finding; exit status 1 when one is bad.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Page } from './chromium.mjs';

const [file, expectedFile] = process.argv.slice(2);
if (!file) {
  console.error('usage: node report_page_browser.mjs PAGE.html [EXPECTED.json]');
  process.exit(2);
}
let bad = 0;
function claim(ok, text) {
  console.log(`${ok ? 'ok ' : 'BAD'} ${text}`);
  if (!ok) bad += 1;
}

const page = await Page.open({ width: 480, height: 420 });
try {
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitFor('window.shosa && window.shosa.ready', 'the page to be ready');
  claim((await page.evaluate('document.querySelectorAll(".player canvas.view").length')) === 1, 'one player, one WebGL context');

  // It plays by itself: the time goes on and pictures are drawn, until it is told to stop.
  await page.waitFor('shosa.playing && shosa.time > 0.05 && shosa.drawn > 1', 'the first clip to play');
  claim(true, `plays: ${await page.evaluate('shosa.time.toFixed(2)')} s after ${await page.evaluate('shosa.drawn')} pictures`);
  await page.key(' ', 'Space');
  await page.waitFor('!shosa.playing', 'the space bar to stop it');
  const held = await page.evaluate('shosa.time');
  await page.evaluate('new Promise((done) => setTimeout(done, 200))');
  claim((await page.evaluate('shosa.time')) === held, 'the space bar stops it');
  await page.key('ArrowRight');
  const stepped = (await page.evaluate('shosa.time')) - held, step_s = await page.evaluate('shosa.data.clips[shosa.data.figures.find((f) => f.id === shosa.figure).clips[0]].frame_time_s');
  claim(stepped > 0.4 * step_s && stepped < 1.6 * step_s, `an arrow steps one frame (${(stepped * 1000).toFixed(1)} ms)`);

  // The bar scrubs.
  const bar = await page.evaluate('(() => { const b = document.querySelector(".timeline input").getBoundingClientRect(); return [b.left, b.top + b.height / 2, b.width]; })()');
  await page.drag([bar[0] + 0.2 * bar[2], bar[1]], [bar[0] + 0.7 * bar[2], bar[1]]);
  const share = await page.evaluate('shosa.time / shosa.duration');
  claim(Math.abs(share - 0.7) < 0.03 && !(await page.evaluate('shosa.playing')), `scrubs: dragged to 70 %, stands at ${(100 * share).toFixed(1)} %`);
  const view = await page.evaluate('(() => { const b = document.querySelector("canvas.view").getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()');
  const drawn = await page.evaluate('shosa.drawn');
  await page.drag(view, [view[0] + 80, view[1] + 10]);
  await page.waitFor(`shosa.drawn > ${drawn}`, 'the camera to turn');
  claim(true, 'a drag turns the camera');

  // Every clip loads, and its posture is the library's.
  const figures = await page.evaluate('shosa.data.figures.filter((f) => f.clips.length).map((f) => [f.id, f.clips.length])');
  let loaded = 0;
  for (const [id, count] of figures) {
    for (let place = 0; place < count; ++place) {
      await page.evaluate(`shosa.load(${JSON.stringify(id)}, ${place}, 'single'); shosa.seek(shosa.duration / 2)`);
      const finite = await page.evaluate('(() => { const c = shosa.data.clips[shosa.data.figures.find((f) => f.id === shosa.figure).clips[0]]; return shosa.data.skeletons[c.skeleton].joints.every((j) => shosa.joint(j.name) === null || shosa.joint(j.name).every(Number.isFinite)); })()');
      if (!finite) claim(false, `${id}, clip ${place}: a joint is nowhere`);
      loaded += 1;
    }
    if (count > 1) for (const shown of ['side', 'overlay']) await page.evaluate(`shosa.load(${JSON.stringify(id)}, 0, '${shown}')`);
  }
  claim(loaded > 0, `${loaded} clips of ${figures.length} figures load`);
  let worst_m = 0, compared = 0;
  for (const clip of expectedFile ? JSON.parse(readFileSync(expectedFile, 'utf8')) : []) {
    await page.evaluate(`shosa.load(${JSON.stringify(clip.figure)}, ${clip.place}, ${JSON.stringify(clip.view ?? 'single')})`);
    for (const { time_s, joints } of clip.samples) {
      const names = JSON.stringify(Object.keys(joints));
      const found = await page.evaluate(`shosa.seek(${time_s}), ${names}.map((name) => shosa.joint(name))`);
      Object.values(joints).forEach((at, n) => {
        worst_m = Math.max(worst_m, Math.hypot(...at.map((x, axis) => x - found[n][axis])));
        compared += 1;
      });
    }
  }
  if (expectedFile) claim(compared > 0 && worst_m < 0.001, `${compared} joint positions, worst ${(1000 * worst_m).toFixed(3)} mm from forward kinematics`);

  // The rest of the page: posters, theme, keys.
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight); new Promise((done) => setTimeout(done, 400))');
  await page.evaluate('document.getElementById("theme").click(); new Promise((done) => setTimeout(done, 200))');
  for (const key of ['?', 'g', 'f', 'l', ']', '0']) await page.key(key);
  // Software drawing complains of its own slowness; that is not the page's.
  const said = page.console.filter((line) => !/GL Driver Message \(OpenGL, Performance/.test(line));
  claim((await page.evaluate('shosa.errors.length')) === 0 && said.length === 0, `console: ${said.length} messages, no network`);
  for (const line of said) console.log('    ' + line);
} catch (error) {
  claim(false, String(error.message));
  for (const line of page.console) console.log('    ' + line);
} finally {
  await page.close();
}
process.exit(bad ? 1 : 0);
