import { documentAt, freshPath, putDocument, relativePath, resolvePath, stem } from '../model/files';
import { isObject } from '../model/json';
import type { Motion } from '../model/motion';
import { asJson, asPoseScript, type PoseScript } from '../model/pose_script';
import { moveCorner, moveTwist, type Region, swingOf, type Swing, withRegion } from '../model/ranges';
import { readingOf } from '../model/references';
import { beganWith, type BodyRules, type State } from '../model/state';
import { type LocalPose, sampleTrack } from '../model/track';
import type { App } from './app';

/** The document of ranges that a script names; undefined where it goes by those of humans. */
export function rangesDocument(state: State, path: string, script: PoseScript): object | undefined {
  const value = typeof script.ranges === 'string' ? documentAt(state.history.present, resolvePath(path, script.ranges)) : undefined;
  return isObject(value) ? value : undefined;
}

const known = new WeakMap<Motion, WeakMap<object, Promise<BodyRules | undefined>>>();
const human = {};

/** Ranges and weights of the body that a script moves; asked of the engine once. */
export async function rulesFor(app: App, state: State, path: string, script: PoseScript): Promise<BodyRules | undefined> {
  const motion = await app.motions.of(resolvePath(path, script.clip), readingOf(path, script));
  const document = rangesDocument(state, path, script), key = document ?? human;
  let byDocument = known.get(motion);
  if (!byDocument) known.set(motion, (byDocument = new WeakMap()));
  let rules = byDocument.get(key);
  if (!rules) {
    byDocument.set(key, (rules = app.engine.rules(motion, document)));
    rules.catch(() => byDocument.delete(key));
  }
  return rules;
}

/** Joint ranges changed by hand, in a document of their own beside the script. */
export class RangeControl {
  private before: BodyRules | undefined;

  constructor(private readonly app: App) {}

  regionOf(joint: number | undefined): Region | undefined {
    return this.app.state.value.scene.figures[0]?.rules?.regions.find((region) => region.joint === joint);
  }

  /** Where in its region a joint is now. */
  swingOf(region: Region, pulled?: LocalPose): Swing | undefined {
    const { scene, transport } = this.app.state.value, figure = scene.figures[0];
    return figure && swingOf(region, figure.live && pulled ? pulled : sampleTrack(figure.motion.track, transport.time_s));
  }

  /** Where the clip has the joint at this time, and so may be. */
  allowedOf(region: Region): Swing | undefined {
    const { scene, transport } = this.app.state.value, figure = scene.figures[0];
    const pose = figure && beganWith(figure, transport.time_s);
    return pose && swingOf(region, pose);
  }

  // ---- One gesture: shown while it lasts, written when it ends ----

  corner(joint: number, corner: number, a_y: number, a_z: number): void {
    this.show(joint, (region) => moveCorner(region, corner, a_y, a_z));
  }

  twist(joint: number, which: 'min' | 'max', by_deg: number): void {
    this.show(joint, (region) => moveTwist(region, which, by_deg));
  }

  private show(joint: number, change: (region: Region) => Region): void {
    this.app.state.update((value) => {
      const [first, ...others] = value.scene.figures;
      if (!first?.rules) return value;
      this.before ??= first.rules;
      const regions = first.rules.regions.map((region) => (region.joint === joint ? change(region) : region));
      return { ...value, scene: { ...value.scene, figures: [{ ...first, rules: { ...first.rules, regions } }, ...others] } };
    });
  }

  cancel(): void {
    const { before } = this;
    this.before = undefined;
    if (before) this.app.state.update((value) => ({ ...value, scene: { ...value.scene, figures: value.scene.figures.map((figure, i) => (i === 0 ? { ...figure, rules: before } : figure)) } }));
  }

  /** The script goes by a document of its own from its first change on. */
  end(joint: number): void {
    const region = this.regionOf(joint), path = this.app.state.value.open.pose;
    const changed = this.before && region !== this.before.regions.find((each) => each.joint === joint);
    this.before = undefined;
    if (!changed || !region || path === undefined) return;
    this.app.edit(`Range of ${region.name}`, (files) => {
      const script = asPoseScript(documentAt(files, path));
      if (!script) return files;
      const own = typeof script.ranges === 'string' ? resolvePath(path, script.ranges) : freshPath(files, `${stem(path)} ranges.json`);
      const written = putDocument(files, own, withRegion(documentAt(files, own), region));
      return script.ranges === relativePath(path, own) ? written : putDocument(written, path, asJson({ ...script, ranges: relativePath(path, own) }));
    });
  }

  /** Back to those of humans; the document of ranges stays in the project. */
  reset(): void {
    const path = this.app.state.value.open.pose;
    this.app.edit('Ranges of humans', (files) => {
      const script = asPoseScript(documentAt(files, path));
      return path === undefined || !script ? files : putDocument(files, path, asJson({ ...script, ranges: true }));
    });
  }
}
