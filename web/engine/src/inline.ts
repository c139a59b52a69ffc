import { load as loadModule, type LoadOptions } from './load.js';
import { moduleText } from './module_text.js';
import type { Engine } from './engine.js';

export * from './index.js';

/** Starts the engine from the module inside this script: nothing is fetched. */
export async function load(options: Omit<LoadOptions, 'module'> = {}): Promise<Engine> {
  return loadModule({ ...options, module: decode(moduleText) });
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}
