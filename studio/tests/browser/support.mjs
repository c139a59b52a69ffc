// What the tests in the browser share: a plain static server, the page, and hands.
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Page } from '../../../tests/demo/chromium.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const shosa = process.env.SHOSA ?? join(root, 'build/shosa');
export const pictures = join(root, 'build-web/pictures');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/octet-stream' };

/// A test that only passes on a quick machine fails with SHOSA_LATE_FRAMES=300: the page's pictures come so many milliseconds late.
const lateFrames_ms = Number(process.env.SHOSA_LATE_FRAMES ?? 0);
const lateFrames = `{ const soon = requestAnimationFrame, asked = new Map(); let count = 0;
  window.requestAnimationFrame = (body) => { const id = ++count; asked.set(id, setTimeout(() => soon((now) => asked.delete(id) && body(now)), ${lateFrames_ms})); return id; };
  window.cancelAnimationFrame = (id) => { clearTimeout(asked.get(id)); asked.delete(id); }; }`;

/// Serves out/studio as any web host would; texts may be changed on their way.
export async function serveStatic(folder = join(root, 'out/studio'), changed = undefined) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    if (changed && extname(file) === '.html') return response.end(changed(file, readFileSync(file, 'utf8')));
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/// `shosa studio` on a folder; what it keeps of this user is beside it, not in his own folders.
export async function serveProject(folder, env = process.env, options = []) {
  const program = spawn(shosa, ['studio', folder, '--no-browser', ...options], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...env, XDG_STATE_HOME: `${folder}-state` } });
  const address = await new Promise((resolve) => createInterface({ input: program.stdout }).once('line', resolve));
  return { program, address, close: () => (program.kill('SIGCONT'), program.kill()) };
}

/// Keys by which Chromium itself does something: presses a button, goes to the next one.
const typed = { Enter: 13, Tab: 9, Space: 32, ArrowUp: 38, ArrowDown: 40 };

