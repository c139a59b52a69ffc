import { type Document, documentText } from './documents.js';
import type { Engine } from './engine.js';
import { Handle } from './handle.js';
import { current } from './load.js';

export interface HeightField {
  columns: number;
  rows: number;
  cell_m: number;
  /** Place of the first height. */
  x_m?: number;
  z_m?: number;
  /** Row after row along +Z, columns along +X. */
  heights: ArrayLike<number>;
}

let next = 1;

/** What characters walk on; any number of them may share it. */
export class Ground extends Handle {
  /** @internal */
  constructor(
    engine: Engine,
    handle: number,
    private readonly key = 0,
  ) {
    super(engine, handle);
  }

  /** A terrain or stairs, as the ground of a run script has it. */
  static read(document: Document): Ground {
    const engine = current();
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_ground_from_json', engine.text(documentText(document)), out);
      return new Ground(engine, engine.u32(out));
    });
  }

  /** Linear between heights, constant beyond the edges. */
  static heights(field: HeightField): Ground {
    const engine = current();
    return engine.work(() => {
      const { heights, ...rest } = field;
      const out = engine.out();
      engine.call('shosa_ground_from_heights', engine.struct('shosa_height_field', { ...rest, heights_m: engine.floats(heights) }), out);
      return new Ground(engine, engine.u32(out));
    });
  }

  /** The height of the world at a place, asked some tens of times in a frame. */
  static from(height: (x_m: number, z_m: number) => number): Ground {
    const engine = current();
    const key = next++;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_ground_from_function', engine.exports.shosa_web_ground_function(), key, out);
      engine.grounds.set(key, height);
      return new Ground(engine, engine.u32(out), key);
    });
  }

  height(x_m: number, z_m: number): number {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_ground_height', this.handle, x_m, z_m, out);
      return this.engine.f64(out);
    });
  }

  override dispose(): void {
    super.dispose();
    // Characters that still walk on it find level ground.
    this.engine.grounds.delete(this.key);
  }
}
