import { sampleTrack, type Track, worldMatrices } from './track';

const groups = {
  upper: ['left_hand', 'right_hand', 'chest', 'upper_chest', 'head'],
  lower: ['left_foot', 'right_foot', 'hips'],
};
export type SpeedGroup = keyof typeof groups;

/** Mean speed of the joints of a half of the body, metres per second, a number a frame. */
export type Speeds = Readonly<Record<SpeedGroup, Float32Array>>;

const known = new WeakMap<Track, Speeds>();

/** As the seed's figure has them. Computed once a track. */
export function bodySpeeds(track: Track): Speeds {
  let speeds = known.get(track);
  if (!speeds) known.set(track, (speeds = computed(track)));
  return speeds;
}

function computed(track: Track): Speeds {
  const { joints, frameCount, frameTime_s } = track;
  const members = (group: SpeedGroup) => joints.flatMap(({ role }, joint) => (role !== undefined && groups[group].includes(role) ? [joint] : []));
  const upper = members('upper'), lower = members('lower'), all = [...upper, ...lower];
  const places = new Float64Array(3 * all.length * frameCount);
  const matrices = new Float32Array(16 * joints.length);
  for (let frame = 0; frame < frameCount; ++frame) {
    worldMatrices(joints, sampleTrack(track, frame * frameTime_s), matrices);
    all.forEach((joint, i) => places.set(matrices.subarray(16 * joint + 12, 16 * joint + 15), 3 * (frame * all.length + i)));
  }
  // Central differences; one-sided at both ends.
  const mean = (first: number, count: number) => Float32Array.from({ length: frameCount }, (_, frame) => {
    const from = Math.max(0, frame - 1), to = Math.min(frameCount - 1, frame + 1);
    let sum = 0;
    for (let i = first; i < first + count; ++i) {
      const a = 3 * (from * all.length + i), b = 3 * (to * all.length + i);
      sum += Math.hypot(places[b]! - places[a]!, places[b + 1]! - places[a + 1]!, places[b + 2]! - places[a + 2]!);
    }
    return count > 0 && to > from ? sum / count / ((to - from) * frameTime_s) : 0;
  });
  return { upper: mean(0, upper.length), lower: mean(upper.length, lower.length) };
}
