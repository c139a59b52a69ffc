import { type Document, documentText } from './documents.js';
import { expectNumber, expectRecord, expectWhole, heightAt, shown } from './checks.js';
import type { Engine } from './engine.js';
import { ShosaError } from './errors.js';
import { Handle } from './handle.js';
import { current } from './load.js';

export interface HeightField {
  columns: number;
  rows: number;
  /** Between two heights. */
  cell_m: number;
  /** Place of the first height in the world; 0 where it is left out. */
  x_m?: number;
  z_m?: number;
  /** Metres above 0, row after row along +Z, columns along +X. */
  heights: ArrayLike<number>;
}

/** Where a ground function is asked once and for all. */
export interface GroundArea {
  /** Corners on the ground, x and z; beyond them the heights of the edge go on. */
  from: readonly [number, number];
  to: readonly [number, number];
  /** Between two heights, 0.1 unless said otherwise. What is smaller is lost. */
  cell_m?: number;
}

const most = 4_000_000;

/** A ground function as heights, which can be kept and sent elsewhere. */
export function sampleGround(height: (x_m: number, z_m: number) => number, area: GroundArea): HeightField {
  expectRecord('the area of a ground', area);
  const { from, to, cell_m = 0.1 } = area;
  if (typeof cell_m !== 'number') throw new ShosaError('bad_argument', `cell_m: ${shown(cell_m)}, expected metres`, '');
  if (from?.length !== 2 || to?.length !== 2) throw new ShosaError('bad_argument', 'the area of a ground: expected { from: [x, z], to: [x, z] }', '');
  const cells = [0, 1].map((axis) => Math.ceil((to[axis]! - from[axis]!) / cell_m - 1e-9));
  const [columns, rows] = cells.map((count) => count + 1) as [number, number];
  if (!(cell_m > 0) || !cells.every((count) => count >= 1) || !(columns * rows <= most)) {
    throw new ShosaError('bad_argument', `a ground from ${from} to ${to} m in cells of ${cell_m} m, expected corners in order and at most ${most} heights`, '');
  }
  const heights = new Float32Array(columns * rows);
  for (let row = 0, i = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) heights[i++] = heightAt(height, from[0] + column * cell_m, from[1] + row * cell_m);
  }
  return { columns, rows, cell_m, x_m: from[0], z_m: from[1], heights };
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
      expectRecord('a height field', field);
      const { heights, ...rest } = field;
      expectWhole('columns', rest.columns, 1);
      expectWhole('rows', rest.rows, 1);
      expectNumber('cell_m', rest.cell_m);
      if (heights?.length !== rest.columns * rest.rows) {
        throw new ShosaError('bad_argument', `${heights?.length ?? 'no'} heights, expected ${rest.columns} columns times ${rest.rows} rows`, '');
      }
      const out = engine.out();
      engine.call('shosa_ground_from_heights', engine.struct('shosa_height_field', { ...rest, heights_m: engine.floats(heights) }), out);
      return new Ground(engine, engine.u32(out));
    });
  }

  /**
   * The height of the world at a place, metres above 0, asked some tens of times in a frame; it cannot call the engine. With an area, asked there once and then as `heights`.
   * A function does not travel into a worker: there the area is needed.
   */
  static from(height: (x_m: number, z_m: number) => number, area?: GroundArea): Ground {
    if (typeof height !== 'function') throw new ShosaError('bad_argument', `Ground.from: ${typeof height}, expected a function (x, z) => height`, '');
    if (area !== undefined) return Ground.heights(sampleGround(height, area));
    const engine = current();
    const key = next++;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_ground_from_function', engine.exports.shosa_web_ground_function(), key, out);
      engine.grounds.set(key, height);
      return new Ground(engine, engine.u32(out), key);
    });
  }

  /** Metres above 0 at a place of the world. */
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
