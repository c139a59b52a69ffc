import * as THREE from 'three';
import { documentAt } from '../model/files';
import { jointNumber } from '../model/motion';
import { asPoseScript, pinsAt } from '../model/pose_script';
import { balanceOf, carryingJoints } from '../model/balance';
import { isOutside, type Region, swingOf } from '../model/ranges';
import { beganWith, type Figure, type State } from '../model/state';
import { jointPlace, jointTurn, type LocalPose, sampleTrack } from '../model/track';
import { BalanceMarks } from './balance_marks';
import { Gizmo } from './gizmo';
import type { Handle } from './handles';
import { RangeMarks } from './range_marks';
import type { StageTheme } from './theme';

/** What the pose work space lays over its body: the selected joint's range and handles, and the balance of the whole. */
export class PoseMarks {
  readonly object = new THREE.Group();
  readonly ranges = new RangeMarks();
  readonly gizmo = new Gizmo();
  /** Joints that have left their ranges. */
  outside: ReadonlySet<number> = new Set();
  /** Whether the centre of mass is over the feet that carry; undefined where that is not shown. */
  balanced: boolean | undefined;
  private readonly balance = new BalanceMarks();

  constructor() {
    this.object.add(this.ranges.object, this.gizmo.object, this.balance.object);
  }

  get handles(): Handle[] {
    return [...this.gizmo.handles, ...this.ranges.handles];
  }

  hide(): void {
    this.ranges.hide();
    this.gizmo.hide();
    this.balance.hide();
    this.outside = new Set();
    this.balanced = undefined;
  }

  show(figure: Figure, matrices: Float32Array, state: State, camera: THREE.Camera, theme: StageTheme, hot: string | undefined): void {
    const script = state.space === 'pose' ? asPoseScript(documentAt(state.history.present, state.open.pose)) : undefined;
    if (!script) return this.hide();
    const { motion, rules } = figure, { view, joint, transport } = state;
    if (joint !== undefined && view.gizmo !== 'none' && !state.transport.playing) this.gizmo.show(view.gizmo, jointPlace(matrices, joint), camera, hot);
    else this.gizmo.hide();

    const regions = rules && view.ranges && script.ranges !== false && script.ranges !== undefined ? rules.regions : [];
    const pose = figure.live ? localOf(figure, matrices) : sampleTrack(motion.track, transport.time_s);
    const clip = beganWith(figure, transport.time_s);
    this.outside = new Set(regions.filter((region) => isOutside(region, swingOf(region, pose), clip && swingOf(region, clip))).map((region) => region.joint));
    const region = regions.find((each) => each.joint === joint);
    if (region) this.showRange(region, pose, figure, matrices, theme);
    else this.ranges.hide();

    const weighed = rules && view.balance ? balanceOf(rules.weights, matrices, carryingJoints(motion, transport.time_s, pinsAt(script, transport.time_s).map((pin) => jointNumber(motion, pin.joint)))) : undefined;
    this.balanced = weighed?.held;
    if (weighed) this.balance.show(weighed, theme);
    else this.balance.hide();
  }

  private showRange(region: Region, pose: LocalPose, { motion }: Figure, matrices: Float32Array, theme: StageTheme): void {
    const { joints } = motion.track, { parent } = joints[region.joint]!;
    const child = joints.find((each) => each.parent === region.joint);
    const bone_m = child ? Math.hypot(...child.restTranslation) : 0.12;
    const worldFromParent = parent < 0 ? new THREE.Quaternion() : new THREE.Quaternion(...jointTurn(matrices, parent));
    this.ranges.show(region, swingOf(region, pose), worldFromParent, this.outside.has(region.joint), jointPlace(matrices, region.joint), bone_m, theme);
  }
}

/** A live posture's own turns, from its joints in the world. */
function localOf({ motion }: Figure, matrices: Float32Array): LocalPose {
  const { joints } = motion.track, rotations = new Float32Array(4 * joints.length);
  const turns = joints.map((_, joint) => new THREE.Quaternion(...jointTurn(matrices, joint)));
  joints.forEach(({ parent }, joint) => {
    const turn = parent < 0 ? turns[joint]!.clone() : turns[parent]!.clone().invert().multiply(turns[joint]!);
    turn.toArray(rotations, 4 * joint);
  });
  return { rotations, translations: new Float32Array() };
}
