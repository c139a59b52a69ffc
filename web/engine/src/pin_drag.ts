import { flags } from './clip.js';
import { type Document, documentText } from './documents.js';
import { type Engine, expectLength, type StructValues } from './engine.js';
import type { Point } from './character.js';
import { Bodied } from './handle.js';
import { Pose } from './pose.js';

export interface PinDragOptions {
  drag_gain?: number;
  pin_gain?: number;
  desired_gain?: number;
  range_gain?: number;
  pin_strength?: number;
  root_stiffness?: number;
  root_turn_stiffness?: number;
  max_rate_radps?: number;
  max_speed_mps?: number;
}

export interface GoalOptions {
  /** Against other pins. */
  weight?: number;
  /** The point, in the joint's frame. */
  offset_m?: Point;
  velocity_mps?: Point;
  /** x, y, z, w: the joint's turn is held too. */
  orientation?: readonly [number, number, number, number];
  /** The turn alone is held: the point goes where it likes. */
  turn_only?: boolean;
}

export interface StepReport {
  max_drag_error_m: number;
  max_pin_error_m: number;
  max_range_violation_rad: number;
  balance_error_m: number;
}

/** A posture after some steps: copies, and views where nobody else has them. */
export interface Pulled extends StepReport {
  steps: number;
  /** How long it took, milliseconds. */
  took_ms: number;
  /** x, y, z, w a joint: parent_from_joint. */
  rotations: Float32Array;
  translations: Float32Array;
  /** world_from_joint. */
  matrices: Float32Array;
}

/** Something that the posture is pulled by. */
export class Goal {
  /** @internal */
  constructor(
    private readonly solver: PinDrag,
    private readonly number: number,
    private readonly values: StructValues,
  ) {}

  moveTo(position_m: Point): void {
    this.set({ position_m });
  }

  /** x, y, z, w: how the joint is to be turned, where the goal began with a turn. */
  turnTo(orientation: readonly [number, number, number, number]): void {
    this.set({ orientation });
  }

  release(): void {
    this.set({ off: 1 });
  }

  /** How far the joint is from it. */
  get error_m(): number {
    const { engine, handle } = this.solver;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_pin_drag_goal_error', handle, this.number, out, 0);
      return engine.f64(out);
    });
  }

  private set(values: StructValues): void {
    Object.assign(this.values, values);
    const { engine, handle } = this.solver;
    engine.work(() => engine.call('shosa_pin_drag_set_goal', handle, this.number, engine.struct('shosa_goal', this.values)));
  }
}

/** A posture that is pulled at: any joints dragged while any joints are pinned. */
export class PinDrag extends Bodied {
  readonly pose: Pose;

  /** @internal */
  constructor(engine: Engine, handle: number) {
    super(engine, handle);
    this.pose = engine.work(() => {
      const pose = engine.struct('shosa_pose');
      engine.call('shosa_pin_drag_get_pose', handle, pose);
      return Pose.at(engine, this, pose);
    });
  }

