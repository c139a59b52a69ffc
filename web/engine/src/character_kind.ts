import { flags } from './checks.js';
import type { Graph } from './graph.js';
import { Bodied, handleOf } from './handle.js';

export interface KindOptions {
  /** Reaches and drags do not keep to human joint ranges. */
  no_ranges?: boolean;
  /** Step in which time passes inside, seconds. */
  frame_time_s?: number;
}

export interface StateInfo {
  name: string;
  /** Can be held for ever: a gait, or standing. Others are played once. */
  lasting: boolean;
  /** Mean over the ground. */
  speed_mps: number;
  /** What makes the motion what it is. */
  core_length_s: number;
}

/** What characters share: made once from a linked graph. */
export class CharacterKind extends Bodied {
  static of(graph: Graph, options: KindOptions = {}): CharacterKind {
    const handle = handleOf('CharacterKind.of', graph);
    const { engine } = graph;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_kind_create', handle, engine.struct('shosa_kind_params', flags(options)), out);
      return new CharacterKind(engine, engine.u32(out));
    });
  }

  private infos: readonly StateInfo[] | undefined;

  /** Names of the states that a character can be told to go to. */
  get states(): readonly string[] {
    return this.stateInfos.map(({ name }) => name);
  }

  /** The states, in the order of their numbers in events. */
  get stateInfos(): readonly StateInfo[] {
    return (this.infos ??= this.readStates());
  }

  /** The same kind for a character, which keeps it when this one is disposed of. @internal */
  share(): CharacterKind {
    const { engine } = this;
    return engine.work(() => {
      const out = engine.out();
      engine.call('shosa_kind_share', this.handle, engine.context, out);
      const kind = new CharacterKind(engine, engine.u32(out));
      kind.infos = this.stateInfos;
      return kind;
    });
  }

  private readStates(): StateInfo[] {
    const { engine } = this;
    const count = engine.work(() => {
      const out = engine.out();
      engine.call('shosa_kind_state_count', this.handle, out);
      return engine.u32(out);
    });
    return Array.from({ length: count }, (_, state) => engine.work(() => {
      const info = engine.struct('shosa_state_info');
      engine.call('shosa_kind_get_state', this.handle, state, info);
      const field = (key: string) => engine.field('shosa_state_info', key, info);
      return { name: engine.textAt(field('name')), lasting: field('lasting') !== 0, speed_mps: field('speed_mps'), core_length_s: field('core_length_s') };
    }));
  }

  /** @internal */
  state(name: string): number {
    return this.find('shosa_kind_find_state', name);
  }

  /** A clip of the kind, for layers. @internal */
  clip(name: string): number {
    return this.find('shosa_kind_find_clip', name);
  }

  private find(what: 'shosa_kind_find_state' | 'shosa_kind_find_clip', name: string): number {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call(what, this.handle, this.engine.text(name), out);
      return this.engine.i32(out);
    });
  }
}
