import { Engine } from '../engine/engine';
import { commit, endGesture, redo, undo } from '../model/history';
import { bodyMapPath } from '../model/body_map';
import { contactsPath } from '../model/contacts';
import { changedPaths, type Content, type Files, unreadableAt } from '../model/files';
import { type Motion, sameBody } from '../model/motion';
import { placeOf, standsOn } from '../model/references';
import { firstState, type Figure, type Message, placeIn, type Space, type State } from '../model/state';
import { advance, play, seek, setLength, setRange, type Transport } from '../model/transport';
import { BrowserStore } from '../store/browser_store';
import { ServerStore } from '../store/server_store';
import type { Store } from '../store/store';
import { Motions, UnreadableClips } from './motions';
import { Observable } from './observable';
import { Project } from './project';

/** What a work space puts on the stage for what it has open. */
export type SceneMaker = (app: App, state: State) => Promise<Figure[]>;

const busyAfter_ms = 150, mostMessages = 20;
/** How long words stand in front of the body. */
const noteFor_ms = 6000, errorFor_ms = 20000;

/** The studio: one state, what may be done to it, and those who carry it out. */
export class App {
  readonly state = new Observable<State>(firstState);
  readonly makers: Partial<Record<Space, SceneMaker>> = {};
  project: Project | undefined;
  private messageCount = 0;
  private turn = 0;
  /** Of what the figures on the stage are, and where in time others were left. */
  private shownOf: string | undefined;
  private readonly leftAt_s = new Map<string, number>();
  /** What is on the stage is not yet what the state asks for. */
  computing = false;
  /** How much of what somebody asked for is under way. */
  attempts = 0;
  /** Done when all files are in that somebody has dropped so far. */
  takingIn: Promise<void> = Promise.resolve();
  /** A posture that the pointer asked for is being computed. */
  awaitsPosture = () => false;
  private liveEngine: Engine | undefined;

  private constructor(
    readonly engine: Engine,
    readonly motions: Motions,
  ) {}

  static start(): App {
    let app: App | undefined;
    const engine = Engine.start();
    const motions = new Motions(engine, () => app?.project, (content, why) => app?.setFault(content, why));
    app = new App(engine, motions);
    app.state.subscribe((value, before) => {
      const other = value.history.present !== before.history.present || value.open !== before.open || value.space !== before.space || value.trial !== before.trial || value.takes !== before.takes
        || value.compose.against !== before.compose.against || value.compose.apart !== before.compose.apart;
      if (other) void app.refreshScene();
    });
    engine.worker.ready.catch((error: Error) => app.say('error', `The engine cannot start: ${error.message}`));
    return app;
  }

  /** A second engine, for what follows the pointer. */
  live(): Engine {
    return (this.liveEngine ??= Engine.start());
  }

  // ---- Projects ----

  /** The server's project where the page came from `shosa studio`; else one in the browser. */
  static storeOf(address: URL): Promise<Store> {
    const token = address.searchParams.get('token');
    return token ? ServerStore.open(token) : BrowserStore.open(address.searchParams.get('project') ?? 'My project');
  }

  async openProject(store: Store): Promise<void> {
    this.project?.close();
    this.project = new Project(this.state, store, (kind, text) => this.say(kind, text));
    await this.project.open();
  }

  // ---- Changes ----

  get files(): Files {
    return this.state.value.history.present;
  }

  /** A change of the project's files, as one step of undo. Changes under one gesture's name are one step. */
  edit(label: string, change: (files: Files) => Files, gesture?: string): void {
    if (this.state.value.project?.readOnly) return this.say('note', 'This project is open for reading only.');
    this.state.update((value) => ({ ...value, history: commit(value.history, label, change(value.history.present), gesture) }));
  }

  endGesture(): void {
    this.state.update((value) => ({ ...value, history: endGesture(value.history) }));
  }

  undo(): void {
    this.step('Undone', this.state.value.history.past.at(-1)?.label, undo);
  }

