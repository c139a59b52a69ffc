import { useEffect, useRef, useState } from 'preact/hooks';
import { jointPlace } from '../model/track';
import { attachPointer } from '../view/pointer';
import { Stage } from '../view/stage';
import { JointNames } from './joint_names';
import { Messages } from './messages';
import { usePart, useStudio } from './studio';
import { applyTheme } from './theme';

export function StageView() {
  const studio = useStudio();
  const host = useRef<HTMLDivElement>(null);
  const busy = usePart((state) => state.scene.busy), problem = usePart((state) => state.scene.problem);
  const name = usePart((state) => state.scene.figures[0]?.motion.name);
  const [blind, setBlind] = useState(false), [there, setThere] = useState(false);
  useEffect(() => {
    let stage: Stage;
    try {
      stage = new Stage(host.current!, studio.app);
    } catch {
      setBlind(true);
      return;
    }
    studio.stage = stage;
    setThere(true);
    applyTheme(studio);
    const spaceTool = () => studio.spaces.find(({ id }) => id === studio.app.state.value.space)?.tool?.(studio);
    const detach = attachPointer(stage, spaceTool, (joint) => {
      const figure = studio.app.state.value.scene.figures[0];
      return figure && jointPlace(stage.matricesOf(figure), joint);
    });
    return () => {
      detach();
      stage.dispose();
      studio.stage = undefined;
    };
  }, [studio]);
  return (
    <div class="stage">
      <div class="canvas" ref={host} />
      {there && <JointNames />}
      {name !== undefined && <div class="stage-name">{name}</div>}
      {busy !== undefined && <div class="stage-busy" role="status">{busy}</div>}
      {blind && <div class="stage-problem" role="alert">This browser gives no WebGL, so nothing can be drawn. Allow hardware acceleration in its settings, or open the page in another browser. Files can be opened, changed and exported all the same.</div>}
      {problem !== undefined && !blind && <div class="stage-problem" role="alert">{problem}</div>}
      <ViewButtons />
      <Messages />
    </div>
  );
}

function ViewButtons() {
  const { app } = useStudio();
  const studio = useStudio();
  const view = usePart((state) => state.view), posing = usePart((state) => state.space === 'pose');
  const look = (side: 'front' | 'right' | 'top') => () => {
    studio.stage?.orbit.look(side);
    studio.stage?.request();
  };
  return (
    <div class="view-buttons" role="toolbar" aria-label="View">
      <button onClick={look('front')} title="From the front (Numpad 1)">Front</button>
      <button onClick={look('right')} title="From the right (Numpad 3)">Side</button>
      <button onClick={look('top')} title="From above (Numpad 7)">Top</button>
      <button onClick={() => studio.stage?.frameFigure()} title="All in sight (F)">Frame</button>
      <button aria-pressed={view.follow} onClick={() => app.setView({ follow: !view.follow })} title="The camera goes with the body (Numpad 5)">Follow</button>
      <button aria-pressed={view.contacts} onClick={() => app.setView({ contacts: !view.contacts })} title="Feet that stand are lit (Shift+C)">Contacts</button>
      <button aria-pressed={view.trails} onClick={() => app.setView({ trails: !view.trails })} title="Path of the selected joint (T)">Trail</button>
      <button aria-pressed={view.ghost} onClick={() => app.setView({ ghost: !view.ghost })} title="What was before, as a ghost (Shift+G)">Ghost</button>
      {posing && <button aria-pressed={view.ranges} onClick={() => app.setView({ ranges: !view.ranges })} title="How far the selected joint turns, and joints that have left their ranges (Shift+R)">Ranges</button>}
      {posing && <button aria-pressed={view.balance} onClick={() => app.setView({ balance: !view.balance })} title="The centre of mass, and the ground that the feet span (Shift+B)">Balance</button>}
    </div>
  );
}
