import { expectLength, expectRecord, expectWhole, flags, jsonText, numberOf, shown, toBytes } from './checks.js';
import type { Engine } from './engine.js';
import { ShosaError } from './errors.js';
import { Bodied, handleOf } from './handle.js';
import { current } from './load.js';
import type { Bytes, ClipArrays, DecomposeOptions, FileKind, FixOptions, LoopOptions, ReadOptions, RetargetOptions, SampleTarget, Submovements } from './clip_options.js';
import type { ClipDescription, ClipMeasures, ClipStudy, Report } from './reports.js';

export type * from './clip_options.js';

/** A motion on a body. Methods that change it give a new one. */
export class Clip extends Bodied {
  /** What the call that made this clip says about it; empty for a clip that was read. */
  readonly report: Report;

  /** @internal */
  constructor(engine: Engine, handle: number, report: Report = {}) {
    super(engine, handle);
    this.report = report;
  }

  /** Reads .bvh, .asf, .amc, .glb, .gltf, .vrma or .vrm; the extension of `name` says which. */
  static read(content: Bytes, name: string, options: ReadOptions = {}): Clip {
    const engine = current();
    return engine.work(() => {
      const bytes = toBytes(content);
      expectRecord('options', options);
      const { up, take, body_map, asf, ...rest } = options;
      if (typeof name !== 'string') throw new ShosaError('bad_argument', `name of the file: ${shown(name)}, expected a text`, '');
      if (asf === undefined && /\.amc$/i.test(name)) throw new ShosaError('bad_argument', `${name}: has no skeleton of its own, expected { asf: the .asf }`);
      const struct = engine.struct('shosa_read_options', {
        ...flags(rest),
        up: up === undefined ? undefined : 1 + numberOf('up', up, ['y', 'z']),
        take: engine.text(take === undefined ? undefined : String(take)),
        body_map: engine.text(body_map === undefined ? undefined : jsonText(body_map)),
        asf: asf === undefined ? undefined : engine.bytes(toBytes(asf)),
      });
      const out = engine.out();
      engine.call('shosa_clip_parse', engine.bytes(bytes), bytes.length, engine.text(name), struct, out);
      return new Clip(engine, engine.u32(out));
    });
  }

