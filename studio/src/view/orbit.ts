import * as THREE from 'three';

export type Side = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom';

/** A pixel of the pointer turns the view by so much. */
export const radiansPerPixel = 0.008;
const nearest_m = 0.3, farthest_m = 60, steepest = Math.PI / 2 - 1e-3;
const angles: Record<Side, [azimuth: number, height: number]> = {
  front: [0, 0], back: [Math.PI, 0], right: [-Math.PI / 2, 0], left: [Math.PI / 2, 0], top: [0, steepest], bottom: [0, -steepest],
};

/** A camera that goes about a point: turned, shifted and brought nearer by the pointer, as in Blender. It moves only when told to. */
export class Orbit {
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.05, 200);
  readonly target = new THREE.Vector3(0, 0.9, 0);
  /** How often it was turned, shifted, brought nearer or told where to look from. */
  moves = 0;
  private azimuth = 0.6;
  private height = 0.25;
  private distance_m = 4.6;
  private body: { of: object; x: number; z: number; on: boolean } | undefined;

  constructor() {
    this.place();
  }

  turn(x_px: number, y_px: number): void {
    this.moves += 1;
    this.azimuth -= x_px * radiansPerPixel;
    this.height = THREE.MathUtils.clamp(this.height + y_px * radiansPerPixel, -steepest, steepest);
    this.place();
  }

  /** Shifts what is seen with the pointer: a pixel is a pixel at the target. */
  shift(x_px: number, y_px: number, windowHeight_px: number): void {
    this.moves += 1;
    const metres = (2 * this.distance_m * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2))) / windowHeight_px;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0), up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.target.addScaledVector(right, -x_px * metres).addScaledVector(up, y_px * metres);
    this.place();
  }

  /** Factors below 1 come nearer. */
  zoom(factor: number): void {
    this.moves += 1;
    this.distance_m = THREE.MathUtils.clamp(this.distance_m * factor, nearest_m, farthest_m);
    this.place();
  }

  look(side: Side): void {
    this.moves += 1;
    [this.azimuth, this.height] = angles[side];
    this.place();
  }

  /** Everything of a size in metres is in sight. */
  frame(center: THREE.Vector3, size_m: number): void {
    this.target.copy(center);
    const narrow = Math.min(1, this.camera.aspect);
    this.distance_m = THREE.MathUtils.clamp((0.74 * size_m) / Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) / narrow, nearest_m, farthest_m);
    this.place();
  }

  /** A body stands at x, z. Where it is followed, the camera goes as far as the body went since; a body that was changed, not moved by time, is another one (`of`). */
  follow(of: object, x: number, z: number, on: boolean): void {
    const last = this.body;
    this.body = { of, x, z, on };
    if (!on) return;
    if (!last?.on) this.target.setX(x).setZ(z);
    else if (last.of === of && (last.x !== x || last.z !== z)) this.target.add(new THREE.Vector3(x - last.x, 0, z - last.z));
    else return;
    this.place();
  }

  /** Goes back to where it stands now, when that is called. */
  remember(): () => void {
    const { azimuth, height, distance_m, body } = this, target = this.target.clone();
    return () => {
      Object.assign(this, { azimuth, height, distance_m, body });
      this.target.copy(target);
      this.place();
    };
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  private place(): void {
    const flat = Math.cos(this.height) * this.distance_m;
    this.camera.position.set(this.target.x + flat * Math.sin(this.azimuth), this.target.y + this.distance_m * Math.sin(this.height), this.target.z + flat * Math.cos(this.azimuth));
    this.camera.lookAt(this.target);
    this.camera.updateMatrixWorld();
  }
}
