import { type CodedFrame, writeWebm } from '../../model/webm';
import { lastTime } from '../../model/transport';
import type { Studio } from '../studio';
import { staged } from './staged';

export interface FilmParams {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Done so far, 0 to 1; false ends it. */
  progress(share: number): boolean;
}

const codecs = [{ name: 'vp8', id: 'V_VP8' }, { name: 'vp09.00.31.08', id: 'V_VP9' }] as const;
const bitsPerPixel = 0.12, keyEvery_s = 1, mostWaiting = 4;

/** What the stage shows, frame by frame as WebM: every frame is there, however slow the machine is. Undefined where it was ended. */
export async function makeFilm(studio: Studio, { width, height, fps, progress }: FilmParams): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!('VideoEncoder' in globalThis)) throw new Error('this browser encodes no video here. Chromium 94, Firefox 130 and Safari 16.4 do, on https or this machine’s own address');
  const config = { width, height, framerate: fps, bitrate: Math.round(bitsPerPixel * width * height * fps) };
  const able = await Promise.all(codecs.map(({ name }) => VideoEncoder.isConfigSupported({ codec: name, ...config }).then(({ supported }) => supported, () => false)));
  const codec = codecs.find((_, i) => able[i]);
  if (!codec) throw new Error('this browser encodes neither VP8 nor VP9');
  const { transport } = studio.app.state.value;
  const [begin_s, end_s] = transport.range ?? [0, transport.duration_s];
  const count = Math.max(1, Math.round((end_s - begin_s) * fps));
  const frames: CodedFrame[] = [];
  let failed: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      frames.push({ time_ms: chunk.timestamp / 1000, key: chunk.type === 'key', bytes });
    },
    error: (error) => (failed = error),
  });
  encoder.configure({ codec: codec.name, ...config });
  try {
    const whole = await staged(studio, { width, height }, async (draw) => {
      for (let i = 0; i < count; ++i) {
        const picture = new VideoFrame(draw(Math.min(begin_s + i / fps, lastTime(transport))), { timestamp: Math.round((i * 1e6) / fps), duration: Math.round(1e6 / fps) });
        encoder.encode(picture, { keyFrame: i % Math.round(keyEvery_s * fps) === 0 });
        picture.close();
        if (!progress(i / count)) return false;
        // The page stays alive between frames, and the encoder is not drowned.
        do await new Promise((resolve) => setTimeout(resolve)); while (encoder.encodeQueueSize > mostWaiting && !failed);
        if (failed) throw failed;
      }
      await encoder.flush();
      return true;
    });
    if (!whole) return undefined;
  } finally {
    encoder.close();
  }
  if (failed) throw failed;
  return writeWebm({ codec: codec.id, width, height, duration_ms: (1000 * count) / fps, frames });
}
