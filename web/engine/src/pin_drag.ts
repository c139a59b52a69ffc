import { type Document, documentText } from './documents.js';
import { expectLength, expectRecord, expectWhole, flags, numberOf, shown } from './checks.js';
import type { Engine, StructValues } from './engine.js';
import { ShosaError } from './errors.js';
import type { Point } from './commands.js';
import { Bodied, handleOf } from './handle.js';
import { Pose } from './pose.js';

export interface PinDragOptions {
  /** How fast errors of drags, pins, desired turns and ranges go, 1/s: at 1 / step an error is gone in one step. */
  drag_gain?: number;
  pin_gain?: number;
  desired_gain?: number;
  range_gain?: number;
  /** Of a pin of weight 1, against joint rates of weight 1. */
  pin_strength?: number;
  /** Costs of moving and of turning the root; a joint's turn costs 1 unless `setStiffness` says otherwise. */
  root_stiffness?: number;
  root_turn_stiffness?: number;
  /** No joint turns and the root does not move faster. */
  max_rate_radps?: number;
  max_speed_mps?: number;
}

export interface GoalOptions {
  /** Against other pins. */
  weight?: number;
  /** The point, in the joint's frame, metres. */
  offset_m?: Point;
  /** Of the target, in the world. */
  velocity_mps?: Point;
  /** x, y, z, w: world_from_joint; the joint's turn is held too. */
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

  /** World, metres. */
  moveTo(position_m: Point): void {
    expectLength('position_m', position_m ?? null, 3);
    this.set({ position_m });
  }

  /** x, y, z, w: how the joint is to be turned, where the goal began with a turn. */
  turnTo(orientation: readonly [number, number, number, number]): void {
    expectLength('orientation', orientation ?? null, 4);
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
    const { engine, handle } = this.solver;
    engine.work(() => engine.call('shosa_pin_drag_set_goal', handle, this.number, engine.struct('shosa_goal', { ...this.values, ...values })));
    Object.assign(this.values, values);
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
    const handle = handleOf('PinDrag.of', body);
    const { engine } = body;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_pin_drag_create', handle, engine.struct('shosa_pin_drag_params', flags(options)), out);
      return new PinDrag(engine, engine.u32(out));
    });
  }

  /** As `clip.sample` gives it: each joint in its parent's frame. */
  setPose(pose: { rotations?: ArrayLike<number>; translations?: ArrayLike<number> }): void {
    const { engine, jointCount } = this;
    expectRecord('pose', pose);
    expectLength('rotations', pose.rotations, 4 * jointCount);
    expectLength('translations', pose.translations, 3 * jointCount);
    engine.work(() => engine.call('shosa_pin_drag_set_pose', this.handle, engine.floats(pose.rotations), engine.floats(pose.translations), jointCount));
  }

  /** A joint (name or role) stays at a place (world, metres) as well as drags allow. */
  pin(joint: string | number, position_m: Point, options: GoalOptions = {}): Goal {
    return this.add(joint, position_m, options, 0);
  }

  /** A joint is led to a place (world, metres), before all pins. */
  drag(joint: string | number, position_m: Point, options: GoalOptions = {}): Goal {
    return this.add(joint, position_m, options, 1);
  }

  /** Takes all pins and drags away. */
  clear(): void {
    this.engine.call('shosa_pin_drag_clear_goals', this.handle);
  }

  /** Joint ranges: those of humans where none are given. */
  setRanges(ranges?: Document): void {
    const { engine } = this;
    engine.work(() => engine.call('shosa_pin_drag_set_ranges', this.handle, engine.text(ranges === undefined ? undefined : documentText(ranges))));
  }

  /** The centre of mass stays above the feet that are pinned; `margin_m` within their rim. */
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

  /** The root comes near a place (world, metres); weight 0 takes that away. */
  setDesiredPlace(position_m: Point, weight: number): void {
    const { engine } = this;
    expectLength('position_m', position_m ?? null, 3);
    engine.work(() => engine.call('shosa_pin_drag_set_desired_place', this.handle, engine.doubles(position_m), weight));
  }

  /** How a joint may turn: any way, about an axis (in its own frame), or not at all. */
  setFreedom(joint: string | number, freedom: 'ball' | 'hinge' | 'fixed', axis?: Point): void {
    const { engine } = this;
    expectLength('axis', freedom === 'hinge' ? (axis ?? null) : axis, 3);
    engine.work(() => engine.call('shosa_pin_drag_set_freedom', this.handle, this.joint(joint), numberOf('freedom', freedom, ['ball', 'hinge', 'fixed']), engine.doubles(axis)));
  }

  /** Whether a joint keeps to its range. */
  enableRange(joint: string | number, on = true): void {
    this.engine.call('shosa_pin_drag_enable_range', this.handle, this.joint(joint), on ? 1 : 0);
  }

  /** Moves a goal and steps until its joint is there and pins are kept, or `steps` were taken: one message for a page that has the solver in a worker. */
  pull(goal: Goal, position_m: Point, options: { steps?: number; step_s?: number; tolerance_m?: number; orientation?: readonly [number, number, number, number] } = {}): Pulled {
    expectRecord('options', options);
    const { steps: most = 12, step_s = 1 / 60, tolerance_m = 1e-4, orientation } = options;
    expectWhole('steps', most, 1);
    if (!(goal instanceof Goal)) throw new ShosaError('bad_argument', `pull: ${shown(goal)}, expected a goal of this solver`, '');
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

  /** One step of time, seconds. */
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
    expectRecord('options', options);
    expectLength('position_m', position_m ?? null, 3);
    const { turn_only, ...rest } = options;
    const values: StructValues = { ...rest, joint: this.joint(joint), position_m, priority, position_axes: turn_only ? 0 : 7, orientation_axes: options.orientation ? 7 : 0 };
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_pin_drag_add_goal', this.handle, engine.struct('shosa_goal', values), out);
      return new Goal(this, engine.u32(out), values);
    });
  }
}
