import { useEffect, useRef, useState } from 'preact/hooks';
import type { App } from '../../app/app';
import type { Content } from '../../model/files';
import type { Motion } from '../../model/motion';
import { usePart, useStudio } from '../studio';
import { bodyLines } from './lines';

/** Of a file that is not read for a picture beside its name: some seconds of the engine's time. */
const most_bytes = 8e6;
const look_ms = 100;

const pictures = new WeakMap<Motion, string>();

/** The middle of what must survive of a clip says more than its beginning. */
function pictureOf(motion: Motion): string {
  let path = pictures.get(motion);
  if (path === undefined) {
    const [begin, end] = motion.core ?? [0, 0], shown = (value: number) => (28 * value).toFixed(1);
    pictures.set(motion, (path = bodyLines(motion, (begin + end) / 2).map(([x1, y1, x2, y2]) => `M${shown(x1)} ${shown(y1)}L${shown(x2)} ${shown(y2)}`).join('')));
  }
  return path;
}

let last: Promise<unknown> = Promise.resolve();

/** One after the other, and only while nobody waits for anything else. */
function inTurn(app: App, body: () => Promise<void>): void {
  const others = () => app.computing || app.attempts > 0;
  last = last.then(async () => {
    while (others()) await new Promise((resolve) => setTimeout(resolve, look_ms));
    await body();
  }).catch(() => undefined); // What cannot be read says so when it is opened.
}

function sizeOf(content: Content | undefined): number {
  return content?.kind === 'bytes' ? content.bytes.length : content?.kind === 'stored' ? content.size : 0;
}

/** A clip as a small body beside its name, once it is in sight. */
export function Thumb({ path }: { path: string }) {
  const { app } = useStudio();
  const host = useRef<SVGSVGElement>(null);
  const content = usePart((state) => state.history.present.get(path));
  const [picture, set] = useState('');
  useEffect(() => {
    let wanted = true;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      inTurn(app, async () => {
        const motion = wanted && sizeOf(content) <= most_bytes ? await app.motions.of(path) : undefined;
        if (wanted && motion) set(pictureOf(motion));
      });
    });
    observer.observe(host.current!);
    return () => {
      wanted = false;
      observer.disconnect();
    };
  }, [app, path, content]);
  return <svg class="thumb" ref={host} viewBox="0 0 28 28" aria-hidden="true"><path d={picture} /></svg>;
}
