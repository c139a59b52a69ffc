import { useEffect, useRef } from 'preact/hooks';
import type { Motion } from '../../model/motion';
import { sampleTrack, worldMatrices } from '../../model/track';
import { bodySize } from '../../view/body';
import { useStudio } from '../studio';

const size_px = 132, after_ms = 180;

/** A clip that plays beside its name while the pointer is there: lines from joint to joint, seen from the side. */
export function Preview({ path, y_px }: { path: string; y_px: number }) {
  const { app } = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let wanted = true, asked = 0;
    const timer = setTimeout(() => {
      app.motions.of(path).then((motion) => {
        const begin = performance.now();
        const frame = (now: number) => {
          if (!wanted || !canvas.current) return;
          drawLines(canvas.current, motion, Math.max(0, now - begin) / 1000);
          asked = requestAnimationFrame(frame);
        };
        if (wanted) asked = requestAnimationFrame(frame);
      }, () => undefined); // What cannot be read says so when it is opened.
    }, after_ms);
    return () => {
      wanted = false;
      clearTimeout(timer);
      cancelAnimationFrame(asked);
    };
  }, [path]);
  return <canvas class="preview" ref={canvas} width={2 * size_px} height={2 * size_px} style={{ top: `${Math.max(8, Math.min(y_px - size_px / 2, innerHeight - size_px - 8))}px` }} aria-hidden="true" />;
}

function drawLines(canvas: HTMLCanvasElement, { track }: Motion, time_s: number): void {
  const matrices = worldMatrices(track.joints, sampleTrack(track, time_s % Math.max(track.frameTime_s, track.frameCount * track.frameTime_s)));
  const context = canvas.getContext('2d')!;
  const at = (joint: number): [number, number] => [0.8 * matrices[16 * joint + 14]! - 0.6 * matrices[16 * joint + 12]!, matrices[16 * joint + 13]!];
  const places = track.joints.map((_, joint) => at(joint));
  // The body stays in the middle; there is room for arms stretched up.
  const scale = (1.4 * size_px) / bodySize(track.joints), across = places.map(([x]) => x), middle = (Math.min(...across) + Math.max(...across)) / 2;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.lineWidth = 7;
  context.lineCap = 'round';
  context.strokeStyle = getComputedStyle(canvas).color;
  context.beginPath();
  track.joints.forEach(({ parent }, joint) => {
    if (parent < 0) return;
    for (const [i, [x, y]] of [places[parent]!, places[joint]!].entries()) context[i === 0 ? 'moveTo' : 'lineTo'](size_px + (x - middle) * scale, 1.88 * size_px - y * scale);
  });
  context.stroke();
}
