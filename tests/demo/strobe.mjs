// A picture of one clip of a page with many of its postures in one place, as under a strobe light: the picture of README.md.
//   node strobe.mjs PAGE.html OUT.png FIGURE PLACE WIDTH HEIGHT AZIMUTH_DEG ELEVATION_DEG DISTANCE_M TIME_S...
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Page } from './chromium.mjs';

const [file, out, figure, place, width, height, azimuth, elevation, distance, ...times] = process.argv.slice(2);
if (!times.length) {
  console.error('usage: node strobe.mjs PAGE.html OUT.png FIGURE PLACE WIDTH HEIGHT AZIMUTH_DEG ELEVATION_DEG DISTANCE_M TIME_S...');
  process.exit(2);
}
const page = await Page.open({ width: 700, height: 500 });
try {
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitFor('window.shosa && shosa.ready', 'the page to be ready');
  const picture = await page.evaluate(`(() => {
    const { player } = shosa, { stage } = player;
    shosa.load(${JSON.stringify(figure)}, ${Number(place)}, 'single');
    const clip = player.lead.clip, box = new THREE.Box3();
    stage.bodies.remove(player.lead.root);
    for (const time_s of ${JSON.stringify(times.map(Number))}) {
      const body = new Shosa.Body(clip, { body: '#dfe3e8', joint: '#4b78d8', foot: '#8f9aa8' });
      body.pose(time_s);
      box.expandByPoint(body.middle());
      stage.bodies.add(body.root);
    }
    stage.renderer.setPixelRatio(2);
    stage.resize(${Number(width)}, ${Number(height)});
    const rad = Math.PI / 180, target = box.getCenter(new THREE.Vector3());
    target.y = stage.ground + 0.8;
    Object.assign(stage.orbit, { azimuth: ${Number(azimuth)} * rad, elevation: ${Number(elevation)} * rad, distance: ${Number(distance)}, target });
    stage.render();
    const small = document.createElement('canvas');
    small.width = ${Number(width)};
    small.height = ${Number(height)};
    small.getContext('2d').drawImage(stage.renderer.domElement, 0, 0, small.width, small.height);
    return small.toDataURL(${JSON.stringify(out.endsWith('.png') ? 'image/png' : 'image/jpeg')}, 0.84);
  })()`);
  writeFileSync(out, Buffer.from(picture.split(',')[1], 'base64'));
} finally {
  await page.close();
}
