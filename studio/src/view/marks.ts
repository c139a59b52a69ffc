import * as THREE from 'three';
import type { PinKind } from '../model/pose_script';
import type { Vec3 } from '../model/track';
import type { StageTheme } from './theme';

export interface MarkedPin {
  readonly joint: number;
  readonly kind: PinKind;
  /** Where it is held; what it pulls at may be elsewhere. */
  readonly place: Vec3 | undefined;
}

const mostTrail = 4096;

/** What lies over a body: its joints as dots, pins, the path of a joint. Seen through the body. */
export class Marks {
  readonly object = new THREE.Group();
  private dots: THREE.InstancedMesh | undefined;
  private readonly pins = new THREE.Group();
  private readonly trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.8 }));
  private readonly sphere = new THREE.SphereGeometry(1, 12, 8);
  private readonly pinShapes: Record<PinKind, THREE.BufferGeometry> = { position: new THREE.OctahedronGeometry(1), turn: new THREE.TorusGeometry(1.1, 0.28, 8, 20), both: new THREE.BoxGeometry(1.4, 1.4, 1.4) };
  private readonly through = { depthTest: false, transparent: true };

  constructor(private theme: StageTheme) {
    this.trail.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * mostTrail), 3));
    this.trail.geometry.setDrawRange(0, 0);
    this.trail.frustumCulled = false;
    this.object.add(this.pins, this.trail);
    this.object.renderOrder = 10;
  }

  paint(theme: StageTheme): void {
    this.theme = theme;
    this.trail.material.color.setHex(theme.trail);
  }

  /** Dots of a body's joints; `hot` is under the pointer. */
  showJoints(matrices: Float32Array, jointCount: number, size_m: number, selected: number | undefined, hot: number | undefined, outside: ReadonlySet<number> = new Set()): void {
    if (this.dots?.count !== jointCount) {
      this.hideJoints();
      this.dots = new THREE.InstancedMesh(this.sphere, new THREE.MeshBasicMaterial({ ...this.through, opacity: 0.9 }), jointCount);
      this.dots.frustumCulled = false;
      this.dots.renderOrder = 11;
      this.object.add(this.dots);
    }
    const matrix = new THREE.Matrix4(), color = new THREE.Color();
    for (let joint = 0; joint < jointCount; ++joint) {
      const picked = joint === selected || joint === hot;
      const radius = size_m * (picked || outside.has(joint) ? 1.6 : 1);
      matrix.makeScale(radius, radius, radius).setPosition(matrices[16 * joint + 12]!, matrices[16 * joint + 13]!, matrices[16 * joint + 14]!);
      this.dots.setMatrixAt(joint, matrix);
      this.dots.setColorAt(joint, color.setHex(outside.has(joint) ? this.theme.bad : picked ? this.theme.selected : this.theme.joint));
    }
    this.dots.instanceMatrix.needsUpdate = true;
    this.dots.instanceColor!.needsUpdate = true;
  }

  hideJoints(): void {
    if (!this.dots) return;
    this.object.remove(this.dots);
    this.dots.dispose();
    (this.dots.material as THREE.Material).dispose();
    this.dots = undefined;
  }

  showPins(pins: readonly MarkedPin[], matrices: Float32Array, size_m: number): void {
    for (const child of this.pins.children) ((child as THREE.Mesh).material as THREE.Material).dispose();
    this.pins.clear();
    for (const { joint, kind, place } of pins) {
      const mesh = new THREE.Mesh(this.pinShapes[kind], new THREE.MeshBasicMaterial({ ...this.through, color: this.theme.pin, opacity: 0.85, wireframe: false }));
      if (place) mesh.position.fromArray(place);
      else mesh.position.fromArray(matrices, 16 * joint + 12);
      mesh.scale.setScalar(4.2 * size_m);
      mesh.renderOrder = 12;
      this.pins.add(mesh);
    }
  }

  /** The path of a joint: 3 numbers a point. */
  showTrail(points: Float32Array | undefined): void {
    const attribute = this.trail.geometry.getAttribute('position') as THREE.BufferAttribute;
    const count = Math.min(mostTrail, (points?.length ?? 0) / 3);
    if (points) attribute.array.set(points.subarray(0, 3 * count));
    attribute.needsUpdate = true;
    this.trail.geometry.setDrawRange(0, count);
  }
}
