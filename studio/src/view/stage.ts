import * as THREE from 'three';
import type { App } from '../app/app';
import { footJoints, type Motion, jointNumber, standing } from '../model/motion';
import { asPoseScript, pinKind, pinsAt } from '../model/pose_script';
import { documentAt } from '../model/files';
import type { Figure, State } from '../model/state';
import { carrierOf, type Joint, ofBody, sampleTrack, type Vec3, worldMatrices } from '../model/track';
import { type Body, BoneBody, bodySize, floorOf } from './body';
import { Ground } from './ground';
import { Marks } from './marks';
import { type Handle, pickHandle } from './handles';
import { Orbit } from './orbit';
import { PoseMarks } from './pose_marks';
import { skinBody } from './skin';
import { type StageTheme, themes } from './theme';

interface Shown {
  motion: Motion;
  tint: Figure['tint'];
  body: Body;
  group: THREE.Group;
}

const mostPixelRatio = 2;

/** The three.js scene, derived from the state. Draws when the state changes, while something plays, and never else. */
export class Stage {
  readonly orbit = new Orbit();
  readonly renderer: THREE.WebGLRenderer;
  /** Pictures drawn so far. */
  drawn = 0;
  private readonly scene = new THREE.Scene();
  private readonly ground = new Ground();
  private readonly marks: Marks;
  readonly poseMarks = new PoseMarks();
  private readonly shown = new Map<string, Shown>();
  private theme: StageTheme = themes.dark;
  private asked = 0;
  /** A picture is due, and waits for the posture that the pointer asked for. */
  private held = false;
  private last_ms: number | undefined;
  private framed: string | undefined;
  /** The camera's moves before it was last put where all is in sight. */
  private framedAfter: number | undefined;
  private readonly trails = new WeakMap<Motion, Map<number, Float32Array>>();
  private readonly unsubscribe: () => void;
  private readonly observer: ResizeObserver;
  /** Joint under the pointer. */
  hot: number | undefined;
  /** Called when a picture has been drawn. */
  readonly after = new Set<() => void>();
  hotHandle: string | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly app: App,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, mostPixelRatio));
    this.marks = new Marks(this.theme);
    this.scene.add(this.ground.object, this.marks.object, this.poseMarks.object);
    host.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute('aria-label', 'Stage');
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.setTheme(themes.dark);
    this.compileEarly();
    this.unsubscribe = app.state.subscribe((value, before) => this.changed(value, before));
    this.resize();
  }

  setTheme(theme: StageTheme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.background);
    this.scene.fog = new THREE.Fog(theme.background, 12, 34);
    this.ground.paint(theme);
    this.marks.paint(theme);
    for (const id of [...this.shown.keys()]) this.forget(id);
    this.request();
  }

  /** The graphics driver makes its programs while the engine computes the first figure: a body that nobody sees has them made, and keeps them. */
  private compileEarly(): void {
    const joint: Joint = { name: '', role: undefined, parent: -1, restRotation: [0, 0, 0, 1], restTranslation: [0, 0, 0] };
    const { object } = new BoneBody([joint, { ...joint, parent: 0, restTranslation: [0, 1, 0] }], 0, 0, 1);
    object.visible = false;
    this.scene.add(object);
    this.renderer.compile(this.scene, this.orbit.camera);
  }

  /** One picture more, soon. */
  request(): void {
    if (this.asked === 0) this.asked = requestAnimationFrame((now) => this.frame(now));
  }

  /** What is on the screen is not yet what the state says, or not yet of the size that it has room for. */
  get due(): boolean {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    return this.asked !== 0 || clientWidth !== this.host.clientWidth || clientHeight !== this.host.clientHeight;
  }

  dispose(): void {
    this.unsubscribe();
    this.observer.disconnect();
    cancelAnimationFrame(this.asked);
    for (const id of [...this.shown.keys()]) this.forget(id);
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }

  // ---- What is under the pointer ----

  private toDevice(x_px: number, y_px: number): THREE.Vector2 {
    const box = this.renderer.domElement.getBoundingClientRect();
    return new THREE.Vector2(((x_px - box.left) / box.width) * 2 - 1, 1 - ((y_px - box.top) / box.height) * 2);
  }

  ray(x_px: number, y_px: number): THREE.Ray {
    const caster = new THREE.Raycaster();
    caster.setFromCamera(this.toDevice(x_px, y_px), this.orbit.camera);
    return caster.ray;
  }

  /** Where a place of the world is on the screen. */
  onScreen(place: Vec3): [x_px: number, y_px: number] {
    const box = this.renderer.domElement.getBoundingClientRect();
    const { x, y } = new THREE.Vector3(...place).project(this.orbit.camera);
    return [box.left + ((x + 1) / 2) * box.width, box.top + ((1 - y) / 2) * box.height];
  }

  /** The point of the pointer's ray on the plane through a place that faces the camera. */
  onPlane(x_px: number, y_px: number, through: Vec3): Vec3 {
    const normal = this.orbit.camera.getWorldDirection(new THREE.Vector3());
    const hit = this.ray(x_px, y_px).intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...through)), new THREE.Vector3());
    return hit ? [hit.x, hit.y, hit.z] : through;
  }

  /** The joint nearest to the pointer, within some pixels; of those that lie over each other the one in front. */
  pick(x_px: number, y_px: number, within_px = 14): number | undefined {
    const figure = this.app.state.value.scene.figures[0];
    if (!figure) return undefined;
    const matrices = this.matricesOf(figure);
    let best: number | undefined, least = within_px;
    for (let joint = 0; joint < figure.motion.track.joints.length; ++joint) {
      const [x, y] = this.onScreen([matrices[16 * joint + 12]!, matrices[16 * joint + 13]!, matrices[16 * joint + 14]!]);
      const away = Math.hypot(x - x_px, y - y_px);
      if (away < least - 1) [best, least] = [joint, away];
    }
    return best;
  }

  pickHandle(x_px: number, y_px: number): Handle | undefined {
    return pickHandle(this.poseMarks.handles, x_px, y_px, (place) => this.onScreen(place));
  }

  matricesOf(figure: Figure): Float32Array {
    const { track } = figure.motion;
    return figure.live ?? worldMatrices(track.joints, sampleTrack(track, this.app.state.value.transport.time_s));
  }

  /** All figures in sight, but for ghosts. */
  frameFigure(): void {
    const box = new THREE.Box3();
    for (const figure of this.app.state.value.scene.figures.filter(({ tint }) => tint !== 'ghost')) {
      const matrices = this.matricesOf(figure), offset = new THREE.Vector3(figure.offset[0], 0, figure.offset[1]);
      ofBody(figure.motion.track.joints).forEach((own, joint) => own && box.expandByPoint(new THREE.Vector3().fromArray(matrices, 16 * joint + 12).add(offset)));
      const room = this.shown.get(figure.id)?.body.room?.();
      if (room) box.union(room);
    }
    if (box.isEmpty()) return;
    // The camera stands where the body is now: it has not to be followed there from its place in the last picture.
    this.followBody();
    this.orbit.frame(box.getCenter(new THREE.Vector3()), Math.max(0.5, box.getSize(new THREE.Vector3()).length()));
    this.framedAfter = this.orbit.moves;
    this.request();
  }

  // ---- From the state to the picture ----

  private changed(value: State, before: State): void {
    const same = value.scene === before.scene && value.transport === before.transport && value.view === before.view && value.joint === before.joint && value.space === before.space;
    if (same) return;
    this.request();
    // The posture that the picture was held for is there; drawn once this task is done with the state.
    if (this.held) queueMicrotask(() => this.held && this.frame(performance.now()));
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight);
    this.orbit.resize(clientWidth, clientHeight);
    this.request();
  }

  private frame(now_ms: number): void {
    cancelAnimationFrame(this.asked);
    this.asked = 0;
    // A posture that is on its way comes first: else the picture would show the one before, and the answer would wait until that is drawn. For one frame at most.
    this.held = !this.held && this.app.awaitsPosture();
    if (this.held) return this.request();
    // An empty stage would only keep the first figure waiting.
    if (this.app.computing && this.app.state.value.scene.figures.length === 0 && this.shown.size === 0) return;
    const { playing } = this.app.state.value.transport;
    if (playing) {
      if (this.last_ms !== undefined) this.app.tick(Math.max(0, now_ms - this.last_ms) / 1000);
      this.last_ms = now_ms;
    } else this.last_ms = undefined;
    this.update(this.app.state.value);
    this.renderer.render(this.scene, this.orbit.camera);
    this.drawn += 1;
    for (const done of this.after) done();
    if (this.app.state.value.transport.playing) this.request();
  }

  /** The state as it is, drawn at once: whoever asks may copy the canvas before the browser shows it. */
  drawNow(): HTMLCanvasElement {
    this.update(this.app.state.value);
    this.renderer.render(this.scene, this.orbit.camera);
    return this.renderer.domElement;
  }

  /** Pictures of a size of their own, until it is given back. */
  borrow(width: number, height: number): () => void {
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(width, height, false);
    this.orbit.resize(width, height);
    return () => {
      this.renderer.setPixelRatio(ratio);
      this.resize();
    };
  }

  private update(state: State): void {
    const { figures } = state.scene;
    const wanted = figures.filter((figure) => figure.tint !== 'ghost' || state.view.ghost);
    for (const [id, { motion }] of this.shown) if (!wanted.some((figure) => figure.id === id && figure.motion.track.joints === motion.track.joints)) this.forget(id);
    for (const figure of wanted) this.showFigure(figure, state);
    const [first] = figures;
    const framed = `${state.space} ${figures.filter(({ tint }) => tint !== 'ghost').map(({ id, offset }) => `${id} ${offset}`)}`;
    if (first && this.framed !== framed) {
      this.framed = framed;
      this.frameFigure();
    }
    this.showMarks(first, state);
  }

  private showFigure(figure: Figure, state: State): void {
    const shown = this.shown.get(figure.id) ?? this.add(figure);
    shown.motion = figure.motion;
    shown.group.position.set(figure.offset[0], 0, figure.offset[1]);
    shown.body.pose(this.matricesOf(figure));
    const { time_s } = state.transport;
    const feet = state.view.contacts && figure.tint !== 'ghost' ? standing(figure.motion, time_s) : [];
    shown.body.light(new Set(feet.flatMap((foot) => footJoints(figure.motion, foot))));
  }

  private add(figure: Figure): Shown {
    const color = { main: this.theme.body, ghost: this.theme.ghost, second: this.theme.second }[figure.tint];
    const { joints } = figure.motion.track;
    const shown: Shown = { motion: figure.motion, tint: figure.tint, body: new BoneBody(joints, color, this.theme.contact, figure.tint === 'ghost' ? 0.3 : 1), group: new THREE.Group() };
    shown.group.add(shown.body.object);
    this.scene.add(shown.group);
    this.shown.set(figure.id, shown);
    const { skin } = figure.motion;
    if (skin && figure.tint !== 'ghost') {
      void skinBody(skin, joints, this.theme.contact).then((body) => {
        if (!body || this.shown.get(figure.id) !== shown) return;
        shown.group.remove(shown.body.object);
        shown.body.dispose();
        shown.body = body;
        shown.group.add(body.object);
        body.pose(this.matricesOf(figure));
        // A skin may be larger than its bones. Where somebody looks from is left alone.
        if (this.framedAfter === this.orbit.moves) this.frameFigure();
        this.request();
      }, () => undefined); // A skin that three.js does not read: the figure of bones stays.
    }
    return shown;
  }

  private forget(id: string): void {
    const shown = this.shown.get(id);
    if (!shown) return;
    this.scene.remove(shown.group);
    shown.body.dispose();
    this.shown.delete(id);
  }

  private showMarks(figure: Figure | undefined, state: State): void {
    if (!figure) {
      this.marks.hideJoints();
      this.poseMarks.hide();
      this.marks.showPins([], new Float32Array(), 0);
      this.marks.showTrail(undefined);
      return;
    }
    const matrices = this.matricesOf(figure), { joints } = figure.motion.track;
    this.followBody();
    this.ground.place(this.orbit.target.x, floorOf(figure.began?.motion ?? figure.motion), this.orbit.target.z);
    this.poseMarks.show(figure, matrices, state, this.orbit.camera, this.theme, this.hotHandle);
    const size_m = 0.008 * bodySize(joints);
    const script = state.space === 'pose' ? asPoseScript(documentAt(state.history.present, state.open.pose)) : undefined;
    if (script || state.joint !== undefined || state.view.names) this.marks.showJoints(matrices, joints.length, size_m, state.joint, this.hot, this.poseMarks.outside);
    else this.marks.hideJoints();
    const pins = script ? pinsAt(script, state.transport.time_s) : [];
    this.marks.showPins(pins.map((pin) => ({ joint: jointNumber(figure.motion, pin.joint), kind: pinKind(pin)!, place: pin.position || undefined })).filter(({ joint }) => joint >= 0), matrices, size_m);
    this.marks.showTrail(state.view.trails && state.joint !== undefined ? this.trailOf(figure.motion, state.joint) : undefined);
  }

  private followBody(): void {
    const { scene, view } = this.app.state.value, [figure] = scene.figures;
    if (!figure || figure.live) return;
    const matrices = this.matricesOf(figure), at = 16 * carrierOf(figure.motion.track.joints) + 12;
    this.orbit.follow(figure.motion, matrices[at]!, matrices[at + 2]!, view.follow);
  }

  private trailOf(motion: Motion, joint: number): Float32Array {
    let byJoint = this.trails.get(motion);
    if (!byJoint) this.trails.set(motion, (byJoint = new Map()));
    let points = byJoint.get(joint);
    if (!points) {
      const { track } = motion;
      points = new Float32Array(3 * track.frameCount);
      for (let frame = 0; frame < track.frameCount; ++frame) {
        const matrices = worldMatrices(track.joints, sampleTrack(track, frame * track.frameTime_s));
        points.set(matrices.subarray(16 * joint + 12, 16 * joint + 15), 3 * frame);
      }
      byJoint.set(joint, points);
    }
    return points;
  }
}
