import { constants } from './abi.js';
import type { CharacterKind } from './character_kind.js';
import { expectLength, expectNoOthers, expectNumber, expectRecord, flags, numberOf } from './checks.js';
import type { Engine, StructName, StructValues } from './engine.js';
import { ShosaError } from './errors.js';
import { Bodied } from './handle.js';

/** In the world, metres; +Y is up. */
export type Point = readonly [x: number, y: number, z: number];
/** A place on the ground: world, metres. */
export type Place = readonly [x: number, z: number];
/** Where to face: a heading (0 along +Z, π/2 along +X), or a place. */
export type Facing = number | Place;

export interface GoDirectionOptions {
  /** Looks there while it goes elsewhere: aside as far as steps lead, the trunk twists by the rest. Left out: where it goes. */
  facing?: Facing;
}

export interface GoPlaceOptions extends GoDirectionOptions {
  speed_mps?: number;
  /** To be faced there in the end. */
  heading_rad?: number;
}

/** A landing of a footstep plan. */
export interface Footstep {
  /** One of `feet`: `left`, `right`. */
  foot: string;
  /** Of the ball of the foot; its height is the ground's. */
  at: Place;
  /** Of the foot; as the path goes where it is left out. */
  heading_rad?: number;
}

export interface ReachOptions {
  /** Left out: as the distance asks for. */
  duration_s?: number;
  /** That the target is seen from. `body`, for what is carried along: the ground under the hips, x to the left of where the body faces, y up, z ahead. */
  frame?: 'world' | 'body';
  /** A joint of the right side that takes hold of the same thing: `joint` is then of the left side, and the target is in the middle. */
  other?: string;
  /** How far apart the two are, 0 to 2 metres. */
  apart_m?: number;
}

export interface LayerOptions {
  /** Where the clip is seen; `upper_body`, all that hangs on the hips but the legs, where it is left out. */
  part?: 'upper_body' | 'arms' | 'left_arm' | 'right_arm';
  /** Instead of a part: this joint (name or role) and what hangs on it. */
  top?: string;
  /** 0 to 1. */
  weight?: number;
  /** In and out, 0.05 to 5 seconds. */
  fade_s?: number;
  /** Where in the clip it begins. */
  from_s?: number;
  /** The part keeps to this heading in the world, as far as a trunk twists. */
  heading_rad?: number;
  /** Is over where the clip ends; otherwise it starts again there. */
  once?: boolean;
}

export interface Outcome {
  /** `unknown`: so long ago that it is forgotten. */
  status: 'unknown' | 'active' | 'done' | 'given_up' | 'replaced';
  /** Why it was given up; `none` otherwise. */
  reason: string;
  /** The goal is met now: a hand is on its target. */
  met: boolean;
}

