import * as THREE from 'three';
import type { CharacterKind } from './character_kind.js';
import { CharacterKind as Kind } from './character_kind.js';
import { Clip } from './clip.js';
import { ShosaError } from './errors.js';
import { Graph } from './graph.js';
import type { Bodied, Joint } from './handle.js';

/** What moves: a character, a pin-and-drag solver, or anything with joints and their matrices. */
export interface Mover {
  readonly joints: Joint[];
  readonly pose: { readonly matrices: Float32Array };
}

/** Brings an object of three.js to where its mover is now. Called once a frame, after the mover's update. */
export interface Follower {
  update(): void;
}

/** world_from_joint of a body at rest. */
export function restMatrices(joints: readonly Joint[]): THREE.Matrix4[] {
  const matrices: THREE.Matrix4[] = [];
  for (const { parent, restTranslation, restRotation } of joints) {
    const local = new THREE.Matrix4().compose(
      new THREE.Vector3().fromArray(restTranslation), new THREE.Quaternion().fromArray(restRotation), new THREE.Vector3(1, 1, 1));
    matrices.push(parent < 0 ? local : local.premultiply(matrices[parent]!));
  }
  return matrices;
}

// three.js leaves out of names what its own paths need.
const plainName = (name: string) => THREE.PropertyBinding.sanitizeNodeName(name);

interface DrivenBone {
  bone: THREE.Object3D;
  joint: number;
  /** Of the nearest driven bone above; -1 for none. */
  above: number;
  /** bone_from_parent's constant part, before and after what the joints do. */
  before: THREE.Matrix4;
  after: THREE.Matrix4;
}

/**
 * Makes the bones below `root` follow a mover whose joints have their names.
 *
 * Bones must be at rest now, as a loader leaves them. Their own scale and axes are kept: with R a joint's rest matrix and B its bone's, both as seen
 * from `root`, the bone goes to W R^-1 B where the joint goes to W. Bones that the mover does not know keep their place on what carries them.
 */
export function follow(mover: Mover, root: THREE.Object3D): Follower {
  const joints = mover.joints;
  const rest = restMatrices(joints);
  const byName = new Map(joints.map((joint, number) => [plainName(joint.name), number]));
  root.updateWorldMatrix(true, true);
  const rootInverse = root.matrixWorld.clone().invert();
  const inRoot = (object: THREE.Object3D) => rootInverse.clone().multiply(object.matrixWorld);
  const fixed = (joint: number, object: THREE.Object3D) => (joint < 0 ? inRoot(object) : rest[joint]!.clone().invert().multiply(inRoot(object)));

  const bones: DrivenBone[] = [];
  const visit = (object: THREE.Object3D, above: number) => {
    const joint = object === root ? undefined : byName.get(object.name);
    if (joint !== undefined) {
      byName.delete(object.name);
      bones.push({ bone: object, joint, above, before: fixed(above, object.parent!).invert(), after: fixed(joint, object) });
      object.matrixAutoUpdate = false;
    }
    for (const child of object.children) visit(child, joint ?? above);
  };
  visit(root, -1);
  if (bones.length === 0) throw new Error(`none of the ${joints.length} joints is below '${root.name}'`);
  // A moving body leaves the box that its mesh was loaded with.
  root.traverse((object) => (object.frustumCulled = false));

  const world = joints.map(() => new THREE.Matrix4());
  const inverse = new THREE.Matrix4();
  return {
    update() {
      const matrices = mover.pose.matrices;
      for (let joint = 0; joint < world.length; ++joint) world[joint]!.fromArray(matrices, 16 * joint);
      for (const { bone, joint, above, before, after } of bones) {
        bone.matrix.copy(before);
        if (above >= 0) bone.matrix.multiply(inverse.copy(world[above]!).invert());
        bone.matrix.multiply(world[joint]!).multiply(after);
        bone.matrix.decompose(bone.position, bone.quaternion, bone.scale);
        bone.matrixWorldNeedsUpdate = true;
      }
    },
  };
}

export interface CapsuleOptions {
  color?: THREE.ColorRepresentation;
  /** Thickness against that of a person. */
  thickness?: number;
}

