// Chromium without a window, driven over its own pipe (Chrome DevTools Protocol): no packages needed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const kFlags = ['--headless', '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--disable-extensions', '--mute-audio', '--hide-scrollbars', '--remote-debugging-pipe'];

export function findChromium() {
  const given = process.env.SHOSA_CHROMIUM;
  const found = [given, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
  if (!found) throw new Error('chromium not found; tools/setup test installs it, SHOSA_CHROMIUM names another place');
  return found;
}

export class Page {
  static async open({ width = 960, height = 720, scale = 1, mobile = false } = {}) {
    const page = new Page();
    page.folder = mkdtempSync(join(tmpdir(), 'shosa-browser-'));
    page.process = spawn(findChromium(), [...kFlags, `--user-data-dir=${page.folder}`, `--window-size=${width},${height}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });
    page.process.stdio[3].on('error', () => {});
    page.gone = new Promise((resolve) => page.process.on('exit', resolve));
    page.waiting = new Map();
    page.handlers = [];
    page.console = [];
    page.count = 0;
    page.left = '';
    page.process.stdio[4].on('data', (data) => page.receive(String(data)));
    const { targetInfos } = await page.send('Target.getTargets');
    const target = targetInfos.find((info) => info.type === 'page');
    page.session = (await page.send('Target.attachToTarget', { targetId: target.targetId, flatten: true })).sessionId;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(domain + '.enable');
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile });
    return page;
  }

  receive(text) {
    const parts = (this.left + text).split('\0');
    this.left = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.id) {
        const { resolve, reject } = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
        continue;
      }
      const p = message.params;
      if (message.method === 'Runtime.consoleAPICalled') this.console.push(`${p.type}: ${p.args.map((a) => a.value ?? a.description).join(' ')}`);
      if (message.method === 'Runtime.exceptionThrown') this.console.push(`exception: ${p.exceptionDetails.exception?.description ?? p.exceptionDetails.text}`);
      if (message.method === 'Log.entryAdded') this.console.push(`${p.entry.level}: ${p.entry.text}`);
      if (message.method === 'Network.requestWillBeSent' && !/^(data|file|blob|about):/.test(p.request.url)) this.console.push(`network: ${p.request.url}`);
      for (const handler of this.handlers) handler(message);
    }
  }

  send(method, params = {}) {
    const id = ++this.count;
    const message = { id, method, params };
    if (this.session) message.sessionId = this.session;
    this.process.stdio[3].write(JSON.stringify(message) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async goto(url) {
    const loaded = new Promise((resolve) => this.handlers.push((message) => message.method === 'Page.loadEventFired' && resolve()));
    await this.send('Page.navigate', { url });
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error(`${url} was not loaded within 120 s`)), 120_000).unref());
    await Promise.race([loaded, late]);
  }

  /// The value of an expression, which may be a promise.
  async evaluate(expression) {
    const answer = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  async waitFor(expression, what, seconds = 20) {
    const end = Date.now() + 1000 * seconds;
    while (!(await this.evaluate(expression))) {
      if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async key(key, code = key) {
    const text = key.length === 1 ? { text: key } : {};
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
  }

  async drag(from, to) {
    const mouse = (type, x, y, buttons) => this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons, clickCount: 1 });
    await mouse('mouseMoved', from[0], from[1], 0);
    await mouse('mousePressed', from[0], from[1], 1);
    for (let i = 1; i <= 4; ++i) await mouse('mouseMoved', from[0] + (to[0] - from[0]) * i / 4, from[1] + (to[1] - from[1]) * i / 4, 1);
    await mouse('mouseReleased', to[0], to[1], 0);
  }

  async screenshot() {
    return Buffer.from((await this.send('Page.captureScreenshot', { format: 'png' })).data, 'base64');
  }

  async close() {
    const late = new Promise((resolve) => setTimeout(resolve, 5000));
    this.session = undefined;
    this.send('Browser.close').catch(() => {});
    await Promise.race([this.gone, late]);
    // Helpers of the browser may outlive it for a moment; they are in its group.
    try {
      process.kill(-this.process.pid, 'SIGKILL');
    } catch {
      // All gone already.
    }
    for (let attempt = 0; attempt < 30; ++attempt) {
      try {
        rmSync(this.folder, { recursive: true, force: true });
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    console.error(`left behind: ${this.folder}`);
  }
}