/** Something that a character was told. */
export class Command {
  /** @internal */
  constructor(
    private readonly character: Told,
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

  /** Moves the target of a reach, a drag or a gaze, in the frame that it has: the world's, metres, unless it was told otherwise. */
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
  `shosa_character_${'go_state' | 'go_direction' | 'go_place' | 'go_path' | 'go_steps' | 'stop' | 'play_once' | 'face' | 'reach' | 'drag' | 'pin' | 'look_at' | 'layer' | 'push'}`;

const parts = ['upper_body', 'arms', 'left_arm', 'right_arm'] as const;
const frames = ['world', 'body'] as const;

type Remembered = Map<number, WeakRef<Command>>;
const forgottenCommands = new FinalizationRegistry<{ commands: Remembered; number: number }>(({ commands, number }) => {
  if (commands.get(number)?.deref() === undefined) commands.delete(number);
});

/** What a character can be told. */
export abstract class Told extends Bodied {
  /** Of the character itself: the kind that it was made of may be disposed of. */
  protected readonly own: CharacterKind;
  private readonly commands: Remembered = new Map();

  /** @internal */
  constructor(
    engine: Engine,
    handle: number,
    readonly kind: CharacterKind,
  ) {
    super(engine, handle);
    this.own = kind.share();
  }

  override dispose(): void {
    super.dispose();
    this.own.dispose();
  }

  /** Becomes a state; `hurry` 0 calm to 100, or left out for the shortest time. */
  goState(state: string, hurry = -1): Command {
    return this.tell('shosa_character_go_state', 'shosa_go_state', { state: this.own.state(state), hurry });
  }

  /** Goes on in a direction, 0 along +Z and π/2 along +X, until it is told something else. */
  goDirection(heading_rad: number, speed_mps?: number, options: GoDirectionOptions = {}): Command {
    expectNumber('heading_rad', heading_rad);
    expectRecord('options', options);
    const { facing, ...others } = options;
    expectNoOthers(others);
    return this.tell('shosa_character_go_direction', 'shosa_go_direction', { heading_rad, speed_mps, ...facingValues(facing) });
  }

  /** Goes to a place and stands there, facing a heading where one is given. */
  goPlace(place: Place, options: GoPlaceOptions = {}): Command {
    expectLength('place', place ?? null, 2);
    const [x_m, z_m] = place;
    expectRecord('options', options);
    const { speed_mps, heading_rad, facing, ...others } = options;
    expectNoOthers(others);
    return this.tell('shosa_character_go_place', 'shosa_go_place',
      { x_m, z_m, speed_mps, heading_rad, has_heading: given(heading_rad), ...facingValues(facing) });
  }

  /** Goes along up to 64 places, one after the other, and stands at the last. */
  goPath(points: readonly Place[], speed_mps?: number): Command {
    if (!Array.isArray(points)) throw new ShosaError('bad_argument', `points: ${typeof points}, expected [[x, z], …]`, '');
    points.forEach((point, i) => expectLength(`point ${i}`, point, 2));
    return this.engine.work(() => this.tell('shosa_character_go_path', 'shosa_go_path',
      { point_count: points.length, speed_mps, points_m: this.engine.doubles(points.flat()) }));
  }

  /** Lands on up to 32 places, one after the other, and stands at the last. Feet take turns. */
  goSteps(steps: readonly Footstep[]): Command {
    if (!Array.isArray(steps)) throw new ShosaError('bad_argument', `steps: ${typeof steps}, expected [{ foot, at: [x, z] }, …]`, '');
    const { feet } = this;
    const list = steps.map((step: Footstep, i): StructValues => {
      expectRecord(`step ${i}`, step);
      const { foot, at, heading_rad, ...others } = step;
      expectNoOthers(others);
      expectLength(`at of step ${i}`, at ?? null, 2);
      return { foot: numberOf(`foot of step ${i}`, foot, feet), x_m: at[0], z_m: at[1], heading_rad, has_heading: given(heading_rad) };
    });
    return this.engine.work(() => this.tell('shosa_character_go_steps', 'shosa_go_steps',
      { step_count: list.length, steps: this.engine.structs('shosa_footstep', list) }));
  }

  /** Stands still: as soon as it can, or so many metres ahead. */
  stop(ahead_m?: number): Command {
    return this.tell('shosa_character_stop', 'shosa_stop', { ahead_m, has_ahead: given(ahead_m) });
  }

  /** A state once, then back to what was before; its core may begin at a time, seconds of the character's own. */
  playOnce(state: string, core_at_s?: number): Command {
    return this.tell('shosa_character_play_once', 'shosa_play_once', { state: this.own.state(state), core_at_s, has_core_at: given(core_at_s) });
  }

  /** Turns to a place, or to a heading: 0 along +Z, π/2 along +X. */
  face(target: Facing): Command {
    if (typeof target !== 'number') expectLength('target', target ?? null, 2);
    const values = typeof target === 'number' ? { heading_rad: target } : { has_point: 1, x_m: target[0], z_m: target[1] };
    return this.tell('shosa_character_face', 'shosa_face', values);
  }

  /** A joint (name or role) goes to a target (world, metres) and stays on it until it is released. Options, or how many seconds it takes. */
  reach(joint: string, target_m: Point, options: ReachOptions | number = {}): Command {
    expectLength('target', target_m ?? null, 3);
    if (typeof options !== 'number') expectRecord('options', options);
    const { duration_s, frame, other, apart_m, ...others }: ReachOptions = typeof options === 'number' ? { duration_s: options } : options;
    expectNoOthers(others);
    return this.tell('shosa_character_reach', 'shosa_reach', {
      joint: this.joint(joint),
      target_m,
      duration_s,
      frame: frame === undefined ? undefined : numberOf('frame', frame, frames),
      other: other === undefined ? undefined : this.joint(other),
      apart_m,
    });
  }

  /** A joint (name or role) is led to a target (world, metres) at once: `moveTo` leads it on. */
  drag(joint: string, target_m: Point): Command {
    expectLength('target', target_m ?? null, 3);
    return this.tell('shosa_character_drag', 'shosa_drag', { joint: this.joint(joint), target_m });
  }

  /** A joint (name or role) is kept where it is now, with its turn where that is asked. */
  pin(joint: string, orientation = false): Command {
    return this.tell('shosa_character_pin', 'shosa_pin', { joint: this.joint(joint), orientation: orientation ? 1 : 0 });
  }

  /** The head turns to a target (world, metres) until it is released. */
  lookAt(target_m: Point): Command {
    expectLength('target', target_m ?? null, 3);
    return this.tell('shosa_character_look_at', 'shosa_look_at', { target_m });
  }

  /** A clip of the kind, by its name, over a part of the body that carries no foot, until it is released or, once, over. One for each part. */
  layer(clip: string, options: LayerOptions = {}): Command {
    expectRecord('options', options);
    const { part, top, ...rest } = options;
    if (part !== undefined && top !== undefined) throw new ShosaError('bad_argument', 'part and top: expected one of them', '');
    return this.tell('shosa_character_layer', 'shosa_layer', {
      ...flags(rest),
      clip: this.own.clip(clip),
      ...(part === undefined ? {} : { part: numberOf('part', part, parts) }),
      ...(top === undefined ? {} : { part: constants.SHOSA_PART_JOINT, top: this.joint(top) }),
      has_heading: given(rest.heading_rad),
    });
  }

  /** A blow that changes the body's velocity by so much (world, metres a second): it catches itself by steps, and is done when it has. */
  push(velocity_mps: Point): Command {
    expectLength('velocity', velocity_mps ?? null, 3);
    return this.tell('shosa_character_push', 'shosa_push', { velocity_mps });
  }

  /** What was told, by its number: the same object as long as somebody has it. */
  protected command(number: number): Command {
    return this.commands.get(number)?.deref() ?? this.remember(number);
  }

  private tell(name: CommandFunction, struct: StructName, values: StructValues): Command {
    const { engine } = this;
    return engine.work(() => {
      const out = engine.out();
      engine.call(name, this.handle, engine.struct(struct, values), out);
      // New, even where a restored character gives a number once more.
      return this.remember(engine.u32(out));
    });
  }

  private remember(number: number): Command {
    const command = new Command(this, number);
    this.commands.set(number, new WeakRef(command));
    forgottenCommands.register(command, { commands: this.commands, number });
    return command;
  }
}

function given(value: unknown): number {
  return value === undefined ? 0 : 1;
}

function facingValues(facing: Facing | undefined): StructValues {
  if (facing === undefined) return {};
  if (typeof facing === 'number') return { facing: constants.SHOSA_FACING_HEADING, facing_rad: facing };
  expectLength('facing', facing ?? null, 2);
  return { facing: constants.SHOSA_FACING_POINT, facing_x_m: facing[0], facing_z_m: facing[1] };
}
