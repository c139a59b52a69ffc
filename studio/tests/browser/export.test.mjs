// Everything that a motion can leave the studio as, each read back: by the command line, by its header, by the browser's own player.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as engine from '../../../web/engine/dist/index.js';
import { pictures, shosa, StudioPage } from './support.mjs';

const hasTool = (name) => (process.env.PATH ?? '').split(':').some((each) => existsSync(join(each, name)));
let studio;

before(async () => {
  studio = await StudioPage.alone();
  await engine.load();
  await studio.addWalk();
});
after(() => studio?.close());

async function inDialog(what, page = studio) {
  if (!(await page.evaluate(`document.querySelector('dialog[open]') !== null`))) await page.press('Ctrl+e');
  await page.waitFor(`document.querySelector('dialog[open]')`, 'the dialog');
  const place = await page.evaluate(`(() => { const found = [...document.querySelectorAll('dialog button, dialog label')].find((each) => each.textContent.trim().startsWith(${JSON.stringify(what)})); found.scrollIntoView(); const { left, top, width, height } = found.getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()`);
  await page.clickAt(place);
}

test('BVH, GLB and CSV are read by the command line', async () => {
  const frames = engine.Clip.make('walk_normal').frameCount;
  for (const kind of ['BVH', 'GLB', 'CSV']) await inDialog(kind);
  for (const kind of ['bvh', 'glb']) assert.equal(JSON.parse(execFileSync(shosa, ['info', await studio.given(`walk_normal.${kind}`), '--json'])).frames, frames);
  const lines = readFileSync(await studio.given('walk_normal.csv'), 'utf8').trim().split('\n');
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
  const info = JSON.parse(execFileSync(shosa, ['info', await studio.given('clips.glb'), '--json']));
  assert.deepEqual(info.clips.map(({ name }) => name), ['kick', 'walk_normal']);
  assert.equal(info.frames, engine.Clip.make('kick').frameCount);
});

test('a strip is a PNG in which the body moves', async () => {
  await studio.evaluate('studio.app.setView({ follow: false })');
  await inDialog('PNG');
  const path = await studio.given('kick_strip.png');
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
  const bytes = readFileSync(await studio.given('kick.webm'));
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
  if (hasTool('ffprobe')) assert.equal(Number(execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', await studio.given('kick.webm')])), blocks);
});

test('from a static page the menu says who makes MP4', async () => {
  assert.match(await studio.evaluate(`document.querySelector('dialog').textContent`), /MP4 is made by shosa studio with ffmpeg/);
  assert.ok(await studio.evaluate(`[...document.querySelectorAll('dialog button')].find((each) => each.textContent === 'MP4').disabled`));
  await studio.press('Escape');
});

/// The studio behind the program, whose PATH has an ffmpeg or not.
async function behindProgram(path, body) {
  const page = await StudioPage.behind({ 'idle.bvh': engine.Clip.make('idle').cut(0, 0.5).write('bvh') }, { env: { ...process.env, PATH: path } });
  try {
    await page.click('Open the project');
    await page.click('idle.bvh');
    await page.settled();
    await body(page);
    assert.deepEqual(page.complaints(), []);
  } finally {
    await page.close();
  }
}

test('without ffmpeg the menu says what to do', async () => {
  await behindProgram(join(studio.folder, 'nothing'), async (page) => {
    await page.press('Ctrl+e');
    await page.waitFor(`document.querySelector('dialog[open]')?.textContent.includes('needs the program ffmpeg')`, 'the hint');
  });
});

test('MP4 is the film as ffmpeg writes it, behind the token', { skip: hasTool('ffmpeg') && hasTool('ffprobe') ? false : 'ffmpeg is not installed: tools/setup test installs it' }, async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('shosa-film-'));
  await behindProgram(process.env.PATH, async (page) => {
    await inDialog('MP4', page);
    const path = await page.given('idle.mp4');
    const probe = JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=codec_name,pix_fmt,nb_read_frames,r_frame_rate:format=duration', '-of', 'json', path]));
    const [{ codec_name, pix_fmt, nb_read_frames, r_frame_rate }] = probe.streams, [rate] = r_frame_rate.split('/').map(Number);
    assert.deepEqual([codec_name, pix_fmt], ['h264', 'yuv420p'], 'what every player reads');
    assert.equal(Number(nb_read_frames), Math.round(engine.Clip.make('idle').cut(0, 0.5).duration_s * rate));
    assert.ok(Math.abs(Number(probe.format.duration) - nb_read_frames / rate) < 0.02);
    // The body is in the film: its first picture has more than the two colours of ground and sky.
    const picture = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-frames:v', '1', '-vf', 'scale=64:36', '-f', 'rawvideo', '-pix_fmt', 'gray', '-']);
    assert.ok(new Set(picture).size > 20, `${new Set(picture).size} greys`);
    const { origin, searchParams } = new URL(page.address);
    const ask = (token, body) => fetch(`${origin}/api/mp4`, { method: 'POST', body, headers: { 'X-Shosa-Token': token } }).then(({ status }) => status);
    assert.equal(await ask('wrong', 'x'), 401);
    assert.equal(await ask(searchParams.get('token'), 'no film'), 422);
  });
  assert.deepEqual(readdirSync(tmpdir()).filter((name) => name.startsWith('shosa-film-')), before, 'nothing is left behind');
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
