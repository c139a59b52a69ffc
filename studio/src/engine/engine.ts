import { type EngineWorker, type RemoteObject, beginWorker } from 'shosa/worker';
import type { Clip, FileKind, JointRange, ReadOptions, RetargetOptions } from 'shosa';
import { baseName, ending, stem } from '../model/files';
import { isObject, type JsonObject } from '../model/json';
import { type Interval, jointNumber, type Motion, type Skin, type Takes } from '../model/motion';
import type { Region } from '../model/ranges';
import type { BodyRules } from '../model/state';
import type { Joint } from '../model/track';

export type { ReadOptions };
export type RemoteClip = RemoteObject<Clip>;

export type Change =
  | { readonly kind: 'fix' }
  | { readonly kind: 'loop'; readonly from_s?: number; readonly to_s?: number }
  | { readonly kind: 'mirror' }
  | { readonly kind: 'cut'; readonly begin_s: number; readonly end_s: number }
  | { readonly kind: 'resample'; readonly fps: number }
  | { readonly kind: 'retarget'; readonly onto: Motion; readonly options?: RetargetOptions };

export type Evaluated = 'score' | 'pose' | 'footsteps' | 'run';

/** Beyond this many numbers only every second, third, … frame is copied into the page. */
const mostNumbers = 24e6;
const framesAtOnce = 2000;

/** The engine in a worker: clips in, motions out. Motions stay plain; the clips behind them are remembered here. */
export class Engine {
  private readonly clips = new WeakMap<Motion, RemoteClip>();
  /** Told what is being done, of what takes long enough to be asked about. */
  step: (what: string) => void = () => {};

  private constructor(readonly worker: EngineWorker) {}

  /** There at once; what is asked of it waits until the module is compiled. */
  static start(): Engine {
    return new Engine(beginWorker());
  }

  /** The clip behind a motion that this engine made. */
  clipOf(motion: Motion): RemoteClip {
    const clip = this.clips.get(motion);
    if (!clip) throw new Error(`${motion.name}: not a motion of this engine`);
    return clip;
  }

  async read(bytes: Uint8Array<ArrayBuffer>, name: string, options: ReadOptions = {}): Promise<Motion> {
    this.step(`parsing ${(bytes.length / 1e6).toFixed(1)} MB`);
    const clip = await this.worker.api.Clip.read(bytes, name, options);
    const report = (await clip.describe()) as unknown as JsonObject;
    const unit_m = typeof report['unit_m'] === 'number' ? report['unit_m'] : 1;
    const takes = takesOf(report, options.take);
    const called = takes && takes.index > 0 ? `${stem(name)} ${takes.names[takes.index]}.${ending(name)}` : baseName(name);
    return this.motion(clip, called, report, /\.(glb|gltf|vrm)$/i.test(name) ? { bytes, unit_m } : undefined, takes);
  }

  /** One of the motions that ship. */
  async make(name: string): Promise<Motion> {
    const clip = await this.worker.api.Clip.make(name);
    return this.motion(clip, name, (await clip.describe()) as unknown as JsonObject, undefined);
  }

  shipped(): Promise<string[]> {
    return this.worker.api.Clip.motions();
  }

  async change(motion: Motion, change: Change): Promise<Motion> {
    const clip = await this.changed(this.clipOf(motion), change);
    const skin = change.kind === 'retarget' ? change.onto.skin : motion.skin;
    return this.motion(clip, motion.name, (await clip.report) as JsonObject, skin);
  }

  private changed(clip: RemoteClip, change: Change): Promise<RemoteClip> {
    switch (change.kind) {
      case 'fix': return clip.fix();
      case 'loop': return clip.loop(change.from_s === undefined || change.to_s === undefined ? {} : { from_s: change.from_s, to_s: change.to_s });
      case 'mirror': return clip.mirror();
      case 'cut': return clip.cut(change.begin_s, change.end_s);
      case 'resample': return clip.resample(change.fps);
      case 'retarget': return clip.retarget(this.clipOf(change.onto), change.options ?? {});
    }
  }

