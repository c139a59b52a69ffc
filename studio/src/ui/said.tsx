import type { Motion } from '../model/motion';

/** What the engine says of a motion, as the command line prints it. */
export function Said({ motion }: { motion: Motion }) {
  return <>{motion.warnings.map((text) => <p key={text} class="warning">{text}</p>)}{motion.notes.map((text) => <p key={text} class="hint">{text}</p>)}</>;
}
