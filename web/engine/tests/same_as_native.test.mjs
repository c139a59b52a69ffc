// The module says what the native library says: joint positions to 0.01 mm, the same contacts, plans and reports.
//   NATIVE_ANSWERS=path/of/the/program node --test same_as_native.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as shosa from 'shosa';
import { jobs } from './jobs.mjs';
import { difference, json, largestDistance } from './support.mjs';

const farthest_m = 1e-5;
let folder, list, answers;
const clips = new Map(), texts = new Map();

before(async () => {
  await shosa.load();
  folder = mkdtempSync(join(tmpdir(), 'shosa-answers-'));
  list = jobs(shosa.Clip.motions());
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(list));
  execFileSync(process.env.NATIVE_ANSWERS, [join(folder, 'jobs.json'), folder], { stdio: 'inherit' });
  answers = json(join(folder, 'answers.json'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function carryOut(job) {
  const named = job.clips && Object.fromEntries(Object.entries(job.clips).map(([name, clip]) => [name, clips.get(clip)]));
  const clip = clips.get(job.clip);
  const reported = (made) => ({ clip: made, report: made.report });
  switch (job.op) {
    case 'make': return { clip: shosa.Clip.make(job.name) };
    case 'study': return { report: clip.study() };
    case 'measure': return { report: clip.measure() };
    case 'fix': return reported(clip.fix());
    case 'loop': return reported(clip.loop({ cycles: 2 }));
    case 'mirror': return { clip: clip.mirror() };
    case 'retarget': return reported(clip.retarget(clips.get(job.onto)));
    case 'drag': return reported(clip.drag(job.joint, [0, 4].map((i) => [job.keys[i], job.keys.slice(i + 1, i + 4)])));
    case 'join': return reported(shosa.join(Object.values(named), job.smoothness));
    case 'plan': return { report: shosa.Graph.link(named).plan(job.from, job.to, job.hurry) };
    case 'decompose': {
      const { document, report } = clip.decompose();
      texts.set(job.as, document);
      return { report };
    }
    case 'recompose': return reported(shosa.recompose(texts.get(job.of)));
    case 'evaluate': return reported(evaluate(job.kind, job.document, named));
    default: throw new Error(job.op);
  }
}

function evaluate(kind, document, named) {
  if (kind === 'footsteps') return shosa.footsteps(document, named.clip);
  return { score: shosa.compose, pose: shosa.pose, run: shosa.run }[kind](document, named);
}

test('every motion that ships through every method, and every kind of document, gives what the native library gives', () => {
  const wrong = [];
  let compared = 0, farthest = 0;
  list.forEach((job, number) => {
    const answer = answers[number];
    let made;
    try {
      made = carryOut(job);
    } catch (error) {
      if (!(error instanceof shosa.ShosaError)) throw error;
      if (error.code !== answer.status) wrong.push(`${job.as}: ${error.code} (${error.message}), native ${answer.status} ${answer.error ?? ''}`);
      return;
    }
    if (answer.status !== 'ok') return wrong.push(`${job.as}: native says ${answer.status} ${answer.error}`);
    if (made.report) {
      const found = difference(made.report, answer.report, 1e-4);
      if (found) wrong.push(`${job.as}: report ${found}`);
    }
    if (!made.clip) return;
    clips.set(job.as, made.clip);
    const expected = readFileSync(join(folder, `${number}.positions`));
    const distance = largestDistance(made.clip.positions(), new Float32Array(expected.buffer, expected.byteOffset, expected.length / 4));
    farthest = Math.max(farthest, distance);
    ++compared;
    if (!(distance <= farthest_m)) wrong.push(`${job.as}: ${(1000 * distance).toFixed(4)} mm away`);
    const contacts = readFileSync(join(folder, `${number}.contacts`));
    if (contacts.length > 0 && !contacts.equals(Buffer.from(made.clip.contacts()))) wrong.push(`${job.as}: other contacts`);
  });
  console.log(`${list.length} jobs, ${compared} clips, farthest ${(1000 * farthest).toFixed(5)} mm`);
  assert.deepEqual(wrong, []);
  assert.ok(compared > 150);
});

test('a tenth of a micrometre more of a drag ends nowhere else, within joint ranges as without them', () => {
  const job = list.find(({ as }) => as === 'pose');
  for (const ranges of [false, true]) {
    const [a, b] = [0, 1e-7].map((more) => {
      const document = JSON.parse(job.document);
      document.drags[0].keys[1][1][1] -= more;
      return shosa.pose({ ...document, ranges }, { 'walk.bvh': clips.get('walk_normal') }).positions();
    });
    const apart_m = largestDistance(a, b);
    assert.ok(apart_m < farthest_m, `ranges ${ranges}: ${apart_m} m`);
  }
});
