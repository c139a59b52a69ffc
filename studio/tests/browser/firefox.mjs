// Debian's Firefox on a screen in memory (Xvfb: without one it has no WebGL), driven by its own protocol (Marionette: JSON with its length before it, over TCP).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const firefoxPath = [process.env.SHOSA_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));
const screenPath = ['/usr/bin/Xvfb'].find((path) => existsSync(path));
/// What is not installed, in words; undefined where all is there.
export const missing = [!firefoxPath && 'firefox-esr', !screenPath && 'xvfb'].filter(Boolean).join(' and ') || undefined;

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class Firefox {
  static async open({ width = 900, height = 560 } = {}) {
    const browser = new Firefox();
    const port = await freePort();
    browser.folder = mkdtempSync(join(tmpdir(), 'shosa-firefox-'));
    // Pictures are drawn without a graphics card.
    const settings = { 'marionette.port': port, 'webgl.force-enabled': true, 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false, 'app.update.enabled': false, 'toolkit.telemetry.enabled': false };
    writeFileSync(join(browser.folder, 'user.js'), Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`).join('\n'));
    browser.screen = spawn(screenPath, ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const number = await new Promise((resolve) => browser.screen.stdio[3].once('data', (data) => resolve(String(data).trim())));
    browser.process = spawn(firefoxPath, ['--marionette', '--no-remote', '--profile', browser.folder, '--width', String(width), '--height', String(height)], { stdio: 'ignore', env: { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: '1', HOME: browser.folder } });
    browser.gone = new Promise((resolve) => browser.process.on('exit', resolve));
    browser.socket = await browser.connected(port);
    browser.waiting = new Map();
    browser.count = 0;
    let left = Buffer.alloc(0);
    browser.socket.on('data', (data) => {
      left = Buffer.concat([left, data]);
      for (;;) {
        const colon = left.indexOf(':');
        const length = colon < 0 ? Infinity : Number(left.subarray(0, colon));
        if (left.length < colon + 1 + length) return;
        browser.receive(JSON.parse(left.subarray(colon + 1, colon + 1 + length)));
        left = left.subarray(colon + 1 + length);
      }
    });
    await browser.send('WebDriver:NewSession', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    await browser.send('WebDriver:SetTimeouts', { script: 60000, pageLoad: 60000 });
    return browser;
  }

  async connected(port) {
    for (let i = 0; i < 600; ++i) {
      const socket = await new Promise((resolve) => {
        const made = connect(port, '127.0.0.1', () => resolve(made)).on('error', () => resolve(undefined));
      });
      if (socket) return socket;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('Firefox does not answer');
  }

  receive(message) {
    if (!Array.isArray(message)) return;
    const [, id, error, result] = message, { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(`${error.error}: ${error.message}`));
    else resolve(result);
  }

  send(command, parameters = {}) {
    const id = ++this.count, text = JSON.stringify([0, id, command, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  goto(url) {
    return this.send('WebDriver:Navigate', { url });
  }

  /// The value of an expression; promises are waited for.
  async evaluate(expression) {
    const script = `const done = arguments[arguments.length - 1]; Promise.resolve().then(() => window.eval(${JSON.stringify(expression)})).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value } = await this.send('WebDriver:ExecuteAsyncScript', { script, args: [], newSandbox: false, sandbox: null });
    if (value.error) throw new Error(value.error);
    return value.value;
  }

  async waitFor(expression, what, seconds = 60) {
    for (let i = 0; i < 10 * seconds; ++i) {
      if (await this.evaluate(`!!(${expression})`)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`waited ${seconds} s for ${what}`);
  }

  /// The mouse: [x, y] with the button going down after the first place and up after the last.
  drag(places) {
    const move = ([x, y]) => ({ type: 'pointerMove', duration: 30, x: Math.round(x), y: Math.round(y), origin: 'viewport' });
    const actions = [move(places[0]), { type: 'pointerDown', button: 0 }, ...places.slice(1).map(move), { type: 'pointerUp', button: 0 }];
    return this.send('WebDriver:PerformActions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
  }

  async screenshot() {
    return Buffer.from((await this.send('WebDriver:TakeScreenshot', { full: false })).value, 'base64');
  }

  async close() {
    await Promise.race([this.send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 3000))]);
    this.socket.destroy();
    this.process.kill('SIGKILL');
    await this.gone;
    this.screen.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
