import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../src/model/balance';
import { boneDirection, isOutside, moveCorner, moveTwist, type Region, rim, swingOf, swingTo, twistBounds, withRegion } from '../../src/model/ranges';

/** A square around the zero, 60° of swing to each side. */
const square: Region = {
  joint: 0, name: 'head', parentFromZero: [0, 0, 0, 1], jointFromFrame: [0, 0, 0, 1],
  corners: [[0, 0, -30, 40], [0.5, 0, -30, 40], [0, 0.5, -30, 40], [-0.5, 0, -30, 40], [0, -0.5, -30, 40]],
  triangles: [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]],
};
const posture = (x: number, y: number, z: number, w: number) => ({ rotations: new Float32Array([x, y, z, w]), translations: new Float32Array(3) });
const half = (deg: number) => (deg * Math.PI) / 360;

describe('ranges', () => {
  it('takes a turn apart into swing and twist', () => {
    const swung = swingOf(square, posture(0, Math.sin(half(50)), 0, Math.cos(half(50))));
    expect(swung.a_y).toBeCloseTo(Math.sin(half(50)), 6);
    expect(swung.a_z).toBeCloseTo(0, 6);
    expect(swung.twist_deg).toBeCloseTo(0, 4);
    expect(swingOf(square, posture(Math.sin(half(70)), 0, 0, Math.cos(half(70)))).twist_deg).toBeCloseTo(70, 3);
  });

  it('goes from swings to the bone’s direction and back', () => {
    for (const [a_y, a_z] of [[0.3, -0.2], [-0.6, 0.5], [0, 0.9]] as const) {
      const [y, z] = swingTo(boneDirection(a_y, a_z));
      expect(y).toBeCloseTo(a_y, 9);
      expect(z).toBeCloseTo(a_z, 9);
    }
  });

  it('knows what is outside, by swing and by twist', () => {
    expect(isOutside(square, { a_y: 0.1, a_z: 0.1, twist_deg: 39 })).toBe(false);
    expect(isOutside(square, { a_y: 0.1, a_z: 0.1, twist_deg: 42 })).toBe(true);
    expect(isOutside(square, { a_y: 0.4, a_z: 0.4, twist_deg: 0 })).toBe(true);
    expect(twistBounds(square, 0.2, 0.2)).toEqual([-30, 40]);
  });

  it('lets a joint be as far out as the clip has it, but not of a range by hand', () => {
    const clip = { a_y: 0.1, a_z: 0.1, twist_deg: 60 }, swung = { a_y: 0.4, a_z: 0.4, twist_deg: 0 };
    expect(isOutside(square, clip, clip)).toBe(false);
    expect(isOutside(square, { ...clip, twist_deg: 50 }, clip)).toBe(false);
    expect(isOutside(square, { ...clip, twist_deg: 62 }, clip)).toBe(true);
    expect(isOutside(square, swung, swung)).toBe(false);
    expect(isOutside(square, swung, clip)).toBe(true);
    expect(isOutside({ ...square, byHand: true }, clip, clip)).toBe(true);
  });

  it('moves a corner of the rim, but turns no triangle over', () => {
    expect(rim(square).sort()).toEqual([1, 2, 3, 4]);
    const wider = moveCorner(square, 1, 0.8, 0);
    expect(isOutside(square, { a_y: 0.7, a_z: 0, twist_deg: 0 })).toBe(true);
    expect(isOutside(wider, { a_y: 0.7, a_z: 0, twist_deg: 0 })).toBe(false);
    expect(moveCorner(square, 1, -0.2, 0)).toBe(square);
    expect(moveCorner(square, 1, 1.2, 0)).toBe(square);
  });

  it('moves the twist everywhere, and not past its other end', () => {
    expect(twistBounds(moveTwist(square, 'max', 10), 0.1, 0)).toEqual([-30, 50]);
    expect(twistBounds(moveTwist(square, 'min', 100), 0.1, 0)).toEqual([40, 40]);
  });

  it('puts a region into a document that leaves the others human', () => {
    const first = withRegion(undefined, square);
    expect(first['others']).toBe('human');
    expect(first['joint_ranges']).toHaveLength(1);
    const both = withRegion(first, { ...square, name: 'neck' });
    expect(both['joint_ranges']).toHaveLength(2);
    expect(withRegion(both, square)['joint_ranges']).toHaveLength(2);
  });
});

describe('balance', () => {
  // Three joints in a triangle on the ground, and a heavy one above.
  const matrices = new Float32Array(64);
  [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0.3, 1, 0.3]].forEach((place, joint) => matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place, 1], 16 * joint));
  const at = (joint: number, x = 0) => ({ joint, offset_m: [x, 0, 0] });
  const weights = { masses: [{ ...at(3), mass: 3 }, { ...at(3, 1), mass: 1 }], support: [at(0), at(1), at(2)], inertia_m2: [] };

  it('weighs the parts, and sees whether their middle is over what stands', () => {
    const { center, support, held } = balanceOf(weights, matrices, new Set([0, 1, 2]));
    expect([...center].map((value) => Number(value.toFixed(6)))).toEqual([0.55, 1, 0.3]);
    expect(support).toHaveLength(3);
    expect(held).toBe(true);
    expect(balanceOf(weights, matrices, new Set([0, 1])).held).toBe(false);
    expect(balanceOf({ ...weights, masses: [{ ...at(3, 1), mass: 1 }] }, matrices, new Set([0, 1, 2])).held).toBe(false);
  });
});
