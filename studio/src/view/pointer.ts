import type { Ray } from 'three';
import type { Vec3 } from '../model/track';
import type { Stage } from './stage';

/** What a work space does with the pointer on a joint; what it leaves alone turns the camera. */
export interface JointTool {
  /** A joint is pressed: true where it can be dragged from there. */
  press(joint: number): boolean;
  drag(joint: number, place: Vec3): void;
  drop(joint: number): void;
  cancel(): void;
  click(joint: number | undefined, event: PointerEvent): void;
  menu(joint: number): void;
  /** Handles beside joints: true where one is taken hold of. */
  grab?(handle: string, ray: Ray): boolean;
  pull?(handle: string, ray: Ray): void;
  letGo?(handle: string): void;
}

const still_px = 3;

/** The pointer on the stage. Left: joints, or the camera where there are none; middle turns, with Shift shifts; right shifts; the wheel comes nearer. */
export function attachPointer(stage: Stage, tool: () => JointTool | undefined, placeOf: (joint: number) => Vec3 | undefined): () => void {
  const canvas = stage.renderer.domElement;
  let mode: 'none' | 'turn' | 'shift' | 'joint' | 'handle' = 'none';
  let handle = '';
  /** What is led by it, wherever the studio goes meanwhile. */
  let held: JointTool | undefined;
  let joint: number | undefined, through: Vec3 | undefined;
  let begin = [0, 0], last = [0, 0], moved = false;

  // A joint right under the pointer comes before handles near it.
  const handleAt = (event: PointerEvent) => (tool() && stage.pick(event.clientX, event.clientY, 7) === undefined ? stage.pickHandle(event.clientX, event.clientY)?.id : undefined);
  const down = (event: PointerEvent) => {
    if (mode !== 'none') return;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
    begin = last = [event.clientX, event.clientY];
    moved = false;
    const near = event.button === 0 ? handleAt(event) : undefined;
    held = tool();
    joint = event.button === 1 || near !== undefined ? undefined : stage.pick(event.clientX, event.clientY);
    mode = event.button === 0 && !event.altKey ? 'turn' : event.button === 1 || event.altKey ? (event.shiftKey ? 'shift' : 'turn') : 'shift';
    if (event.button === 0 && event.shiftKey) mode = 'shift';
    if (near !== undefined && held?.grab?.(near, stage.ray(event.clientX, event.clientY))) {
      mode = 'handle';
      handle = near;
    } else if (event.button === 0 && joint !== undefined && held?.press(joint)) {
      mode = 'joint';
      through = placeOf(joint);
    }
  };
  const move = (event: PointerEvent) => {
    if (mode === 'none') {
      const over = handleAt(event);
      const hot = tool() && over === undefined ? stage.pick(event.clientX, event.clientY) : undefined;
      canvas.style.cursor = hot === undefined && over === undefined ? '' : 'grab';
      if (hot !== stage.hot || over !== stage.hotHandle) {
        stage.hot = hot;
        stage.hotHandle = over;
        stage.request();
      }
      return;
    }
    const [x, y] = [event.clientX - last[0]!, event.clientY - last[1]!];
    moved ||= Math.hypot(event.clientX - begin[0]!, event.clientY - begin[1]!) > still_px;
    last = [event.clientX, event.clientY];
    // What a drag changes is drawn once it is computed; the camera moves at once.
    if (mode === 'handle') held?.pull?.(handle, stage.ray(event.clientX, event.clientY));
    else if (mode === 'joint') moved && joint !== undefined && through && held?.drag(joint, stage.onPlane(event.clientX, event.clientY, through));
    else {
      if (mode === 'turn') stage.orbit.turn(x, y);
      else stage.orbit.shift(x, y, canvas.clientHeight);
      stage.request();
    }
  };
  const up = (event: PointerEvent) => {
    const was = mode;
    mode = 'none';
    if (was === 'handle') {
      if (moved) held?.letGo?.(handle);
      else held?.cancel();
    } else if (was === 'joint' && joint !== undefined) {
      if (moved) held?.drop(joint);
      else {
        held?.cancel();
        held?.click(joint, event);
      }
    } else if (!moved && event.button === 0) held?.click(joint, event);
    else if (!moved && event.button === 2 && joint !== undefined) held?.menu(joint);
  };
  const leave = () => {
    if (mode === 'joint' || mode === 'handle') held?.cancel();
    mode = 'none';
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    stage.orbit.zoom(Math.exp(event.deltaY / 700));
    stage.request();
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || (mode !== 'joint' && mode !== 'handle')) return;
    event.stopPropagation();
    leave();
  };
  const noMenu = (event: Event) => event.preventDefault();
  canvas.tabIndex = 0;
  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', leave);
  canvas.addEventListener('wheel', wheel, { passive: false });
  canvas.addEventListener('contextmenu', noMenu);
  addEventListener('keydown', escape, true);
  return () => removeEventListener('keydown', escape, true);
}
