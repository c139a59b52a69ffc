/** Zip files, as `shosa project zip` writes and reads them: one project in one file. */
export interface ZipEntry {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const localMark = 0x04034b50, centralMark = 0x02014b50, endMark = 0x06054b50;
const utf8Names = 0x0800, stored = 0, deflated = 8;
/** The first day that zip files know; times are left out, so that the same content gives the same bytes. */
const firstDay = 0x21;
const mostBytes = 2 ** 31;

const crcTable = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = crcTable[(value ^ byte) & 255]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Not packed: motions go through it once, and every program reads it. */
export function writeZip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [], central: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, bytes } of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = new TextEncoder().encode(path) as Uint8Array<ArrayBuffer>, crc = crc32(bytes);
    const facts = [20, utf8Names, stored, 0, firstDay] as const;
    parts.push(record(localMark, [...facts], [crc, bytes.length, bytes.length], [name.length, 0]), name, bytes);
    central.push(record(centralMark, [20, ...facts], [crc, bytes.length, bytes.length], [name.length, 0, 0, 0, 0], [0, offset]), name);
    offset += 30 + name.length + bytes.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  return joined([...parts, ...central, record(endMark, [0, 0, entries.length, entries.length], [size, offset], [0])]);
}

/** A mark, then numbers of two and of four bytes in turns. */
function record(mark: number, ...groups: (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const width = (group: number) => (group % 2 === 0 ? 2 : 4);
  const out = new DataView(new ArrayBuffer(4 + groups.reduce((sum, numbers, i) => sum + numbers.length * width(i), 0)));
  out.setUint32(0, mark, true);
  let at = 4;
  groups.forEach((numbers, i) => {
    for (const number of numbers) {
      if (width(i) === 2) out.setUint16(at, number, true);
      else out.setUint32(at, number, true);
      at += width(i);
    }
  });
  return new Uint8Array(out.buffer);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Throws with what is wrong; gives all files or none. Hidden files are left out, and paths that lead outside refused. */
export async function readZip(bytes: Uint8Array<ArrayBuffer>): Promise<ZipEntry[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const broken = (why: string) => new Error(`the zip file cannot be read: ${why}`);
  try {
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== endMark) --end;
    if (end < 0) throw broken('its list of files is missing');
    const entries: ZipEntry[] = [];
    let at = view.getUint32(end + 16, true), total = 0;
    for (let left = view.getUint16(end + 10, true); left > 0; --left) {
      if (view.getUint32(at, true) !== centralMark) throw broken(`byte ${at}: no file is listed there`);
      const [method, crc, packed, size] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
      const [nameLength, extra, comment, local] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true), view.getUint32(at + 42, true)];
      const path = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 46, at + 46 + nameLength));
      at += 46 + nameLength + extra + comment;
      if (path.endsWith('/') || path.split('/').some((part) => part.startsWith('.') && part !== '..')) continue;
      if (path.startsWith('/') || path.includes('\\') || path.split('/').includes('..')) throw broken(`${path}: leads outside`);
      if ((total += size) > mostBytes) throw broken('more than 2 GiB');
      const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const content = await unpacked(bytes.slice(begin, begin + packed), method, size, () => broken(`${path}: packed in a way that is not known`));
      if (content.length !== size || crc32(content) !== crc) throw broken(`${path}: damaged`);
      entries.push({ path, bytes: content });
    }
    return entries;
  } catch (error) {
    throw error instanceof RangeError || error instanceof TypeError ? broken('it is cut off or damaged') : error;
  }
}

/** Stops at the size that was promised: a small file does not become all memory. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>, method: number, size: number, unknown: () => Error): Promise<Uint8Array<ArrayBuffer>> {
  if (method === stored) return bytes;
  if (method !== deflated) throw unknown();
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  for (let length = 0; length <= size; ) {
    const { done, value } = await reader.read();
    if (done) return joined(parts);
    parts.push(value as Uint8Array);
    length += (value as Uint8Array).length;
  }
  await reader.cancel();
  return new Uint8Array();
}
