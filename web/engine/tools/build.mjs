// Builds the package into dist/ from the sources and the compiled module.
//   node tools/build.mjs MODULE.wasm INCLUDE_DIR
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [module, include] = process.argv.slice(2);
if (!include) {
  console.error('usage: node build.mjs MODULE.wasm INCLUDE_DIR');
  process.exit(2);
}
const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(folder, 'dist');
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
run(process.execPath, 'tools/make_abi.mjs', include, 'src/abi.ts');
run(join(folder, 'node_modules/.bin/tsc'), '-p', '.');

copyFileSync(module, join(dist, 'shosa.wasm'));
const bytes = readFileSync(join(dist, 'shosa.wasm'));
writeFileSync(join(dist, 'module_text.js'), `export const moduleText = '${bytes.toString('base64')}';\n`);
// One classic script for pages that are opened from disk, where browsers load no modules.
run(join(folder, 'node_modules/.bin/esbuild'), 'dist/inline.js', '--bundle', '--format=iife', '--global-name=shosa', '--external:node:*', '--define:import.meta.url=document.baseURI', '--log-level=warning', '--outfile=dist/shosa.script.js');
copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'));
