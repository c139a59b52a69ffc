import * as THREE from 'three';
import type { Balance } from '../model/balance';
import { setPoints } from './points';
import type { StageTheme } from './theme';

const above_m = 0.004, disc_m = 0.028;

/** The centre of mass, its place on the ground, and the ground that the feet span: green while it is over that, red where not. */
export class BalanceMarks {
  readonly object = new THREE.Group();
  private readonly look = { transparent: true, depthTest: false };
  private readonly area = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ ...this.look, opacity: 0.25, side: THREE.DoubleSide }));
  private readonly edge = new THREE.LineLoop(new THREE.BufferGeometry(), new THREE.LineBasicMaterial(this.look));
  private readonly plumb = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineDashedMaterial({ ...this.look, dashSize: 0.03, gapSize: 0.025 }));
  private readonly ball = new THREE.Mesh(new THREE.SphereGeometry(disc_m, 16, 12), new THREE.MeshBasicMaterial(this.look));
  private readonly foot = new THREE.Mesh(new THREE.RingGeometry(0.4 * disc_m, disc_m, 24).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial(this.look));

  constructor() {
    for (const part of [this.area, this.edge, this.plumb, this.ball, this.foot]) {
      part.frustumCulled = false;
      part.renderOrder = 7;
      this.object.add(part);
    }
    this.object.visible = false;
  }

  hide(): void {
    this.object.visible = false;
  }

  show(balance: Balance, theme: StageTheme): void {
    this.object.visible = true;
    const { center, support, ground_m, held } = balance, color = held ? theme.contact : theme.bad;
    for (const part of [this.area, this.edge, this.plumb, this.ball, this.foot]) part.material.color.setHex(color);
    const rim = support.map(([x, z]) => new THREE.Vector3(x, ground_m + above_m, z));
    this.area.visible = rim.length >= 3;
    this.edge.visible = rim.length >= 2;
    setPoints(this.area.geometry, rim.slice(1, -1).flatMap((point, i) => [rim[0]!, point, rim[i + 2]!]));
    setPoints(this.edge.geometry, rim);
    const below = new THREE.Vector3(center[0], ground_m + above_m, center[2]);
    this.ball.position.set(...center);
    this.foot.position.copy(below);
    setPoints(this.plumb.geometry, [new THREE.Vector3(...center), below]);
    this.plumb.computeLineDistances();
  }
}
