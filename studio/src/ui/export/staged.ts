import { seek } from '../../model/transport';
import type { Studio } from '../studio';

/** A standing body is tall and thin: framed by its diagonal it would fill two thirds of a tall picture. */
const narrow = 0.68;

/** Lends the stage for pictures of another size and time; afterwards all is as it was. */
export async function staged<T>(studio: Studio, { width, height, follow }: { width: number; height: number; follow?: boolean }, body: (draw: (time_s: number) => HTMLCanvasElement) => Promise<T>): Promise<T> {
  const { app, stage } = studio;
  if (!stage || app.state.value.scene.figures.length === 0) throw new Error('nothing is on the stage. Open a clip first');
  const { transport, joint, view } = app.state.value;
  const giveBack = stage.borrow(width, height), look = stage.orbit.remember();
  app.state.update((value) => ({ ...value, joint: undefined, view: { ...view, follow: follow ?? view.follow, names: false }, transport: { ...transport, playing: false } }));
  if (follow) {
    stage.frameFigure();
    stage.orbit.zoom(narrow);
  }
  try {
    return await body((time_s) => {
      app.transport((value) => seek(value, time_s));
      return stage.drawNow();
    });
  } finally {
    app.state.update((value) => ({ ...value, joint, view, transport: { ...transport, playing: false } }));
    look();
    giveBack();
  }
}
