import { useMemo } from 'preact/hooks';
import type { Motion } from '../../model/motion';
import type { JoinMark } from '../../model/score_layout';
import { bodySpeeds, type SpeedGroup } from '../../model/speed';
import type { TimeRow, TimeScale } from '../studio';

const height_px = 46;

/** Speeds of both halves of the body over time, as the seed's figure has them; what it is compared with is dashed. */
export function curveRows(ours: Motion, other: Motion | undefined, joins: readonly JoinMark[]): TimeRow[] {
  return (['upper', 'lower'] as const).map((part) => {
    const speeds = [ours, ...(other ? [other] : [])].map(({ track }) => bodySpeeds(track)[part]);
    const most = Math.max(0.5, ...speeds.map((values) => values.reduce((a, b) => Math.max(a, b), 0)));
    return { label: `${part}, to ${most.toFixed(1)} m/s`, height_px, content: (scale) => <Curves {...{ part, ours, other, most, joins, scale }} /> };
  });
}

function Curves({ part, ours, other, most, joins, scale }: { part: SpeedGroup; ours: Motion; other: Motion | undefined; most: number; joins: readonly JoinMark[]; scale: TimeScale }) {
  // The time line is drawn anew in every frame that plays; the lines stay.
  const points = useMemo(() => [ours, other].map((motion) => motion && lineOf(motion, part, most)), [ours, other, part, most]);
  return (
    <svg class="curves" role="img" aria-label={`Speed of the ${part} body, up to ${most.toFixed(1)} metres per second`} viewBox={`0 0 ${Math.max(scale.duration_s, 1e-3)} ${most}`} preserveAspectRatio="none" data-curves={other ? 2 : 1}>
      {joins.flatMap(({ to, blends }) => blends.filter((blend) => blend.part === part && blend.kind !== 'hold').map(({ begin_s, end_s }, i) => <rect key={`${to} ${i}`} class="while" x={begin_s} width={Math.max(0, end_s - begin_s)} y={0} height={most} />))}
      {other && <polyline class="other" points={points[1]} />}
      <polyline class="ours" points={points[0]} />
    </svg>
  );
}

/** More points than pixels show nothing more. */
const mostPoints = 1500;

function lineOf({ track }: Motion, part: SpeedGroup, most: number): string {
  const values = bodySpeeds(track)[part], step = Math.max(1, Math.ceil(values.length / mostPoints));
  const points: string[] = [];
  for (let frame = 0; frame < values.length; frame += step) points.push(`${(frame * track.frameTime_s).toFixed(3)},${(most - values[frame]!).toFixed(3)}`);
  return points.join(' ');
}
