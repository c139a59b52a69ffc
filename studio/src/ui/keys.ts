import type { Command, Studio } from './studio';

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** The name of a pressed key, as commands write it. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): string {
  const numpad = /^Numpad/.test(event.code);
  // With Alt, Macs type other signs; the key is meant.
  const digit = event.altKey ? /^(?:Digit|Key)(.)$/.exec(event.code)?.[1] : undefined;
  const plain = digit ?? (numpad ? event.code : event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key);
  // A sign such as ? has its Shift in it.
  const letter = numpad || plain.length > 1 || /[A-Z0-9]/.test(plain);
  return [event.ctrlKey || event.metaKey ? 'Ctrl' : '', event.altKey ? 'Alt' : '', event.shiftKey && letter ? 'Shift' : '', plain].filter(Boolean).join('+');
}

/** As people read it on this machine. */
export function shownKey(key: string): string {
  const words: Record<string, string> = { Ctrl: isMac ? '⌘' : 'Ctrl', Shift: isMac ? '⇧' : 'Shift', Alt: isMac ? '⌥' : 'Alt', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', NumpadDecimal: 'Numpad .', NumpadAdd: 'Numpad +', NumpadSubtract: 'Numpad −' };
  return key === '+' ? key : key.split('+').map((part) => words[part] ?? part.replace(/^Numpad(?=\d)/, 'Numpad ')).join(isMac ? '' : '+');
}

function typesText(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return element?.isContentEditable === true || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
    || (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(element.type));
}

export function findCommand(commands: readonly Command[], name: string): Command | undefined {
  return commands.find((command) => command.keys?.includes(name));
}

/** Keys of the whole page. Space presses a button that was reached by keys, as it should, and plays everywhere else: also after a click in a list, which leaves the focus there. */
export function attachKeys(studio: Studio): () => void {
  let byPointer = false, held = false;
  const point = (event: PointerEvent) => {
    byPointer ||= event.type === 'pointerdown';
    held = event.type !== 'pointercancel' && event.buttons !== 0;
  };
  const press = (event: KeyboardEvent) => {
    // As in Blender: while something is led by the pointer, keys take nothing away from under it. Escape is heard by what is led.
    if (held) return event.preventDefault();
    const name = keyName(event);
    if (name === 'Tab' || name === 'Shift+Tab') byPointer = false;
    const inText = typesText(event.target);
    if (inText && !(event.ctrlKey || event.metaKey)) return;
    if (document.querySelector('dialog[open]')) return;
    const button = (event.target as HTMLElement | null)?.closest?.<HTMLElement>('button, summary, a');
    if (button && (name === 'Enter' || (name === 'Space' && !byPointer))) return;
    if (name === 'Space') button?.blur();
    const command = findCommand(studio.commands(), name);
    if (!command || (command.enabled && !command.enabled(studio.app.state.value))) return;
    event.preventDefault();
    command.run();
  };
  const pointing = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;
  addEventListener('keydown', press);
  for (const type of pointing) addEventListener(type, point, true);
  return () => {
    removeEventListener('keydown', press);
    for (const type of pointing) removeEventListener(type, point, true);
  };
}
