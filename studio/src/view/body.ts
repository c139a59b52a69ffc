import * as THREE from 'three';
import type { Motion } from '../model/motion';
import { type Joint, ofBody } from '../model/track';

/** A body on the stage. */
export interface Body {
  readonly object: THREE.Object3D;
  /** The room that it takes, where that is more than its joints'. */
  room?(): THREE.Box3;
  /** world_from_joint, 16 numbers a joint. */
  pose(matrices: Float32Array): void;
  /** Joints whose bones are lit. */
  light(joints: ReadonlySet<number>): void;
  dispose(): void;
}

// Radius over the bone's length, and its bounds in metres for a person of 1.7 m.
const slender = 0.17, thinnest = 0.012, thickest = 0.065, trunk = 0.1;
const trunkRoles = new Set(['hips', 'spine', 'chest', 'upper_chest']);
const thickness: Record<string, number> = { upper_leg: 0.075, lower_leg: 0.055, upper_arm: 0.045, lower_arm: 0.038, foot: 0.042, toes: 0.03, hand: 0.03, neck: 0.05, shoulder: 0.05 };

const limbEnd = /_(hand|foot)$/;

/** Of a person, height over the longest way along the bones, from toes to fingertips. */
const heightOverReach = 0.67;

/** How large a body is, metres, however it stands or lies at rest: what its bones are thick by. */
export function bodySize(joints: readonly Joint[]): number {
  const below = joints.map(() => 0);
  let longest = 0;
  for (let joint = joints.length - 1; joint > 0; --joint) {
    const { parent, restTranslation, role } = joints[joint]!;
    if (role === 'hips') continue;
    const way = below[joint]! + Math.hypot(...restTranslation);
    longest = Math.max(longest, below[parent]! + way);
    below[parent] = Math.max(below[parent]!, way);
  }
  return Math.max(0.1, heightOverReach * longest);
}

/** Of a body's height: joints and tips of a foot that stands lie up to so far above the ground. */
const footHeight = 0.06;

/** Where the floor of a motion is. Files keep their heights: it is at 0 where feet that stand are about there, else where they stand. */
export function floorOf({ track, facts }: Motion): number {
  return Math.abs(facts.ground_m) <= footHeight * bodySize(track.joints) ? 0 : facts.ground_m;
}

/** A figure of rounded bones, for motions without a skin. */
export class BoneBody implements Body {
  readonly object = new THREE.Group();
  private readonly nodes: THREE.Group[];
  private readonly material: THREE.MeshStandardMaterial;
  private readonly litMaterial: THREE.MeshStandardMaterial;
  private readonly bones: { mesh: THREE.Mesh; joint: number }[] = [];

  constructor(joints: readonly Joint[], color: number, lit: number, opacity: number) {
    const look = { roughness: 0.65, metalness: 0, transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
    this.material = new THREE.MeshStandardMaterial({ color, ...look });
    this.litMaterial = new THREE.MeshStandardMaterial({ color: lit, emissive: lit, emissiveIntensity: 0.35, ...look });
    this.nodes = joints.map(() => {
      const node = new THREE.Group();
      node.matrixAutoUpdate = false;
      this.object.add(node);
      return node;
    });
    const scale = bodySize(joints) / 1.6, own = ofBody(joints);
    joints.forEach((joint, number) => {
      if (own[joint.parent]) this.addBone(joints, joint, number, scale, opacity === 1);
      // A foot that is led from the ground hangs on no leg.
      else if (limbEnd.test(joint.role ?? '')) this.addBall(number, thickness['foot']! * scale, opacity === 1);
    });
    const head = joints.findIndex(({ role }) => role === 'head');
    if (head >= 0) this.addHead(joints, head, scale, opacity === 1);
  }

  private addBone(joints: readonly Joint[], { parent, restTranslation, role }: Joint, number: number, scale: number, shadow: boolean): void {
    const offset = new THREE.Vector3().fromArray(restTranslation);
    const length = offset.length();
    if (length < 1e-3) return;
    const above = joints[parent]!.role ?? '';
    const plain = above.replace(/^(left|right)_/, '');
    const inTrunk = trunkRoles.has(above) && (trunkRoles.has(role ?? '') || role === 'neck');
    const radius = inTrunk ? trunk * scale : plain in thickness && length > 0.02 * scale ? Math.min(thickness[plain]! * scale, 0.6 * length) : THREE.MathUtils.clamp(slender * length, thinnest * scale, thickest * scale);
    // The trunk's round end stays below the neck.
    const straight = inTrunk && role === 'neck' ? Math.max(0, length - radius) : length;
    this.addMesh(parent, new THREE.CapsuleGeometry(radius, straight, 6, 14), offset.clone().multiplyScalar(straight / length / 2), new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), offset.clone().normalize()), shadow);
    // A hand or foot that is nothing but the end of its limb is seen as a paw, and can be lit.
    if (!joints.some((other) => other.parent === number)) this.addBall(number, radius * (limbEnd.test(role ?? '') ? 1.15 : 0.9), shadow);
  }

  private addBall(joint: number, radius: number, shadow: boolean): void {
    this.addMesh(joint, new THREE.SphereGeometry(radius, 12, 8), new THREE.Vector3(), new THREE.Quaternion(), shadow);
  }

  private addHead(joints: readonly Joint[], head: number, scale: number, shadow: boolean): void {
    // It goes on where the neck comes from; what hangs on it may be an eye, and its own axes may point anywhere.
    const { parent, restTranslation, restRotation } = joints[head]!;
    const neck = new THREE.Vector3().fromArray(parent >= 0 ? restTranslation : [0, 1, 0]).applyQuaternion(new THREE.Quaternion().fromArray(restRotation).invert());
    const up = (neck.length() > 1e-3 ? neck : new THREE.Vector3(0, 1, 0)).setLength(0.18 * scale);
    const skull = new THREE.SphereGeometry(0.1 * scale, 20, 16);
    skull.scale(0.88, 1.12, 1);
    this.addMesh(head, skull, up.clone().multiplyScalar(0.5), new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up.clone().normalize()), shadow);
  }

  private addMesh(joint: number, geometry: THREE.BufferGeometry, position: THREE.Vector3, turn: THREE.Quaternion, shadow: boolean): void {
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.position.copy(position);
    mesh.quaternion.copy(turn);
    mesh.castShadow = shadow;
    this.nodes[joint]!.add(mesh);
    this.bones.push({ mesh, joint });
  }

  pose(matrices: Float32Array): void {
    this.nodes.forEach((node, joint) => {
      node.matrix.fromArray(matrices, 16 * joint);
      node.matrixWorldNeedsUpdate = true;
    });
  }

  light(joints: ReadonlySet<number>): void {
    for (const { mesh, joint } of this.bones) mesh.material = joints.has(joint) ? this.litMaterial : this.material;
  }

  /** The bones of these joints alone, lit, in front of what they are in. */
  only(joints: ReadonlySet<number>): void {
    this.litMaterial.depthTest = false;
    this.light(joints);
    for (const { mesh, joint } of this.bones) mesh.visible = joints.has(joint);
  }

  dispose(): void {
    for (const { mesh } of this.bones) mesh.geometry.dispose();
    this.material.dispose();
    this.litMaterial.dispose();
  }
}
