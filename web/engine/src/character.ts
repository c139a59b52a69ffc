import { structs } from './abi.js';
import { type Engine, expectLength, expectRecord, flags, type StructName, type StructValues } from './engine.js';
import { ShosaError } from './errors.js';
import type { Graph } from './graph.js';
import type { Ground } from './ground.js';
import { Bodied, handleOf } from './handle.js';
import { Pose } from './pose.js';

/** In the world, metres; +Y is up. */
export type Point = readonly [x: number, y: number, z: number];
/** A place on the ground: world, metres. */
export type Place = readonly [x: number, z: number];

export interface KindOptions {
  /** Reaches and drags do not keep to human joint ranges. */
  no_ranges?: boolean;
  /** Step in which time passes inside, seconds. */
  frame_time_s?: number;
}

export interface CharacterOptions {
  /** Name of the state to begin with; standing where it is left out. */
  state?: string;
  /** Where it stands at first: [0, 0] where it is left out. */
  at?: Place;
  /** Where it faces at first: 0 along +Z, π/2 along +X. */
  heading_rad?: number;
  /** Level at 0 where it is left out. */
  ground?: Ground;
}

export interface CharacterEvent {
  kind: 'foot_down' | 'foot_up' | 'state_reached' | 'core_reached' | 'goal_met' | 'goal_lost' | 'given_up' | 'out_of_balance';
  /** Since the character was made. */
  time_s: number;
  /** The command that it is about; undefined for none. */
  command: Command | undefined;
  /** The foot or the state; -1 for none. */
  index: number;
}

export interface Outcome {
  /** `unknown`: so long ago that it is forgotten. */
  status: 'unknown' | 'active' | 'done' | 'given_up' | 'replaced';
  /** Why it was given up; `none` otherwise. */
  reason: string;
  /** The goal is met now: a hand is on its target. */
  met: boolean;
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

  private names: readonly string[] | undefined;

  /** Names of the states that a character can be told to go to. */
  get states(): readonly string[] {
    return (this.names ??= this.readStates());
  }

  private readStates(): string[] {
    const { engine } = this;
    const count = engine.work(() => {
      const out = engine.out();
      engine.call('shosa_kind_state_count', this.handle, out);
      return engine.u32(out);
    });
    return Array.from({ length: count }, (_, state) => engine.work(() => {
      const info = engine.struct('shosa_state_info');
      engine.call('shosa_kind_get_state', this.handle, state, info);
      return engine.textAt(engine.field('shosa_state_info', 'name', info));
    }));
  }

  /** @internal */
  state(name: string): number {
    return this.engine.work(() => {
      const out = this.engine.out();
      this.engine.call('shosa_kind_find_state', this.handle, this.engine.text(name), out);
      return this.engine.i32(out);
    });
  }
}

/** Something that a character was told. */
export class Command {
  /** @internal */
  constructor(
    private readonly character: Character,
    readonly number: number,
  ) {}

  get outcome(): Outcome {
    const { engine, handle } = this.character;
    return engine.work(() => {
      const out = engine.struct('shosa_outcome');
      engine.call('shosa_command_get_outcome', handle, this.number, out);
      const field = (key: string) => engine.field('shosa_outcome', key, out);
      return {
        status: engine.textAt(engine.exports.shosa_command_status_name(field('status'))) as Outcome['status'],
        reason: engine.textAt(engine.exports.shosa_reason_name(field('reason'))),
        met: field('met') !== 0,
      };
    });
  }

  /** Moves the target of a reach, a drag or a gaze: world, metres. */
  moveTo(target: Point): void {
    expectLength('target', target ?? null, 3);
    this.character.engine.call('shosa_command_move_target', this.character.handle, this.number, ...target);
  }

  /** Ends it smoothly. */
  release(): void {
    this.character.engine.call('shosa_command_release', this.character.handle, this.number);
  }
}

type CommandFunction =
  `shosa_character_${'go_state' | 'go_direction' | 'go_place' | 'go_path' | 'stop' | 'play_once' | 'face' | 'reach' | 'drag' | 'pin' | 'look_at' | 'push'}`;

/** A character that runs: told what to do, then updated frame after frame. */
export class Character extends Bodied {
  readonly pose: Pose;