// Radius over the bone's length, and its bounds in metres; the trunk's own is that of a person.
const slender = 0.2, thinnest_m = 0.012, thickest_m = 0.07, trunk_m = 0.095;
const foot_m = 0.04;
// Balls at the ends of a person: radius, and height above the joint.
const ends: Record<string, [number, number]> = { head: [0.11, 0.09], left_hand: [0.055, 0], right_hand: [0.055, 0], left_toes: [foot_m, 0], right_toes: [foot_m, 0] };
const trunk = new Set(['hips', 'spine', 'chest', 'upper_chest']);

/** A body of capsules, one for each bone, for movers without a mesh. */
export function capsuleBody(mover: Mover, options: CapsuleOptions = {}): THREE.Group & Follower {
  const group = new THREE.Group();
  const material = new THREE.MeshStandardMaterial({ color: options.color ?? 0x7ea6d6, roughness: 0.7 });
  const nodes = mover.joints.map(() => {
    const node = new THREE.Group();
    node.matrixAutoUpdate = false;
    group.add(node);
    return node;
  });
  const up = new THREE.Vector3(0, 1, 0);
  mover.joints.forEach(({ parent, restTranslation, role }) => {
    if (parent < 0) return;
    const offset = new THREE.Vector3().fromArray(restTranslation);
    const length = offset.length();
    if (length < 1e-3) return;
    const inTrunk = trunk.has(mover.joints[parent]!.role ?? '') && trunk.has(role ?? '');
    const inFoot = /_toes$/.test(role ?? '');
    const radius = (inTrunk ? trunk_m : Math.min(Math.max(slender * length, inFoot ? foot_m : thinnest_m), thickest_m)) * (options.thickness ?? 1);
    const capsule = new THREE.Mesh(new THREE.CapsuleGeometry(radius, length, 4, 12), material);
    capsule.position.copy(offset).multiplyScalar(0.5);
    capsule.quaternion.setFromUnitVectors(up, offset.clone().normalize());
    capsule.castShadow = true;
    nodes[parent]!.add(capsule);
  });
  mover.joints.forEach(({ role }, joint) => {
    const end = ends[role ?? ''];
    if (end === undefined) return;
    const ball = new THREE.Mesh(new THREE.SphereGeometry(end[0] * (options.thickness ?? 1), 20, 14), material);
    ball.position.y = end[1];
    ball.castShadow = true;
    nodes[joint]!.add(ball);
  });
  return Object.assign(group, {
    update() {
      const matrices = mover.pose.matrices;
      nodes.forEach((node, joint) => {
        node.matrix.fromArray(matrices, 16 * joint);
        node.matrixWorldNeedsUpdate = true;
      });
    },
  });
}

export interface Body {
  /** To be added to a scene. */
  object: THREE.Object3D;
  /** Characters of this kind move like the clips, on the body of the file. */
  kind: CharacterKind;
}

/**
 * A GLB with a skinned body, loaded by three.js, and a kind of character that moves it: the clips are retargeted onto its skeleton and linked.
 *
 *     const { object, kind } = await loadBody(bytes, { stand, walk, run });
 *     const character = Character.of(kind);
 *     const follower = follow(character, object);
 */
export async function loadBody(bytes: ArrayBuffer, clips: Readonly<Record<string, Clip>>): Promise<Body> {
  const begin = new TextDecoder().decode(bytes.slice(0, 4));
  if (!/^(glTF|\s*\{)/.test(begin)) throw new ShosaError('bad_file', 'this is no GLB: a binary glTF file begins with glTF', '');
  // The engine first: it says what is wrong with a file.
  const body = Clip.read(bytes, 'body.glb');
  const made: Bodied[] = [body];
  try {
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
    const gltf = await new GLTFLoader().parseAsync(bytes.slice(0), '');
    // Files in other units than their format's are read as what they must be; the mesh is brought to metres as well.
    const { unit_m } = body.describe();
    gltf.scene.scale.multiplyScalar(unit_m);
    const object = new THREE.Group().add(gltf.scene);
    const moved = Object.fromEntries(Object.entries(clips).map(([name, clip]) => {
      const retargeted = clip.retarget(body);
      made.push(retargeted);
      return [name, retargeted];
    }));
    const graph = Graph.link(moved);
    made.push(graph);
    return { object, kind: Kind.of(graph) };
  } finally {
    for (const object of made) object.dispose();
  }
}
