import { Clip } from './clip.js';
import { expectRecord, jsonText, shown } from './checks.js';
import type { Engine } from './engine.js';
import { ShosaError } from './errors.js';
import { Handle } from './handle.js';
import { current } from './load.js';
import type { Report } from './reports.js';

/** A document as an object, or as its text. */
export type Document = object | string;
/** Clips and texts under the names that documents have for them. */
export type Named = Readonly<Record<string, Clip | string | object>>;

export function documentText(document: Document): string {
  return typeof document === 'string' ? document : jsonText(document);
}

class Folder extends Handle {
  static of(engine: Engine, content: Named): Folder {
    expectRecord('clips', content ?? {});
    const folder = engine.work(() => {
      const out = engine.out();
      engine.call('shosa_folder_create', out);
      return new Folder(engine, engine.u32(out));
    });
    try {
      for (const [name, entry] of Object.entries(content ?? {})) folder.add(name, entry);
    } catch (error) {
      folder.dispose();
      throw error;
    }
    return folder;
  }

  private add(name: string, entry: Clip | Document): void {
    const { engine } = this;
    engine.work(() => {
      if (entry instanceof Clip) return engine.call('shosa_folder_add_clip', this.handle, engine.text(name), entry.handle);
      if (typeof entry !== 'string' && !Array.isArray(entry)) expectRecord(`${name}, which is no clip`, entry);
      const bytes = new TextEncoder().encode(documentText(entry));
      engine.call('shosa_folder_add_text', this.handle, engine.text(name), engine.bytes(bytes), bytes.length);
    });
  }
}

/** Does something with a folder that lasts no longer. */
export function withFolder<T>(content: Named, body: (folder: number, engine: Engine) => T): T {
  const engine = current();
  const folder = Folder.of(engine, content);
  try {
    return engine.work(() => body(folder.handle, engine));
  } finally {
    folder.dispose();
  }
}

/** Clips by name, at least one. */
export function expectClips(clips: Readonly<Record<string, Clip>>): void {
  expectRecord('clips', clips);
  if (Object.keys(clips).length === 0) throw new ShosaError('bad_argument', 'clips: {}, expected one or more as { name: Clip }', '');
}

/** Clips of one body in the bytes of one file, under their names. */
export function writeAll(clips: Readonly<Record<string, Clip>>, kind: 'glb' | 'gltf' | 'vrma'): Uint8Array<ArrayBuffer> {
  expectClips(clips);
  return withFolder(clips, (folder, engine) => {
    const out = engine.out();
    engine.call('shosa_folder_format', folder, engine.text(`clips.${shown(kind)}`), out);
    return engine.takeBuffer(engine.u32(out));
  });
}

function evaluate(kind: string, document: Document, content: Named): Clip {
  return withFolder(content, (folder, engine) => {
    const out = engine.out(), report = engine.out();
    engine.call('shosa_evaluate', folder, engine.text(kind), engine.text(`${kind}.json`), engine.text(documentText(document)), out, report);
    return new Clip(engine, engine.u32(out), engine.takeJson<Report>(engine.u32(report)));
  });
}

/** Motions joined as a score says; its clips are `clips` under their names. */
export function compose(score: Document, clips: Named): Clip {
  return evaluate('score', score, clips);
}

/** Clips one after the other, as early as they can, on the body of the first. 0 is fast, 1 is smooth. */
export function join(clips: readonly Clip[], smoothness = 0.5): Clip {
  if (!Array.isArray(clips) || !clips.every((clip) => clip instanceof Clip)) throw new ShosaError('bad_argument', 'join: expected a list of Clips', '');
  const content = Object.fromEntries(clips.map((clip, i) => [`${i + 1} ${clip.name}`.trim(), clip]));
  return withFolder(content, (folder, engine) => {
    const out = engine.out(), report = engine.out();
    engine.call('shosa_folder_join', folder, smoothness, out, report);
    return new Clip(engine, engine.u32(out), engine.takeJson<Report>(engine.u32(report)));
  });
}

/** Pins and drags on a clip, as a pose script says. */
export function pose(script: Document, clips: Named): Clip {
  return evaluate('pose', script, clips);
}

/** A walk that lands where a plan says. */
export function footsteps(plan: Document, clip: Clip): Clip {
  return evaluate('footsteps', plan, { clip });
}

/** Commands to a graph, `content.graph`, with its clips beside it. */
export function play(script: Document, content: Named): Clip {
  return evaluate('play', script, content);
}

/** Commands to a running character on a ground. */
export function run(script: Document, content: Named): Clip {
  return evaluate('run', script, content);
}

/** Plays the submovements of `clip.decompose()` back. */
export function recompose(document: Document): Clip {
  return evaluate('submovements', document, {});
}

export function fix(clip: Clip, ...options: Parameters<Clip['fix']>): Clip {
  return clip.fix(...options);
}

export function loop(clip: Clip, ...options: Parameters<Clip['loop']>): Clip {
  return clip.loop(...options);
}

export function retarget(clip: Clip, ...rest: Parameters<Clip['retarget']>): Clip {
  return clip.retarget(...rest);
}

export function decompose(clip: Clip, ...options: Parameters<Clip['decompose']>): ReturnType<Clip['decompose']> {
  return clip.decompose(...options);
}
