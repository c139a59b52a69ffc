import * as THREE from 'three';
import { boneDirection, type Corner, type Region, rim, type Swing, twistBounds } from '../model/ranges';
import type { Vec3 } from '../model/track';
import type { Handle } from './handles';
import { setPoints } from './points';
import type { StageTheme } from './theme';

const perSide = 4, arcSteps = 24, cornerSize_m = 0.011;

/** The region of a joint on the figure: where its bone may point, as a part of a sphere, and how far it may twist, as an arc around the bone. */
export class RangeMarks {
  readonly object = new THREE.Group();
  /** Of what is shown: corners of the rim, and both ends of the twist. */
  handles: Handle[] = [];
  /** Where it lies, for the pointer: the sphere, and the frame in which swings are counted. */
  readonly center = new THREE.Vector3();
  readonly worldFromZero = new THREE.Quaternion();
  radius_m = 0;
  private readonly fill = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false }));
  private readonly edge = new THREE.LineLoop(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false, transparent: true }));
  private readonly arc = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false, transparent: true }));
  private readonly needle = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false, transparent: true }));
  private readonly dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 10, 8), new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }), 64);

  constructor() {
    for (const [i, part] of [this.fill, this.edge, this.arc, this.needle, this.dots].entries()) {
      part.frustumCulled = false;
      part.renderOrder = 8 + i;
      this.object.add(part);
    }
    this.object.visible = false;
  }

  hide(): void {
    this.object.visible = false;
    this.handles = [];
  }

  /** `bone_m` is the bone's length. */
  show(region: Region, swing: Swing, worldFromParent: THREE.Quaternion, out: boolean, place: Vec3, bone_m: number, theme: StageTheme): void {
    this.center.set(...place);
    this.worldFromZero.copy(worldFromParent).multiply(new THREE.Quaternion(...region.parentFromZero));
    this.radius_m = THREE.MathUtils.clamp(0.85 * bone_m, 0.1, 0.3);
    const color = out ? theme.bad : theme.range;
    for (const part of [this.fill, this.edge, this.arc, this.needle]) part.material.color.setHex(color);
    this.fill.material.opacity = out ? 0.32 : 0.22;
    const at = ([a_y, a_z]: readonly [number, number, ...unknown[]], reach = 1) => new THREE.Vector3(...boneDirection(a_y, a_z)).applyQuaternion(this.worldFromZero).multiplyScalar(reach * this.radius_m).add(this.center);
    const mixed = (a: readonly number[], b: readonly number[], share: number): [number, number] => [a[0]! + share * (b[0]! - a[0]!), a[1]! + share * (b[1]! - a[1]!)];

    // Triangles are flat in the plane of swings and bent on the sphere: each is cut into small ones.
    const points: THREE.Vector3[] = [];
    for (const triangle of region.triangles) {
      const [a, b, c] = triangle.map((i) => region.corners[i]!) as [Corner, Corner, Corner];
      const inner = (i: number, k: number): [number, number] => [a[0] + (i * (b[0] - a[0]) + k * (c[0] - a[0])) / perSide, a[1] + (i * (b[1] - a[1]) + k * (c[1] - a[1])) / perSide];
      for (let i = 0; i < perSide; ++i)
        for (let k = 0; i + k < perSide; ++k) {
          points.push(at(inner(i, k)), at(inner(i + 1, k)), at(inner(i, k + 1)));
          if (i + k + 1 < perSide) points.push(at(inner(i + 1, k)), at(inner(i + 1, k + 1)), at(inner(i, k + 1)));
        }
    }
    setPoints(this.fill.geometry, points);
    const order = rim(region);
    setPoints(this.edge.geometry, order.flatMap((corner, i) => Array.from({ length: perSide }, (_, k) => at(mixed(region.corners[corner]!, region.corners[order[(i + 1) % order.length]!]!, k / perSide)))));

    // The twist about the bone, as seen along it: from the bone's own side of the zero frame.
    const [least, most] = twistBounds(region, swing.a_y, swing.a_z) ?? region.corners.reduce(([low, high], corner) => [Math.min(low, corner[2]), Math.max(high, corner[3])], [0, 0]);
    const half = Math.sqrt(Math.max(0, 1 - swing.a_y ** 2 - swing.a_z ** 2));
    const turn = this.worldFromZero.clone().multiply(new THREE.Quaternion(0, swing.a_y, swing.a_z, half));
    const tip = at([swing.a_y, swing.a_z], 1), size_m = 0.4 * this.radius_m;
    const onArc = (deg: number, reach = 1) => new THREE.Vector3(0, Math.cos(THREE.MathUtils.degToRad(deg)), Math.sin(THREE.MathUtils.degToRad(deg))).multiplyScalar(reach * size_m).applyQuaternion(turn).add(tip);
    setPoints(this.arc.geometry, Array.from({ length: arcSteps + 1 }, (_, i) => onArc(least + ((most - least) * i) / arcSteps)));
    setPoints(this.needle.geometry, [this.center, tip, tip, onArc(swing.twist_deg, 1.15), tip, onArc(least), tip, onArc(most)]);

    this.handles = [
      ...order.map((corner): Handle => ({ id: `corner ${corner}`, points: [at(region.corners[corner]!).toArray()] })),
      { id: 'twist min', points: [onArc(least).toArray()] }, { id: 'twist max', points: [onArc(most).toArray()] },
    ];
    const matrix = new THREE.Matrix4().makeScale(cornerSize_m, cornerSize_m, cornerSize_m), hue = new THREE.Color();
    this.handles.forEach((handle, i) => {
      this.dots.setMatrixAt(i, matrix.setPosition(...handle.points[0]!));
      this.dots.setColorAt(i, hue.setHex(handle.id.startsWith('twist') ? theme.selected : color));
    });
    this.dots.count = Math.min(64, this.handles.length);
    this.dots.instanceMatrix.needsUpdate = true;
    this.dots.instanceColor!.needsUpdate = true;
    this.axis = { tip, turn };
    this.object.visible = true;
  }

  private axis: { tip: THREE.Vector3; turn: THREE.Quaternion } | undefined;

  /** The bone's direction under the pointer, in the zero frame: on the side of the sphere where the handle is, or on its outline where the pointer is beside it. */
  directionUnder(ray: THREE.Ray, handle: string): Vec3 {
    const middle = ray.closestPointToPoint(this.center, new THREE.Vector3());
    const deep_m = Math.sqrt(Math.max(0, this.radius_m ** 2 - middle.distanceToSquared(this.center)));
    const now = new THREE.Vector3(...(this.handles.find(({ id }) => id === handle)?.points[0] ?? [0, 0, 0]));
    const [near, far] = [-deep_m, deep_m].map((by) => middle.clone().addScaledVector(ray.direction, by)) as [THREE.Vector3, THREE.Vector3];
    const direction = (near.distanceTo(now) <= far.distanceTo(now) ? near : far).sub(this.center).normalize().applyQuaternion(this.worldFromZero.clone().invert());
    return [direction.x, direction.y, direction.z];
  }

  /** The twist under the pointer, degrees. */
  twistUnder(ray: THREE.Ray): number {
    if (!this.axis) return 0;
    const { tip, turn } = this.axis;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(new THREE.Vector3(1, 0, 0).applyQuaternion(turn), tip);
    const local = (ray.intersectPlane(plane, new THREE.Vector3()) ?? ray.closestPointToPoint(tip, new THREE.Vector3())).sub(tip).applyQuaternion(turn.clone().invert());
    return THREE.MathUtils.radToDeg(Math.atan2(local.z, local.y));
  }
}
