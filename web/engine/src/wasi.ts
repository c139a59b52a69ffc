/** The little of WASI that the module asks for: a clock, random bytes, lines for people, and the end of a process. */
export function wasi(memory: () => WebAssembly.Memory, print: (line: string) => void): Record<string, (...args: never[]) => unknown> {
  const badDescriptor = 8;
  const notSupported = 58;
  const data = () => new DataView(memory().buffer);
  const decoder = new TextDecoder();
  let line = '';
  const functions = {
    clock_time_get(id: number, _precision: bigint, out: number): number {
      const ms = id === 0 ? Date.now() : performance.now();
      data().setBigUint64(out, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    random_get(pointer: number, length: number): number {
      // The engine's own random numbers are seeded; this is for libraries that want some.
      for (let i = 0; i < length; i += 65536) crypto.getRandomValues(new Uint8Array(memory().buffer as ArrayBuffer, pointer + i, Math.min(65536, length - i)));
      return 0;
    },
    fd_write(descriptor: number, pieces: number, count: number, written: number): number {
      if (descriptor !== 1 && descriptor !== 2) return badDescriptor;
      let total = 0;
      for (let i = 0; i < count; ++i) {
        const begin = data().getUint32(pieces + 8 * i, true), length = data().getUint32(pieces + 8 * i + 4, true);
        line += decoder.decode(new Uint8Array(memory().buffer, begin, length));
        total += length;
      }
      const lines = line.split('\n');
      line = lines.pop()!;
      lines.forEach(print);
      data().setUint32(written, total, true);
      return 0;
    },
    proc_exit(status: number): never {
      throw new WebAssembly.RuntimeError(`exit with status ${status}`);
    },
  };
  // What a C library links besides, and never needs here: files, arguments, the environment.
  return new Proxy(functions as Record<string, (...args: never[]) => unknown>, {
    get: (known, name: string) => known[name] ?? (() => (name.startsWith('fd_') ? badDescriptor : notSupported)),
  });
}
