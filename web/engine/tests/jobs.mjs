// The jobs that the native library and the module are both given: every motion that ships through every method, and documents of every kind.
const cheap = ['study', 'measure', 'fix', 'loop', 'mirror'];

export function jobs(motions) {
  const list = motions.map((name) => ({ op: 'make', as: name, name }));
  const isDog = (name) => name.startsWith('dog_');
  for (const clip of motions) {
    for (const op of cheap) list.push({ op, as: `${clip} ${op}`, clip });
    if (isDog(clip)) continue;
    list.push(evaluate(`${clip} posed`, 'pose', { clip }, { clip: 'clip', keep_feet: true, drags: [{ joint: 'right_hand', relative: true, keys: [[0.1, [0, 0, 0]], [0.3, [0, 0.1, 0.1]], [0.5, [0, 0, 0]]] }] }));
  }
  for (const clip of ['idle', 'wave', 'bow']) list.push({ op: 'drag', as: `${clip} drag`, clip, joint: 'right_hand', keys: [0.1, -0.3, 1.2, 0.5, 0.4, -0.2, 1.5, 0.6] });
  // Bodies of other sizes and names: a retargeted clip is on the skeleton of the other.
  list.push({ op: 'retarget', as: 'walk onto itself', clip: 'walk_normal', onto: 'idle' }, { op: 'retarget', as: 'dog walk onto itself', clip: 'dog_walk', onto: 'dog_stand' });
  const humans = motions.filter((name) => !isDog(name)), dogs = motions.filter(isDog);
  for (const names of [humans, dogs]) {
    for (let i = 0; i + 1 < names.length; i += 2) {
      list.push({ op: 'join', as: `${names[i]} then ${names[i + 1]}`, clips: { [`1 ${names[i]}`]: names[i], [`2 ${names[i + 1]}`]: names[i + 1] }, smoothness: 0.5 });
    }
  }
  for (const clip of ['wave', 'pick_up', 'dog_lie_down']) {
    list.push({ op: 'decompose', as: `${clip} submovements`, clip }, { op: 'recompose', as: `${clip} again`, of: `${clip} submovements` });
  }
  const gaits = { idle: 'idle', walk: 'walk_normal', run: 'run_slow' };
  for (const hurry of [-1, 0, 60]) list.push({ op: 'plan', as: `plan ${hurry}`, clips: gaits, from: 'idle', to: 'run', hurry });
  for (const [name, kind, clips, document] of documents) list.push(evaluate(name, kind, clips, document));
  return list;
}

const evaluate = (as, kind, clips, document) => ({ op: 'evaluate', as, kind, clips, document: JSON.stringify(document) });

const documents = [
  ['score', 'score', { 'a.bvh': 'walk_normal', 'b.bvh': 'kick' }, { smoothness: 0.3, motions: [{ clip: 'a.bvh', core: [0.2, 0.9], at: 0 }, { clip: 'b.bvh', at: 'auto' }] }],
  ['layers', 'score', { 'a.bvh': 'walk_normal', 'b.bvh': 'wave' }, { motions: [{ clip: 'a.bvh', at: 0 }], layers: [{ clip: 'b.bvh', mask: ['right_upper_arm'], at: 0.3 }] }],
  ['pose', 'pose', { 'walk.bvh': 'walk_normal' }, {
    clip: 'walk.bvh', at_s: 0.5, duration_s: 1, fps: 60, ranges: true, pins: [{ joint: 'left_foot' }, { joint: 'right_foot' }],
    drags: [{ joint: 'head', relative: true, keys: [[0.2, [0, 0, 0]], [0.8, [0, -0.2, 0]]] }] }],
  ['steps', 'footsteps', { clip: 'walk_normal' }, { steps: [{ foot: 'left', position: [0.1, 0, 0.6], heading_deg: 0 }, { foot: 'right', position: [-0.1, 0, 1.2], heading_deg: 10 }] }],
  ['stairs', 'footsteps', { clip: 'walk_normal' }, { stairs: { rise_m: 0.15, tread_m: 0.3, count: 4, before: 2, after: 3 } }],
  ['run', 'run', { 'a.bvh': 'idle', 'b.bvh': 'walk_normal', 'c.bvh': 'run_slow' }, {
    clips: { stand: 'a.bvh', walk: 'b.bvh', run: 'c.bvh' }, duration_s: 8,
    ground: { stairs: { at: [0, 2], rise_m: 0.15, tread_m: 0.3, count: 4 } },
    commands: [{ at_s: 0.5, go: 'walk', hurry: 50 }, { at_s: 4, reach: 'right_hand', position: [0.3, 1.3, 6], until_s: 6 }, { at_s: 6, stop: true }] }],
  ['nothing like a score', 'score', {}, { motions: [{ clip: 'c.bvh' }] }],
  ['no such key', 'pose', { 'walk.bvh': 'walk_normal' }, { clip: 'walk.bvh', drag: [] }],
];
