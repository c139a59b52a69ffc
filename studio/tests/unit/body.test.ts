import { expect, test } from 'vitest';
import type { Joint } from '../../src/model/track';
import { BoneBody, bodySize } from '../../src/view/body';

const joint = (name: string, parent: number, restTranslation: [number, number, number], restRotation: Joint['restRotation'] = [0, 0, 0, 1]): Joint => ({ name, role: name, parent, restTranslation, restRotation });
/** A place above the body, hips, a leg, neck and head; the head's own x axis points up, and an eye hangs on it. */
const person = (leg: [number, number, number]): Joint[] => [
  { ...joint('place', -1, [0, 0, 0]), role: undefined }, joint('hips', 0, [0, 3, 0]), joint('left_foot', 1, leg), joint('neck', 1, [0, 0.5, 0]), joint('head', 3, [0, 0.1, 0], [0, 0, Math.SQRT1_2, Math.SQRT1_2]), joint('left_eye', 4, [0.05, 0.02, 0.09]),
];

test('a body is as large standing as lying, wherever it is', () => {
  expect(bodySize(person([0, 0, 0.9]))).toBeCloseTo(bodySize(person([0, -0.9, 0])), 9);
  expect(bodySize(person([0, -0.9, 0]))).toBeLessThan(1.2);
});

test('the head goes on where the neck comes from, and nothing is drawn above the hips', () => {
  const { object } = new BoneBody(person([0, -0.9, 0]), 0, 0, 1);
  expect(object.children[0]!.children).toHaveLength(0);
  const skull = object.children[4]!.children.at(-1)!.position;
  expect(skull.x).toBeGreaterThan(0.03);
  expect(Math.abs(skull.y) + Math.abs(skull.z)).toBeLessThan(1e-6);
});

test('a paw is thicker than the leg that ends in it, so that its light is seen, and a foot that hangs on no leg is there too', () => {
  const bone = (object: { children: unknown[] }) => (object.children.at(-1) as { geometry: { parameters: { radius: number } } }).geometry.parameters.radius;
  const joints: Joint[] = [{ ...joint('place', -1, [0, 0, 0]), role: undefined }, joint('hips', 0, [0, 0.9, 0]), joint('left_lower_leg', 1, [0, -0.4, 0]), joint('left_foot', 2, [0, -0.4, 0]), joint('right_foot', 0, [0.2, 0, 0])];
  const [, , leg, paw, alone] = new BoneBody(joints, 0, 0, 1).object.children;
  expect(bone(paw!)).toBeGreaterThan(bone(leg!));
  expect(alone!.children).toHaveLength(1);
});
