import { type Field, type Functions, type Kind, structs } from './abi.js';
import { expectNumbers, expectWhole, shown } from './checks.js';
import { type ErrorCode, ShosaError } from './errors.js';

export type StructName = keyof typeof structs;
export type StructValues = Record<string, number | ArrayLike<number> | undefined>;

/** The module's functions, besides those of the C API. */
export interface Exports extends Functions {
  _initialize(): void;
  malloc(bytes: number): number;
  free(pointer: number): void;
  shosa_web_context(out: number): number;
  shosa_web_ground_function(): number;
  __stack_pointer: WebAssembly.Global;
}

type StatusFunction = { [K in keyof Functions]: Functions[K] extends (...args: never[]) => number ? K : never }[keyof Functions];

const scratchBytes = 1 << 16;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** One instance of the module: its memory, its context, and room for the arguments of calls. */
export class Engine {
  /** Ground functions by number; the module calls them through an import. */
  readonly grounds = new Map<number, (x_m: number, z_m: number) => number>();
  /** How often the module was called. */
  calls = 0;
  private stopped: string | undefined;
  /** A function of the page runs inside a call. */
  private visited = false;
  private thrownByVisitor: { error: unknown } | undefined;
  /** Of the module: all that is made belongs to it. */
  private own = 0;
  private readonly scratch: number;
  private used = 0;
  private large: number[] = [];
  private readonly defaults = new Map<StructName, Uint8Array>();
  private words: Uint32Array;
  private data: DataView;

  constructor(
    readonly exports: Exports,
    readonly memory: WebAssembly.Memory,
  ) {
    this.words = new Uint32Array(memory.buffer);
    this.data = new DataView(memory.buffer);
    exports._initialize();
    this.scratch = this.allocate(scratchBytes);
    this.work(() => {
      const out = this.out();
      if (exports.shosa_web_context(out) !== 0) throw new ShosaError('wrong_version', 'the module does not fit this package');
      this.own = this.u32(out);
    });
  }

  get context(): number {
    return this.own;
  }

  get alive(): boolean {
    return this.stopped === undefined;
  }

  /** How many bytes the module has taken from the page. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Calls a function of the C API with the context in front, and throws what it says. */
  call<Name extends StatusFunction>(name: Name, ...args: number[]): void {
    if (this.stopped !== undefined) throw new ShosaError('disposed', `the module has stopped: ${this.stopped}`, '');
    if (this.visited) throw new ShosaError('bad_argument', `${name}: the engine is at work: ground functions, progress and log cannot call it`, '');
    for (const value of args) if (typeof value !== 'number') throw new ShosaError('bad_argument', `${name}: ${shown(value)}, expected a number`, '');
    const stack = this.exports.__stack_pointer.value as number;
    ++this.calls;
    let status: number;
    try {
      status = (this.exports[name] as (...all: number[]) => number)(this.own, ...args);
    } catch (error) {
      this.exports.__stack_pointer.value = stack;
      this.thrownByVisitor = undefined;
      throw this.thrown(error, name);
    }
    if (this.thrownByVisitor !== undefined) {
      const { error } = this.thrownByVisitor;
      this.thrownByVisitor = undefined;
      throw error;
    }
    if (status !== 0) throw this.error(status);
  }

  /**
   * Runs a function of the page inside a call. What it throws waits until the call is over: leaving through the module would end its work half-way.
   * Then `otherwise` is what the module is given.
   */
  visit<T>(body: () => T, otherwise: T): T {
    this.visited = true;
    try {
      return body();
    } catch (error) {
      this.thrownByVisitor ??= { error };
      return otherwise;
    } finally {
      this.visited = false;
    }
  }

  /** Memory that is asked for inside `work` is free again after it. */
  work<T>(body: () => T): T {
    const used = this.used;
    const large = this.large.length;
    try {
      return body();
    } finally {
      this.used = used;
      while (this.large.length > large && this.alive) this.exports.free(this.large.pop()!);
    }
  }

  /** Room for `bytes`, aligned to 8; none for less than 0, of which the call itself says that it is wrong. */
  room(bytes: number): number {
    const size = bytes > 0 ? Math.ceil(bytes / 8) * 8 : 0;
    if (size > scratchBytes - this.used) {
      const pointer = this.allocate(size);
      this.large.push(pointer);
      return pointer;
    }
    this.used += size;
    return this.scratch + this.used - size;
  }

  /** Room for what a call gives back, set to 0. */
  out(bytes = 8): number {
    const pointer = this.room(bytes);
    this.bytesAt(pointer, Math.ceil(bytes / 8) * 8).fill(0);
    return pointer;
  }

  bytes(content: Uint8Array): number {
    const pointer = this.room(content.length + 1);
    const target = this.bytesAt(pointer, content.length + 1);
    target.set(content);
    target[content.length] = 0;
    return pointer;
  }

  /** 0 for a text that is left out. */
  text(content: string | undefined): number {
    if (content === undefined) return 0;
    if (typeof content !== 'string') throw new ShosaError('bad_argument', `${shown(content)}, expected a text`, '');
    return this.bytes(encoder.encode(content));
  }

  floats(values: ArrayLike<number> | undefined): number {
    if (values === undefined) return 0;
    expectNumbers(values);
    const pointer = this.room(4 * values.length);
    new Float32Array(this.memory.buffer, pointer, values.length).set(values);
    return pointer;
  }

  doubles(values: ArrayLike<number> | undefined): number {
    if (values === undefined) return 0;
    expectNumbers(values);
    const pointer = this.room(8 * values.length);
    new Float64Array(this.memory.buffer, pointer, values.length).set(values);
    return pointer;
  }

