import { baseName, type Content, documentAt, type Files, freshPath, putDocument, putFile, relativePath, resolvePath, sameBytes, stem } from '../model/files';
import type { JsonObject } from '../model/json';
import { motionDuration } from '../model/motion';
import { addLayer, asScore, changed, insertMotion, newScore, type Score, scoreJson, type ScoreLayer } from '../model/score';
import { scoreLayout } from '../model/score_layout';
import { readingKey, readingOf } from '../model/references';
import type { ComposeView, Figure, State } from '../model/state';
import type { App, SceneMaker } from './app';
import { Latest } from './latest';
import { shippedPrefix } from './motions';

/** How far apart two figures stand that are compared, metres. */
const apart_m = 1.3;

export function scoreOf(state: State): Score | undefined {
  return asScore(documentAt(state.history.present, state.open.compose));
}

async function compared(app: App, { history, compose: { against, apart } }: State, path: string): Promise<Figure | undefined> {
  // A ghost of before stands where the figure does.
  const offset = apart && against !== 'before' ? ([apart_m, 0] as const) : ([0, 0] as const);
  if (against === undefined) return undefined;
  const now = history.present.get(path);
  const content = against === 'before' ? history.past.findLast(({ value }) => value.get(path) !== now)?.value.get(path) : now;
  if (!content) return undefined;
  const change = (value: JsonObject): JsonObject => (against === 'before' ? value : { ...value, method: against });
  const motion = await app.motions.variant(path, content, against, change);
  return { id: `${path} ${against}`, motion, tint: against === 'before' ? 'ghost' : 'second', offset };
}

const lengthKey = (layer: ScoreLayer) => `${layer.clip} ${readingKey(readingOf('', layer))}`;

/** A score on the stage, and what is done to it. */
export class ComposeControl {
  private readonly latest = new Latest();
  private readonly lengths = new Map<string, number>();

  constructor(private readonly app: App) {}

  /** The score played, and beside it what it is compared with. */
  readonly scene: SceneMaker = async (app, state) => {
    const path = state.open.compose, score = scoreOf(state);
    if (path === undefined || !score || score.motions.length === 0) return [];
    return (await this.latest.run(async () => {
      const figures: Figure[] = [{ id: path, motion: await app.motions.of(path), tint: 'main', offset: [0, 0] }];
      for (const layer of score.layers ?? []) this.lengths.set(lengthKey(layer), motionDuration(await app.motions.of(resolvePath(path, layer.clip), readingOf(path, layer))));
      const other = await app.attempt('There is nothing to compare with', () => compared(app, state, path));
      return other ? [...figures, other] : figures;
    })) ?? []; // Something newer is on its way, and nobody looks at this.
  };

  /** Of a clip that was read for the score, seconds. */
  lengthOf(layer: ScoreLayer): number | undefined {
    return this.lengths.get(lengthKey(layer));
  }

  edit(label: string, change: (score: Score) => Score, gesture?: string): void {
    const path = this.app.state.value.open.compose;
    this.app.edit(label, (files) => {
      const score = asScore(documentAt(files, path));
      const next = score && change(score);
      return path === undefined || !next || next === score ? files : putDocument(files, path, scoreJson(next));
    }, gesture);
  }

  look(change: Partial<ComposeView>): void {
    this.app.state.update((value) => ({ ...value, compose: { ...value.compose, ...change } }));
  }

  select(kind: 'motion' | 'layer', index: number): void {
    this.look({ selected: { kind, index } });
  }

  open(path: string): void {
    this.look({ selected: undefined });
    this.app.go('compose', path);
  }

  create(): void {
    const path = freshPath(this.app.files, 'score.json');
    this.app.edit(`New score ${stem(path)}`, (files) => putDocument(files, path, scoreJson(newScore())));
    this.open(path);
  }

  /** Before which motion a clip goes that is dropped at a time: the first whose core begins later. */
  indexAt(time_s: number): number {
    const { scene } = this.app.state.value, score = scoreOf(this.app.state.value);
    if (!score) return 0;
    const next = scoreLayout(score, scene.figures[0]?.motion.report).blocks.find(({ core }) => core[0] > time_s);
    return next?.index ?? score.motions.length;
  }

  /** A clip of the project, or one that ships, joins the score; with a new score where none is open. All of it is one step. */
  addMotion(source: string, index = Infinity, take?: string): Promise<boolean> {
    return this.add(source, (score, clip) => insertMotion(score, index, { clip, ...(take === undefined ? {} : { take }) }), (score) => this.select('motion', Math.min(index, score.motions.length - 1)));
  }

  addLayer(source: string, at_s: number): Promise<boolean> {
    const layer = { mask: 'upper_body', at: Number(at_s.toFixed(3)), fade_in: 0.2, fade_out: 0.2 } as const;
    return this.add(source, (score, clip) => addLayer(score, { clip, ...layer }), (score) => this.select('layer', score.layers!.length - 1));
  }

  private async add(source: string, change: (score: Score, clip: string) => Score, then: (score: Score) => void): Promise<boolean> {
    const { app } = this, name = source.replace(shippedPrefix, '');
    return (await app.attempt(`${name} cannot be added`, async () => {
      const clip = source.startsWith(shippedPrefix) ? await this.shippedFile(name) : { path: source, content: undefined };
      const open = app.state.value.open.compose;
      const path = open !== undefined && scoreOf(app.state.value) ? open : freshPath(app.files, 'score.json');
      app.edit(`Add ${stem(baseName(clip.path))}`, (files: Files) => {
        const with_clip = clip.content ? putFile(files, clip.path, clip.content) : files;
        const score = asScore(documentAt(with_clip, path)) ?? newScore();
        return putDocument(with_clip, path, scoreJson(change(score, relativePath(path, clip.path))));
      });
      if (path !== open) app.go('compose', path);
      const score = scoreOf(app.state.value);
      if (score) then(score);
      return true;
    })) ?? false;
  }

  /** A motion that ships becomes a file, where the project does not have that very file already. */
  private async shippedFile(name: string): Promise<{ path: string; content: Content | undefined }> {
    const { app } = this;
    const bytes = await app.engine.write(await app.motions.of(shippedPrefix + name), 'bvh');
    const wanted = `${name}.bvh`;
    if (app.files.has(wanted)) {
      const known = await app.project!.load(wanted);
      if (known.kind === 'bytes' && sameBytes(known.bytes, bytes)) return { path: wanted, content: undefined };
    }
    return { path: freshPath(app.files, wanted), content: { kind: 'bytes', bytes } };
  }

  setSmoothness(value: number, gesture: string): void {
    this.edit('Smoothness', (score) => changed(score, { smoothness: Number(value.toFixed(3)) }), gesture);
  }
}
