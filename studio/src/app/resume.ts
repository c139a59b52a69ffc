import { type Space } from '../model/state';
import type { App } from './app';
import { shippedPrefix } from './motions';

interface Place {
  readonly space: Space;
  readonly open: Readonly<Record<string, string>>;
  readonly takes: Readonly<Record<string, string>>;
  readonly time_s: number;
}

const keyOf = ({ project }: App) => `shosa place ${project?.store.place} ${project?.store.name}`;

/** A tab that is loaded again comes back to where it was: work space, documents, time. It is kept for this tab alone. */
export function keepPlace(app: App): void {
  const keep = () => {
    const { space, open, takes, transport } = app.state.value;
    try {
      sessionStorage.setItem(keyOf(app), JSON.stringify({ space, open, takes, time_s: transport.time_s } satisfies Place));
    } catch {
      // A browser that keeps nothing begins at the beginning.
    }
  };
  addEventListener('pagehide', keep);
  document.addEventListener('visibilitychange', keep);
}

export function resumePlace(app: App): void {
  let place: Place | undefined;
  try {
    place = JSON.parse(sessionStorage.getItem(keyOf(app)) ?? 'null') as Place | undefined;
  } catch {
    return;
  }
  if (!place) return;
  const { space, takes, time_s } = place;
  // Other programs may have taken files away meanwhile.
  const open = Object.fromEntries(Object.entries(place.open).filter(([, path]) => path.startsWith(shippedPrefix) || app.files.has(path)));
  app.state.update((value) => ({ ...value, open, takes }));
  app.go(space, undefined, time_s);
}
