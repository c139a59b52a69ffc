// Every work space in both themes: nothing that axe-core objects to, all keys on the sheet, all commands found; and the pictures of docs/studio.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, StudioPage } from './support.mjs';

const axe = readFileSync(join(root, 'studio/node_modules/axe-core/axe.min.js'), 'utf8');
let studio;

before(async () => {
  studio = await StudioPage.alone({ width: 1200, height: 750 });
});
after(() => studio?.close());

async function objections() {
  await studio.evaluate(`${axe}; undefined`);
  return studio.evaluate(`axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}

async function bothThemes(name) {
  for (const theme of ['dark', 'light']) {
    if ((await studio.evaluate('document.documentElement.dataset.theme')) !== theme) await studio.click('Dark or light');
    await studio.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    assert.deepEqual(await objections(), [], `${name}, ${theme}`);
    await studio.picture(`studio-${name}-${theme}`);
    if (theme === 'light') await studio.docsPicture(`studio_${name}`);
  }
}

test('start page', () => bothThemes('start'));

test('library', async () => {
  await studio.click('Try the motions that ship');
  await studio.settled();
  await studio.click('Add to the project');
  await studio.waitFor('studio.app.files.size === 1', 'the file');
  await studio.settled();
  await studio.click('Fix');
  await studio.waitFor('studio.app.state.value.trial', 'the fixed motion');
  await studio.evaluate('studio.app.transport((t) => ({ ...t, time_s: 0.45 }))');
  await studio.settled();
  await bothThemes('library');
});

test('pose', async () => {
  await studio.click('Discard');
  await studio.click('Pose this moment');
  await studio.settled();
  for (const foot of ['left_foot', 'right_foot']) {
    await studio.clickAt(await studio.onScreen(await studio.joint(foot)), { button: 'right' });
    await studio.settled();
  }
  const hand = (await studio.onScreen(await studio.joint('left_hand'))).map(Math.round);
  await studio.drag(hand, [hand[0] + 70, hand[1] - 120]);
  await studio.waitFor(`studio.app.state.value.history.past.at(-1).label === 'Drag left_hand'`, 'the drag');
  await studio.settled();
  const { max_drag_error_m, max_pin_error_m } = await studio.evaluate('studio.app.shown.report');
  assert.ok(max_drag_error_m < 1e-3 && max_pin_error_m < 1e-3, `${max_drag_error_m} ${max_pin_error_m}`);
  await bothThemes('pose');
});

test('compose', async () => {
  await studio.press('Alt+3');
  await studio.waitFor(`studio.app.state.value.space === 'compose' && document.querySelector('[data-source="motions:kick"]')`, 'the work space');
  assert.deepEqual(await objections(), []);
  for (const [i, source] of ['walk_normal.bvh', 'motions:kick'].entries()) {
    await studio.click(`css:[data-source="${source}"]`);
    await studio.waitFor(`studio.app.shown?.report.motions?.length === ${i + 1}`, source, 60);
  }
  const row = await studio.placeOf('css:[data-layers]');
  await studio.drag(await studio.placeOf('css:[data-source="motions:wave"]'), [row[0] - 300, row[1]], { steps: 12 });
  await studio.waitFor(`document.querySelector('[data-layer]')`, 'the layer');
  await studio.press('Shift+B');
  await studio.waitFor('studio.app.state.value.scene.figures.length === 2', 'the other technique', 60);
  await studio.settled();
  await studio.evaluate('studio.app.transport((t) => ({ ...t, time_s: 4.1 })), studio.stage.frameFigure()');
  await bothThemes('compose');
});

test('the sheet of keys and the palette', async () => {
  await studio.press('?');
  await studio.waitFor(`document.querySelector('dialog[open]')?.textContent.includes('Numpad')`, 'the sheet');
  assert.deepEqual(await objections(), []);
  // Of every work space, wherever it is asked for.
  for (const what of ['Pin the joint', 'Key the whole posture', 'Undo']) assert.ok(await studio.evaluate(`document.querySelector('dialog .sheet').textContent.includes('${what}')`), what);
  // The next key comes at once, before the browser has told of the dialog that closes.
  await studio.evaluate(`(async () => {
    const press = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }));
    press(document.querySelector('dialog'), 'Escape');
    for (let i = 0; i < 100 && document.querySelector('dialog'); ++i) await Promise.resolve();
    press(document.body, 'F3');
    await new Promise((done) => setTimeout(done, 100));
  })()`);
  await studio.waitFor(`document.activeElement?.classList.contains('palette-input')`, 'the palette');
  await studio.type('library space');
  assert.deepEqual(await objections(), []);
  await studio.press('Enter');
  await studio.waitFor(`studio.app.state.value.space === 'library' && !document.querySelector('dialog[open]')`, 'the command to be carried out');
});

test('every button can be reached by Tab, and views by their keys', async () => {
  const reached = await studio.evaluate(`[...document.querySelectorAll('button:not(:disabled), input, select, canvas')].every((each) => each.tabIndex >= 0 || each.getAttribute('aria-hidden'))`);
  assert.ok(reached);
  const before = await studio.evaluate('studio.stage.orbit.camera.position.toArray()');
  await studio.evaluate('document.activeElement?.blur()');
  await studio.press('Numpad7');
  const [x, y, z] = await studio.evaluate('studio.stage.orbit.camera.position.clone().sub(studio.stage.orbit.target).toArray()');
  assert.ok(y > 100 * Math.hypot(x, z), 'from above');
  assert.notDeepEqual(before, [x, y, z]);
});

test('in a narrow window the stage is as wide as the window, with the panels under it', async () => {
  const size = (width, height) => studio.page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  for (const width of [640, 380]) {
    await size(width, 760);
    for (const space of ['Library', 'Pose', 'Compose']) {
      await studio.click(space);
      await studio.settled();
      const stage = await studio.evaluate(`(() => { const { width, height } = document.querySelector('canvas').getBoundingClientRect(); return [width, height]; })()`);
      assert.ok(stage[0] === width && stage[1] >= 180, `${space}, ${width} pixels wide: the stage has ${stage}`);
      for (const button of ['Undo', 'Play', 'Frame', 'Dark or light']) await studio.placeOf(button, 2);
      assert.deepEqual(await objections(), [], `${space}, ${width} pixels wide`);
    }
  }
  await size(1200, 750);
});

test('the console is clean', () => {
  assert.deepEqual(studio.complaints(), []);
});
