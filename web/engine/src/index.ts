export * from './character.js';
export * from './character_kind.js';
export { Clip, type Bytes, type ClipArrays, type DecomposeOptions, type FileKind, type FixOptions, type LoopOptions, type ReadOptions, type RetargetOptions,
  type SampleTarget, type Submovements } from './clip.js';
export { Command, type Facing, type Footstep, type GoDirectionOptions, type GoPlaceOptions, type LayerOptions, type Outcome, type Place, type Point, type ReachOptions } from './commands.js';
export { compose, decompose, fix, footsteps, join, loop, play, pose, recompose, retarget, run, writeAll, type Document, type Named } from './documents.js';
export type { Engine } from './engine.js';
export * from './errors.js';
export * from './graph.js';
export * from './ground.js';
export { Bodied, Handle, type BodyPoint, type BodyWeights, type Joint, type JointRange } from './handle.js';
export { load, type LoadOptions } from './load.js';
export * from './pin_drag.js';
export * from './pose_moment.js';
export * from './pose.js';
export * from './reports.js';
