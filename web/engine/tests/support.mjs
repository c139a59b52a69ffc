// What the tests share.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const engineFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(engineFolder));

export function json(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/// Largest distance of two lists of points.
export function largestDistance(a, b) {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i += 3) {
    const distance = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
    if (!(distance <= largest)) largest = distance;
  }
  return largest;
}

/// How long it took, how often a search tried, and which of some equals was the worst.
const unequal = new Set(['seconds', 'us_per_step', 'evaluations', 'worst_frame', 'worst_pin']);

/// The first difference of two JSON values: numbers may differ by `allowed`, relative to 1 and to themselves.
export function difference(a, b, allowed, path = '') {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= allowed * Math.max(1, Math.abs(a), Math.abs(b)) ? undefined : `${path}: ${a} and ${b}`;
  }
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b ? undefined : `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (unequal.has(key)) continue;
    const found = difference(a[key], b[key], allowed, `${path}/${key}`);
    if (found) return found;
  }
  return undefined;
}
