import { exportMotion, exportProject, pickFiles } from './files';
import { asPoseScript, keyTimes } from '../model/pose_script';
import { documentAt } from '../model/files';
import type { State } from '../model/state';
import { beginPart, endPart, seek, setRange, setSpeed, stepFrames } from '../model/transport';
import { type Orbit, radiansPerPixel, type Side } from '../view/orbit';
import { toggleTheme } from './theme';
import { fartherInTime, nearerInTime, zoomTime } from './time/zoom';
import { beginTour } from './tour';
import type { Command, Studio } from './studio';

/** A press of a key turns the view by 15°, shifts it by so many pixels, or brings it so much nearer. */
const turn_px = 15 * (Math.PI / 180) / radiansPerPixel, shift_px = 40, nearer = 1 / 1.2;

const hasMotion = (state: State) => state.scene.figures.length > 0;

/** What can be done everywhere. Keys follow Blender where it has a custom. */
export function commonCommands(studio: Studio): Command[] {
  const { app } = studio;
  const camera = (change: (orbit: Orbit) => void) => () => {
    if (!studio.stage) return;
    change(studio.stage.orbit);
    studio.stage.request();
  };
  const look = (side: Side) => camera((orbit) => orbit.look(side));
  const turn = (x: number, y: number) => camera((orbit) => orbit.turn(x * turn_px, y * turn_px));
  const shift = (x: number, y: number) => camera((orbit) => orbit.shift(x * shift_px, y * shift_px, studio.stage!.renderer.domElement.clientHeight));
  const time = (change: Parameters<typeof app.transport>[0]) => () => app.transport(change);
  const toKey = (direction: 1 | -1) => () => {
    const { history, open, transport } = app.state.value;
    const script = asPoseScript(documentAt(history.present, open.pose));
    const times = script ? keyTimes(script) : [];
    const next = direction > 0 ? times.find((t) => t > transport.time_s + 1e-3) : times.findLast((t) => t < transport.time_s - 1e-3);
    if (next !== undefined) app.transport((value) => seek(value, next));
  };
  return [
    { id: 'undo', title: 'Undo', keys: ['Ctrl+Z'], group: 'Edit', enabled: (s) => s.history.past.length > 0, run: () => app.undo() },
    { id: 'redo', title: 'Redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], group: 'Edit', enabled: (s) => s.history.future.length > 0, run: () => app.redo() },
    { id: 'palette', title: 'Command palette …', keys: ['F3', 'Ctrl+K'], group: 'General', run: () => studio.dialog('palette') },
    { id: 'shortcuts', title: 'Keyboard shortcuts …', keys: ['?'], group: 'General', run: () => studio.dialog('shortcuts') },
    { id: 'theme', title: 'Dark or light', group: 'General', run: () => toggleTheme(studio) },
    { id: 'tour', title: 'Take the tour', group: 'General', run: () => void beginTour(studio) },
    { id: 'start', title: 'Start page', group: 'General', run: () => app.go('start') },
    ...studio.spaces.map((space, i): Command => ({ id: `space-${space.id}`, title: `${space.title} work space`, keys: [`Alt+${i + 1}`], group: 'General', run: () => app.go(space.id) })),
    { id: 'import', title: 'Import files …', keys: ['Ctrl+O'], group: 'Files', run: () => pickFiles(studio) },
    { id: 'export', title: 'Export: motion, picture, film …', keys: ['Ctrl+E'], group: 'Files', run: () => studio.dialog('export') },
    { id: 'export-bvh', title: 'Export BVH', group: 'Files', enabled: hasMotion, run: () => void exportMotion(studio, 'bvh') },
    { id: 'export-glb', title: 'Export GLB', group: 'Files', enabled: hasMotion, run: () => void exportMotion(studio, 'glb') },
    { id: 'export-csv', title: 'Export CSV (places of all joints)', group: 'Files', enabled: hasMotion, run: () => void exportMotion(studio, 'csv') },
    { id: 'export-project', title: 'Export the project as one file', group: 'Files', enabled: (s) => s.history.present.size > 0, run: () => void exportProject(studio) },
    { id: 'play', title: 'Play or pause', keys: ['Space'], group: 'Time', enabled: hasMotion, run: () => app.togglePlay() },
    { id: 'next-frame', title: 'Next frame', keys: ['ArrowRight'], group: 'Time', run: time((t) => stepFrames(t, 1)) },
    { id: 'last-frame', title: 'Previous frame', keys: ['ArrowLeft'], group: 'Time', run: time((t) => stepFrames(t, -1)) },
    { id: 'to-begin', title: 'First frame', keys: ['Shift+ArrowLeft'], group: 'Time', run: time((t) => seek(t, 0)) },
    { id: 'to-end', title: 'Last frame', keys: ['Shift+ArrowRight'], group: 'Time', run: time((t) => seek(t, t.duration_s)) },
    { id: 'next-key', title: 'Next key', keys: ['ArrowUp'], group: 'Time', run: toKey(1) },
    { id: 'previous-key', title: 'Previous key', keys: ['ArrowDown'], group: 'Time', run: toKey(-1) },
    { id: 'slower', title: 'Half as fast', keys: ['['], group: 'Time', run: time((t) => setSpeed(t, t.speed / 2)) },
    { id: 'faster', title: 'Twice as fast', keys: [']'], group: 'Time', run: time((t) => setSpeed(t, t.speed * 2)) },
    { id: 'loop', title: 'Loop on or off', keys: ['Shift+L'], group: 'Time', run: time((t) => ({ ...t, loop: !t.loop })) },
    { id: 'range-begin', title: 'The part to loop begins here', keys: ['Ctrl+Home'], group: 'Time', enabled: hasMotion, run: time(beginPart) },
    { id: 'range-end', title: 'The part to loop ends here', keys: ['Ctrl+End'], group: 'Time', enabled: hasMotion, run: time(endPart) },
    { id: 'clear-range', title: 'Play all, not a part', keys: ['Alt+P'], group: 'Time', run: time((t) => setRange(t, undefined)) },
    { id: 'time-nearer', title: 'Time line: nearer (Ctrl + wheel)', keys: ['=', '+'], group: 'Time', enabled: hasMotion, run: () => zoomTime(app, nearerInTime, app.state.value.transport.duration_s) },
    { id: 'time-farther', title: 'Time line: farther', keys: ['-'], group: 'Time', enabled: hasMotion, run: () => zoomTime(app, fartherInTime, app.state.value.transport.duration_s) },
    { id: 'time-all', title: 'Time line: all of it', keys: ['Shift+Home'], group: 'Time', enabled: hasMotion, run: () => app.setView({ timeZoom: 1 }) },
    { id: 'front', title: 'View from the front', keys: ['Numpad1'], group: 'View', run: look('front') },
    { id: 'back', title: 'View from the back', keys: ['Ctrl+Numpad1'], group: 'View', run: look('back') },
    { id: 'right', title: 'View from the right', keys: ['Numpad3'], group: 'View', run: look('right') },
    { id: 'left', title: 'View from the left', keys: ['Ctrl+Numpad3'], group: 'View', run: look('left') },
    { id: 'top', title: 'View from above', keys: ['Numpad7'], group: 'View', run: look('top') },
    { id: 'turn-left', title: 'Turn the view to the left', keys: ['Numpad4'], group: 'View', run: turn(1, 0) },
    { id: 'turn-right', title: 'Turn the view to the right', keys: ['Numpad6'], group: 'View', run: turn(-1, 0) },
    { id: 'turn-up', title: 'Turn the view up', keys: ['Numpad8'], group: 'View', run: turn(0, 1) },
    { id: 'turn-down', title: 'Turn the view down', keys: ['Numpad2'], group: 'View', run: turn(0, -1) },
    { id: 'shift-left', title: 'Shift the view to the left', keys: ['Ctrl+Numpad4'], group: 'View', run: shift(1, 0) },
    { id: 'shift-right', title: 'Shift the view to the right', keys: ['Ctrl+Numpad6'], group: 'View', run: shift(-1, 0) },
    { id: 'shift-up', title: 'Shift the view up', keys: ['Ctrl+Numpad8'], group: 'View', run: shift(0, 1) },
    { id: 'shift-down', title: 'Shift the view down', keys: ['Ctrl+Numpad2'], group: 'View', run: shift(0, -1) },
    { id: 'nearer', title: 'Nearer', keys: ['NumpadAdd'], group: 'View', run: camera((orbit) => orbit.zoom(nearer)) },
    { id: 'farther', title: 'Farther', keys: ['NumpadSubtract'], group: 'View', run: camera((orbit) => orbit.zoom(1 / nearer)) },
    { id: 'frame', title: 'All in sight', keys: ['Home', 'NumpadDecimal', 'F'], group: 'View', enabled: hasMotion, run: () => studio.stage?.frameFigure() },
    { id: 'follow', title: 'Follow the body', keys: ['Numpad5'], group: 'View', run: () => app.setView({ follow: !app.state.value.view.follow }) },
    { id: 'trails', title: "Path of the selected joint", keys: ['T'], group: 'View', run: () => app.setView({ trails: !app.state.value.view.trails }) },
    { id: 'ghost', title: 'Ghost of before', keys: ['Shift+G'], group: 'View', run: () => app.setView({ ghost: !app.state.value.view.ghost }) },
    { id: 'contacts', title: 'Light feet that stand', keys: ['Shift+C'], group: 'View', run: () => app.setView({ contacts: !app.state.value.view.contacts }) },
  ];
}
