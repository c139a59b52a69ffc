import { render } from 'preact';
import { App } from '../app/app';
import { ComposeControl } from '../app/compose_control';
import { libraryScene } from '../app/library_control';
import { PoseControl, poseScene } from '../app/pose_control';
import { RangeControl } from '../app/range_control';
import { keepPlace, resumePlace } from '../app/resume';
import { commonCommands } from './commands';
import { composeSpace } from './compose/space';
import { attachKeys } from './keys';
import { librarySpace } from './library/space';
import { poseSpace } from './pose/space';
import { Shell } from './shell';
import { type Studio, StudioContext } from './studio';
import { applyTheme } from './theme';
import './style.css';

async function start(): Promise<void> {
  const host = document.getElementById('page')!;
  try {
    const app = App.start();
    const store = await App.storeOf(new URL(location.href));
    app.makers.library = libraryScene;
    app.makers.pose = poseScene;
    const compose = new ComposeControl(app);
    app.makers.compose = compose.scene;
    const spaces = [librarySpace, poseSpace, composeSpace];
    const studio: Studio = {
      app, spaces, pose: new PoseControl(app), ranges: new RangeControl(app), compose, stage: undefined,
      commands: () => [...(spaces.find(({ id }) => id === app.state.value.space)?.commands?.(studio) ?? []), ...commonCommands(studio)],
      dialog: () => undefined,
    };
    await app.openProject(store);
    resumePlace(app);
    keepPlace(app);
    applyTheme(studio);
    attachKeys(studio);
    // What is not saved yet would be lost; the browser asks.
    addEventListener('beforeunload', (event) => app.project?.saver.dirty && event.preventDefault());
    host.replaceChildren();
    render(<StudioContext.Provider value={studio}><Shell /></StudioContext.Provider>, host);
    // For tests in the browser, and for the curious.
    Object.assign(window, { studio });
  } catch (error) {
    host.replaceChildren(Object.assign(document.createElement('p'), { className: 'loading', textContent: `The studio cannot start: ${(error as Error).message}` }));
  }
}

void start();
