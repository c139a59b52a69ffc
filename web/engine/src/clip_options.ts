// What clips are read from, asked for and given as.
import type { Report } from './reports.js';

export type Bytes = Uint8Array | ArrayBuffer | string;
export type FileKind = 'bvh' | 'glb' | 'gltf' | 'vrma' | 'csv';

export interface ReadOptions {
  /** Metres per unit of the file; found where it is left out. */
  unit_m?: number;
  /** The file's axis that points up; found where it is left out. In the engine +Y is up, and metres are the unit. */
  up?: 'y' | 'z';
  /** True frame rate where the file is wrong about it. */
  fps_is?: number;
  /** Rate at which keys of glTF are sampled. */
  sample_fps?: number;
  /** Nothing is left out, and nothing is cleaned when the clip is used. */
  as_captured?: boolean;
  /** An added T-pose in front stays. */
  keep_tpose?: boolean;
  /** Of a file that holds several: name, or number from 0. */
  take?: string | number;
  /** Which joint plays which role. */
  body_map?: object;
  /** The skeleton of an .amc: the content of its .asf. */
  asf?: Bytes;
}

/** A motion as numbers, a frame after the other. */
export interface ClipArrays {
  /** As `joints` of a clip has them; parents come before their children. */
  joints: readonly { name: string; parent: number; restTranslation: ArrayLike<number> & Iterable<number>; restRotation?: ArrayLike<number> & Iterable<number> }[];
  /** Between two frames. */
  frameTime_s: number;
  /** x, y, z, w a joint: parent_from_joint. */
  rotations: ArrayLike<number>;
  /** x, y, z a joint, metres in its parent's frame; at rest where they are left out. */
  translations?: ArrayLike<number>;
}

export interface FixOptions {
  /** Every stance is put exactly on its ground. */
  level?: boolean;
}

export interface LoopOptions {
  /** How often the cycle is played: from 1 on. */
  cycles?: number;
  /** The cycle, seconds of the clip; found where both are left out. */
  from_s?: number;
  to_s?: number;
  /** The turn of the cycle is taken out. */
  straight?: boolean;
  /** The way over the ground is taken out. */
  in_place?: boolean;
  /** Standing feet slide as they were captured. */
  keep_slide?: boolean;
  /** How high the next cycle starts. */
  rise?: 'as_floor' | 'level' | 'climb';
}

export interface RetargetOptions {
  /** Feet are not held where they stand. */
  loose_feet?: boolean;
  /** Hands are not held where they touch. */
  loose_hands?: boolean;
  /** Size of the target over that of the source. */
  scale?: number;
}

export interface DecomposeOptions {
  /** One set of timings for each limb. */
  shared_timings?: boolean;
  /** Root mean square of translations, metres. */
  max_error_m?: number;
  /** Root mean square of turns, radians. */
  max_error_rad?: number;
  /** Of a submovement, seconds. */
  min_duration_s?: number;
}

/** What is wanted of a posture. Arrays of the right length are filled and given back, so that nothing is allocated. */
export interface SampleTarget {
  /** x, y, z, w a joint: parent_from_joint. */
  rotations?: Float32Array;
  /** x, y, z a joint, metres in its parent's frame. */
  translations?: Float32Array;
}

export interface Submovements {
  document: object;
  report: Report;
}
