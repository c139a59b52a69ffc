import * as THREE from 'three';
import type { Vec3 } from '../model/track';
import type { Handle } from './handles';

export type Axis = 'x' | 'y' | 'z';

const axes: Record<Axis, THREE.Vector3> = { x: new THREE.Vector3(1, 0, 0), y: new THREE.Vector3(0, 1, 0), z: new THREE.Vector3(0, 0, 1) };
/** As everywhere: x red, y green, z blue. */
const colors: Record<Axis, number> = { x: 0xe5534b, y: 0x57ab5a, z: 0x539bf5 };
const ringSteps = 48;
/** Of the distance to the camera, so that it is as large near and far; the inner end leaves the joint itself to the free drag. */
const reach = 0.085, inner = 0.28;

/** Handles at the selected joint: arrows along the world's axes, or rings about them. */
export class Gizmo {
  readonly object = new THREE.Group();
  handles: Handle[] = [];
  private readonly center = new THREE.Vector3();
  private shownKind: 'move' | 'turn' | undefined;

  constructor() {
    this.object.visible = false;
  }

  hide(): void {
    this.object.visible = false;
    this.handles = [];
  }

  show(kind: 'move' | 'turn', place: Vec3, camera: THREE.Camera, hot: string | undefined): void {
    if (this.shownKind !== kind) this.build(kind);
    this.center.set(...place);
    const size_m = reach * camera.position.distanceTo(this.center);
    this.object.position.copy(this.center);
    this.object.scale.setScalar(size_m);
    this.object.visible = true;
    const at = (local: THREE.Vector3): Vec3 => local.multiplyScalar(size_m).add(this.center).toArray();
    this.handles = (['x', 'y', 'z'] as const).map((axis) => ({
      id: `${kind} ${axis}`,
      points: kind === 'move' ? [at(axes[axis].clone().multiplyScalar(inner)), at(axes[axis].clone().multiplyScalar(1.15))] : ring(axis).map(at),
    }));
    for (const part of this.object.children) ((part as THREE.Mesh).material as THREE.MeshBasicMaterial).opacity = part.userData['id'] === hot ? 1 : 0.75;
  }

  private build(kind: 'move' | 'turn'): void {
    this.shownKind = kind;
    this.object.clear();
    for (const axis of ['x', 'y', 'z'] as const) {
      const material = new THREE.MeshBasicMaterial({ color: colors[axis], depthTest: false, transparent: true, opacity: 0.75 });
      const parts = kind === 'move' ? [new THREE.CylinderGeometry(0.018, 0.018, 0.72, 8).translate(0, 0.64, 0), new THREE.ConeGeometry(0.07, 0.2, 14).translate(0, 1.05, 0)] : [new THREE.TorusGeometry(1, 0.016, 8, ringSteps).rotateX(Math.PI / 2)];
      for (const geometry of parts) {
        const mesh = new THREE.Mesh(geometry, material);
        mesh.quaternion.setFromUnitVectors(axes.y, axes[axis]);
        mesh.renderOrder = 14;
        mesh.userData['id'] = `${kind} ${axis}`;
        this.object.add(mesh);
      }
    }
  }

  /** How far along an axis the pointer is, metres. */
  along(axis: Axis, ray: THREE.Ray, from: THREE.Vector3): number {
    // The nearest points of two lines: from + t axis, and the ray.
    const between = ray.origin.clone().sub(from), dot = ray.direction.dot(axes[axis]);
    const square = 1 - dot * dot;
    return square < 1e-6 ? 0 : (between.dot(axes[axis]) - dot * between.dot(ray.direction)) / square;
  }

  /** The angle about an axis at which the pointer is, radians. */
  about(axis: Axis, ray: THREE.Ray, from: THREE.Vector3): number {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(axes[axis], from);
    const hit = (ray.intersectPlane(plane, new THREE.Vector3()) ?? ray.closestPointToPoint(from, new THREE.Vector3())).sub(from);
    return axis === 'x' ? Math.atan2(hit.z, hit.y) : axis === 'y' ? Math.atan2(hit.x, hit.z) : Math.atan2(hit.y, hit.x);
  }
}

function ring(axis: Axis): THREE.Vector3[] {
  return Array.from({ length: ringSteps + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / ringSteps, [a, b] = [Math.cos(angle), Math.sin(angle)];
    return axis === 'x' ? new THREE.Vector3(0, a, b) : axis === 'y' ? new THREE.Vector3(b, 0, a) : new THREE.Vector3(a, b, 0);
  });
}
