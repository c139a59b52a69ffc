// Everything that a motion can leave the studio as, each read back: by the command line, by its header, by the browser's own player.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { pictures, root, serveStatic, StudioPage } from './support.mjs';

const shosa = process.env.SHOSA ?? join(root, 'build/shosa');
const hasTool = (name) => (process.env.PATH ?? '').split(':').some((each) => existsSync(join(each, name)));
let server, studio, folder, got;

before(async () => {
  server = await serveStatic();
  folder = mkdtempSync(join(tmpdir(), 'shosa-studio-'));
  got = join(folder, 'got');
  studio = await StudioPage.open(server.address);
  await studio.page.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: got });
  await engine.load();
  await studio.click('Try the motions that ship');
  await studio.settled();
  await studio.click('Add to the project');
  await studio.waitFor(`studio.app.files.has('walk_normal.bvh')`, 'the file');
  await studio.settled();
});
after(async () => {
  await studio?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name, page = studio) => page.given(join(got, name));

async function inDialog(what, page = studio) {
  if (!(await page.evaluate(`document.querySelector('dialog[open]') !== null`))) await page.press('Ctrl+e');
  await page.waitFor(`document.querySelector('dialog[open]')`, 'the dialog');
  const place = await page.evaluate(`(() => { const found = [...document.querySelectorAll('dialog button, dialog label')].find((each) => each.textContent.trim().startsWith(${JSON.stringify(what)})); found.scrollIntoView(); const { left, top, width, height } = found.getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()`);
  await page.clickAt(place);
}

test('BVH, GLB and CSV are read by the command line', async () => {
  const frames = engine.Clip.make('walk_normal').frameCount;
  for (const kind of ['BVH', 'GLB', 'CSV']) await inDialog(kind);
  for (const kind of ['bvh', 'glb']) assert.equal(JSON.parse(execFileSync(shosa, ['info', await file(`walk_normal.${kind}`), '--json'])).frames, frames);
  const lines = readFileSync(await file('walk_normal.csv'), 'utf8').trim().split('\n');
  assert.equal(lines.length, frames + 1);
});

test('several clips are one GLB, bodies that differ on the body of the first', async () => {
  await studio.press('Escape');
  await studio.click('kick');
  await studio.settled();
  await studio.click('Add to the project');
  await studio.waitFor(`studio.app.files.has('kick.bvh')`, 'the second clip');
  await studio.settled();
  await inDialog('kick.bvh');
  await inDialog('walk_normal.bvh');
  await inDialog('GLB of 2 clips');
  const info = JSON.parse(execFileSync(shosa, ['info', await file('clips.glb'), '--json']));
  assert.deepEqual(info.clips.map(({ name }) => name), ['kick', 'walk_normal']);
  assert.equal(info.frames, engine.Clip.make('kick').frameCount);
});

test('a strip is a PNG in which the body moves', async () => {
  await inDialog('PNG');
  const path = await file('kick_strip.png');
  const bytes = readFileSync(path);
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [9 * 240, 400]);
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'studio-strip.png'), bytes);
  // Panels differ from each other: the postures are of different times.
  const panels = await studio.evaluate(`(async () => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))]));
    const context = Object.assign(document.createElement('canvas'), { width: 2160, height: 400 }).getContext('2d', { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    return Array.from({ length: 9 }, (_, i) => context.getImageData(240 * i, 0, 240, 370).data.reduce((sum, value, k) => (sum * 31 + value * (k % 97)) % 1000000007, 7));
  })()`);
  assert.equal(new Set(panels).size, 9);
  assert.equal(await studio.evaluate('studio.app.state.value.view.follow'), false, 'the stage is as it was');
});

