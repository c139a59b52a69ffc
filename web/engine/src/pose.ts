import type { Engine } from './engine.js';
import type { Handle } from './handle.js';

/**
 * The posture of a character or a pin-and-drag solver, as views into the module's memory: nothing is copied, and the next update writes over it.
 * Ask for the arrays anew in every frame: when the module's memory grows, earlier views are empty. Once the character or solver is disposed of, asking throws.
 */
export class Pose {
  private readonly views = new Map<number, Float32Array<ArrayBuffer>>();

  /** @internal */
  constructor(
    private readonly engine: Engine,
    private readonly owner: Handle,
    readonly jointCount: number,
    private readonly pointers: { rotations: number; translations: number; matrices: number },
  ) {}

  /** @internal Of a struct `shosa_pose`. */
  static at(engine: Engine, owner: Handle, struct: number): Pose {
    const field = (key: string) => engine.field('shosa_pose', key, struct);
    return new Pose(engine, owner, field('joint_count'), { rotations: field('rotations'), translations: field('translations_m'), matrices: field('matrices') });
  }

  /** x, y, z, w a joint: parent_from_joint. */
  get rotations(): Float32Array<ArrayBuffer> {
    return this.view(this.pointers.rotations, 4);
  }

  /** x, y, z a joint, in the parent's frame. */
  get translations(): Float32Array<ArrayBuffer> {
    return this.view(this.pointers.translations, 3);
  }

  /** world_from_joint: 16 numbers a joint, column after column. */
  get matrices(): Float32Array<ArrayBuffer> {
    return this.view(this.pointers.matrices, 16);
  }

  private view(pointer: number, width: number): Float32Array<ArrayBuffer> {
    void this.owner.handle; // throws where it was disposed of: its memory is somebody else's now
    let view = this.views.get(width);
    if (view === undefined || view.buffer !== this.engine.memory.buffer) {
      view = this.engine.floatsAt(pointer, pointer === 0 ? 0 : width * this.jointCount);
      this.views.set(width, view);
    }
    return view;
  }
}
