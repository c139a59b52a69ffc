import { structs } from './abi.js';
import type { CharacterKind } from './character_kind.js';
import { expectLength, expectNoOthers, expectRecord, numberOf, toBytes } from './checks.js';
import type { Bytes } from './clip_options.js';
import { type Command, type Place, Told } from './commands.js';
import type { Engine, StructValues } from './engine.js';
import { ShosaError } from './errors.js';
import type { Ground } from './ground.js';
import { handleOf } from './handle.js';
import { Pose } from './pose.js';

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
  kind: 'foot_down' | 'foot_up' | 'state_reached' | 'core_reached' | 'goal_met' | 'goal_lost' | 'given_up' | 'out_of_balance' | 'step_met';
  /** Since the character was made. */
  time_s: number;
  /** The command that it is about, the same object that telling it gave; undefined for none. */
  command: Command | undefined;
  /** The foot (of `feet`), the state (of the kind's `states`) or the step of a plan; -1 for none. */
  index: number;
}

/** `full`: everything. `steered`: layers, gaze, reaches, drags and pins wait. `played`: clips alone, steered, lifted to the ground as a whole; feet may slide. */
export type Detail = 'full' | 'steered' | 'played';
const details: readonly Detail[] = ['full', 'steered', 'played'];

/** A character that runs: told what to do, then updated frame after frame. */
export class Character extends Told {
  readonly pose: Pose;

  /** @internal */
  constructor(engine: Engine, handle: number, kind: CharacterKind) {
    super(engine, handle, kind);
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
    expectNoOthers(others);
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

  /** How much is worked out from the next update on: by how far away it is. */
  setDetail(detail: Detail): void {
    this.engine.call('shosa_character_set_detail', this.handle, numberOf('detail', detail, details));
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
        state: field('state') < 0 ? undefined : this.own.stateInfos[field('state')]!.name,
        place: [field('x_m'), field('z_m')],
        heading_rad: field('heading_rad'),
        step_ahead_m: field('step_ahead_m'),
        step_aside_m: field('step_aside_m'),
        step_turn_rad: field('step_turn_rad'),
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
          command: field('command') === 0 ? undefined : this.command(field('command')),
          index: field('index'),
        };
      });
    });
  }

  /** All that it is between two updates, as bytes; its kind and its ground are not in them. The same state gives the same bytes. */
  snapshot(): Uint8Array<ArrayBuffer> {
    const { engine } = this;
    return engine.work(() => {
      const size = engine.out();
      engine.call('shosa_character_snapshot', this.handle, 0, 0, size);
      const length = engine.u32(size), bytes = engine.room(length);
      engine.call('shosa_character_snapshot', this.handle, bytes, length, size);
      return engine.bytesAt(bytes, length).slice();
    });
  }

  /** Goes on from there, to the bit, as a character of the same kind did. Other bytes are refused, and nothing is changed. */
  restore(snapshot: Bytes): void {
    const { engine } = this;
    const bytes = toBytes(snapshot);
    engine.work(() => engine.call('shosa_character_restore', this.handle, engine.bytes(bytes), bytes.length));
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
  /** Of the last update, seen from the place before: along where it faced, to its left, and how far it turned. */
  step_ahead_m: number;
  step_aside_m: number;
  step_turn_rad: number;
  speed_mps: number;
  /** Bit f: foot f of `feet` stands (0 left, 1 right). */
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
