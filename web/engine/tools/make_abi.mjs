// Writes src/abi.ts from the headers of the C API: the names of functions, the values of constants, and where fields lie in structs of the module's memory.
//   node tools/make_abi.mjs INCLUDE_DIR OUT.ts
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, out] = process.argv.slice(2);
if (!out) {
  console.error('usage: node make_abi.mjs INCLUDE_DIR OUT.ts');
  process.exit(2);
}

// wasm32: pointers and sizes have 4 bytes, and every type is aligned to its own size.
const kinds = { uint8_t: 'u8', int8_t: 'i8', uint32_t: 'u32', int32_t: 'i32', size_t: 'u32', float: 'f32', double: 'f64' };
const bytes = { u8: 1, i8: 1, u32: 4, i32: 4, f32: 4, f64: 8 };
const text = readdirSync(folder).filter((name) => name.endsWith('.h')).sort()
  .map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  .replace(/\/\/.*$/gm, '').replace(/^\s*#define(?:.*\\\n)*.*$/gm, '').replace(/^\s*#.*$/gm, '');

for (const [, to, from] of text.matchAll(/typedef\s+(?!struct)(\w+)\s+(\w+)\s*;/g)) kinds[from] ??= kinds[to];

function kindOf(type) {
  const kind = type.includes('*') ? 'u32' : kinds[type.replace(/\bconst\b/g, '').trim()];
  if (!kind) throw new Error(`unknown type '${type}'`);
  return kind;
}

const constants = {};
for (const [, body] of text.matchAll(/enum\s*\{([^}]*)\}/g)) {
  let next = 0;
  for (const item of body.split(',').map((part) => part.trim()).filter(Boolean)) {
    const [name, value] = item.split('=').map((part) => part.trim());
    next = value === undefined ? next : Number(value);
    if (!Number.isInteger(next)) throw new Error(`constant '${item}'`);
    constants[name] = next++;
  }
}

const structs = {};
for (const [, name, body] of text.matchAll(/typedef struct (\w+)\s*\{([\s\S]*?)\}\s*\1\s*;/g)) {
  let offset = 0, widest = 1;
  const fields = {};
  for (const line of body.split(';').map((part) => part.trim().replace(/\s+/g, ' ')).filter(Boolean)) {
    const pointer = line.match(/\(\*(\w+)\)/);
    const [, type, names] = pointer ? [0, 'void*', pointer[1]] : line.match(/^(.*?[ *])([\w[\], ]+)$/);
    const kind = kindOf(type);
    for (const declared of names.split(',').map((part) => part.trim())) {
      const [, field, length] = declared.match(/^(\w+)(?:\[(\d+)\])?$/);
      const size = bytes[kind];
      offset = Math.ceil(offset / size) * size;
      widest = Math.max(widest, size);
      fields[field] = [kind, offset, Number(length ?? 1)];
      offset += size * Number(length ?? 1);
    }
  }
  structs[name] = { size: Math.ceil(offset / widest) * widest, fields };
}

const functions = [];
for (const [, returned, name, list] of text.matchAll(/SHOSA_API\s+([\w\s*]+?)\s*(\w+)\s*\(([^;]*)\)\s*;/g)) {
  const parameters = list.trim() === 'void' ? [] : list.split(',').map((part) => part.trim().match(/(\w+)(?:\[\d*\])?$/)[1]);
  functions.push(`  ${name}(${parameters.map((parameter) => `${parameter}_: number`).join(', ')}): ${returned.trim() === 'void' ? 'void' : 'number'};`);
}
if (!functions.length) throw new Error(`${folder}: no functions`);

writeFileSync(out, `// Made by tools/make_abi.mjs from the headers of the C API.
export type Kind = ${Object.keys(bytes).map((kind) => `'${kind}'`).join(' | ')};
export type Field = readonly [kind: Kind, offset: number, length: number];
export const structs = {
${Object.entries(structs).map(([name, { size, fields }]) => `  ${name}: { size: ${size}, fields: { ${Object.entries(fields)
    .map(([field, place]) => `${field}: ${JSON.stringify(place).replaceAll('"', "'").replaceAll(',', ', ')}`).join(', ')} } },`).join('\n')}
} as const;
export const constants = {
${Object.entries(constants).map(([name, value]) => `  ${name}: ${value},`).join('\n')}
} as const;
export interface Functions {
${functions.join('\n')}
}
`);
