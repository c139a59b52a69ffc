/// <reference lib="esnext.disposable" preserve="true" />
import { expectWhole, jsonText } from './checks.js';
import { Engine } from './engine.js';
import { ShosaError } from './errors.js';

const forgotten = new FinalizationRegistry<{ engine: Engine; handle: number }>(({ engine, handle }) => release(engine, handle));

function release(engine: Engine, handle: number): void {
  if (engine.alive) engine.call('shosa_free', handle);
}

/** Something that lives in the module's memory until it is disposed of, by hand, by `using`, or some time after it was forgotten. */
export abstract class Handle {
  private number: number;

  /** @internal */
  constructor(
    /** @internal */ readonly engine: Engine,
    handle: number,
  ) {
    if (!(engine instanceof Engine)) throw new ShosaError('bad_argument', `new ${new.target.name}: expected a static method of ${new.target.name}, which makes one`, '');
    this.number = handle;
    forgotten.register(this, { engine, handle }, this);
  }

  /** @internal */
  get handle(): number {
    if (this.number === 0) throw new ShosaError('disposed', `this ${this.constructor.name} was disposed of`, '');
    // A new module has the same numbers for other things.
    if (!this.engine.alive) throw new ShosaError('disposed', `this ${this.constructor.name} was in a module that has stopped`, '');
    return this.number;
  }

  get disposed(): boolean {
    return this.number === 0 || !this.engine.alive;
  }

  dispose(): void {
    if (this.number === 0) return;
    release(this.engine, this.number);
    forgotten.unregister(this);
    this.number = 0;
  }

  /** Only its class: what it holds is in the module, whose whole memory would become text otherwise. */
  toJSON(): string {
    return `[${this.constructor.name}]`;
  }
}

/** The number of what was given to `what`, which must live in the module. */
export function handleOf(what: string, given: Handle): number {
  if (!(given instanceof Handle)) throw new ShosaError('bad_argument', `${what}: ${given === null ? 'null' : typeof given}, expected an object of this package`, '');
  return given.handle;
}

export interface Handle {
  [Symbol.dispose](): void;
}
// Older browsers have no such symbol.
if (Symbol.dispose) Object.defineProperty(Handle.prototype, Symbol.dispose, { value(this: Handle) { this.dispose(); } });

/** The body of a clip, a graph, a kind of character, a character or a posture. */
export abstract class Bodied extends Handle {
  private count: number | undefined;

  get jointCount(): number {
    return (this.count ??= this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_joint_count', this.handle, out);
      return this.engine.u32(out);
    }));
  }

  /** Joints by number; parents come before their children. */
  get joints(): Joint[] {
    const { engine } = this;
    return Array.from({ length: this.jointCount }, (_, joint) => engine.work(() => {
      const info = engine.struct('shosa_joint_info');
      engine.call('shosa_joint_get_info', this.handle, joint, info);
      const field = (key: string) => engine.field('shosa_joint_info', key, info);
      return {
        name: engine.textAt(field('name')),
        parent: field('parent'),
        role: field('role') === 0 ? undefined : engine.textAt(field('role')),
        restTranslation: engine.fieldFloats('shosa_joint_info', 'rest_translation_m', info),
        restRotation: engine.fieldFloats('shosa_joint_info', 'rest_rotation', info),
      };
    }));
  }

  /** The number of a joint by its name or its role (`right_hand`). */
  joint(name: string | number): number {
    if (typeof name === 'number') {
      expectWhole('joint', name);
      if (name >= this.jointCount) throw new ShosaError('bad_argument', `joint: ${name}, expected 0 to ${this.jointCount - 1}`, '');
      return name;
    }
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_joint_find', this.handle, this.engine.text(name), out);
      return this.engine.i32(out);
    });
  }

  /** Names of the feet, in the order of the bits of contacts: `left`, `right`. */
  get feet(): string[] {
    const { engine, handle } = this;
    return engine.work(() => {
      const count = engine.out(), name = engine.out();
      engine.call('shosa_foot_count', handle, count);
      return Array.from({ length: engine.u32(count) }, (_, foot) => {
        engine.call('shosa_foot_name', handle, foot, name);
        return engine.textAt(engine.u32(name));
      });
    });
  }

  /** Joint ranges that a document gives this body, all as regions: those of humans where none is given. */
  jointRanges(document?: string | object): JointRange[] {
    const text = typeof document === 'object' ? jsonText(document) : document;
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_joint_ranges', this.handle, this.engine.text(text), out);
      return this.engine.takeJson<{ joint_ranges: JointRange[] }>(this.engine.u32(out)).joint_ranges;
    });
  }

  /** What a human's parts weigh, and what it stands on. */
  bodyWeights(): BodyWeights {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_body_weights', this.handle, out);
      return this.engine.takeJson<BodyWeights>(this.engine.u32(out));
    });
  }
}

/** How far a joint turns: docs/methods/joint_ranges.md, "As a file". */
export interface JointRange {
  /** Role, or name. */
  joint: string;
  /** x, y, z, w. */
  parent_from_zero: number[];
  joint_from_frame: number[];
  /** a_y, a_z, twist_min_deg, twist_max_deg. */
  corners: [number, number, number, number][];
  triangles: [number, number, number][];
}

export interface BodyPoint {
  joint: number;
  /** In the joint's frame. */
  offset_m: number[];
}

export interface BodyWeights {
  /** Shares of the whole: their mean place is the centre of mass. */
  masses: (BodyPoint & { mass: number })[];
  /** What stands on the ground where a foot does. */
  support: BodyPoint[];
  /** What `PinDrag.useInertia` sets as stiffness, a joint each. */
  inertia_m2: number[];
}

export interface Joint {
  name: string;
  /** -1 for the root. */
  parent: number;
  /** `left_foot`, …; undefined where it plays none. */
  role: string | undefined;
  /** Metres in the parent's frame. */
  restTranslation: number[];
  /** x, y, z, w: parent_from_joint. */
  restRotation: number[];
}
