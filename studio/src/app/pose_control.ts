import type { RemoteClip } from '../engine/engine';
import { LivePose } from '../engine/live_pose';
import { baseName, documentAt, freshPath, putDocument, relativePath, resolvePath, stem } from '../model/files';
import type { Json } from '../model/json';
import { jointLabel, jointNumber, type Motion } from '../model/motion';
import { asJson, asPoseScript, newPoseScript, type Key, keyPlace, type Pin, type PinKind, type PoseScript, removeDrag, removeKey, removePin, setKey, setPath, setPin, thinned } from '../model/pose_script';
import { type Reading, readingOf } from '../model/references';
import type { Figure, State } from '../model/state';
import { jointPlace, jointTurn, sampleTrack, type Vec3, worldMatrices } from '../model/track';
import { snapped } from '../model/transport';
import type { Turn } from '../model/ranges';
import type { App } from './app';
import { rulesFor } from './range_control';

const heldFor_s = 2;
const postureRoles = ['hips', 'head', 'left_hand', 'right_hand', 'left_foot', 'right_foot'];
/** Of keys that a recorded drag leaves: a hand changes its direction no quicker. */
const recordedStep_s = 0.1;
/** Once the first picture is drawn, also without a graphics card. */
const warmAfter_ms = 400;

/** What the pose work space shows: the script carried out, and the clip that it began with as a ghost. */
export async function poseScene(app: App, state: State): Promise<Figure[]> {
  const path = state.open.pose;
  const script = scriptOf(state);
  if (path === undefined || !script) return [];
  const place = [0, 0] as const;
  const [motion, clip, rules] = await Promise.all([app.motions.of(path), app.motions.of(resolvePath(path, script.clip), readingOf(path, script)), rulesFor(app, state, path, script)]);
  const figures: Figure[] = [{ id: path, motion, tint: 'main', offset: place, began: { motion: clip, at_s: script.at_s }, ...(rules ? { rules } : {}) }];
  if (script.at_s === undefined && (script.drags?.length ?? 0) > 0) figures.push({ id: 'before', motion: clip, tint: 'ghost', offset: place });
  return figures;
}

export function scriptOf(state: State): PoseScript | undefined {
  return asPoseScript(documentAt(state.history.present, state.open.pose));
}

/** A new pose script on a clip of the project. */
export async function newPose(app: App, clip: string, held_s?: number, reading: Reading = {}): Promise<void> {
  await app.attempt('The clip cannot be posed', async () => {
    const human = (await app.engine.rules(await app.motions.of(clip, reading))) !== undefined;
    const path = freshPath(app.files, `${stem(clip)} pose.json`);
    const script = newPoseScript(relativePath(path, clip), held_s === undefined ? undefined : { at_s: held_s, duration_s: heldFor_s }, human, reading.take);
    app.edit(`New pose ${baseName(path)}`, (files) => putDocument(files, path, asJson(script)));
    // A pose over the clip goes on at the clip's time.
    app.go('pose', path, held_s === undefined ? app.state.value.transport.time_s : 0);
  });
}

interface Gesture {
  readonly document: string;
  readonly joint: number;
  readonly label: string;
  target: Vec3;
  /** Of a joint that is turned, not led: how it is to be turned in the world. */
  turn: Turn | undefined;
  moved: boolean;
  /** Of a drag that is recorded. */
  path: Key[];
  /** Once the body is ready to be pulled at. */
  live: LivePose | undefined;
  ready: Promise<void>;
}

/** The joint's turn is pinned, its place as it was. */
function withTurn(script: PoseScript, joint: string, turn: Turn): PoseScript {
  return setPin(script, { position: false, ...script.pins?.find((pin) => pin.joint === joint), joint, orientation: turn.map((value) => Number(value.toFixed(6))) as unknown as Turn });
}

/** Dragging, pinning and keying in the pose work space. */
export class PoseControl {
  private live: LivePose | undefined;
  private gesture: Gesture | undefined;
  /** A drag goes with the clock, and its whole way is kept. */
  recording = false;

  constructor(private readonly app: App) {
    app.awaitsPosture = () => this.live?.busy ?? false;
    // The first drag finds its engine running and its clip read; the first picture does not wait for that.
    app.state.subscribe(({ scene, space }, before) => {
      // What is on the stage now has other joints, or nothing.
      if (this.gesture && scene.figures[0]?.id !== this.gesture.document) this.cancel();
      const script = space === 'pose' && scene.figures !== before.scene.figures && scene.figures.length > 0 ? scriptOf(app.state.value) : undefined, { open } = app.state.value;
      if (script && !this.gesture) setTimeout(() => void this.warm(open.pose!, script).catch(() => undefined), warmAfter_ms);
    });
  }

  edit(label: string, change: (script: PoseScript) => PoseScript, gesture?: string): void {
    const path = this.app.state.value.open.pose;
    this.app.edit(label, (files) => {
      const script = asPoseScript(documentAt(files, path));
      const next = script && change(script);
      return path === undefined || !next || next === script ? files : putDocument(files, path, asJson(next));
    }, gesture);
  }

