import { Box3, Group, type Object3D, type SkinnedMesh } from 'three';
import { follow } from 'shosa/three';
import type { Skin } from '../model/motion';
import type { Joint } from '../model/track';
import { type Body, BoneBody } from './body';

/** How much of the light of a bone comes through the skin. */
const shine = 0.6;

/** The skin that a GLB brings, moved by the joints; bones that are lit shine through it. Undefined where it has none. */
export async function skinBody({ bytes, unit_m }: Skin, joints: readonly Joint[], lit: number): Promise<Body | undefined> {
  const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
  const { scene } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
  const meshes: SkinnedMesh[] = [];
  scene.traverse((object: Object3D & { isSkinnedMesh?: boolean }) => {
    if (object.isSkinnedMesh) meshes.push(object as SkinnedMesh);
    object.castShadow = true;
  });
  if (meshes.length === 0) return undefined;
  // Joints are in metres; the bones' own frames keep the file's unit below this.
  const object = new Group();
  scene.scale.multiplyScalar(unit_m);
  const bones = new BoneBody(joints, lit, lit, shine);
  bones.only(new Set());
  object.add(scene, bones.object);
  let matrices = new Float32Array(16 * joints.length);
  const follower = follow({ joints: joints as Parameters<typeof follow>[0]['joints'], get pose() { return { matrices }; } }, object);
  return {
    object,
    room() {
      object.updateMatrixWorld(true);
      for (const mesh of meshes) mesh.computeBoundingBox();
      return meshes.reduce((box, mesh) => box.union(mesh.boundingBox!.clone().applyMatrix4(mesh.matrixWorld)), new Box3());
    },
    pose(next) {
      matrices = next as Float32Array<ArrayBuffer>;
      follower.update();
      bones.pose(next);
    },
    light: (feet) => bones.only(feet),
    dispose: () => bones.dispose(),
  };
}
