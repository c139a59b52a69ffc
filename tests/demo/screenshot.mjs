// A picture of a page as Chromium shows it, to look at.
//   node screenshot.mjs PAGE.html OUT.png [WIDTH HEIGHT [EXPRESSION]]     EXPRESSION runs in the page before, e.g. shosa.seek(1.2)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Page } from './chromium.mjs';

const [file, out, width = '1440', height = '900', expression] = process.argv.slice(2);
if (!out) {
  console.error('usage: node screenshot.mjs PAGE.html OUT.png [WIDTH HEIGHT [EXPRESSION]]');
  process.exit(2);
}
const page = await Page.open({ width: Number(width), height: Number(height), mobile: Number(width) < 640 });
try {
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitFor('!window.shosa || (window.shosa.ready && window.shosa.drawn > 0)', 'the page to draw');
  if (expression) await page.evaluate(expression);
  await page.evaluate('new Promise((done) => setTimeout(done, 1200))');
  writeFileSync(out, await page.screenshot());
  for (const line of page.console) console.error(line);
} finally {
  await page.close();
}