  /** Joints as they stand now, in the world. */
  matrices(): Float32Array | undefined {
    const { scene, transport } = this.app.state.value;
    const figure = scene.figures[0];
    return figure && (figure.live ?? worldMatrices(figure.motion.track.joints, sampleTrack(figure.motion.track, transport.time_s)));
  }

  /** The pin of a joint becomes none, its place, its turn, or both. */
  pin(joint: number, kind: PinKind | undefined): void {
    const motion = this.app.shown, matrices = this.matrices();
    if (!motion || !matrices) return;
    const label = jointLabel(motion, joint);
    if (kind === undefined) return this.edit(`Unpin ${label}`, (script) => removePin(script, this.writtenName(script, motion, joint)));
    this.edit(`Pin ${label}`, (script) => {
      const position = kind === 'turn' ? { position: false as const } : script.at_s === undefined ? {} : { position: jointPlace(matrices, joint) };
      return setPin(script, { joint: this.writtenName(script, motion, joint), ...position, ...(kind === 'position' ? {} : { orientation: jointTurn(matrices, joint) }) });
    });
  }

  pinOf(joint: number): Pin | undefined {
    const motion = this.app.shown;
    return motion && scriptOf(this.app.state.value)?.pins?.find((pin) => jointNumber(motion, pin.joint) === joint);
  }

  /** The name under which a script has a joint already, or the one that it gets. */
  private writtenName(script: PoseScript, motion: Motion, joint: number): string {
    const known = [...(script.pins ?? []), ...(script.drags ?? []), ...(script.stiffness ?? []), ...(script.desired ?? [])].find((goal) => jointNumber(motion, goal.joint) === joint);
    return known?.joint ?? jointLabel(motion, joint);
  }

  setWeight(joint: number, weight: number, gesture?: string): void {
    const pin = this.pinOf(joint);
    if (pin) this.edit(`Weight of ${pin.joint}`, (script) => setPin(script, { ...pin, weight: Number(weight.toPrecision(3)) }), gesture);
  }

  /** A change of what the script says of a joint under its name. */
  editJoint(what: string, joint: number, change: (script: PoseScript, name: string) => PoseScript, gesture?: string): void {
    const motion = this.app.shown;
    if (motion) this.edit(`${what} of ${jointLabel(motion, joint)}`, (script) => change(script, this.writtenName(script, motion, joint)), gesture);
  }

  /** The selected joint is led to where it is now. */
  keyHere(): void {
    this.onSelected((motion, joint, name, matrices, time_s) => this.edit(`Key ${jointLabel(motion, joint)}`, (script) => setKey(script, name(script), time_s, jointPlace(matrices, joint))));
  }

  /** The selected joint is led to a coordinate by number, from its key of now or from where it stands. */
  leadAlong(axis: number, value: number, gesture: string): void {
    this.onSelected((motion, joint, name, matrices, time_s) => this.edit(`Drag ${jointLabel(motion, joint)}`, (script) => {
      const [x, y, z] = keyPlace(script, name(script), time_s) ?? jointPlace(matrices, joint);
      return setKey(script, name(script), time_s, [axis === 0 ? value : x, axis === 1 ? value : y, axis === 2 ? value : z]);
    }, gesture));
  }

  /** Hips, head, hands and feet are led to where they are now: the posture of this time. */
  keyPosture(): void {
    const motion = this.app.shown, matrices = this.matrices(), { transport } = this.app.state.value;
    if (!motion || !matrices) return;
    const joints = postureRoles.map((role) => jointNumber(motion, role)).filter((joint) => joint >= 0);
    this.edit('Key the posture', (script) => joints.reduce((value, joint) => setKey(value, this.writtenName(value, motion, joint), snapped(transport, transport.time_s), jointPlace(matrices, joint)), script));
  }

  removeKeyHere(): void {
    this.onSelected((motion, joint, name, _, time_s) => this.edit(`Remove key of ${jointLabel(motion, joint)}`, (script) => removeKey(script, name(script), time_s)));
  }

  free(): void {
    this.onSelected((motion, joint, name) => this.edit(`Free ${jointLabel(motion, joint)}`, (script) => removeDrag(script, name(script))));
  }

  private onSelected(body: (motion: Motion, joint: number, name: (script: PoseScript) => string, matrices: Float32Array, time_s: number) => void): void {
    const { joint, transport } = this.app.state.value, motion = this.app.shown, matrices = this.matrices();
    if (joint !== undefined && motion && matrices) body(motion, joint, (script) => this.writtenName(script, motion, joint), matrices, snapped(transport, transport.time_s));
  }

  // ---- A joint led by the pointer: begin, move …, end or cancel ----