  redo(): void {
    this.step('Done again', this.state.value.history.future[0]?.label, redo);
  }

  /** Nothing changes behind the user's back: what is not on the stage is said, and gone to where it can be. */
  private step(what: string, label: string | undefined, change: typeof undo): void {
    const before = this.state.value;
    this.state.update((value) => ({ ...value, history: change(value.history), trial: undefined }));
    const { files } = this, changed = changedPaths(before.history.present, files), open = before.open[before.space];
    if (changed.length === 0 || (open !== undefined && changed.some((path) => standsOn(files, open).has(path) || standsOn(before.history.present, open).has(path)))) return;
    // A document of the user's before the clips that came with it.
    const places = changed.map((path) => placeOf(files, path)).filter((place) => place !== undefined);
    const place = places.find(({ space }) => space !== 'library') ?? places[0];
    if (place) this.go(place.space, place.path);
    this.say('note', `${what}: ${label}${place ? `, in ${place.path}` : ''}`);
  }

  // ---- Where the user is ----

  /** Time is where it was left there, or as is said; of what was never looked at it is the beginning. */
  go(space: Space, path?: string, time_s?: number): void {
    const place = placeIn({ space, open: path === undefined ? this.state.value.open : { ...this.state.value.open, [space]: path } });
    if (time_s !== undefined && place !== this.shownOf) this.leftAt_s.set(place, time_s);
    else if (time_s !== undefined) this.transport((transport) => seek(transport, time_s));
    this.state.update((value) => {
      const open = path === undefined ? value.open : { ...value.open, [space]: path };
      // A part was marked in what was open before.
      const same = space === value.space && open[space] === value.open[space];
      const messages = value.messages.filter(({ place }) => place === undefined || place === placeIn({ space, open }));
      return { ...value, space, trial: undefined, open, messages, transport: same ? value.transport : setRange(value.transport, undefined), view: same ? value.view : { ...value.view, timeZoom: 1 } };
    });
  }

  select(joint: number | undefined): void {
    this.state.update((value) => (value.joint === joint ? value : { ...value, joint }));
  }

  setView(change: Partial<State['view']>): void {
    this.state.update((value) => ({ ...value, view: { ...value.view, ...change } }));
  }

  // ---- Time ----

  transport(change: (transport: Transport) => Transport): void {
    this.state.update((value) => {
      const transport = change(value.transport);
      return transport === value.transport ? value : { ...value, transport };
    });
  }

  togglePlay(): void {
    this.transport((transport) => (transport.playing ? { ...transport, playing: false } : play(transport)));
  }

  /** Time passes; called by the view while something plays. */
  tick(dt_s: number): void {
    this.transport((transport) => advance(transport, dt_s));
  }

  // ---- The stage ----

  get shown(): Motion | undefined {
    return this.state.value.scene.figures[0]?.motion;
  }

  setLive(live: Float32Array | undefined): void {
    this.state.update((value) => {
      const [first, ...others] = value.scene.figures;
      if (!first) return value;
      const { live: _, ...still } = first;
      return { ...value, scene: { ...value.scene, figures: [live ? { ...still, live } : still, ...others] } };
    });
  }

  /** Computes again what is on the stage; what was asked for before is forgotten. Done when it stands there. */
  async refreshScene(): Promise<void> {
    const turn = ++this.turn;
    const current = () => turn === this.turn;
    const { space, open } = this.state.value, of = placeIn({ space, open });
    this.computing = true;
    const timer = setTimeout(() => current() && this.setScene({ busy: 'Computing …' }), busyAfter_ms);
    try {
      const figures = (await this.makers[space]?.(this, this.state.value)) ?? [];
      const problem = await this.unreadable(open[space]);
      if (!current()) return;
      this.setScene({ figures, busy: undefined, problem, unreadable: undefined }, of);
    } catch (error) {
      // A document that is wrong for a moment leaves the body where it was; another one's body has no place here.
      if (current()) this.setScene({ busy: undefined, problem: (error as Error).message, unreadable: error instanceof UnreadableClips ? error.clips : undefined, ...(this.shownOf === of ? {} : { figures: [] }) }, of);
    } finally {
      clearTimeout(timer);
      if (current()) this.computing = false;
    }
  }