  /** @internal */
  constructor(
    engine: Engine,
    handle: number,
    readonly kind: CharacterKind,
  ) {
    super(engine, handle);
    this.pose = engine.work(() => {
      const pose = engine.struct('shosa_pose');
      engine.call('shosa_character_get_pose', handle, pose);
      return Pose.at(engine, this, pose);
    });
  }

  static of(kind: CharacterKind, options: CharacterOptions = {}): Character {
    const handle = handleOf('Character.of', kind);
    const { engine } = kind;
    expectRecord('options', options);
    const { state, at, heading_rad, ground, ...others } = options;
    for (const key in others) throw new ShosaError('bad_argument', `${key}: no such option`, key);
    expectLength('at', at, 2);
    const character = engine.work(() => {
      const out = engine.out();
      const values: StructValues = { heading_rad, x_m: at?.[0], z_m: at?.[1], start_state: state === undefined ? undefined : kind.state(state) };
      engine.call('shosa_character_create', handle, engine.struct('shosa_character_params', values), out);
      return new Character(engine, engine.u32(out), kind);
    });
    if (ground !== undefined) character.setGround(ground);
    return character;
  }

  /** Left out: level at 0. */
  setGround(ground?: Ground): void {
    this.engine.call('shosa_character_set_ground', this.handle, ground === undefined ? 0 : handleOf('setGround', ground));
  }

  /** Time passes: 0 to 1 second. What the posture and the facts were before is written over. */
  update(dt_s: number): void {
    this.engine.call('shosa_character_update', this.handle, dt_s);
  }

  get facts(): CharacterFacts {
    const { engine } = this;
    return engine.work(() => {
      const out = engine.struct('shosa_character_facts');
      engine.call('shosa_character_get_facts', this.handle, out);
      const field = (key: keyof typeof structs.shosa_character_facts.fields) => engine.field('shosa_character_facts', key, out);
      return {
        time_s: field('time_s'),
        state: field('state') < 0 ? undefined : this.kind.states[field('state')],
        place: [field('x_m'), field('z_m')],
        heading_rad: field('heading_rad'),
        speed_mps: field('speed_mps'),
        contacts: field('contacts'),
      };
    });
  }

  /** What happened in the last update. */
  get events(): CharacterEvent[] {
    const { engine } = this;
    return engine.work(() => {
      const most = 64, size = structs.shosa_event.size;
      const out = engine.out(most * size), count = engine.out();
      engine.call('shosa_character_get_events', this.handle, out, most, count);
      return Array.from({ length: Math.min(most, engine.u32(count)) }, (_, i) => {
        const field = (key: string) => engine.field('shosa_event', key, out + i * size);
        return {
          kind: engine.textAt(engine.exports.shosa_event_name(field('kind'))) as CharacterEvent['kind'],
          time_s: field('time_s'),
          command: field('command') === 0 ? undefined : new Command(this, field('command')),
          index: field('index'),
        };
      });
    });
  }

  /** Becomes a state; `hurry` 0 calm to 100, or left out for the shortest time. */
  goState(state: string, hurry = -1): Command {
    return this.tell('shosa_character_go_state', 'shosa_go_state', { state: this.kind.state(state), hurry });
  }

  /** Goes on in a direction, 0 along +Z and π/2 along +X, until it is told something else. */
  goDirection(heading_rad: number, speed_mps?: number): Command {
    return this.tell('shosa_character_go_direction', 'shosa_go_direction', { heading_rad, speed_mps });
  }

  /** Goes to a place and stands there, facing a heading where one is given. */
  goPlace(place: Place, options: { speed_mps?: number; heading_rad?: number } = {}): Command {
    expectLength('place', place ?? null, 2);
    const [x_m, z_m] = place;
    expectRecord('options', options);
    const { speed_mps, heading_rad, ...others } = options;
    for (const key in others) throw new ShosaError('bad_argument', `${key}: no such option`, key);
    return this.tell('shosa_character_go_place', 'shosa_go_place', { x_m, z_m, speed_mps, heading_rad, has_heading: heading_rad === undefined ? 0 : 1 });
  }

  /** Goes along places, one after the other, and stands at the last. */
  goPath(points: readonly Place[], speed_mps?: number): Command {
    if (!Array.isArray(points)) throw new ShosaError('bad_argument', `points: ${typeof points}, expected [[x, z], …]`, '');
    points.forEach((point, i) => expectLength(`point ${i}`, point, 2));
    return this.engine.work(() => this.tell('shosa_character_go_path', 'shosa_go_path',
      { point_count: points.length, speed_mps, points_m: this.engine.doubles(points.flat()) }));
  }

