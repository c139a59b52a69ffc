import { useMemo, useState } from 'preact/hooks';
import { shownKey } from './keys';
import { Modal } from './modal';
import { type Command, useStudio } from './studio';

/** Commands whose words all begin somewhere in what was typed's order: "exp g" finds "Export GLB". */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ title, group }) => {
    const text = `${group} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function Palette({ close }: { close(): void }) {
  const studio = useStudio();
  const [typed, setTyped] = useState('');
  const [row, setRow] = useState(0);
  const commands = useMemo(() => studio.commands().filter(({ enabled }) => !enabled || enabled(studio.app.state.value)), [studio]);
  const found = matching(commands, typed);
  const run = (command: Command | undefined) => {
    close();
    command?.run();
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setRow((row + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') run(found[row]);
  };
  return (
    <Modal label="Command palette" close={close}>
      <input class="palette-input" type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={`palette-${row}`} aria-label="Search commands" placeholder="What do you want to do?" value={typed} ref={(input) => input?.focus()}
        onInput={(event) => (setTyped(event.currentTarget.value), setRow(0))} onKeyDown={keys} />
      <ul class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, i) => (
          <li key={command.id} id={`palette-${i}`} role="option" aria-selected={i === row} onClick={() => run(command)} onPointerMove={() => setRow(i)}>
            <span class="group">{command.group}</span> {command.title}
            <span class="keys">{command.keys?.map((key) => <kbd key={key}>{shownKey(key)}</kbd>)}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">Nothing is called that. Fewer letters may help.</p>}
    </Modal>
  );
}