  /** A document carried out, with what it names: motions, and other documents as text. */
  async evaluate(kind: Evaluated, name: string, document: object, named: Readonly<Record<string, Motion | string>>): Promise<Motion> {
    const given = Object.fromEntries(Object.entries(named).map(([key, value]) => [key, typeof value === 'string' ? value : this.clipOf(value)]));
    const { api } = this.worker;
    const content = given as Parameters<typeof api.compose>[1];
    const made = await (kind === 'score' ? api.compose(document, content) : kind === 'pose' ? api.pose(document, content) : kind === 'run' ? api.run(document, content)
      : api.footsteps(document, content['clip'] as unknown as RemoteClip));
    // What is composed of several clips has the name of none; in files that name their motions it is the score's.
    const report = (await made.report) as JsonObject, clip = kind === 'score' ? await made.withName(name) : made;
    const first = Object.values(named).find((value): value is Motion => typeof value !== 'string');
    return this.motion(clip, name, report, first?.skin);
  }

  /** The same motion, with feet and core where somebody says (docs/cli.md, "Contacts by hand"). */
  async withContacts(motion: Motion, given: object): Promise<Motion> {
    const clip = await this.clipOf(motion).withContacts(given);
    const next: Motion = { ...motion, ...(await studied(clip)) };
    this.clips.set(next, clip);
    return next;
  }

  /** What is wrong with a text that is no JSON, and where. */
  async syntaxFault(path: string, bytes: Uint8Array): Promise<string> {
    const said = await this.worker.api.compose(new TextDecoder().decode(bytes), {}).then(() => '', (error: Error) => error.message);
    return said.includes('no JSON') ? said.replace(/^score\.json/, () => path) : `${path}: no JSON`;
  }

  /** Motions of one body in one file. */
  writeAll(motions: Readonly<Record<string, Motion>>): Promise<Uint8Array<ArrayBuffer>> {
    return this.worker.api.writeAll(Object.fromEntries(Object.entries(motions).map(([name, motion]) => [name, this.clipOf(motion)])), 'glb') as Promise<Uint8Array<ArrayBuffer>>;
  }

  write(motion: Motion, kind: FileKind): Promise<Uint8Array<ArrayBuffer>> {
    return this.clipOf(motion).write(kind) as Promise<Uint8Array<ArrayBuffer>>;
  }

  async measure(motion: Motion): Promise<JsonObject> {
    return (await this.clipOf(motion).measure()) as unknown as JsonObject;
  }

  /** Joint ranges of a body (those of a document, or of humans) and its weights; nothing of a body that is no human. */
  async rules(motion: Motion, ranges?: object): Promise<BodyRules | undefined> {
    const clip = this.clipOf(motion);
    try {
      const [weights, regions] = [await clip.bodyWeights(), await clip.jointRanges(...(ranges ? [ranges] : []))];
      const given = new Set(((ranges as { joint_ranges?: JointRange[] } | undefined)?.joint_ranges ?? []).map(({ joint }) => jointNumber(motion, joint)));
      return { weights: weights as BodyRules['weights'], regions: regions.map((each) => regionOf(motion, each as JointRange)).map((region) => (given.has(region.joint) ? { ...region, byHand: true } : region)) };
    } catch (error) {
      if (isLost(error)) throw error;
      return undefined;
    }
  }

  private async motion(clip: RemoteClip, name: string, report: JsonObject, skin: Skin | undefined, takes?: Takes): Promise<Motion> {
    const [joints, frameCount, frameTime_s] = [(await clip.joints) as Joint[], await clip.frameCount, await clip.frameTime_s];
    const stride = Math.max(1, Math.ceil((7 * joints.length * frameCount) / mostNumbers));
    const { rotations, translations } = await allFrames(clip, joints.length, frameCount, stride, this.step);
    this.step(`finding feet and core in ${frameCount} frames`);
    const { contacts, core, facts } = await studied(clip);
    const texts = (key: string) => (Array.isArray(report[key]) ? (report[key] as string[]).map(withoutFlags) : []);
    const motion: Motion = {
      name, contacts, core, facts, report, warnings: texts('warnings'), notes: texts('notes'), takes, skin,
      track: { joints, frameCount: Math.ceil(frameCount / stride), frameTime_s: frameTime_s * stride, rotations, translations },
    };
    this.clips.set(motion, clip);
    return motion;
  }
}

