// A character that walks to where the ground is clicked, hurries with the wheel, climbs steps and reaches for a ball.
import * as THREE from 'three';
import { Character, CharacterKind, Clip, Graph, Ground, load } from 'shosa';
import { capsuleBody, follow, loadBody } from 'shosa/three';

// Slabs on slabs, each a tread shorter on every side: steps from wherever one comes.
const stairs = { from: [-2.8, 3], to: [2.8, 8.6], rise_m: 0.17, tread_m: 0.32, count: 5 };
const inside = (x, z) => Math.min(x - stairs.from[0], stairs.to[0] - x, z - stairs.from[1], stairs.to[1] - z);
const slowest = 0.8, fastest = 3.2; // m/s

// ---- The engine: clips, a graph of them, a kind of character, and one on its ground ----
await load();
const clips = Object.fromEntries(['idle', 'walk_slow', 'walk_normal', 'run_slow'].map((name) => [name, Clip.make(name)]));
const graph = Graph.link(clips);
const kind = CharacterKind.of(graph);
const ground = Ground.from((x, z) => stairs.rise_m * Math.min(Math.max(Math.floor(inside(x, z) / stairs.tread_m) + 1, 0), stairs.count));
let hero = Character.of(kind, { ground });

// ---- The scene ----
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe6ee);
scene.fog = new THREE.Fog(0xdfe6ee, 14, 32);
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
const sun = new THREE.DirectionalLight(0xffffff, 2.2);
sun.position.set(4, 9, -3);
sun.castShadow = true;
sun.shadow.mapSize.set(1024, 1024);
Object.assign(sun.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8 });
scene.add(new THREE.HemisphereLight(0xffffff, 0x8090a0, 1.6), sun, sun.target);

const floor = new THREE.Mesh(new THREE.PlaneGeometry(60, 60), new THREE.MeshStandardMaterial({ color: 0xc9d2dc }));
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
const grid = new THREE.GridHelper(60, 60, 0x8d9aa8, 0xa3afbc);
grid.position.y = 0.004;
scene.add(floor, grid);

const steps = new THREE.Group();
const stone = new THREE.MeshStandardMaterial({ color: 0xb8a999 });
for (let i = 0; i < stairs.count; ++i) {
  const [width, depth] = [0, 1].map((axis) => stairs.to[axis] - stairs.from[axis] - 2 * i * stairs.tread_m);
  const slab = new THREE.Mesh(new THREE.BoxGeometry(width, stairs.rise_m, depth), stone);
  slab.position.set((stairs.from[0] + stairs.to[0]) / 2, (i + 0.5) * stairs.rise_m, (stairs.from[1] + stairs.to[1]) / 2);
  slab.castShadow = slab.receiveShadow = true;
  steps.add(slab);
}
scene.add(steps);

const ball = new THREE.Mesh(new THREE.SphereGeometry(0.09, 24, 16), new THREE.MeshStandardMaterial({ color: 0xe2603a }));
ball.position.set(-1.6, 1.15, 0.6);
ball.castShadow = true;
const post = new THREE.Mesh(new THREE.CylinderGeometry(0.02, 0.02, 1.06), stone);
post.position.set(-1.6, 0.53, 0.6);
const mark = new THREE.Mesh(new THREE.RingGeometry(0.14, 0.2, 40), new THREE.MeshBasicMaterial({ color: 0x2f7d4f }));
mark.rotation.x = -Math.PI / 2;
mark.visible = false;
let body = capsuleBody(hero), follower = body;
scene.add(ball, post, mark, body);

/** The body of a GLB, which walks by the same clips from where the last one stands. */
async function wear(bytes, moves = clips) {
  const { object, kind: other } = await loadBody(bytes, moves);
  scene.remove(body);
  hero = Character.of(other, { ground, at: hero.facts.place, heading_rad: hero.facts.heading_rad });
  way = target = hand = gaze = undefined;
  wantsBall = mark.visible = false;
  object.traverse((part) => (part.castShadow = true));
  body = object;
  follower = follow(hero, object);
  scene.add(object);
}

