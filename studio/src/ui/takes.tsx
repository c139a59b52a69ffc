import { useEffect, useState } from 'preact/hooks';
import type { Takes } from '../model/motion';
import { usePart, useStudio } from './studio';

/** Which clip of a file is meant, where it holds several. */
export function TakeChoice({ path, take, choose }: { path: string; take: string | undefined; choose(take: string | undefined): void }) {
  const { app } = useStudio();
  const content = usePart((state) => state.history.present.get(path));
  const [takes, set] = useState<Takes | undefined>();
  useEffect(() => {
    let wanted = true;
    app.motions.of(path).then((motion) => wanted && set(motion.takes), () => undefined); // What cannot be read says so where it is shown.
    return () => void (wanted = false);
  }, [app, path, content]);
  if (!takes) return null;
  const now = Math.max(0, takes.names.includes(take ?? '') ? takes.names.indexOf(take!) : Number(take ?? 0));
  return (
    <label class="row">Clip
      <select aria-label="Clip of the file" value={now} onChange={(event) => choose(event.currentTarget.value === '0' ? undefined : takes.names[Number(event.currentTarget.value)])}>
        {takes.names.map((name, i) => <option key={i} value={i}>{name || `number ${i}`}</option>)}
      </select>
    </label>
  );
}
