import * as THREE from 'three';
import type { StageTheme } from './theme';

const size_m = 40;
/** Around what is looked at, as far as the light reaches that casts shadows. */
const shadow_m = 6;
/** What is below the floor shines through: files keep their heights, and some have half a body there. */
const seen = 0.8;

/** A floor with a line a metre and a stronger one every five, and the light that casts shadows on it. */
export class Ground {
  readonly object = new THREE.Group();
  private readonly floor: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial>;
  private readonly shade: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  private grid: THREE.Group | undefined;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8a94a0, 1.5);

  constructor() {
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(size_m, size_m), new THREE.MeshLambertMaterial({ transparent: true, opacity: seen }));
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(shadow_m, shadow_m), new THREE.ShadowMaterial());
    for (const plane of [this.floor, this.shade]) plane.rotation.x = -Math.PI / 2;
    // Underneath the lines, so that a floor seen at a grazing angle does not flicker through them.
    this.floor.position.y = -0.004;
    // Before all else that is seen through, or ghosts would lie under it.
    this.floor.renderOrder = -1;
    this.shade.position.y = 0.001;
    this.shade.receiveShadow = true;
    this.sun.position.set(2.5, 6, 2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, { left: -shadow_m / 2, right: shadow_m / 2, top: shadow_m / 2, bottom: -shadow_m / 2, far: 20 });
    this.sun.shadow.radius = 4;
    this.object.add(this.floor, this.shade, this.sun, this.sun.target, this.sky);
  }

  paint(theme: StageTheme): void {
    this.floor.material.color.setHex(theme.ground);
    this.shade.material.opacity = theme.shadow;
    if (this.grid) this.object.remove(this.grid);
    this.grid = new THREE.Group();
    this.grid.add(lines(1, theme.line), lines(5, theme.strongLine));
    this.object.add(this.grid);
  }

  /** The light goes with what is looked at; the floor by whole cells, so that its lines stay where they are. */
  place(x: number, floor_m: number, z: number): void {
    this.object.position.setY(floor_m);
    this.sun.position.set(x + 2.5, 6, z + 2);
    this.sun.target.position.set(x, 0, z);
    const cell = (value: number) => 5 * Math.round(value / 5);
    this.shade.position.setX(x).setZ(z);
    for (const part of [this.floor, this.grid]) part?.position.setX(cell(x)).setZ(cell(z));
  }
}

/** Lines both ways, in pieces of a metre: pieces that end behind the camera are left out, and long lines would be left out whole by some drivers. */
function lines(every_m: number, color: number): THREE.LineSegments {
  const half = size_m / 2, points: number[] = [];
  for (let at = -half; at <= half; at += every_m)
    for (let begin = -half; begin < half; ++begin) points.push(at, 0, begin, at, 0, begin + 1, begin, 0, at, begin + 1, 0, at);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color }));
}
