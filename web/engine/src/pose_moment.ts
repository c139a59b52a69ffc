import { expectLength, expectRecord, expectWhole } from './checks.js';
import type { Point } from './commands.js';
import { type Document, documentText, type Named, withFolder } from './documents.js';
import type { Engine } from './engine.js';
import { Bodied } from './handle.js';
import type { StepReport } from './pin_drag.js';
import { Pose } from './pose.js';

/** A posture on its way to rest: copies, and views where nobody else has them. */
export interface MomentPulled extends StepReport {
  /** More steps would change nothing. */
  rests: boolean;
  /** How long it took, milliseconds. */
  took_ms: number;
  /** x, y, z, w a joint: parent_from_joint. */
  rotations: Float32Array;
  translations: Float32Array;
  /** world_from_joint. */
  matrices: Float32Array;
}

/** One moment of a pose script, pulled at: once it rests, it is what `pose` makes of the script there. For editors that show a drag before it is let go. */
export class PoseMoment extends Bodied {
  readonly pose: Pose;

  /** @internal */
  constructor(engine: Engine, handle: number) {
    super(engine, handle);
    this.pose = engine.work(() => {
      const pose = engine.struct('shosa_pose');
      engine.call('shosa_pose_moment_get_pose', handle, pose);
      return Pose.at(engine, this, pose);
    });
  }

  /** `like`: an earlier moment of the same body, which hands on how people bend: that takes a tenth of a second to prepare. */
  static of(script: Document, clips: Named, time_s: number, like?: PoseMoment): PoseMoment {
    return withFolder(clips, (folder, engine) => {
      const out = engine.out(), localAndWorld = 3;
      engine.call('shosa_pose_moment_create', folder, engine.text('pose.json'), engine.text(documentText(script)), time_s, like?.handle ?? 0, localAndWorld, out);
      return new PoseMoment(engine, engine.u32(out));
    });
  }

  /** Leads a joint (name, role or number) that a drag of the script leads at that time, or turns one whose turn it pins, and goes on towards rest by up to so many steps. */
  pull(joint: string | number, where: { position_m?: Point; orientation?: readonly [number, number, number, number] } = {}, options: { steps?: number } = {}): MomentPulled {
    const { engine } = this;
    expectRecord('where', where);
    expectRecord('options', options);
    const { position_m, orientation } = where, { steps = 60 } = options;
    if (position_m) expectLength('position_m', position_m, 3);
    if (orientation) expectLength('orientation', orientation, 4);
    expectWhole('steps', steps, 1);
    const begin = performance.now(), number = this.joint(joint);
    return engine.work(() => {
      const report = engine.struct('shosa_step_report'), rests = engine.out();
      engine.call('shosa_pose_moment_pull', this.handle, number, engine.doubles(position_m), engine.doubles(orientation), steps, rests, report);
      const field = (key: keyof StepReport) => engine.field('shosa_step_report', key, report);
      const { rotations, translations, matrices } = this.pose;
      return {
        max_drag_error_m: field('max_drag_error_m'),
        max_pin_error_m: field('max_pin_error_m'),
        max_range_violation_rad: field('max_range_violation_rad'),
        balance_error_m: field('balance_error_m'),
        rests: engine.u32(rests) !== 0,
        took_ms: performance.now() - begin,
        rotations,
        translations,
        matrices,
      };
    });
  }
}
