import { useLayoutEffect } from 'preact/hooks';
import { addMotion } from '../app/library_control';
import { shippedPrefix } from '../app/motions';
import { newPose } from '../app/pose_control';
import type { State } from '../model/state';
import { tourSteps } from '../model/tour';
import { shownKey } from './keys';
import { type Studio, usePart, useStudio } from './studio';

/** The standing figure that ships becomes a file of the project, to be dragged at. */
export async function beginTour({ app }: Studio): Promise<void> {
  if (app.state.value.project?.readOnly) return app.say('warning', 'This project is open for reading only, and the tour adds files to it.');
  const clip = app.files.has('idle.bvh') ? 'idle.bvh' : await app.attempt('The tour cannot begin', async () => addMotion(app, await app.motions.of(`${shippedPrefix}idle`), 'idle', 'bvh'));
  if (clip === undefined) return;
  await newPose(app, clip, 0);
  app.state.update((value) => ({ ...value, tour: 0 }));
}

function goTo({ app }: Studio, step: number | undefined): void {
  const next = step === undefined ? undefined : tourSteps[step];
  if (next) app.go(next.space, next.open);
  app.state.update((value) => ({ ...value, tour: next && step }));
}

/** What to do next, above the stage, until it is done. */
export function Tour() {
  const studio = useStudio();
  const { app } = studio;
  const at = usePart(({ tour, space }) => (space === 'start' ? undefined : tour));
  useLayoutEffect(() => {
    if (at === undefined) return;
    const since: State = app.state.value;
    // Once all have heard of the change, and what it brings along (a kept file is opened) is done too.
    const goOn = () => app.state.value.tour === at && goTo(studio, at + 1);
    return app.state.subscribe((value) => value.tour === at && tourSteps[at]!.done?.(value, since) === true && queueMicrotask(goOn));
  }, [app, at]);
  if (at === undefined) return null;
  const { title, text } = tourSteps[at]!, last = at === tourSteps.length - 1;
  return (
    <section class="tour" aria-label="Tour">
      <p role="status"><strong>{at + 1} of {tourSteps.length}: {title}.</strong> {text.replace(/\b(Ctrl|Shift)\+[\w+]*\w/g, shownKey)}</p>
      <div class="buttons">
        <button disabled={at === 0} onClick={() => goTo(studio, at - 1)}>Back</button>
        {!last && <button onClick={() => goTo(studio, at + 1)}>Skip</button>}
        <button class={last ? 'primary' : ''} onClick={() => goTo(studio, undefined)}>End the tour</button>
      </div>
    </section>
  );
}