  /** One of the motions that ship: `idle`, `walk_normal`, `run_slow`, `pick_up`, … The error names them all. */
  static make(name: string): Clip {
    const engine = current();
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_clip_make', engine.text(name), out);
      return new Clip(engine, engine.u32(out));
    });
  }

  /** A motion of your own, from numbers: what `joints` and `frames()` of a clip give makes its like. */
  static from(arrays: ClipArrays): Clip {
    const engine = current();
    expectRecord('arrays', arrays);
    const { joints, frameTime_s, rotations, translations } = arrays;
    if (!Array.isArray(joints)) throw new ShosaError('bad_argument', `joints: ${shown(joints)}, expected [{ name, parent, restTranslation }, …]`, 'joints');
    joints.forEach((joint, i) => {
      expectRecord(`joint ${i}`, joint);
      expectWhole(`parent of joint ${i}`, joint.parent, -1);
      expectLength(`restTranslation of joint ${i}`, joint.restTranslation ?? null, 3);
      expectLength(`restRotation of joint ${i}`, joint.restRotation, 4);
    });
    const frameCount = Math.floor((rotations?.length ?? 0) / (4 * joints.length));
    expectLength('rotations', rotations ?? null, 4 * joints.length * frameCount);
    expectLength('translations', translations, 3 * joints.length * frameCount);
    return engine.work(() => {
      const names = engine.integers(joints.map(({ name }) => engine.text(name)));
      const turns = engine.floats(joints.flatMap(({ restRotation }) => [...(restRotation ?? [0, 0, 0, 1])]));
      const out = engine.out();
      engine.call('shosa_clip_create', joints.length, names, engine.integers(joints.map(({ parent }) => parent)),
        engine.floats(joints.flatMap(({ restTranslation }) => [...restTranslation])), turns, frameCount, frameTime_s, out);
      const clip = new Clip(engine, engine.u32(out));
      engine.call('shosa_clip_set_frames', clip.handle, 0, frameCount, engine.floats(rotations), engine.floats(translations), joints.length);
      return clip;
    });
  }

  /** The names of the motions that ship. */
  static motions(): string[] {
    const engine = current();
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_motion_names', out);
      return engine.takeJson<string[]>(engine.u32(out));
    });
  }

  /** The bytes of a file. */
  write(kind: FileKind): Uint8Array<ArrayBuffer> {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_clip_format', this.handle, this.engine.text(`clip.${shown(kind)}`), out);
      return this.engine.takeBuffer(this.engine.u32(out));
    });
  }

  /** Feet stand and the core lies where you say, for every method: `{ left: [[0, 0.6]], core: [0.4, 1.2] }`. What is not named is found. */
  withContacts(contacts: object): Clip {
    return this.changed('shosa_clip_set_contacts', contacts);
  }

  /** The same clip with other roles of joints: `{ left_foot: 'LFoot', jaw: null }`. What is not named stays. */
  withBodyMap(roles: object): Clip {
    return this.changed('shosa_clip_set_body_map', roles);
  }

  /** All that is known about it: joints, roles, takes, warnings. */
  describe(): ClipDescription {
    return this.ask('shosa_clip_describe');
  }

  /** Contacts, core, cycle, speed, flights. */
  study(): ClipStudy {
    return this.ask('shosa_clip_analyze');
  }

  /** Quality figures; with a reference also the distance from it. */
  measure(reference?: Clip): ClipMeasures {
    return this.ask('shosa_clip_measure', reference === undefined ? 0 : handleOf('measure', reference));
  }

  /** The same motion under another name. */
  withName(name: string): Clip {
    const copy = this.made('shosa_clip_copy', [], false);
    copy.name = name;
    return copy;
  }

  get name(): string {
    return this.engine.work(() => this.engine.textAt(this.info('name')));
  }

  set name(name: string) {
    this.engine.work(() => this.engine.call('shosa_clip_set_name', this.handle, this.engine.text(name)));
  }

  get frameCount(): number {
    return this.info('frame_count');
  }

  /** Between two frames. */
  get frameTime_s(): number {
    return this.info('frame_time_s');
  }

  get duration_s(): number {
    return this.info('duration_s');
  }

  /** Ends of limbs beyond the last joints: tips of toes and fingers. */
  get endSiteCount(): number {
    return this.info('end_site_count');
  }

  /** Clips in the file; `take` gives another of them. */
  get takeCount(): number {
    return this.info('take_count');
  }

  /** Another clip of the same file, by number from 0. */
  take(number: number): Clip {
    expectWhole('take', number);
    return this.made('shosa_clip_take', [number], false);
  }

  /** The posture at a time (seconds, kept within the clip), each joint in its parent's frame. */
  sample(time_s: number, target: SampleTarget = {}): Required<SampleTarget> {
    const { engine, jointCount } = this;
    expectRecord('target', target);
    const rotations = target.rotations ?? new Float32Array(4 * jointCount);
    const translations = target.translations ?? new Float32Array(3 * jointCount);
    expectLength('rotations', rotations, 4 * jointCount);
    expectLength('translations', translations, 3 * jointCount);
    engine.work(() => {
      const r = engine.room(16 * jointCount), t = engine.room(12 * jointCount);
      engine.call('shosa_clip_sample', this.handle, time_s, r, t, jointCount);
      rotations.set(engine.floatsAt(r, 4 * jointCount));
      translations.set(engine.floatsAt(t, 3 * jointCount));
    });
    return { rotations, translations };
  }

  /** Stored frames from `first` on, one after the other. */
  frames(first = 0, count?: number): Required<SampleTarget> {
    const { engine, jointCount } = this;
    expectWhole('first frame', first);
    count ??= this.frameCount - first;
    expectWhole('frames', count);
    return engine.work(() => {
      const r = engine.room(16 * jointCount * count), t = engine.room(12 * jointCount * count);
      engine.call('shosa_clip_frames', this.handle, first, count, r, t, jointCount);
      return { rotations: engine.floatsAt(r, 4 * jointCount * count).slice(), translations: engine.floatsAt(t, 3 * jointCount * count).slice() };
    });
  }

  /** world_from_joint at a time (seconds, kept within the clip): 16 numbers a joint, column after column, metres. */
  matrices(time_s: number, target = new Float32Array(16 * this.jointCount)): Float32Array {
    const { engine, jointCount } = this;
    expectLength('matrices', target, 16 * jointCount);
    engine.work(() => {
      const pointer = engine.room(64 * jointCount);
      engine.call('shosa_clip_matrices', this.handle, time_s, pointer, jointCount);
      target.set(engine.floatsAt(pointer, 16 * jointCount));
    });
    return target;
  }

  /** World positions of joints, then of end sites, of frames from `first` on: x, y, z a point, metres, +Y up. */
  positions(first = 0, count?: number): Float32Array<ArrayBuffer> {
    const points = this.jointCount + this.endSiteCount;
    expectWhole('first frame', first);
    count ??= this.frameCount - first;
    expectWhole('frames', count);
    return this.engine.work(() => {
      const length = 3 * points * count;
      const pointer = this.engine.room(4 * length);
      this.engine.call('shosa_clip_positions', this.handle, first, count, pointer, points);
      return this.engine.floatsAt(pointer, length).slice();
    });
  }

  /** Which feet stand: a byte a frame, bit f for foot f (left, right). */
  contacts(): Uint8Array<ArrayBuffer> {
    return this.engine.work(() => {
      const { frameCount } = this;
      const pointer = this.engine.room(frameCount);
      this.engine.call('shosa_clip_contacts', this.handle, pointer, frameCount);
      return this.engine.bytesAt(pointer, frameCount).slice();
    });
  }

  /** Path of the hips over the ground: x, z (metres) and heading (radians, unwound) a frame. */
  rootMotion(): Float64Array<ArrayBuffer> {
    return this.engine.work(() => {
      const { frameCount } = this;
      const pointer = this.engine.room(24 * frameCount);
      this.engine.call('shosa_clip_root_motion', this.handle, pointer, frameCount);
      return this.engine.doublesAt(pointer, 3 * frameCount).slice();
    });
  }

  /** Takes foot slide and floor penetration out. */
  fix(options: FixOptions = {}): Clip {
    return this.made('shosa_clip_fix', (engine) => [engine.struct('shosa_fix_params', flags(options))]);
  }

  /** A seamless cycle. */
  loop(options: LoopOptions = {}): Clip {
    expectRecord('options', options);
    const { rise, ...rest } = options;
    if (rest.cycles !== undefined) expectWhole('cycles', rest.cycles, 1);
    const number = rise === undefined ? undefined : numberOf('rise', rise, ['as_floor', 'level', 'climb']);
    return this.made('shosa_clip_loop', (engine) => [engine.struct('shosa_loop_params', { ...flags(rest), rise: number })]);
  }

  /** On the body of another clip. */
  retarget(onto: Clip, options: RetargetOptions = {}): Clip {
    return this.made('shosa_clip_retarget', (engine) => [handleOf('retarget', onto), engine.struct('shosa_retarget_params', flags(options))]);
  }

  /** A joint (name or role) is led along keys [time_s, [x, y, z]] (seconds; world, metres) while the clip plays; feet stay where they stand. */
  drag(joint: string, keys: readonly (readonly [number, readonly [number, number, number]])[]): Clip {
    if (!Array.isArray(keys)) throw new ShosaError('bad_argument', `keys: ${typeof keys}, expected [[time_s, [x, y, z]], …]`, '');
    const numbers = keys.flatMap((key, i) => {
      expectLength(`key ${i}`, key, 2);
      expectLength(`place of key ${i}`, key[1] ?? null, 3);
      return [key[0], ...key[1]];
    });
    return this.made('shosa_clip_drag', (engine) => [engine.text(joint), engine.doubles(numbers), keys.length]);
  }

  /** The stretch between two times, seconds. */
  cut(begin_s: number, end_s: number): Clip {
    return this.made('shosa_clip_cut', [begin_s, end_s], false);
  }

  /** At another rate, frames a second. */
  resample(fps: number): Clip {
    return this.made('shosa_clip_resample', [fps], false);
  }

  /** Left becomes right. */
  mirror(): Clip {
    return this.made('shosa_clip_mirror', [], false);
  }

  /** The body's submovements, as a document that can be edited and played back by `recompose`. */
  decompose(options: DecomposeOptions = {}): Submovements {
    return this.engine.work(() => {
      const { engine } = this;
      const out = engine.out(), report = engine.out();
      engine.call('shosa_clip_decompose', this.handle, engine.struct('shosa_decompose_params', flags(options)), out, report);
      return { document: engine.takeJson<object>(engine.u32(out)), report: engine.takeJson<Report>(engine.u32(report)) };
    });
  }

  private info(key: string): number {
    return this.engine.work(() => {
      const info = this.engine.struct('shosa_clip_info');
      this.engine.call('shosa_clip_get_info', this.handle, info);
      return this.engine.field('shosa_clip_info', key, info);
    });
  }

  /** A copy that was told something by a document. */
  private changed(name: 'shosa_clip_set_contacts' | 'shosa_clip_set_body_map', document: object): Clip {
    const copy = this.made('shosa_clip_copy', [], false);
    try {
      this.engine.work(() => this.engine.call(name, copy.handle, this.engine.text(jsonText(document))));
    } catch (error) {
      copy.dispose();
      throw error;
    }
    return copy;
  }

  private ask<T>(name: 'shosa_clip_describe' | 'shosa_clip_analyze' | 'shosa_clip_measure', ...args: number[]): T {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call(name, this.handle, ...args, out);
      return this.engine.takeJson<T>(this.engine.u32(out));
    });
  }

  private made(name: Parameters<Engine['call']>[0], args: number[] | ((engine: Engine) => number[]), reports = true): Clip {
    const { engine } = this;
    return engine.work(() => {
      const list = typeof args === 'function' ? args(engine) : args;
      const out = engine.out(), report = engine.out();
      engine.call(name, this.handle, ...list, out, ...(reports ? [report] : []));
      return new Clip(engine, engine.u32(out), reports ? engine.takeJson<Report>(engine.u32(report)) : {});
    });
  }
}
