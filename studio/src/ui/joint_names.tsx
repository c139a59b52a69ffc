import { useEffect, useRef } from 'preact/hooks';
import { roleWords } from '../model/body_map';
import { jointPlace } from '../model/track';
import { usePart, useStudio } from './studio';

/** Roles at the joints that play them, over the stage. Where names would lie over each other the later one is left out. */
export function JointNames() {
  const studio = useStudio();
  const shown = usePart((state) => state.view.names), joints = usePart((state) => state.scene.figures[0]?.motion.track.joints), selected = usePart((state) => state.joint);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { stage } = studio;
    if (!shown || !stage) return;
    const place = () => {
      const figure = studio.app.state.value.scene.figures[0];
      if (!figure || !host.current) return;
      const matrices = stage.matricesOf(figure), box = stage.renderer.domElement.getBoundingClientRect();
      const taken: [number, number][] = [];
      for (const label of host.current.children as HTMLCollectionOf<HTMLElement>) {
        const [x, y] = stage.onScreen(jointPlace(matrices, Number(label.dataset['joint'])));
        const free = taken.every(([left, top]) => Math.abs(left - x) > 54 || Math.abs(top - y) > 11);
        if (free) taken.push([x, y]);
        label.style.visibility = free ? 'visible' : 'hidden';
        label.style.translate = `${x - box.left + 7}px ${y - box.top - 8}px`;
      }
    };
    stage.after.add(place);
    stage.request();
    return () => void stage.after.delete(place);
  }, [shown, joints, selected]);
  if (!shown || !joints) return null;
  // The chosen one first: it is always there.
  const named = joints.map(({ name, role }, index) => ({ index, text: role === undefined ? name : roleWords(role), role })).filter(({ role, index }) => role !== undefined || index === selected);
  return <div class="joint-names" ref={host} aria-hidden="true">{named.sort((a, b) => Number(b.index === selected) - Number(a.index === selected)).map(({ index, text, role }) => <span key={index} data-joint={index} class={`${role === undefined ? 'none' : ''} ${index === selected ? 'chosen' : ''}`}>{text}</span>)}</div>;
}
