// The sample page in Chromium, from a plain static server: clicked, waited for, and asked through the engine what came of it.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { engineFolder, root } from './support.mjs';
import { Page } from '../../../tests/demo/chromium.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/octet-stream' };
const folder = join(root, 'out/web/walk_to_click');
let server, page, address;

before(async () => {
  server = createServer((request, response) => {
    const file = join(folder, request.url === '/' ? 'index.html' : request.url.split('?')[0]);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  page = await Page.open({ width: 640, height: 400 });
  await page.goto(address);
  await page.waitFor('window.sample && sample.frames > 2', 'the page to run', 60);
});
after(async () => {
  await page?.close();
  server?.close();
});

async function picture(name) {
  mkdirSync(join(root, 'build-web/pictures'), { recursive: true });
  writeFileSync(join(root, 'build-web/pictures', `${name}.png`), await page.screenshot());
}

/// Where a place of the world is on the screen.
const onScreen = (x, y, z) => page.evaluate(`(() => { const p = sample.ball.position.clone().set(${x}, ${y}, ${z}).project(sample.camera); return [(p.x + 1) / 2 * innerWidth, (1 - p.y) / 2 * innerHeight]; })()`);

async function click(x, y, z) {
  // The camera follows the character: once it is at rest.
  let seen = [Infinity, Infinity], next = await onScreen(x, y, z);
  for (let i = 0; i < 60 && Math.hypot(next[0] - seen[0], next[1] - seen[1]) > 0.3; ++i) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    [seen, next] = [next, await onScreen(x, y, z)];
  }
  const [left, top] = next.map(Math.round);
  await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', x: left, y: top, button: 'left', buttons: 1, clickCount: 1 });
  await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: left, y: top, button: 'left', buttons: 0, clickCount: 1 });
}

/// Waits until it is so, for some seconds of the character's own time: a busy machine without a graphics card shows few of its frames.
async function soon(expression, what, seconds) {
  const end = await page.evaluate('sample.time_s') + seconds;
  await page.waitFor(`(${expression}) || sample.time_s > ${end}`, what, 400);
  assert.ok(await page.evaluate(expression), `waited ${seconds} s of the character's time for ${what}`);
}

test('it walks to where the ground is clicked', async () => {
  await picture('begin');
  await click(1, 0, 1.5);
  await soon('sample.way && sample.way.outcome.status === "done"', 'the character to arrive', 20);
  const [x, z] = await page.evaluate('sample.hero.facts.place');
  assert.ok(Math.hypot(x - 1, z - 1.5) < 0.25, `${x} ${z}`);
  await picture('arrived');
});

test('it reaches for the ball', async () => {
  await click(-1.6, 1.15, 0.6);
  await soon('sample.hand && sample.hand.outcome.met', 'the hand to be on the ball', 20);
  const hand = await page.evaluate('(() => { const j = sample.hero.joint("right_hand"); return [...sample.hero.pose.matrices.slice(16 * j + 12, 16 * j + 15)]; })()');
  assert.ok(Math.hypot(hand[0] + 1.6, hand[1] - 1.15, hand[2] - 0.6) < 0.05, hand.join(' '));
  await picture('reached');
});

test('the ground that it walks on is the one that is drawn', async () => {
  const [places, apart] = await page.evaluate(`(async () => {
    const { Raycaster, Vector3 } = await import('three');
    const ray = new Raycaster(), down = new Vector3(0, -1, 0);
    let places = 0, apart = [];
    for (let x = -6.03; x < 6; x += 0.21) for (let z = -3.03; z < 12; z += 0.21) {
      ray.set(new Vector3(x, 5, z), down);
      const drawn = ray.intersectObjects(sample.drawn)[0].point.y, walked = sample.ground.height(x, z);
      places += 1;
      if (Math.abs(drawn - walked) > 1e-3) apart.push([x, z, drawn, walked]);
    }
    return [places, apart];
  })()`);
  assert.ok(places > 3000);
  assert.deepEqual(apart, []);
});

test('a dropped file that is no GLB is refused in a sentence, and it walks on', async () => {
  await page.evaluate(`(() => { const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File(['some'], 'notes.txt')); void dispatchEvent(new DragEvent('drop', { dataTransfer })); })()`);
  await page.waitFor(`document.getElementById('text').textContent.includes('notes.txt')`, 'the page to say something');
  assert.equal(await page.evaluate(`document.getElementById('text').textContent`), 'notes.txt: this is no GLB: a binary glTF file begins with glTF');
  const before = await page.evaluate('sample.frames');
  await page.waitFor(`sample.frames > ${before + 2}`, 'the page to go on');
});

test('the wheel makes it hurry, and it climbs the steps', async () => {
  const calm = await page.evaluate('sample.speed');
  // Chromium answers a wheel of its own only once a picture was drawn, which takes long without a graphics card.
  await page.evaluate('void dispatchEvent(new WheelEvent("wheel", { deltaY: -400 }))');
  await page.waitFor(`sample.speed > ${1.3 * calm}`, 'the speed asked for to rise');
  await page.evaluate('void sample.hero.face(0)');
  const top = await page.evaluate('sample.ground.height(0, 5.2)');
  assert.ok(top > 0.5);
  // The slider keeps its number as a text of some digits.
  assert.ok(Math.abs(await page.evaluate('document.getElementById("speed").valueAsNumber - sample.speed')) < 0.01);
  await page.evaluate('void (window.looked = sample.gaze)');
  assert.equal(await page.evaluate('looked.outcome.status'), 'active');
  await click(0, top, 5.2);
  await soon('sample.hero.facts.place[1] > 3.6', 'it to be on the steps', 20);
  await picture('climbing');
  await soon('sample.way.outcome.status === "done"', 'the character to arrive', 20);
  const [hips] = [await page.evaluate('sample.hero.pose.matrices[13]')];
  assert.ok(hips > top + 0.7 && hips < top + 1.1, `hips at ${hips} m, ground at ${top} m`);
  assert.notEqual(await page.evaluate('looked.outcome.status'), 'active');
  await picture('climbed');
});

test('the console is clean, and nothing is fetched from elsewhere', () => {
  // Pictures that a test takes make the renderer wait, and it says so.
  const expected = (line) => line.startsWith(`network: ${address}`) || line.includes('GPU stall due to ReadPixels');
  assert.deepEqual(page.console.filter((line) => !expected(line)), []);
});

test('a page from disk runs the engine from one script', async () => {
  const file = join(root, 'build-web/from_disk.html');
  writeFileSync(file, `<!doctype html><link rel="icon" href="data:,"><script src="${pathToFileURL(join(engineFolder, 'dist/shosa.script.js'))}"></script>
<script>shosa.load().then(() => { window.frames_ = shosa.Clip.make('walk_normal').frameCount; });</script>`);
  await page.goto(pathToFileURL(file).href);
  await page.waitFor('window.frames_ > 10', 'the engine to answer');
});