test('a WebM film has every frame, and plays', async () => {
  await studio.evaluate(`(() => { const [size, rate] = document.querySelectorAll('dialog select'); for (const [each, value] of [[size, '0'], [rate, '24']]) { each.value = value; each.dispatchEvent(new Event('change', { bubbles: true })); } })()`);
  await inDialog('WebM');
  const bytes = readFileSync(await file('kick.webm'));
  assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3);
  const length_s = engine.Clip.make('kick').duration_s;
  const seen = await studio.evaluate(`(async () => {
    const video = Object.assign(document.createElement('video'), { muted: true, src: URL.createObjectURL(new Blob([Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))], { type: 'video/webm' })) });
    await new Promise((resolve, reject) => { video.onloadeddata = resolve; video.onerror = () => reject(new Error(video.error.message)); });
    const looks = [];
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      await new Promise((resolve) => { video.onseeked = resolve; video.currentTime = share * video.duration; });
      const context = Object.assign(document.createElement('canvas'), { width: 64, height: 36 }).getContext('2d', { willReadFrequently: true });
      context.drawImage(video, 0, 0, 64, 36);
      looks.push([...context.getImageData(0, 0, 64, 36).data].reduce((sum, value, k) => (sum * 31 + value * (k % 97)) % 1000000007, 7));
    }
    return { duration: video.duration, width: video.videoWidth, height: video.videoHeight, looks };
  })()`);
  assert.deepEqual([seen.width, seen.height], [640, 360]);
  assert.ok(Math.abs(seen.duration - Math.round(length_s * 24) / 24) < 1e-3, `${seen.duration} and ${length_s}`);
  // A kick ends as it began: not every two moments differ.
  assert.ok(new Set(seen.looks).size >= 3, 'the picture changes');
  const blocks = [...bytes.toString('latin1').matchAll(/\xa3\x01[\0-\xff]{7}\x81/g)].length;
  assert.equal(blocks, Math.round(length_s * 24));
  if (hasTool('ffprobe')) assert.equal(Number(execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', join(got, 'kick.webm')])), blocks);
});

test('from a static page the menu says who makes MP4', async () => {
  assert.match(await studio.evaluate(`document.querySelector('dialog').textContent`), /MP4 is made by shosa studio with ffmpeg/);
  assert.ok(await studio.evaluate(`[...document.querySelectorAll('dialog button')].find((each) => each.textContent === 'MP4').disabled`));
  await studio.press('Escape');
});

/// The studio behind the program, whose PATH has an ffmpeg or not.
async function behindProgram(path, body) {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'idle.bvh'), engine.Clip.make('idle').cut(0, 0.5).write('bvh'));
  const program = spawn(shosa, ['studio', project, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PATH: path } });
  const address = await new Promise((resolve) => createInterface({ input: program.stdout }).once('line', resolve));
  const page = await StudioPage.open(address);
  try {
    await page.page.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: got });
    await page.click('Open the project');
    await page.click('idle.bvh');
    await page.settled();
    await body(page, address);
    assert.deepEqual(page.complaints(), []);
  } finally {
    await page.close();
    program.kill();
  }
}

test('without ffmpeg the menu says what to do', async () => {
  await behindProgram(join(folder, 'nothing'), async (page) => {
    await page.press('Ctrl+e');
    await page.waitFor(`document.querySelector('dialog[open]')?.textContent.includes('needs the program ffmpeg')`, 'the hint');
  });
});

test('MP4 is what ffmpeg makes of the film, behind the token', async () => {
  // Where there is no ffmpeg, a program in its place shows that it is called with the film and its answer comes back.
  let path = process.env.PATH;
  if (!hasTool('ffmpeg')) {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/ffmpeg'), '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -i ] && in=$2; shift; done\n{ printf "\\0\\0\\0\\040ftypisom"; /bin/cat "$in"; } > "$1"\n');
    chmodSync(join(folder, 'bin/ffmpeg'), 0o755);
    path = join(folder, 'bin');
  }
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('shosa-film-'));
  await behindProgram(path, async (page, address) => {
    await inDialog('MP4', page);
    const bytes = readFileSync(await file('idle.mp4', page));
    assert.equal(bytes.subarray(4, 8).toString(), 'ftyp');
    if (hasTool('ffprobe')) assert.match(String(execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', join(got, 'idle.mp4')])), /h264/);
    const { origin, searchParams } = new URL(address);
    const ask = (token, body) => fetch(`${origin}/api/mp4`, { method: 'POST', body, headers: { 'X-Shosa-Token': token } }).then(({ status }) => status);
    assert.equal(await ask('wrong', 'x'), 401);
    assert.equal(await ask(searchParams.get('token'), 'no film'), 422);
  });
  assert.deepEqual(readdirSync(tmpdir()).filter((name) => name.startsWith('shosa-film-')), before, 'nothing is left behind');
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