/** The clips of a file as its description names them, where there are several. */
function takesOf(report: JsonObject, take: string | number | undefined): Takes | undefined {
  const clips = Array.isArray(report['clips']) ? (report['clips'] as JsonObject[]).filter(isObject) : [];
  const names = clips.map(({ name }) => String(name ?? ''));
  return names.length < 2 ? undefined : { names, index: Math.max(0, names.includes(String(take)) ? names.indexOf(String(take)) : Number(take ?? 0)) };
}

/** Hints of the command line, `(--unit m keeps metres)`, help nobody here. */
function withoutFlags(warning: string): string {
  return warning.replace(/ \([^()]*--[a-z][^()]*\)|; --[a-z][^;]*/g, '');
}

async function allFrames(clip: RemoteClip, jointCount: number, frameCount: number, stride: number, step: (what: string) => void): Promise<{ rotations: Float32Array; translations: Float32Array }> {
  const kept = Math.ceil(frameCount / stride);
  const rotations = new Float32Array(4 * jointCount * kept), translations = new Float32Array(3 * jointCount * kept);
  const atOnce = framesAtOnce * stride;
  for (let first = 0; first < frameCount; first += atOnce) {
    step(`frame ${first} of ${frameCount}`);
    const part = await clip.frames(first, Math.min(atOnce, frameCount - first));
    for (let frame = first; frame < Math.min(first + atOnce, frameCount); frame += stride) {
      const from = frame - first, to = frame / stride;
      rotations.set(part.rotations.subarray(4 * jointCount * from, 4 * jointCount * (from + 1)), 4 * jointCount * to);
      translations.set(part.translations.subarray(3 * jointCount * from, 3 * jointCount * (from + 1)), 3 * jointCount * to);
    }
  }
  return { rotations, translations };
}

interface Study {
  contacts: Record<string, Interval[]>;
  core: Interval;
  root_speed_mps: number;
  cycle: { found: boolean; begin_s: number; end_s: number };
  flights: Interval[];
  ground_m: number;
}

/** Contacts and core where the body has feet; animals and props without them play all the same. */
async function studied(clip: RemoteClip): Promise<Pick<Motion, 'contacts' | 'core' | 'facts'>> {
  try {
    const { contacts, core, root_speed_mps, cycle, flights, ground_m } = (await clip.study()) as unknown as Study;
    const flight_s = flights.reduce((sum, [begin, end]) => sum + end - begin, 0);
    return { contacts, core, facts: { speed_mps: root_speed_mps, cycle_s: cycle.found ? cycle.end_s - cycle.begin_s : 0, flight_s, ground_m } };
  } catch (error) {
    if (isLost(error)) throw error;
    return { contacts: {}, core: undefined, facts: { speed_mps: 0, cycle_s: 0, flight_s: 0, ground_m: 0 } };
  }
}

/** The worker is gone, or has given up: not a matter of the clip. */
export function isLost(error: unknown): boolean {
  return ['crashed', 'cancelled', 'out_of_memory'].includes((error as { code?: string }).code ?? '');
}

function regionOf(motion: Motion, { joint, parent_from_zero, joint_from_frame, corners, triangles }: JointRange): Region {
  return { joint: jointNumber(motion, joint), name: joint, parentFromZero: parent_from_zero as unknown as Region['parentFromZero'], jointFromFrame: joint_from_frame as unknown as Region['jointFromFrame'], corners, triangles };
}
