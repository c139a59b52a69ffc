import { expect, test } from 'vitest';
import { Latest } from '../../src/app/latest';

test('one at a time, and of those that wait only the last', async () => {
  const latest = new Latest();
  const begun: number[] = [];
  const gates: (() => void)[] = [];
  const work = (number: number) => latest.run(async () => {
    begun.push(number);
    await new Promise<void>((resolve) => gates.push(resolve));
    return number;
  });
  const answers = [1, 2, 3, 4].map(work);
  await Promise.resolve();
  expect(begun).toEqual([1]);
  gates[0]!();
  expect(await answers[0]).toBe(1);
  expect(await answers[1]).toBeUndefined();
  expect(await answers[2]).toBeUndefined();
  gates[1]!();
  expect(await answers[3]).toBe(4);
  expect(begun).toEqual([1, 4]);
});

test('what fails lets the next one go', async () => {
  const latest = new Latest();
  const first = latest.run(async () => Promise.reject(new Error('no')));
  const second = latest.run(async () => 'yes');
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe('yes');
});
