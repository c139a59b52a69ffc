import type { Clip } from './clip.js';
import { type Document, documentText, expectClips, type Named, withFolder } from './documents.js';
import { expectWhole, flags } from './checks.js';
import type { Engine } from './engine.js';
import { Bodied } from './handle.js';
import type { Report } from './reports.js';

export interface BuildOptions {
  /** Clips may meet while different feet stand. */
  any_feet?: boolean;
  /** Keyframes where the posture changes fastest or slowest, not at a constant step. */
  extremal?: boolean;
  /** The threshold is raised until every clip is in the graph, where that can be. */
  connect?: boolean;
  /** How far apart postures may be, metres; found where it is left out. */
  threshold_m?: number;
}

export interface GraphPlan extends Report {
  path: unknown[];
  links: unknown[];
  duration_s: number;
  weight: number;
  reachable: boolean;
}

/** Clips that are linked where they are alike. */
export class Graph extends Bodied {
  readonly report: Report;

  /** @internal */
  constructor(engine: Engine, handle: number, report: Report = {}) {
    super(engine, handle);
    this.report = report;
  }

  /** What a character needs to go about: loops of gaits and of standing, linked. States bear the names of the clips. */
  static link(clips: Readonly<Record<string, Clip>>): Graph {
    expectClips(clips);
    return withFolder(clips, (folder, engine) => {
      const out = engine.out(), report = engine.out();
      engine.call('shosa_graph_link', folder, out, report);
      return new Graph(engine, engine.u32(out), engine.takeJson<Report>(engine.u32(report)));
    });
  }

  /** Whole clips, linked wherever they are alike. */
  static build(clips: Readonly<Record<string, Clip>>, options: BuildOptions = {}): Graph {
    expectClips(clips);
    return withFolder(clips, (folder, engine) => {
      const out = engine.out(), report = engine.out();
      engine.call('shosa_graph_build', folder, engine.struct('shosa_build_params', flags(options)), out, report);
      return new Graph(engine, engine.u32(out), engine.takeJson<Report>(engine.u32(report)));
    });
  }

  /** A graph that was written before, with its clips. */
  static read(document: Document, clips: Named): Graph {
    return withFolder(clips, (folder, engine) => {
      const out = engine.out();
      engine.call('shosa_graph_parse', folder, engine.text('graph.json'), engine.text(documentText(document)), out);
      return new Graph(engine, engine.u32(out));
    });
  }

  /** The graph as a document that names its clips. */
  write(): string {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_graph_format', this.handle, 0, out, 0);
      return new TextDecoder().decode(this.engine.takeBuffer(this.engine.u32(out)));
    });
  }

  /** The way from a node to others; `hurry` 0 to 100, or left out for the shortest time. */
  plan(from: string, to: string | readonly string[], hurry = -1): GraphPlan {
    return this.engine.work(() => {
      const out = this.engine.out();
      if (hurry !== -1) expectWhole('hurry', hurry);
      const target = Array.isArray(to) && to.every((one) => typeof one === 'string') ? to.join(',') : (to as string);
      this.engine.call('shosa_graph_plan', this.handle, this.engine.text(from), this.engine.text(target), hurry, out);
      return this.engine.takeJson<GraphPlan>(this.engine.u32(out));
    });
  }

  get nodeCount(): number {
    return this.info('node_count');
  }

  get linkCount(): number {
    return this.info('link_count');
  }

  private info(key: string): number {
    return this.engine.work(() => {
      const info = this.engine.struct('shosa_graph_info');
      this.engine.call('shosa_graph_get_info', this.handle, info);
      return this.engine.field('shosa_graph_info', key, info);
    });
  }
}
