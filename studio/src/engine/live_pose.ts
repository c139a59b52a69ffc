import type { MomentPulled, PoseMoment } from 'shosa';
import type { RemoteObject } from 'shosa/worker';
import type { Json } from '../model/json';
import type { Turn } from '../model/ranges';
import type { Vec3 } from '../model/track';
import type { Engine, RemoteClip } from './engine';

/** Of the solver, in one answer: some 60 fit into a picture. */
const steps = 60;
/** Answers after which a body that does not come to rest is left as it is. */
const mostAnswers = 60;

/**
 * A posture that follows the pointer: a moment of the pose script in which a joint is led, so that what is seen is what the script will give.
 * It lives in an engine of its own, so that nothing else that is computed makes the hand wait.
 * Pulls that come while one is on its way replace each other: the last place counts. Without a new one the body goes on until it rests.
 */
export class LivePose {
  private moment: RemoteObject<PoseMoment> | undefined;
  private joint = 0;
  private wanted: { place: Vec3; turn: Turn | undefined } | undefined;
  private ready: Promise<void> = Promise.resolve();
  private pulling = false;
  /** Nobody waits for it to rest. */
  private enough = false;
  /** Milliseconds of the pulls so far, in the worker and from asking to the answer: for tests/browser/measure.mjs. */
  readonly took_ms: number[] = [];
  readonly waits_ms: number[] = [];

  constructor(
    readonly engine: Engine,
    private readonly show: (pulled: MomentPulled) => void,
  ) {}

  get warm(): boolean {
    return this.moment !== undefined;
  }

  /** `script` leads or turns the joint at that time. */
  begin(script: Json, named: Readonly<Record<string, RemoteClip | string>>, time_s: number, joint: number): Promise<void> {
    this.wanted = undefined;
    this.enough = true;
    return (this.ready = this.set(script, named, time_s, joint));
  }

  private async set(script: Json, named: Readonly<Record<string, RemoteClip | string>>, time_s: number, joint: number): Promise<void> {
    const { api } = this.engine.worker, before = this.moment;
    this.moment = undefined;
    const make = (...like: RemoteObject<PoseMoment>[]) => api.PoseMoment.of(script as object, named as Parameters<typeof api.PoseMoment.of>[1], time_s, ...like);
    // The one before may have been lost with its worker.
    this.moment = await (before ? make(before).catch(() => make()) : make());
    before?.dispose();
    this.joint = joint;
    this.enough = false;
  }

  /** The dragged joint is wanted at a place, or turned. */
  pull(place: Vec3, turn?: Turn): void {
    this.wanted = { place, turn };
    if (!this.pulling) void this.run();
  }

  /** The body has come to rest, or is left where it is. */
  get resting(): boolean {
    return !this.pulling;
  }

  /** Somebody waits for it. */
  get busy(): boolean {
    return this.pulling && !this.enough;
  }

  /** Done when the last place that was asked for has been answered. */
  async settle(): Promise<void> {
    this.enough = true;
    while (this.pulling) await new Promise((resolve) => setTimeout(resolve));
  }

  private async run(): Promise<void> {
    this.pulling = true;
    try {
      await this.ready;
      for (let answers = 0; this.moment && (this.wanted || (answers < mostAnswers && !this.enough)); ++answers) {
        const { wanted } = this, begin = performance.now();
        if (wanted) answers = 0;
        this.wanted = undefined;
        const pulled = await this.moment.pull(this.joint, wanted ? (wanted.turn ? { orientation: wanted.turn } : { position_m: wanted.place }) : {}, { steps });
        if (wanted) {
          this.waits_ms.push(performance.now() - begin);
          this.took_ms.push(pulled.took_ms);
        }
        this.show(pulled as unknown as MomentPulled);
        if (pulled.rests && !this.wanted) break;
      }
    } catch {
      // The worker was lost: the body stops following, and what the pointer asked for is in the document when it is let go.
      this.moment = undefined;
    } finally {
      this.pulling = false;
    }
  }

  dispose(): void {
    this.moment?.dispose();
    this.moment = undefined;
  }
}