  /** Stands still: as soon as it can, or so many metres ahead. */
  stop(ahead_m?: number): Command {
    return this.tell('shosa_character_stop', 'shosa_stop', { ahead_m, has_ahead: ahead_m === undefined ? 0 : 1 });
  }

  /** A state once, then back to what was before; its core may begin at a time, seconds of the character's own. */
  playOnce(state: string, core_at_s?: number): Command {
    return this.tell('shosa_character_play_once', 'shosa_play_once', { state: this.kind.state(state), core_at_s, has_core_at: core_at_s === undefined ? 0 : 1 });
  }

  /** Turns to a place, or to a heading: 0 along +Z, π/2 along +X. */
  face(target: Place | number): Command {
    if (typeof target !== 'number') expectLength('target', target ?? null, 2);
    const values = typeof target === 'number' ? { heading_rad: target } : { has_point: 1, x_m: target[0], z_m: target[1] };
    return this.tell('shosa_character_face', 'shosa_face', values);
  }

  /** A joint (name or role) goes to a target (world, metres) within some seconds and stays on it until it is released. */
  reach(joint: string, target_m: Point, duration_s?: number): Command {
    return this.tell('shosa_character_reach', 'shosa_reach', { joint: this.joint(joint), target_m, duration_s });
  }

  /** A joint (name or role) is led to a target (world, metres) at once: `moveTo` leads it on. */
  drag(joint: string, target_m: Point): Command {
    return this.tell('shosa_character_drag', 'shosa_drag', { joint: this.joint(joint), target_m });
  }

  /** A joint (name or role) is kept where it is now, with its turn where that is asked. */
  pin(joint: string, orientation = false): Command {
    return this.tell('shosa_character_pin', 'shosa_pin', { joint: this.joint(joint), orientation: orientation ? 1 : 0 });
  }

  /** The head turns to a target (world, metres) until it is released. */
  lookAt(target_m: Point): Command {
    return this.tell('shosa_character_look_at', 'shosa_look_at', { target_m });
  }

  /** A blow that changes the body's velocity by so much (world, metres a second): it catches itself by steps. */
  push(velocity_mps: Point): Command {
    return this.tell('shosa_character_push', 'shosa_push', { velocity_mps });
  }

  private tell(name: CommandFunction, struct: StructName, values: StructValues): Command {
    const { engine } = this;
    return engine.work(() => {
      const out = engine.out();
      engine.call(name, this.handle, engine.struct(struct, values), out);
      return new Command(this, engine.u32(out));
    });
  }
}

export interface CharacterFacts {
  time_s: number;
  /** That it is in, or on its way to. */
  state: string | undefined;
  /** Of the hips. */
  place: Place;
  /** 0 along +Z, π/2 along +X. */
  heading_rad: number;
  speed_mps: number;
  /** Bit f: foot f stands (0 left, 1 right). */
  contacts: number;
}

function expectCharacters(characters: readonly Character[]): void {
  if (!Array.isArray(characters) || !characters.every((one) => one instanceof Character)) throw new ShosaError('bad_argument', 'expected a list of Characters', '');
}

/** Many characters at once. */
export function updateAll(characters: readonly Character[], dt_s: number): void {
  expectCharacters(characters);
  if (characters.length === 0) return;
  const engine = characters[0]!.engine;
  if (characters.some((character) => character.engine !== engine)) throw new ShosaError('bad_handle', 'characters of two engines', '');
  engine.work(() => engine.call('shosa_characters_update', engine.integers(characters.map((character) => character.handle)), characters.length, dt_s));
}

/** world_from_joint of all of them, one after the other: 16 numbers a joint. */
export function allMatrices(characters: readonly Character[], target?: Float32Array): Float32Array {
  expectCharacters(characters);
  const length = characters.reduce((sum, character) => sum + 16 * character.jointCount, 0);
  const matrices = target ?? new Float32Array(length);
  expectLength('matrices', matrices, length);
  let offset = 0;
  for (const { pose } of characters) {
    matrices.set(pose.matrices, offset);
    offset += 16 * pose.jointCount;
  }
  return matrices;
}
