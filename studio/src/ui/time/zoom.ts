import { type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { App } from '../../app/app';
import { usePart, useStudio } from '../studio';

export const nearerInTime = 1.5, fartherInTime = 1 / nearerInTime;
const mostZoom = 64;
/** In half a second single frames are seen. */
const leastInSight_s = 0.5;
/** Room for half a key at the last moment. */
const margin_px = 8;

/** The time line so many times wider or narrower than it is: from the whole motion to half a second. */
export function zoomTime(app: App, factor: number, duration_s: number): void {
  const { timeZoom } = app.state.value.view, limit = Math.max(1, Math.min(mostZoom, duration_s / leastInSight_s));
  app.setView({ timeZoom: Math.min(Math.max(timeZoom * factor, 1), limit) });
}

/** Keeps the time line where it is looked at: what is under the pointer while Ctrl and the wheel make it wider, and the moment that is shown while time runs. */
export function useTimeZoom(host: RefObject<HTMLElement>, area: RefObject<HTMLElement>, duration_s: number) {
  const { app } = useStudio();
  const zoom = usePart((state) => state.view.timeZoom), time_s = usePart((state) => state.transport.time_s);
  const wanted = useRef<{ share: number; x_px: number } | undefined>();
  const labels_px = () => area.current!.offsetLeft - host.current!.offsetLeft;
  // As it is about to be drawn: what is on the page still has the zoom before.
  const width_px = () => (host.current && area.current ? zoom * (host.current.clientWidth - labels_px()) - margin_px : innerWidth);
  const shareOf = (time: number) => time / Math.max(duration_s, 1e-6);
  // A share of all time comes to stand so far from the left of what is in sight.
  const bring = (share: number, x_px: number) => void (host.current!.scrollLeft = share * area.current!.offsetWidth - x_px);
  useLayoutEffect(() => {
    const room = host.current!.clientWidth - labels_px();
    const { share, x_px } = wanted.current ?? { share: shareOf(app.state.value.transport.time_s), x_px: room / 2 };
    wanted.current = undefined;
    bring(share, x_px);
  }, [zoom]);
  useLayoutEffect(() => {
    const room = host.current!.clientWidth - labels_px(), at = shareOf(time_s) * area.current!.offsetWidth - host.current!.scrollLeft;
    if (zoom > 1 && (at < 0 || at > room)) bring(shareOf(time_s), 0.1 * room);
  }, [time_s]);
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left } = area.current!.getBoundingClientRect(), share = (event.clientX - left) / Math.max(1, area.current!.offsetWidth);
    wanted.current = { share, x_px: event.clientX - left - host.current!.scrollLeft };
    zoomTime(app, Math.exp(-event.deltaY / 300), duration_s);
    // It was as wide or as narrow as it can be: nothing is drawn anew.
    if (app.state.value.view.timeZoom === zoom) wanted.current = undefined;
  };
  return { zoom, wheel, width: `calc(${100 * zoom}% - ${margin_px}px)`, width_px };
}