// ---- What the user does ----
let speed = 1.3, way, target, hand, gaze, wantsBall = false, trouble = '';

function goTo(place, height, heading) {
  trouble = '';
  hand?.release();
  gaze?.release();
  hand = gaze = undefined;
  wantsBall = heading !== undefined;
  target = place;
  mark.position.set(place[0], height + 0.01, place[1]);
  mark.visible = true;
  // Nobody runs to what is two steps away.
  const [x, z] = hero.facts.place;
  const speed_mps = Math.min(speed, slowest + 0.4 * Math.hypot(place[0] - x, place[1] - z));
  way = hero.goPlace(place, heading === undefined ? { speed_mps } : { speed_mps, heading_rad: heading });
}

function goToTheBall() {
  // From where it stands: an arm's length short of the ball, facing it. The hand follows when it is there.
  const { x, z } = ball.position;
  const [hx, hz] = hero.facts.place;
  const heading = Math.atan2(x - hx, z - hz);
  goTo([x - 0.5 * Math.sin(heading), z - 0.5 * Math.cos(heading)], 0, heading);
}

const ray = new THREE.Raycaster();
renderer.domElement.addEventListener('pointerdown', (event) => {
  ray.setFromCamera(new THREE.Vector2((event.clientX / innerWidth) * 2 - 1, 1 - (event.clientY / innerHeight) * 2), camera);
  const [hit] = ray.intersectObjects([ball, floor, ...steps.children]);
  if (!hit) return;
  if (hit.object === ball) return goToTheBall();
  goTo([hit.point.x, hit.point.z], ground.height(hit.point.x, hit.point.z));
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (!file) return;
  trouble = '';
  try {
    await wear(await file.arrayBuffer());
  } catch (error) {
    trouble = `${file.name}: ${error.message}`;
  }
});
const slider = document.getElementById('speed');
slider.addEventListener('input', () => hurry(slider.valueAsNumber));
addEventListener('wheel', (event) => hurry(speed * Math.exp(-event.deltaY / 800)));
function hurry(asked) {
  speed = slider.valueAsNumber = Math.min(fastest, Math.max(slowest, asked));
  if (target && way.outcome.status === 'active' && !wantsBall) way = hero.goPlace(target, { speed_mps: speed });
}
const resize = () => {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
};
addEventListener('resize', resize);
resize();

// ---- Every frame ----
const state = document.getElementById('text');
const seen = new THREE.Vector3(0, 1, 0), wanted = new THREE.Vector3();
let last = performance.now(), frames = 0, time_s = 0;
renderer.setAnimationLoop((now) => {
  // Browsers give the time at which the frame began, which may lie before the first one measured here.
  const step_s = Math.min(Math.max(now - last, 0) / 1000, 0.1);
  hero.update(step_s);
  last = now;
  time_s += step_s;
  follower.update();

  const { place: [x, z], speed_mps, state: name } = hero.facts;
  seen.lerp(wanted.set(x, 0.9 + ground.height(x, z), z), 0.08);
  camera.position.set(seen.x + 3.2, seen.y + 1.9, seen.z - 4.6);
  camera.lookAt(seen);
  sun.position.set(x + 4, 9, z - 3);
  sun.target.position.set(x, 0, z);
  if (way?.outcome.status === 'done') mark.visible = false;
  if (wantsBall && !hand && way.outcome.status === 'done') {
    hand = hero.reach('right_hand', ball.position.toArray());
    gaze = hero.lookAt(ball.position.toArray());
  }
  state.textContent = trouble || `${name ?? 'on its way'} · ${speed_mps.toFixed(1)} m/s, asked ${speed.toFixed(1)}${hand?.outcome.met ? ' · on the ball' : ''}`;
  renderer.render(scene, camera);
  frames += 1;
});

// For the test in the browser, and for the curious.
Object.assign(window, { sample: { wear, ball, camera, ground, drawn: [floor, ...steps.children], get hero() { return hero; }, get body() { return body; }, get way() { return way; }, get hand() { return hand; }, get gaze() { return gaze; }, get speed() { return speed; }, get frames() { return frames; }, get time_s() { return time_s; } } });
