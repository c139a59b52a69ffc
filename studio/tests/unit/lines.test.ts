import { expect, test } from 'vitest';
import type { Motion } from '../../src/model/motion';
import type { Joint } from '../../src/model/track';
import { bodyLines } from '../../src/ui/library/lines';

const joint = (role: string | undefined, parent: number, restTranslation: [number, number, number]): Joint => ({ name: role ?? 'place', role, parent, restTranslation, restRotation: [0, 0, 0, 1] });

test('a body far from the root that it hangs on is pictured alone, in the middle', () => {
  const joints = [joint(undefined, -1, [0, 0, 0]), joint('hips', 0, [0, 0.9, 0]), joint('left_foot', 1, [0, -0.8, 0]), joint('head', 1, [0, 0.6, 0])];
  const track = { joints, frameCount: 1, frameTime_s: 0.1, rotations: new Float32Array(joints.flatMap(() => [0, 0, 0, 1])), translations: new Float32Array([0, 0, 0, 0, 0.9, 5, 0, -0.8, 0, 0, 0.6, 0]) };
  const lines = bodyLines({ track, facts: { ground_m: 0 } } as unknown as Motion, 0);
  expect(lines).toHaveLength(2);
  for (const [x1, , x2] of lines) {
    expect(x1).toBeCloseTo(0.5, 6);
    expect(x2).toBeCloseTo(0.5, 6);
  }
});
