import { shownKey } from './keys';
import { Modal } from './modal';
import { useStudio } from './studio';

const pointer: [string, string][] = [
  ['Drag a joint', 'the body follows (Pose)'], ['Click a joint', 'select it; pin it in the panel on the right (Pose)'], ['Right click a joint', 'pin or unpin its place (Pose)'],
  ['Drag the floor or middle button', 'turn the view'], ['Shift + drag, right button', 'shift the view'], ['Wheel', 'nearer, farther'],
  ['Drag in the time line', 'scrub'], ['Shift + drag in the time line', 'loop a part'], ['Ctrl + wheel in the time line', 'wider, narrower'],
  ['Ctrl + drag a clip', 'those after it go along (Compose)'], ['Drag a pin’s bar, or its ends', 'when it holds (Pose)'],
  ['Drag a contact, the core, or their ends', 'say when a foot stands and what must survive (Library)'], ['Double click in a foot’s row', 'add a contact (Library)'],
];

export function Shortcuts({ close }: { close(): void }) {
  const studio = useStudio();
  // Of all work spaces: who looks for a key is often not there yet.
  const all = [...studio.spaces.flatMap((space) => space.commands?.(studio) ?? []), ...studio.commands()];
  const commands = [...new Map(all.map((command) => [command.id, command])).values()].filter(({ keys }) => keys);
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Modal label="Keyboard shortcuts" close={close}>
      <div class="row"><h2>Shortcuts</h2><div class="spread" /><button class="small" aria-label="Close" onClick={close}>✕</button></div>
      <div class="sheet">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>{commands.filter((command) => command.group === group).map(({ id, title, keys }) => <div key={id}><dt>{keys!.map((key) => <kbd key={key}>{shownKey(key)}</kbd>)}</dt><dd>{title}</dd></div>)}</dl>
          </section>
        ))}
        <section>
          <h3>Pointer</h3>
          <dl>{pointer.map(([what, does]) => <div key={what}><dt>{what}</dt><dd>{does}</dd></div>)}</dl>
        </section>
      </div>
    </Modal>
  );
}