  /** At rest, on the body of something. */
  static of(body: Bodied, options: PinDragOptions = {}): PinDrag {
    const { engine } = body;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_pin_drag_create', body.handle, engine.struct('shosa_pin_drag_params', flags(options)), out);
      return new PinDrag(engine, engine.u32(out));
    });
  }

  setPose(pose: { rotations?: ArrayLike<number>; translations?: ArrayLike<number> }): void {
    const { engine, jointCount } = this;
    expectLength('rotations', pose.rotations, 4 * jointCount);
    expectLength('translations', pose.translations, 3 * jointCount);
    engine.work(() => engine.call('shosa_pin_drag_set_pose', this.handle, engine.floats(pose.rotations), engine.floats(pose.translations), jointCount));
  }

  /** A joint (name or role) stays at a place as well as drags allow. */
  pin(joint: string | number, position_m: Point, options: GoalOptions = {}): Goal {
    return this.add(joint, position_m, options, 0);
  }

  /** A joint is led to a place, before all pins. */
  drag(joint: string | number, position_m: Point, options: GoalOptions = {}): Goal {
    return this.add(joint, position_m, options, 1);
  }

  clear(): void {
    this.engine.call('shosa_pin_drag_clear_goals', this.handle);
  }

  /** Joint ranges: those of humans where none are given. */
  setRanges(ranges?: Document): void {
    const { engine } = this;
    engine.work(() => engine.call('shosa_pin_drag_set_ranges', this.handle, engine.text(ranges === undefined ? undefined : documentText(ranges))));
  }

  setBalance(options: { always?: boolean; weight?: number; margin_m?: number } = {}): void {
    const { engine } = this;
    engine.work(() => engine.call('shosa_pin_drag_set_balance', this.handle, engine.struct('shosa_balance', flags(options))));
  }

  clearRanges(): void {
    this.engine.call('shosa_pin_drag_clear_ranges', this.handle);
  }

  clearBalance(): void {
    this.engine.call('shosa_pin_drag_clear_balance', this.handle);
  }

  /** Ranges and balance ask for no more than the posture of now has. */
  allowPose(): void {
    this.engine.call('shosa_pin_drag_allow_pose', this.handle);
  }

  /** Every joint costs the inertia of what hangs on it. */
  useInertia(): void {
    this.engine.call('shosa_pin_drag_use_inertia', this.handle);
  }

  /** Stiffer joints move less: > 0, at first 1. */
  setStiffness(joint: string | number, stiffness: number): void {
    this.engine.call('shosa_pin_drag_set_stiffness', this.handle, this.joint(joint), stiffness);
  }

  /** A joint comes near a rotation (x, y, z, w: parent_from_joint) of its own; weight 0 takes that away. */
  setDesired(joint: string | number, rotation: ArrayLike<number>, weight: number): void {
    const { engine } = this;
    expectLength('rotation', rotation, 4);
    engine.work(() => engine.call('shosa_pin_drag_set_desired', this.handle, this.joint(joint), engine.doubles(rotation), weight));
  }

  /** Moves a goal and steps until its joint is there, or comes no nearer, or `steps` were taken: one message for a page that has the solver in a worker. */
  pull(goal: Goal, position_m: Point, options: { steps?: number; step_s?: number; tolerance_m?: number; orientation?: readonly [number, number, number, number] } = {}): Pulled {
    const { steps: most = 12, step_s = 1 / 60, tolerance_m = 1e-4, orientation } = options;
    const begin = performance.now();
    goal.moveTo(position_m);
    if (orientation) goal.turnTo(orientation);
    let report = this.stepReported(step_s), steps = 1;
    // A turn's error is no part of those below; it is gone within a few steps.
    const least = orientation ? 4 : 1;
    while (steps < most && (steps < least || report.max_drag_error_m > tolerance_m || report.max_pin_error_m > tolerance_m)) {
      report = this.stepReported(step_s);
      ++steps;
    }
    const { rotations, translations, matrices } = this.pose;
    return { ...report, steps, took_ms: performance.now() - begin, rotations, translations, matrices };
  }

  /** One step of time. */
  step(step_s = 1 / 60): void {
    this.engine.call('shosa_pin_drag_step', this.handle, step_s, 0);
  }

  /** One step, and how well it went. */
  stepReported(step_s = 1 / 60): StepReport {
    const { engine } = this;
    return engine.work(() => {
      const report = engine.struct('shosa_step_report');
      engine.call('shosa_pin_drag_step', this.handle, step_s, report);
      const field = (key: keyof StepReport) => engine.field('shosa_step_report', key, report);
      return {
        max_drag_error_m: field('max_drag_error_m'),
        max_pin_error_m: field('max_pin_error_m'),
        max_range_violation_rad: field('max_range_violation_rad'),
        balance_error_m: field('balance_error_m'),
      };
    });
  }

  private add(joint: string | number, position_m: Point, options: GoalOptions, priority: number): Goal {
    const { engine } = this;
    const { turn_only, ...rest } = options;
    const values: StructValues = { ...rest, joint: this.joint(joint), position_m, priority, position_axes: turn_only ? 0 : 7, orientation_axes: options.orientation ? 7 : 0 };
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_pin_drag_add_goal', this.handle, engine.struct('shosa_goal', values), out);
      return new Goal(this, engine.u32(out), values);
    });
  }
}
