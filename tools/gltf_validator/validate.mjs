// Runs Khronos' glTF validator over every .glb, .gltf and .vrma below a folder.
// Standard output: one JSON object, {"<path below the folder>": {"errors": n, "warnings": n, "infos": n, "messages": [...]}}.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { validateBytes, version } from 'gltf-validator';

function files(dir) {
  return readdirSync(dir).sort().flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return files(path);
    return /\.(glb|gltf|vrma|vrm)$/i.test(name) ? [path] : [];
  });
}

const root = process.argv[2];
if (!root) {
  console.error('usage: node validate.mjs FOLDER');
  process.exit(2);
}
const result = {};
for (const path of files(root)) {
  try {
    const report = await validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 100 });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    result[relative(root, path)] = {
      errors: numErrors,
      warnings: numWarnings,
      infos: numInfos,
      messages: messages.map((m) => `${m.severity} ${m.code} ${m.pointer ?? ''} ${m.message}`),
    };
  } catch (error) {
    result[relative(root, path)] = { errors: 1, warnings: 0, infos: 0, messages: [String(error)] };
  }
}
console.error(`gltf-validator ${version()}: ${Object.keys(result).length} files`);
console.log(JSON.stringify(result));
