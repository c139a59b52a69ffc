import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A dialog over everything; Escape and a click beside it close it. */
export function Modal({ label, close, children }: { label: string; close(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key arrives: what is typed at once belongs to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  // The event comes later than the dialog goes: by then another one may be open.
  const closed = () => dialog.current && close();
  const beside = (event: MouseEvent) => event.target === dialog.current && close();
  const escape = (event: KeyboardEvent) => event.key === 'Escape' && (event.preventDefault(), close());
  return <dialog ref={dialog} aria-label={label} onClose={closed} onCancel={close} onClick={beside} onKeyDown={escape}>{children}</dialog>;
}
