import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren, ComponentType } from 'preact';
import type { App } from '../app/app';
import type { ComposeControl } from '../app/compose_control';
import type { PoseControl } from '../app/pose_control';
import type { RangeControl } from '../app/range_control';
import type { Space, State } from '../model/state';
import type { JointTool } from '../view/pointer';
import type { Stage } from '../view/stage';

/** Something that the user can do: in the palette, by its keys, on the sheet of shortcuts. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** `Ctrl+Z`, `Numpad1`, `?`: Ctrl is the command key on Macs. */
  readonly keys?: readonly string[];
  readonly group: string;
  enabled?(state: State): boolean;
  run(): void;
}

export interface TimeBar {
  readonly begin_s: number;
  readonly end_s: number;
  readonly look: string;
  readonly title: string;
}

export interface TimeKey {
  readonly time_s: number;
  readonly title: string;
  /** Gives the time where it came to stand. */
  move(to_s: number, gesture: string): number;
  remove(): void;
}

/** From seconds to places on the time line. */
export interface TimeScale {
  readonly duration_s: number;
  share(time_s: number): string;
  /** How wide so much time is on the screen. */
  pixels(span_s: number): number;
  /** While something is dragged the scale stays as it is, however long the motion becomes. */
  hold(on: boolean): void;
}

/** A line of the time line. */
export interface TimeRow {
  readonly label: string;
  readonly bars?: readonly TimeBar[];
  readonly keys?: readonly TimeKey[];
  /** Where bars and keys do not say it all; it takes its presses itself. */
  content?(scale: TimeScale): ComponentChildren;
  readonly height_px?: number;
  /** Something new at a time: a double click in the row. */
  add?(time_s: number): void;
}

/** A work space: what stands left and right of the stage, under it, and what the pointer does. */
export interface SpaceUi {
  readonly id: Space;
  readonly title: string;
  readonly Left: ComponentType;
  readonly Right: ComponentType;
  rows?(studio: Studio, state: State): TimeRow[];
  /** Its rows show cores; that of the motion as a whole says nothing. */
  readonly ownCores?: boolean;
  /** What an empty time line says. */
  readonly emptyTime?: string;
  /** How far the time line reaches at least, seconds. */
  reach_s?(state: State): number;
  commands?(studio: Studio): Command[];
  tool?(studio: Studio): JointTool | undefined;
}

/** What every panel may use. */
export interface Studio {
  readonly app: App;
  readonly pose: PoseControl;
  readonly compose: ComposeControl;
  readonly ranges: RangeControl;
  readonly spaces: readonly SpaceUi[];
  stage: Stage | undefined;
  commands(): Command[];
  dialog(which: Dialog | undefined): void;
}

export type Dialog = 'palette' | 'shortcuts' | 'export';

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  return useContext(StudioContext)!;
}

/** A part of the state; drawn again when it is another. */
export function usePart<T>(part: (state: State) => T): T {
  const { app } = useStudio();
  const [, draw] = useState({});
  const value = part(app.state.value);
  // What is asked for may stand on what the component was given last.
  const asked = useRef({ part, value });
  asked.current = { part, value };
  // At once, not after the next picture as other effects are: what changes until then would be missed for as long as that takes.
  useLayoutEffect(() => {
    const refresh = (state: State) => {
      try {
        if (Object.is(asked.current.part(state), asked.current.value)) return;
      } catch {
        // It was given something that is gone in this state, such as a joint of another body. Whoever gives it is drawn first, and gives something else or takes it away; if not, drawing it fails as it should.
      }
      draw({});
    };
    refresh(app.state.value);
    return app.state.subscribe(refresh);
  }, [app]);
  return value;
}
