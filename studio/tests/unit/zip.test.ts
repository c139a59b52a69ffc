import { expect, test } from 'vitest';
import { crc32, readZip, writeZip } from '../../src/store/zip';

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const entries = [{ path: 'clips/ü.bvh', bytes: bytes('HIERARCHY') }, { path: 'a.json', bytes: bytes('{}') }, { path: 'empty', bytes: bytes('') }];

test('the checksum is the known one', () => {
  expect(crc32(bytes('123456789'))).toBe(0xcbf43926);
});

test('what was zipped comes back, and the same content gives the same bytes', async () => {
  const zip = writeZip(entries);
  expect(await readZip(zip)).toEqual([...entries].sort((a, b) => (a.path < b.path ? -1 : 1)));
  expect(writeZip([...entries].reverse())).toEqual(zip);
});

test('packed files are read', async () => {
  const text = 'motion '.repeat(500);
  const packed = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  const zip = writeZip([{ path: 'a.bvh', bytes: packed }]);
  const view = new DataView(zip.buffer);
  const central = 30 + 5 + packed.length;
  for (const [at, shift] of [[0, 0], [central, 2]] as const) {
    view.setUint16(at + 8 + shift, 8, true);
    view.setUint32(at + 14 + shift, crc32(bytes(text)), true);
    view.setUint32(at + 22 + shift, text.length, true);
  }
  expect(new TextDecoder().decode((await readZip(zip))[0]!.bytes)).toBe(text);
});

test('what is damaged or leads outside is refused, at every byte that it is cut at', async () => {
  const zip = writeZip(entries);
  for (let length = 0; length < zip.length; ++length) await expect(readZip(zip.slice(0, length)), `${length}`).rejects.toThrow('cannot be read');
  await expect(readZip(writeZip([{ path: '../x', bytes: bytes('') }]))).rejects.toThrow('leads outside');
  const wrong = writeZip([{ path: 'x', bytes: bytes('abc') }]);
  wrong[32]! ^= 1;
  await expect(readZip(wrong)).rejects.toThrow('damaged');
});
