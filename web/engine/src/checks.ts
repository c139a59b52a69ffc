// What is given is what it should be, and said where it is not.
import type { Bytes } from './clip_options.js';
import type { StructValues } from './engine.js';
import { ShosaError } from './errors.js';

/** Lists that a call reads or fills have the length that it takes for granted. One that is left out passes; `list ?? null` asks for one that is needed. */
export function expectLength(what: string, values: ArrayLike<unknown> | null | undefined, length: number): void {
  if (values !== undefined && values?.length !== length) throw new ShosaError('bad_argument', `${what}: ${values?.length ?? 'no'} numbers, expected ${length}`, '');
}

export function expectNumber(what: string, value: unknown): void {
  if (typeof value !== 'number') throw new ShosaError('bad_argument', `${what}: ${shown(value)}, expected a number`, '');
}

export function expectNumbers(values: ArrayLike<unknown>): void {
  if (ArrayBuffer.isView(values)) return;
  for (let i = 0; i < values.length; ++i) if (typeof values[i] !== 'number') throw new ShosaError('bad_argument', `${shown(values[i])} in a list, expected a number`, '');
}

/** The module takes whole numbers modulo 2^32: others would pass its checks as numbers that nobody gave, and fill more than there is room for. */
export function expectWhole(what: string, value: number, from = 0): void {
  if (!Number.isInteger(value) || value < from || value >= 2 ** 32) throw new ShosaError('bad_argument', `${what}: ${shown(value)}, expected a whole number from ${from} on`, '');
}

/** What is in a message of the wrong thing that was given. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null || (typeof value !== 'object' && typeof value !== 'function') ? String(value) : `a ${value.constructor?.name ?? typeof value}`;
}

/** What a ground function says of a place. */
export function heightAt(height: (x_m: number, z_m: number) => number, x_m: number, z_m: number): number {
  const found = height(x_m, z_m);
  if (!Number.isFinite(found)) throw new ShosaError('bad_argument', `a ground function gave ${shown(found)} at [${x_m}, ${z_m}], expected metres`, '');
  return found;
}

/** Names with values: no list, nothing that lives in the module, whose memory would be taken for values. */
export function expectRecord(what: string, value: unknown): void {
  const kind = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  // By its ancestors: objects of other frames have another Object.
  if (kind === undefined || (kind !== null && Object.getPrototypeOf(kind) !== null)) throw new ShosaError('bad_argument', `${what}: ${shown(value)}, expected { name: value, … }`, '');
}

/** What is left of options when those that there are have been taken. */
export function expectNoOthers(others: object): void {
  for (const key in others) throw new ShosaError('bad_argument', `${key}: no such option`, key);
}

/** The number of a name among those that there are. */
export function numberOf(what: string, name: unknown, names: readonly string[]): number {
  const number = names.indexOf(name as string);
  if (number < 0) throw new ShosaError('bad_argument', `${what}: ${shown(name)}, expected one of ${names.join(', ')}`, what);
  return number;
}

/** A document as text. */
export function jsonText(document: unknown): string {
  let text: string | undefined;
  let why = typeof document as string;
  try {
    text = JSON.stringify(document);
  } catch (error) {
    if (error instanceof ShosaError) throw error;
    why = (error as Error).message;
  }
  if (text === undefined) throw new ShosaError('bad_argument', `no document: ${why}, expected what JSON can hold`, '');
  return text;
}

/** The bytes of a file. */
export function toBytes(content: Bytes): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  if (content instanceof Uint8Array) return content;
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  // By its name: buffers of other frames are of other classes.
  if (!/ArrayBuffer\]$/.test(Object.prototype.toString.call(content))) throw new ShosaError('bad_argument', `${typeof content}, expected bytes (Uint8Array, ArrayBuffer) or a text`, '');
  return new Uint8Array(content);
}

/** Options as fields of a struct: yes is 1. */
export function flags(options: object): StructValues {
  expectRecord('options', options);
  const fields: StructValues = {};
  for (const [key, value] of Object.entries(options)) {
    if (typeof value !== 'boolean' && typeof value !== 'number' && value !== undefined) {
      throw new ShosaError('bad_argument', `${key}: ${shown(value)}, expected a number or true or false`, key);
    }
    fields[key] = typeof value === 'boolean' ? Number(value) : value;
  }
  return fields;
}
