import { beginHistory, type History } from './history';
import type { Content, Files } from './files';
import type { BodyWeights } from './balance';
import type { Motion } from './motion';
import type { Region } from './ranges';
import type { Technique } from './score';
import { type LocalPose, sampleTrack } from './track';
import { atRest, type Transport } from './transport';

export type Space = 'start' | 'library' | 'pose' | 'compose';

/** One body on the stage. */
export interface Figure {
  readonly id: string;
  readonly motion: Motion;
  readonly tint: 'main' | 'ghost' | 'second';
  /** Metres on the ground, for figures side by side. */
  readonly offset: readonly [x: number, z: number];
  /** world_from_joint while it is dragged, instead of the motion at this time. */
  readonly live?: Float32Array;
  /** How far its joints turn and what its parts weigh, where that is known and asked for. */
  readonly rules?: BodyRules;
  /** The clip that a pose began with, and the moment that is held of it. */
  readonly began?: { readonly motion: Motion; readonly at_s: number | undefined };
}

/** The posture of the clip that a pose began with, at a time of the pose. */
export function beganWith({ began }: Figure, time_s: number): LocalPose | undefined {
  return began && sampleTrack(began.motion.track, began.at_s ?? time_s);
}

export interface BodyRules {
  readonly regions: readonly Region[];
  readonly weights: BodyWeights;
}

export interface Scene {
  /** The first one is what the time line, the camera and the export are about. */
  readonly figures: readonly Figure[];
  /** Something is being computed that will take the place of what is shown. */
  readonly busy: string | undefined;
  /** What is asked for cannot be shown, and why. */
  readonly problem: string | undefined;
  /** Of clips that the document names and that cannot be read: why, by the names that it has for them. */
  readonly unreadable?: ReadonlyMap<string, string> | undefined;
}

export interface ViewOptions {
  readonly follow: boolean;
  readonly contacts: boolean;
  readonly trails: boolean;
  readonly ghost: boolean;
  readonly names: boolean;
  /** Of the selected joint, and joints that have left theirs. */
  readonly ranges: boolean;
  readonly balance: boolean;
  /** What the handles at the selected joint do. */
  readonly gizmo: 'move' | 'turn' | 'none';
  /** How many times wider the time line is than its window. */
  readonly timeZoom: number;
}

export interface Message {
  readonly id: number;
  readonly kind: 'note' | 'warning' | 'error';
  readonly text: string;
  /** Put aside, to be read again when somebody wants to. */
  readonly folded?: boolean;
  /** Where it was said, where it is of no interest elsewhere. */
  readonly place: string | undefined;
}

/** Work space and what is open there. */
export function placeIn({ space, open }: Pick<State, 'space' | 'open'>): string {
  return `${space} ${open[space]}`;
}

/** A change of a clip that is looked at before it is kept. */
export interface Trial {
  readonly path: string;
  /** `fixed`, `mirrored`, …: what the new file's name says. */
  readonly word: string;
  readonly before: Motion;
  readonly after: Motion;
}

/** A file on its way into the project. */
export interface Import {
  readonly id: string;
  readonly name: string;
  readonly kind: 'waiting' | 'reading' | 'done' | 'failed';
  /** Why it failed, or what the reader warns of. */
  readonly text: string;
}

/** What the compose work space looks at; no part of the document. */
export interface ComposeView {
  /** What stands beside: the same score by another technique, or as it was before the last change. */
  readonly against: Technique | 'before' | undefined;
  /** Beside each other, not over each other. */
  readonly apart: boolean;
  readonly selected: { readonly kind: 'motion' | 'layer'; readonly index: number } | undefined;
}

export interface State {
  readonly project: { readonly name: string; readonly place: 'server' | 'browser'; readonly readOnly: boolean } | undefined;
  readonly history: History<Files>;
  readonly space: Space;
  /** What each work space has open: a clip, a pose script, a score. */
  readonly open: Readonly<Partial<Record<Space, string>>>;
  /** Of files with several clips, which one the library shows. */
  readonly takes: Readonly<Record<string, string>>;
  /** Number of the joint that is selected, in the body of the first figure. */
  readonly joint: number | undefined;
  readonly trial: Trial | undefined;
  readonly imports: readonly Import[];
  /** Why clips cannot be read, of those that somebody has tried to read. */
  readonly faults: ReadonlyMap<Content, string>;
  readonly transport: Transport;
  readonly scene: Scene;
  readonly view: ViewOptions;
  readonly compose: ComposeView;
  readonly saving: { readonly kind: 'saved' | 'saving' | 'waiting' | 'read_only'; readonly why?: string; readonly refused?: boolean };
  readonly messages: readonly Message[];
  /** Number of the tour's step, while it is taken. */
  readonly tour: number | undefined;
}

export const emptyScene: Scene = { figures: [], busy: undefined, problem: undefined };

export const firstState: State = {
  project: undefined,
  history: beginHistory<Files>(new Map()),
  space: 'start',
  open: {},
  takes: {},
  joint: undefined,
  trial: undefined,
  imports: [],
  faults: new Map(),
  transport: atRest,
  scene: emptyScene,
  view: { follow: true, contacts: true, trails: false, ghost: true, names: false, ranges: true, balance: true, gizmo: 'move', timeZoom: 1 },
  compose: { against: undefined, apart: true, selected: undefined },
  saving: { kind: 'saved' },
  messages: [],
  tour: undefined,
};
