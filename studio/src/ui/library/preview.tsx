import { useEffect, useRef, useState } from 'preact/hooks';
import { type Motion, motionDuration } from '../../model/motion';
import { useStudio } from '../studio';
import { bodyLines } from './lines';

const size_px = 132, after_ms = 180;

/** A clip that plays beside its name while the pointer is there. */
export function Preview({ path, y_px }: { path: string; y_px: number }) {
  const { app } = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [fault, fail] = useState<string | undefined>();
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
      }, (error: Error) => wanted && fail(error.message));
    }, after_ms);
    return () => {
      wanted = false;
      clearTimeout(timer);
      cancelAnimationFrame(asked);
    };
  }, [path]);
  const style = { top: `${Math.max(8, Math.min(y_px - size_px / 2, innerHeight - size_px - 8))}px` };
  return fault === undefined ? <canvas class="preview" ref={canvas} width={2 * size_px} height={2 * size_px} style={style} aria-hidden="true" /> : <p class="preview said" style={style}>{fault}</p>;
}

function drawLines(canvas: HTMLCanvasElement, motion: Motion, time_s: number): void {
  const context = canvas.getContext('2d')!;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.lineWidth = 7;
  context.lineCap = 'round';
  context.strokeStyle = getComputedStyle(canvas).color;
  context.beginPath();
  for (const [x1, y1, x2, y2] of bodyLines(motion, time_s % Math.max(motion.track.frameTime_s, motionDuration(motion)))) {
    context.moveTo(x1 * canvas.width, y1 * canvas.height);
    context.lineTo(x2 * canvas.width, y2 * canvas.height);
  }
  context.stroke();
}