  begin(joint: number, turning = false): Promise<void> {
    const { app } = this, { open, scene } = app.state.value, script = scriptOf(app.state.value), motion = app.shown, matrices = this.matrices();
    // The body of what was open before may still be there while the next one is computed.
    if (!script || !motion || !matrices || open.pose === undefined || scene.figures[0]?.id !== open.pose) return Promise.resolve();
    app.transport((transport) => ({ ...transport, playing: false, time_s: snapped(transport, transport.time_s) }));
    const gesture: Gesture = { document: open.pose, joint, label: jointLabel(motion, joint), target: jointPlace(matrices, joint), turn: turning ? jointTurn(matrices, joint) : undefined, moved: false, path: [], live: undefined, ready: Promise.resolve() };
    this.gesture = gesture;
    // Where the body cannot follow, the script says why once the joint is let go.
    return (gesture.ready = this.prepare(gesture, script, motion).catch(() => undefined));
  }

  /** How people bend is prepared before anybody drags. */
  private async warm(document: string, script: PoseScript): Promise<void> {
    const motion = this.app.shown, matrices = this.matrices();
    if (!motion || !matrices || this.live?.warm) return;
    const { live, value, named } = await this.readied(document, setKey(script, this.writtenName(script, motion, 0), 0, jointPlace(matrices, 0)));
    if (!this.gesture) await live.begin(value, named, 0, 0);
  }

  private async prepare(gesture: Gesture, script: PoseScript, motion: Motion): Promise<void> {
    const { time_s } = this.app.state.value.transport, name = this.writtenName(script, motion, gesture.joint);
    const led = gesture.turn ? withTurn(script, name, gesture.turn) : setKey(script, name, time_s, gesture.target);
    const { live, value, named } = await this.readied(gesture.document, led);
    await live.begin(value, named, time_s, gesture.joint);
    if (this.gesture !== gesture) return;
    gesture.live = live;
    // What the pointer did meanwhile.
    if (gesture.moved) live.pull(gesture.target, gesture.turn);
  }

  move(target: Vec3): void {
    const { gesture } = this;
    if (!gesture) return;
    gesture.target = target;
    gesture.moved = true;
    if (this.recording && gesture.live) {
      // Time runs from the first move on that the body follows, to the end and no further.
      const { transport } = this.app.state.value;
      if (gesture.path.length === 0) this.app.transport((value) => ({ ...value, playing: true, loop: false }));
      if (transport.time_s > (gesture.path.at(-1)?.[0] ?? -1)) gesture.path.push([transport.time_s, target]);
    }
    gesture.live?.pull(target);
  }

  /** The joint that was begun with is turned, in the world. */
  turn(turn: Turn): void {
    const { gesture } = this;
    if (!gesture?.turn) return;
    gesture.turn = turn;
    gesture.moved = true;
    gesture.live?.pull(gesture.target, turn);
  }

  /** One gesture, one step: the joint's key at this time, or its turn. */
  async end(): Promise<void> {
    const { gesture, app } = this, motion = app.shown;
    if (!gesture || !motion) return;
    await gesture.ready;
    await gesture.live?.settle();
    if (this.gesture !== gesture) return;
    this.gesture = undefined;
    app.transport((value) => (value.playing ? { ...value, playing: false } : value));
    const { time_s } = app.state.value.transport;
    const path = thinned(gesture.path, recordedStep_s), { turn } = gesture;
    if (turn && gesture.moved) {
      this.edit(`Turn ${gesture.label}`, (script) => withTurn(script, this.writtenName(script, motion, gesture.joint), turn));
    } else if (path.length > 1) this.edit(`Record ${gesture.label}`, (script) => setPath(script, this.writtenName(script, motion, gesture.joint), path));
    else if (gesture.moved) this.edit(`Drag ${gesture.label}`, (script) => setKey(script, this.writtenName(script, motion, gesture.joint), time_s, gesture.target));
  }

  cancel(): void {
    this.gesture = undefined;
    this.app.setLive(undefined);
  }

  /** Done when the body has followed the pointer to where it is. */
  async settle(): Promise<void> {
    await this.gesture?.ready;
    await this.live?.settle();
  }

  /** The body has come to rest where the pointer is. */
  get resting(): boolean {
    return this.gesture?.live?.resting ?? false;
  }

  get dragging(): boolean {
    return this.gesture !== undefined;
  }

  get times_ms(): { waits: readonly number[]; took: readonly number[] } {
    return { waits: this.live?.waits_ms ?? [], took: this.live?.took_ms ?? [] };
  }

  /** The engine that follows the pointer, with the script's clips read. */
  private async readied(document: string, script: PoseScript): Promise<{ live: LivePose; value: Json; named: Record<string, RemoteClip | string> }> {
    const { app } = this, engine = app.live();
    const { value, named } = await app.motions.givenTo(engine, document, asJson(script));
    if (this.live?.engine !== engine) this.live = undefined;
    const live = (this.live ??= new LivePose(engine, (pulled) => {
      if (this.gesture?.live) app.setLive(pulled.matrices);
    }));
    return { live, value, named };
  }
}
