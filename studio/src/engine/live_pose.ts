import type { Goal, PinDrag, Pulled } from 'shosa';
import type { RemoteObject } from 'shosa/worker';
import { type Pin, usualDesired } from '../model/pose_script';
import type { Turn } from '../model/ranges';
import { jointPlace, type LocalPose, type Vec3 } from '../model/track';
import type { Engine, RemoteClip } from './engine';

export interface LiveOptions {
  ranges: boolean | object;
  balance: boolean;
  /** By joints' numbers. */
  stiffness?: readonly { joint: number; factor: number }[];
  desired?: readonly { joint: number; weight: number }[];
  /** What every joint costs before that. */
  inertia_m2?: readonly number[];
}

export interface LiveStart {
  pose: LocalPose;
  matrices: Float32Array;
  joint: number;
  /** The joint is turned, not led. */
  turn?: Turn;
  /** In joints' numbers, with where they are to stay. */
  pins: readonly (Omit<Pin, 'joint'> & { joint: number })[];
}

/**
 * A posture that follows the pointer. It lives in an engine of its own, so that nothing else that is computed makes the hand wait.
 * Pulls that come while one is on its way replace each other: the last place counts.
 */
export class LivePose {
  private solver: RemoteObject<PinDrag> | undefined;
  private goal: RemoteObject<Goal> | undefined;
  private wanted: { place: Vec3; turn: Turn | undefined } | undefined;
  private ready: Promise<void> = Promise.resolve();
  private pulling = false;
  /** Milliseconds of the pulls so far, in the worker and from asking to the answer: for tests/browser/measure.mjs. */
  readonly took_ms: number[] = [];
  readonly waits_ms: number[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly clip: RemoteClip,
    private readonly show: (pulled: Pulled) => void,
  ) {}

  begin(start: LiveStart, options: LiveOptions): Promise<void> {
    this.wanted = undefined;
    return (this.ready = this.set(start, options));
  }

  private async set({ pose, matrices, joint, turn, pins }: LiveStart, options: LiveOptions): Promise<void> {
    this.solver?.dispose();
    const solver = (this.solver = await this.engine.worker.api.PinDrag.of(this.clip));
    await solver.setPose(pose);
    await solver.useInertia();
    if (options.ranges !== false) await solver.setRanges(...(options.ranges === true ? [] : [options.ranges]));
    const cost = (each: number) => options.inertia_m2?.[each] ?? 1;
    const factor = new Map(options.stiffness?.map((each) => [each.joint, each.factor]));
    for (const [each, times] of factor) await solver.setStiffness(each, cost(each) * times);
    for (const { joint: each, weight } of options.desired ?? []) await solver.setDesired(each, pose.rotations.slice(4 * each, 4 * each + 4), (cost(each) * (factor.get(each) ?? 1) * weight) / usualDesired);
    for (const pin of pins) {
      if (pin.joint === joint && (!turn || pin.position === false)) continue;
      const goalOptions = { ...(pin.weight === undefined ? {} : { weight: pin.weight }), ...(pin.orientation === undefined || pin.joint === joint ? {} : { orientation: pin.orientation }), turn_only: pin.position === false };
      await solver.pin(pin.joint, pin.position || jointPlace(matrices, pin.joint), goalOptions);
    }
    this.goal = await solver.drag(joint, jointPlace(matrices, joint), turn ? { orientation: turn, turn_only: true } : {});
    if (options.balance) await solver.setBalance();
    await solver.allowPose();
  }

  /** The dragged joint is wanted at a place, or turned. */
  pull(place: Vec3, turn?: Turn): void {
    this.wanted = { place, turn };
    if (!this.pulling) void this.run();
  }

  get busy(): boolean {
    return this.pulling;
  }

  /** Done when the last place that was asked for has been answered. */
  async settle(): Promise<void> {
    while (this.pulling) await new Promise((resolve) => setTimeout(resolve));
  }

  private async run(): Promise<void> {
    this.pulling = true;
    try {
      await this.ready;
      while (this.wanted && this.solver && this.goal) {
        const { place, turn } = this.wanted, begin = performance.now();
        this.wanted = undefined;
        const pulled = await this.solver.pull(this.goal, place, turn ? { orientation: turn } : {});
        this.waits_ms.push(performance.now() - begin);
        this.took_ms.push(pulled.took_ms);
        this.show(pulled as unknown as Pulled);
      }
    } catch {
      // The worker was lost: the body stops following, and what the pointer asked for is in the document when it is let go.
      this.solver = undefined;
    } finally {
      this.pulling = false;
    }
  }

  dispose(): void {
    this.solver?.dispose();
    this.solver = undefined;
  }
}
