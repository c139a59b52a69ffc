import { expect, test } from 'vitest';
import { addLayer, asScore, insertMotion, moveMotion, newScore, removeLayer, removeMotion, type Score, setBlend, setCore, setLayer, setMotion } from '../../src/model/score';
import { placeOfProblem, scoreLayout } from '../../src/model/score_layout';

const three: Score = { smoothness: 0.5, motions: [{ clip: 'walk.bvh' }, { clip: 'run.bvh', at: 'auto' }, { clip: 'jump.bvh', at: 6 }] };

test('a score is what has motions, and keeps keys that the studio does not know', () => {
  expect(asScore({ clip: 'a.bvh' })).toBeUndefined();
  expect(asScore({ motions: [1] })).toBeUndefined();
  const score = asScore({ fps: 30, motions: [{ clip: 'a.bvh', unit: 'cm' }] })!;
  expect(setMotion(score, 0, { at: 1 })).toEqual({ fps: 30, motions: [{ clip: 'a.bvh', unit: 'cm', at: 1 }] });
});

test('motions come in, go out, and lose a key that becomes undefined', () => {
  const score = insertMotion(insertMotion(newScore(), 99, { clip: 'b.bvh' }), 0, { clip: 'a.bvh' });
  expect(score.motions.map(({ clip }) => clip)).toEqual(['a.bvh', 'b.bvh']);
  expect(removeMotion(score, 0).motions).toEqual([{ clip: 'b.bvh' }]);
  const timed = setMotion(score, 1, { at: 2 });
  expect('at' in setMotion(timed, 1, { at: undefined }).motions[1]!).toBe(false);
  expect(score.motions[1]).toEqual({ clip: 'b.bvh' });
});

test('a motion that is dragged before another is played before it', () => {
  const later = moveMotion(three, 1, 2.00004, [0.5, 3, 7]);
  expect(later.index).toBe(1);
  expect(later.score.motions[1]).toEqual({ clip: 'run.bvh', at: 2 });
  const behind = moveMotion(three, 1, 8, [0.5, 9, 7]);
  expect(behind.index).toBe(2);
  expect(behind.score.motions.map(({ clip }) => clip)).toEqual(['walk.bvh', 'jump.bvh', 'run.bvh']);
});

test('what follows a motion goes along where that is asked for, if it has a time of its own', () => {
  const along = moveMotion(three, 1, 3.5, [0.5, 4, 7.5], 0.5);
  expect(along.score.motions.map(({ at }) => at)).toEqual([undefined, 3.5, 6.5]);
  expect(moveMotion(three, 0, 0.5, [1, 3.5, 7.5], 0.5).score.motions.map(({ at }) => at)).toEqual([0.5, 'auto', 6.5]);
});

test('cores and blends are given by hand and found again', () => {
  const given = setBlend(setCore(three, 1, [0.123456, 1]), 1, 'upper', [-0.20001, 0.3]);
  expect(given.motions[1]).toEqual({ clip: 'run.bvh', at: 'auto', core: [0.1235, 1], blend: { upper: [-0.2, 0.3] } });
  const both = setBlend(given, 1, 'lower', [0, 0.2]);
  expect(setBlend(setBlend(setCore(both, 1, undefined), 1, 'upper', undefined), 1, 'lower', undefined)).toEqual(three);
});

test('layers come, change and go without a trace', () => {
  const score = addLayer(three, { clip: 'wave.bvh', mask: 'upper_body', at: 1 });
  expect(setLayer(score, 0, { mask: ['right_upper_arm'], at: undefined }).layers).toEqual([{ clip: 'wave.bvh', mask: ['right_upper_arm'] }]);
  expect(removeLayer(score, 0)).toEqual(three);
});

const report = {
  motions: [{ clip: 'walk.bvh', at_s: 0, duration_s: 3, core: [0.8, 2] }, { clip: 'run.bvh', at_s: 1.5, duration_s: 3, core: [1, 2.5] }, { clip: 'jump.bvh', at_s: null, duration_s: 2, core: [0.5, 1.5] }],
  transitions: [
    { from: 0, to: 1, executed: true, at_s: 1.5, method: 'transition', bridged: false, intervals: [{ part: 'lower', kind: 'motion_motion', begin_s: 2.1, end_s: 2.4 }, { part: 'upper', kind: 'pose_pose', begin_s: 2.2, end_s: 2.5 }] },
    { from: 1, to: 2, executed: false, reason: 'its core would overlap', earliest_s: 4, at_s: 3, method: null, bridged: false, intervals: [] },
  ],
};

test('blocks are where the report has them, and where the document says it itself', () => {
  const { blocks, joins } = scoreLayout({ ...three, motions: [three.motions[0]!, three.motions[1]!, { clip: 'jump.bvh', at: 3 }] }, report);
  expect(blocks.map(({ begin_s, end_s }) => [begin_s, end_s])).toEqual([[0, 3], [1.5, 4.5], [3, 5]]);
  expect(blocks[1]).toMatchObject({ core: [2.5, 4], automatic: true, refused: undefined });
  expect(blocks[2]).toMatchObject({ refused: 'its core would overlap', earliest_s: 4, automatic: false });
  expect(joins).toHaveLength(1);
  expect(joins[0]).toMatchObject({ from: 0, to: 1, method: 'transition', bridged: false, time_s: 2.3 });
});

test('a block under way takes its core and its blends along before the engine has answered', () => {
  const { blocks, joins } = scoreLayout({ motions: [three.motions[0]!, { clip: 'run.bvh', at: 2, blend: { upper: [0.7, 1] } }] }, report);
  expect(blocks[1]!.core).toEqual([3, 4.5]);
  expect(joins[0]!.blends.map(({ part, begin_s, byHand }) => [part, Number(begin_s.toFixed(6)), byHand])).toEqual([['lower', 2.6, false], ['upper', 2.7, true]]);
});

test('a report of the score before still fits those that stayed', () => {
  const { blocks } = scoreLayout({ motions: [{ clip: 'walk.bvh' }, { clip: 'new.bvh' }, { clip: 'run.bvh' }] }, report);
  expect(blocks[2]).toMatchObject({ begin_s: 1.5, end_s: 4.5 });
  expect(blocks[1]!.end_s).toBeGreaterThan(blocks[1]!.begin_s);
  expect(scoreLayout(three, undefined).blocks).toHaveLength(3);
});

test('a message says which motion or layer it is about', () => {
  expect(placeOfProblem('score.json: /motions/1/core: 5 s to 9 s, expected …')).toEqual({ kind: 'motion', index: 1 });
  expect(placeOfProblem('score.json: /layers/0/mask: nothing')).toEqual({ kind: 'layer', index: 0 });
  expect(placeOfProblem('walk.bvh: cannot be read')).toBeUndefined();
});

test('blocks lie beside the one before, and never over another', () => {
  const motions = [{ clip: 'a.bvh', at: 0 }, { clip: 'b.bvh', at: 3 }, { clip: 'c.bvh', at: -2 }, { clip: 'd.bvh', at: 9 }];
  const report = { motions: motions.map(({ clip, at }) => ({ clip, at_s: at, duration_s: clip === 'c.bvh' ? 12 : 4, core: [1, 2] })), transitions: [] };
  expect(scoreLayout({ motions: motions.slice(0, 2) }, report).blocks.map(({ lane }) => lane)).toEqual([0, 1]);
  expect(scoreLayout({ motions }, report).blocks.map(({ lane }) => lane)).toEqual([0, 1, 2, 1]);
});
