import { scriptOf } from '../../app/pose_control';
import { isOutside, type Region, rim } from '../../model/ranges';
import { usePart, useStudio } from '../studio';

const step = 0.02;

/** The plane of swings: its rim is half a turn, dashed are 45, 90 and 135°. Corners can be dragged, or moved by arrow keys; the dot is the joint. */
export function RangeDisc() {
  const { ranges } = useStudio();
  const joint = usePart((state) => state.joint), rules = usePart((state) => state.scene.figures[0]?.rules), live = usePart((state) => state.scene.figures[0]?.live);
  const own = usePart((state) => typeof scriptOf(state)?.ranges === 'string');
  usePart((state) => state.transport.time_s);
  const region = rules?.regions.find((each) => each.joint === joint);
  if (!region || joint === undefined) return null;
  const swing = live ? undefined : ranges.swingOf(region);
  const outside = swing !== undefined && isOutside(region, swing, ranges.allowedOf(region));
  const order = rim(region);
  const press = (corner: number) => (event: PointerEvent) => {
    const dot = event.currentTarget as SVGElement, disc = dot.ownerSVGElement!;
    event.preventDefault();
    (dot as unknown as HTMLElement).focus();
    dot.setPointerCapture(event.pointerId);
    const follow = (moved: PointerEvent) => {
      const box = disc.getBoundingClientRect();
      ranges.corner(joint, corner, 1.04 - ((moved.clientY - box.top) / box.height) * 2.08, ((moved.clientX - box.left) / box.width) * 2.08 - 1.04);
    };
    dot.addEventListener('pointermove', follow);
    dot.addEventListener('pointerup', () => {
      dot.removeEventListener('pointermove', follow);
      ranges.end(joint);
    }, { once: true });
  };
  const keys = (corner: number) => (event: KeyboardEvent) => {
    const by = ({ ArrowUp: [step, 0], ArrowDown: [-step, 0], ArrowRight: [0, step], ArrowLeft: [0, -step] } as Record<string, [number, number]>)[event.key];
    const at = region.corners[corner];
    if (!by || !at) return;
    event.preventDefault();
    event.stopPropagation();
    ranges.corner(joint, corner, at[0] + by[0], at[1] + by[1]);
    ranges.end(joint);
  };
  const twist = (which: 'min' | 'max', value: number) => {
    const index = which === 'min' ? 2 : 3, now = region.corners.map((corner) => corner[index]);
    ranges.twist(joint, which, value - (which === 'min' ? Math.min(...now) : Math.max(...now)));
    ranges.end(joint);
  };
  return (
    <div class="range-disc">
      <h3>Range{outside && <span class="failed"> – left</span>}</h3>
      <svg viewBox="-1.04 -1.04 2.08 2.08" role="group" aria-label="Swings of the joint">
        <circle r="1" class="rim" />
        {[45, 90, 135].map((angle) => <circle key={angle} r={Math.sin((angle * Math.PI) / 360)} class="ring" />)}
        <polygon class={outside ? 'region left' : 'region'} points={order.map((corner) => `${region.corners[corner]![1]},${-region.corners[corner]![0]}`).join(' ')} />
        {order.map((corner, i) => (
          <circle key={corner} class="corner" r="0.055" cx={region.corners[corner]![1]} cy={-region.corners[corner]![0]} tabindex={0} role="slider" aria-label={`Corner ${i + 1} of ${order.length}: arrow keys move it`}
            aria-valuemin={0} aria-valuemax={180} aria-valuenow={Math.round(angleOf(region, corner))} aria-valuetext={`${Math.round(angleOf(region, corner))}° from its zero`} onPointerDown={press(corner)} onKeyDown={keys(corner)} />
        ))}
        {swing && <circle class={outside ? 'posture left' : 'posture'} r="0.06" cx={swing.a_z} cy={-swing.a_y} />}
      </svg>
      <div class="row">Twist
        <input class="number" type="number" aria-label="Least twist, degrees" min="-180" max="180" step="1" value={Math.round(Math.min(...region.corners.map((corner) => corner[2])))} onChange={(event) => twist('min', Number(event.currentTarget.value))} /> to
        <input class="number" type="number" aria-label="Most twist, degrees" min="-180" max="180" step="1" value={Math.round(Math.max(...region.corners.map((corner) => corner[3])))} onChange={(event) => twist('max', Number(event.currentTarget.value))} /> °
        {swing && <span class={outside ? 'failed' : 'hint'}>is {swing.twist_deg.toFixed(0)}°</span>}
      </div>
      {own && <div class="buttons"><button class="link" onClick={() => ranges.reset()}>As people have them</button></div>}
    </div>
  );
}

function angleOf({ corners }: Region, corner: number): number {
  const [a_y, a_z] = corners[corner]!;
  return (2 * Math.asin(Math.min(1, Math.hypot(a_y, a_z))) * 180) / Math.PI;
}
