import { lastTime } from '../../model/transport';
import type { Studio } from '../studio';
import { staged } from './staged';

const width_px = 240, height_px = 400;

/** Postures along the motion beside each other, seen as the stage is seen, as PNG. */
export async function makeStrip(studio: Studio, count: number): Promise<Uint8Array<ArrayBuffer>> {
  const { transport } = studio.app.state.value;
  const [begin_s, end_s] = transport.range ?? [0, lastTime(transport)];
  const strip = Object.assign(document.createElement('canvas'), { width: count * width_px, height: height_px });
  const context = strip.getContext('2d')!;
  await staged(studio, { width: width_px, height: height_px, follow: true }, async (draw) => {
    for (let i = 0; i < count; ++i) {
      const time_s = count === 1 ? begin_s : begin_s + ((end_s - begin_s) * i) / (count - 1);
      context.drawImage(draw(time_s), i * width_px, 0);
      context.fillStyle = getComputedStyle(document.documentElement).color;
      context.font = '14px system-ui, sans-serif';
      context.textAlign = 'center';
      context.fillText(`${time_s.toFixed(2)} s`, (i + 0.5) * width_px, height_px - 12);
    }
  });
  const blob = await new Promise<Blob | null>((resolve) => strip.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('the browser gives no picture of this size; take fewer postures');
  return new Uint8Array(await blob.arrayBuffer());
}
