import { expect, test } from 'vitest';
import { bodySpeeds } from '../../src/model/speed';
import type { Joint, Track } from '../../src/model/track';

const joint = (role: string, parent: number): Joint => ({ name: role, parent, role, restTranslation: [0, 0, 0], restRotation: [0, 0, 0, 1] });

test('speeds are those of hands and feet in the world, a mean of each half', () => {
  const joints = [joint('hips', -1), joint('left_foot', 0), joint('right_hand', 0)];
  const frameCount = 5, frameTime_s = 0.1;
  const translations = new Float32Array(9 * frameCount), rotations = new Float32Array(12 * frameCount);
  for (let frame = 0; frame < frameCount; ++frame) {
    for (let each = 0; each < 3; ++each) rotations[12 * frame + 4 * each + 3] = 1;
    translations[9 * frame] = 0.2 * frame; // hips at 2 m/s along x
    translations[9 * frame + 3] = -0.2 * frame; // the foot stands
    translations[9 * frame + 8] = 0.15 * frame; // the hand at 1.5 m/s along z beside that
  }
  const track: Track = { joints, frameCount, frameTime_s, rotations, translations };
  const { upper, lower } = bodySpeeds(track);
  for (let frame = 0; frame < frameCount; ++frame) {
    expect(upper[frame]).toBeCloseTo(2.5, 4);
    expect(lower[frame]).toBeCloseTo(1, 4);
  }
  expect(bodySpeeds(track)).toBe(bodySpeeds(track));
});
