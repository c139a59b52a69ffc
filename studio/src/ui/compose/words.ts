import type { JoinMark } from '../../model/score_layout';
import type { Technique } from '../../model/score';

const words: Record<string, string> = { transition: 'transition', connection: 'connection', adaptation_with_step: 'adaptation, step', adaptation_without_step: 'adaptation' };

export function methodWords({ method, bridged }: JoinMark): string {
  const word = words[method] ?? method;
  return bridged ? `bridge (${word})` : word;
}

export const techniqueWords: Record<Technique, string> = {
  optimal: 'optimal blending (ours)',
  constraint: 'foot contacts alone',
  pose: 'nearest postures',
  inertial: 'inertialization',
  dead: 'dead blending',
};
