import type { Motion } from '../../model/motion';
import { ofBody, sampleTrack, worldMatrices } from '../../model/track';
import { bodySize, floorOf } from '../../view/body';

type Line = readonly [x1: number, y1: number, x2: number, y2: number];

/** A body as lines from joint to joint, seen from the side and a little from the front: in a square whose sides are 1 long, with the floor near its lower one. The body stays in the middle; there is room for arms stretched up. */
export function bodyLines(motion: Motion, time_s: number): Line[] {
  const { track } = motion, floor_m = floorOf(motion);
  const matrices = worldMatrices(track.joints, sampleTrack(track, time_s));
  const places = track.joints.map((_, joint) => [0.8 * matrices[16 * joint + 14]! - 0.6 * matrices[16 * joint + 12]!, matrices[16 * joint + 13]!] as const);
  const own = ofBody(track.joints);
  const scale = 0.7 / bodySize(track.joints), across = places.flatMap(([x], joint) => (own[joint] ? [x] : [])), middle = (Math.min(...across) + Math.max(...across)) / 2;
  const at = (joint: number) => [0.5 + (places[joint]![0] - middle) * scale, 0.94 - (places[joint]![1] - floor_m) * scale] as const;
  return track.joints.flatMap(({ parent }, joint): Line[] => (parent < 0 || !own[parent] ? [] : [[...at(parent), ...at(joint)]]));
}