/// The studio in Chromium, with hands.
export class StudioPage {
  static async open(address, { width = 900, height = 560, scale = 1 } = {}) {
    const studio = new StudioPage();
    studio.address = address;
    /// For the test; what the page gives away comes to `got` in it. It goes with the page.
    studio.folder = mkdtempSync(join(tmpdir(), 'shosa-studio-'));
    studio.page = await Page.open({ width, height, scale });
    await studio.page.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: join(studio.folder, 'got') });
    if (lateFrames_ms > 0) await studio.page.send('Page.addScriptToEvaluateOnNewDocument', { source: lateFrames });
    await studio.load();
    return studio;
  }

  /// From a plain static server.
  static async alone(size = {}) {
    return StudioPage.on(await serveStatic(), size);
  }

  /// Behind `shosa studio`, on a folder with these files.
  static async behind(files, { env = process.env, ...size } = {}) {
    const project = mkdtempSync(join(tmpdir(), 'shosa-project-'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content);
    const studio = await StudioPage.on(await serveProject(project, env), size);
    return Object.assign(studio, { project });
  }

  static async on(server, size) {
    return Object.assign(await StudioPage.open(server.address, size), { server });
  }

  /// Another window of the same browser, which has the same storage; it goes with the first one.
  async secondWindow({ width = 900, height = 560 } = {}) {
    const { page } = this, other = Object.assign(new StudioPage(), { address: this.address, folder: this.folder });
    other.page = Object.create(page, { count: { get: () => page.count, set: (count) => void (page.count = count) }, session: { value: undefined, writable: true } });
    const { targetId } = await other.page.send('Target.createTarget', { url: 'about:blank', newWindow: true });
    const { sessionId } = await other.page.send('Target.attachToTarget', { targetId, flatten: true });
    other.page.session = sessionId;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await other.page.send(`${domain}.enable`);
    await other.page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    if (lateFrames_ms > 0) await other.page.send('Page.addScriptToEvaluateOnNewDocument', { source: lateFrames });
    await other.load();
    return other;
  }

  async load(address = this.address) {
    await this.page.goto(address);
    await this.waitFor('window.studio !== undefined', 'the studio to start', 60);
  }

  evaluate(expression) {
    return this.page.evaluate(expression);
  }

  waitFor(expression, what, seconds = 30) {
    return this.page.waitFor(expression, what, seconds);
  }

  /// What was asked for is done, the scene is computed, drawn, and everything is saved.
  async settled() {
    await this.waitFor(`(() => { const { scene, saving } = studio.app.state.value; return !studio.app.computing && studio.app.attempts === 0 && !scene.busy && scene.figures.length > 0 && scene.figures.every((figure) => !figure.live) && saving.kind !== 'saving' && !studio.app.project.saver.dirty; })()`, 'the scene to be there and saved');
    await this.drawn();
  }

  /// The picture shows what the state says: the camera stands where it will be when the mouse is pressed.
  async drawn() {
    await this.waitFor('studio.stage && !studio.stage.due || studio.app.state.value.transport.playing', 'the picture to be drawn');
  }

  /// The middle of the first element that has this text, or fits this selector: once it is there, stays where it is for two pictures, and is what a click there would meet.
  async placeOf(what, seconds = 30) {
    const look = `(async () => {
      const what = ${JSON.stringify(what)};
      const all = [...document.querySelectorAll('button, [role=option], label, a')];
      const found = what.startsWith('css:') ? document.querySelector(what.slice(4))
        : all.find((each) => each.textContent.trim() === what || each.getAttribute('aria-label') === what) ?? all.find((each) => each.textContent.trim().startsWith(what));
      if (!found) return { why: 'nothing on the page is called so' };
      found.scrollIntoView({ block: 'nearest' });
      const box = () => { const { left, top, width, height } = found.getBoundingClientRect(); return [left, top, width, height]; };
      const before = box();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const [left, top, width, height] = box(), place = [left + width / 2, top + height / 2];
      if (!found.isConnected || before.join() !== box().join()) return { why: 'it does not stay where it is' };
      if (found.disabled) return { why: 'it is disabled' };
      const met = document.elementFromPoint(...place);
      return found.contains(met) ? { place } : { why: 'it is under ' + (met?.outerHTML.slice(0, 80) ?? 'nothing') };
    })()`;
    const end = Date.now() + 1000 * seconds;
    for (;;) {
      const { place, why } = await this.evaluate(look);
      if (place) return place;
      if (Date.now() > end) throw new Error(`'${what}' cannot be clicked: ${why}`);
    }
  }

  mouse(type, [x, y], { button = 'left', buttons = 0, modifiers = 0, clickCount = 1 } = {}) {
    return this.page.send('Input.dispatchMouseEvent', { type, x, y, button, buttons, modifiers, clickCount });
  }

  async clickAt(place, { button = 'left', modifiers = 0 } = {}) {
    const buttons = button === 'left' ? 1 : 2;
    await this.mouse('mouseMoved', place, { button: 'none', modifiers });
    await this.mouse('mousePressed', place, { button, buttons, modifiers });
    await this.mouse('mouseReleased', place, { button, modifiers });
  }

  async click(what) {
    await this.clickAt(await this.placeOf(what));
  }

  /// From one place to another in steps, with the button down.
  async drag(from, to, { steps = 8, modifiers = 0, release = true } = {}) {
    await this.mouse('mouseMoved', from, { button: 'none', modifiers });
    await this.mouse('mousePressed', from, { buttons: 1, modifiers });
    for (let i = 1; i <= steps; ++i) await this.mouse('mouseMoved', [0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * i) / steps), { buttons: 1, modifiers });
    if (release) await this.mouse('mouseReleased', to, { modifiers });
  }

  /// `Ctrl+z`, `Space`, `?`, `Numpad1`.
  async press(name) {
    const parts = name === '+' ? ['+'] : name.split('+');
    const key = parts.pop();
    const bits = { Alt: 1, Ctrl: 2, Shift: 8 };
    const modifiers = parts.reduce((sum, part) => sum + bits[part], 0);
    const numpad = /^Numpad(\d|Add|Subtract)$/.exec(key);
    const event = numpad ? { key: { Add: '+', Subtract: '-' }[numpad[1]] ?? numpad[1], code: key } : { key: key === 'Space' ? ' ' : key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key };
    // What a text field does by itself (take in what was typed, choose all) it does by these.
    const text = key === 'Enter' ? { text: '\r' } : event.key.length === 1 && !(modifiers & 3) ? { text: event.key } : {};
    const code = key in typed ? { windowsVirtualKeyCode: typed[key] } : /^[a-z]$/.test(key) ? { windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) } : {};
    await this.page.send('Input.dispatchKeyEvent', { type: 'keyDown', modifiers, ...event, ...text, ...code });
    await this.page.send('Input.dispatchKeyEvent', { type: 'keyUp', modifiers, ...event });
  }

  type(text) {
    return this.page.send('Input.insertText', { text });
  }

  // ---- Asked of the engine's answers ----

  /// World places of joints by role, of what is on the stage.
  joint(role) {
    return this.evaluate(`(() => { const f = studio.app.state.value.scene.figures[0]; const j = f.motion.track.joints.findIndex((each) => each.role === '${role}'); return [...studio.stage.matricesOf(f).slice(16 * j + 12, 16 * j + 15)]; })()`);
  }

  async onScreen(place) {
    await this.drawn();
    return this.evaluate(`studio.stage.onScreen(${JSON.stringify(place)})`);
  }

  /// The whole posture, to the bit.
  posture() {
    return this.evaluate(`(() => { const f = studio.app.state.value.scene.figures[0]; return [...studio.stage.matricesOf(f)].join(' '); })()`);
  }

  /// How far a place is from the ray under a pixel, metres.
  async fromRay([x, y], place) {
    return this.evaluate(`(() => { const ray = studio.stage.ray(${x}, ${y}); const o = ray.origin, d = ray.direction; const p = ${JSON.stringify(place)};
      const v = [p[0] - o.x, p[1] - o.y, p[2] - o.z]; const t = v[0] * d.x + v[1] * d.y + v[2] * d.z;
      return Math.hypot(v[0] - t * d.x, v[1] - t * d.y, v[2] - t * d.z); })()`);
  }

  /// Waits for a file that the page gives away; its path.
  async given(name, seconds = 120) {
    const path = join(this.folder, 'got', name);
    for (let i = 0; i < 20 * seconds; ++i) {
      if (existsSync(path) && statSync(path).size > 0) return path;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${name} was not given; the page says ${JSON.stringify(await this.evaluate('studio.app.state.value.messages'))}`);
  }

  /// By the second door: the walk that ships, as the project's first file.
  async addWalk() {
    await this.click('Try the motions that ship');
    await this.settled();
    await this.addShown('walk_normal.bvh');
  }

  async addShown(name) {
    await this.click('Add to the project');
    await this.waitFor(`studio.app.files.has('${name}')`, name);
    await this.settled();
  }

  /// A BVH repeated until it is so many megabytes long.
  writeLong(name, bvh, megabytes) {
    const [head, lines] = Buffer.from(bvh).toString().split(/(?<=Frame Time:[^\n]*\n)/);
    const repeats = Math.ceil((megabytes * 1e6) / lines.length), frames = repeats * Number(/Frames:\s*(\d+)/.exec(head)[1]);
    const path = join(this.folder, name);
    writeFileSync(path, head.replace(/Frames:\s*\d+/, `Frames: ${frames}`) + lines.repeat(repeats));
    return { path, frames, repeats };
  }

  async drop(files) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await this.page.send('Input.dispatchDragEvent', { type, x: 400, y: 200, data });
  }

  async picture(name) {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `${name}.png`), await this.page.screenshot());
  }

  /// A picture for docs/images, which is copied there by hand when it has changed: small, and light.
  async docsPicture(name) {
    const { data } = await this.page.send('Page.captureScreenshot', { format: 'jpeg', quality: 82 });
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `${name}.jpg`), Buffer.from(data, 'base64'));
  }

  /// What the console said that nobody expects.
  complaints() {
    const expected = (line) => line.startsWith(`network: ${new URL(this.address).origin}/`) || line.startsWith('network: blob:') || line.includes('GPU stall due to ReadPixels');
    return this.page.console.filter((line) => !expected(line));
  }

  async close() {
    await this.page.close();
    this.server?.close();
    for (const folder of [this.folder, this.project, this.project && `${this.project}-state`]) if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

export const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));
export const readText = (path) => readFileSync(path, 'utf8');
