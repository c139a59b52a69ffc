// The package as its users have it: packed, installed into an empty project, its README's example run, its types taken by a strict compiler.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { engineFolder, root } from './support.mjs';

let project;
const run = (program, args, options = {}) => execFileSync(program, args, { cwd: project, encoding: 'utf8', ...options });

before(() => {
  project = mkdtempSync(join(tmpdir(), 'shosa-project-'));
  run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: engineFolder });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // Without the registry: the package needs nothing but itself.
  run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', './shosa-0.1.0.tgz']);
});
after(() => rmSync(project, { recursive: true, force: true }));

function blocks(language, page = join(engineFolder, 'README.md')) {
  return [...readFileSync(page, 'utf8').matchAll(new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g'))].map(([, code]) => code);
}

test('the README\'s examples run in Node.js', () => {
  const examples = blocks('js');
  assert.ok(examples.length > 0);
  examples.forEach((code, i) => {
    writeFileSync(join(project, `example_${i}.js`), code);
    const output = run(process.execPath, [`example_${i}.js`]);
    assert.ok(output.length > 0, `example ${i} says nothing`);
  });
});

test('the page\'s example of a worker runs in Node.js', () => {
  const [code] = blocks('js', join(root, 'docs/web.md')).filter((block) => block.includes("'shosa/worker'"));
  writeFileSync(join(project, 'worker_example.js'), code);
  assert.match(run(process.execPath, ['worker_example.js']), /^[0-9.]+ s$/m);
});

test('a strict TypeScript takes the types', () => {
  mkdirSync(join(project, 'types'));
  writeFileSync(join(project, 'types/use.ts'), readFileSync(join(engineFolder, 'tests/types.ts')));
  writeFileSync(join(project, 'types/tsconfig.json'), JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, target: 'ES2022', module: 'NodeNext', lib: ['ES2022', 'DOM'], types: [], skipLibCheck: false,
      paths: { three: [join(engineFolder, 'node_modules/@types/three/index.d.ts')] } },
    include: ['use.ts'],
  }));
  run(join(engineFolder, 'node_modules/.bin/tsc'), ['-p', 'types']);
});

test('the module has at most 3 MB, and 1 MB compressed', () => {
  const module = join(project, 'node_modules/shosa/dist/shosa.wasm');
  assert.ok(statSync(module).size <= 3e6, `${statSync(module).size} bytes`);
  const compressed = brotliCompressSync(readFileSync(module)).length;
  assert.ok(compressed <= 1e6, `${compressed} bytes compressed`);
});