  integers(values: ArrayLike<number>): number {
    const pointer = this.room(4 * values.length);
    new Int32Array(this.memory.buffer, pointer, values.length).set(values);
    return pointer;
  }

  /** A struct with its defaults, and `values` over them. */
  struct(name: StructName, values: StructValues = {}): number {
    const { size } = structs[name];
    const pointer = this.room(size);
    let defaults = this.defaults.get(name);
    if (defaults === undefined) {
      this.work(() => this.call('shosa_defaults', this.text(name), pointer, size));
      defaults = this.bytesAt(pointer, size).slice();
      this.defaults.set(name, defaults);
    } else {
      this.bytesAt(pointer, size).set(defaults);
    }
    this.fill(name, pointer, values);
    return pointer;
  }

  /** Structs that have no defaults, one after the other: 0 where nothing is given. */
  structs(name: StructName, list: readonly StructValues[]): number {
    const { size } = structs[name];
    const pointer = this.out(size * list.length);
    list.forEach((values, i) => this.fill(name, pointer + i * size, values));
    return pointer;
  }

  /** A field of a struct. */
  field(name: StructName, key: string, pointer: number): number {
    const [kind, offset] = (structs[name].fields as Record<string, Field>)[key]!;
    const data = this.view();
    if (kind === 'f64') return data.getFloat64(pointer + offset, true);
    if (kind === 'f32') return data.getFloat32(pointer + offset, true);
    return kind === 'i32' ? data.getInt32(pointer + offset, true) : data.getUint32(pointer + offset, true);
  }

  /** The numbers of a field of floats. */
  fieldFloats(name: StructName, key: string, pointer: number): number[] {
    const [, offset, length] = (structs[name].fields as Record<string, Field>)[key]!;
    return [...this.floatsAt(pointer + offset, length)];
  }

  u32(pointer: number): number {
    if (this.words.buffer !== this.memory.buffer) this.words = new Uint32Array(this.memory.buffer);
    return this.words[pointer >>> 2]!;
  }

  i32(pointer: number): number {
    return this.u32(pointer) | 0;
  }

  f64(pointer: number): number {
    return this.view().getFloat64(pointer, true);
  }

  /** A text of the module that ends in 0. */
  textAt(pointer: number): string {
    if (pointer === 0) return '';
    const bytes = new Uint8Array(this.memory.buffer);
    return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
  }

  bytesAt(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer as ArrayBuffer, pointer, length);
  }

  floatsAt(pointer: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.memory.buffer as ArrayBuffer, pointer, length);
  }

  doublesAt(pointer: number, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.memory.buffer as ArrayBuffer, pointer, length);
  }

  /** The content of a buffer that a call gave, and frees it. */
  takeBuffer(handle: number): Uint8Array<ArrayBuffer> {
    return this.work(() => {
      const data = this.out(), size = this.out();
      this.call('shosa_buffer_data', handle, data, size);
      const content = this.bytesAt(this.u32(data), this.u32(size)).slice();
      this.call('shosa_free', handle);
      return content;
    });
  }

  takeJson<T>(handle: number): T {
    return JSON.parse(decoder.decode(this.takeBuffer(handle))) as T;
  }

  private view(): DataView {
    if (this.data.buffer !== this.memory.buffer) this.data = new DataView(this.memory.buffer);
    return this.data;
  }

  private allocate(bytes: number): number {
    if (this.stopped !== undefined) throw new ShosaError('disposed', `the module has stopped: ${this.stopped}`, '');
    const pointer = bytes < 2 ** 32 ? this.exports.malloc(bytes) : 0;
    if (pointer === 0) throw new ShosaError('out_of_memory', `${bytes} bytes more than the module's memory`, '');
    return pointer >>> 0;
  }

  private fill(name: StructName, pointer: number, values: StructValues): void {
    const fields = structs[name].fields as Record<string, Field>;
    for (const key in values) {
      const value = values[key];
      const field = fields[key];
      if (value === undefined) continue;
      if (field === undefined) throw new ShosaError('bad_argument', `${key}: no such option`, key);
      this.store(pointer + field[1], field[0], key, value, field[2]);
    }
  }

  private store(pointer: number, kind: Kind, key: string, value: number | ArrayLike<number>, length: number): void {
    const values = length > 1 && typeof value === 'object' && value !== null ? value : [value as number];
    if (values.length !== length) throw new ShosaError('bad_argument', `${key}: ${values.length} numbers, expected ${length}`, key);
    const data = this.view();
    for (let i = 0; i < length; ++i) {
      const number = values[i]!;
      if (typeof number !== 'number') throw new ShosaError('bad_argument', `${key}: ${shown(number)}, expected a number`, key);
      if (kind !== 'f64' && kind !== 'f32') expectWhole(key, number, kind === 'i32' ? -(2 ** 31) : 0);
      if (kind === 'f64') data.setFloat64(pointer + 8 * i, number, true);
      else if (kind === 'f32') data.setFloat32(pointer + 4 * i, number, true);
      else if (kind === 'i32') data.setInt32(pointer + 4 * i, number, true);
      else data.setUint32(pointer + 4 * i, number, true);
    }
  }

  private error(status: number): ShosaError {
    const code = this.textAt(this.exports.shosa_status_name(status)) as ErrorCode;
    return new ShosaError(code, this.textAt(this.exports.shosa_error_text(this.own)));
  }

  /** Memory that is not there leaves the call; anything else has stopped the module in the middle of its work. */
  private thrown(error: unknown, name: string): unknown {
    if (error instanceof ShosaError) return error;
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return error;
    this.stopped = `${error.message} in ${name}`;
    return new ShosaError('crashed', `the module has stopped: ${this.stopped}`, '');
  }
}