  /** Of what is open, and of what is said of it by hand: files that are no JSON, and what is done without them. */
  private async unreadable(path: string | undefined): Promise<string | undefined> {
    const faults = (path === undefined ? [] : [path, contactsPath(path), bodyMapPath(path)]).map(async (file) => {
      const bytes = unreadableAt(this.files, file);
      return bytes && `${await this.engine.syntaxFault(file, bytes)}. Until it is mended ${this.files.get(file)?.kind === 'document' ? 'it is shown as it was before' : 'it is left out'}`;
    });
    return (await Promise.all(faults)).filter(Boolean).join('. ') || undefined;
  }

  private setFault(content: Content, why: string | undefined): void {
    this.state.update((value) => {
      if (value.faults.get(content) === why) return value;
      // Contents that the project has no more are not waited for.
      const faults = new Map([...value.faults].filter(([each]) => each !== content && [...value.history.present.values()].includes(each)));
      return { ...value, faults: why === undefined ? faults : faults.set(content, why) };
    });
  }

  /** `of`: from now on that is shown. */
  private setScene(change: Partial<State['scene']>, of = this.shownOf): void {
    const other = of !== this.shownOf;
    if (other && this.shownOf !== undefined) this.leftAt_s.set(this.shownOf, this.state.value.transport.time_s);
    this.shownOf = of;
    this.state.update((value) => {
      const scene = { ...value.scene, ...change };
      const track = scene.figures[0]?.motion.track;
      const transport = track ? setLength(value.transport, track.frameCount * track.frameTime_s, track.frameTime_s) : setLength({ ...value.transport, playing: false }, 0, value.transport.frameTime_s);
      return {
        ...value, scene,
        transport: other ? seek(transport, this.leftAt_s.get(of!) ?? 0) : transport,
        // A number of a joint is of one body.
        joint: sameBody(track?.joints, value.scene.figures[0]?.motion.track.joints) ? value.joint : undefined,
      };
    });
  }

  // ---- Words to the user ----

  /** Notes go away by themselves. What went wrong stays to be read, but only the last of it, for a while, in front of the body. */
  say(kind: Message['kind'], text: string, place?: string): void {
    const message = { id: ++this.messageCount, kind, text, place };
    this.state.update((value) => ({ ...value, messages: [...value.messages.filter((other) => other.text !== text).map((other) => (other.kind === 'note' ? other : { ...other, folded: true })), message].slice(-mostMessages) }));
    if (kind === 'note') setTimeout(() => this.dismiss(message.id), noteFor_ms);
    else setTimeout(() => this.setMessages((messages) => messages.map((each) => (each.id === message.id ? { ...each, folded: true } : each))), errorFor_ms);
  }

  private setMessages(change: (messages: readonly Message[]) => readonly Message[]): void {
    this.state.update((value) => ({ ...value, messages: change(value.messages) }));
  }

  /** All that was put aside is in sight again, or goes. */
  unfold(): void {
    this.setMessages((messages) => messages.map((each) => ({ ...each, folded: false })));
  }

  dismissAll(): void {
    this.setMessages(() => []);
  }

  dismiss(id: number): void {
    this.setMessages((messages) => messages.filter((message) => message.id !== id));
  }

  /** Carries something out, and says so where it fails, until something else is open. */
  async attempt<T>(what: string, body: () => Promise<T>): Promise<T | undefined> {
    this.attempts += 1;
    try {
      return await body();
    } catch (error) {
      this.say('error', `${what}: ${(error as Error).message}`, placeIn(this.state.value));
      return undefined;
    } finally {
      this.attempts -= 1;
    }
  }
}
