import { bodyMapOf, giveRole, guessRoles } from '../../app/body_map_control';
import { editableClip } from '../../app/contacts_control';
import { missingRoles, offeredRoles, roleWords } from '../../model/body_map';
import type { Motion } from '../../model/motion';
import { usePart, useStudio } from '../studio';

/** Which joint plays which role: on the figure, and here. A joint is chosen on either, its role here. */
export function BodyMap({ motion }: { motion: Motion }) {
  const { app } = useStudio();
  const shown = usePart((state) => state.view.names), joint = usePart((state) => state.joint), path = usePart(editableClip), given = usePart(bodyMapOf);
  const { joints } = motion.track, missing = missingRoles(joints);
  const roles = joints.map((each, index) => ({ ...each, index })).filter(({ role }) => role !== undefined);
  const chosen = joint === undefined ? undefined : joints[joint];
  const byHand = new Set(Object.values(given));
  return (
    <section aria-label="Body map">
      <div class="row"><h2>Body map</h2><button aria-pressed={shown} onClick={() => app.setView({ names: !shown })} title="Roles written at the joints of the figure">Show on the figure</button></div>
      <p class={missing.length > 0 ? 'warning' : 'hint'}>{missing.length > 0 ? `Nobody plays: ${missing.map(roleWords).join(', ')}. Click the joint on the figure and give it the role.` : `${roles.length} of ${joints.length} joints have a role.`}</p>
      {chosen && joint !== undefined && (
        <label class="row">{chosen.name}
          <select aria-label="Role of the joint" disabled={path === undefined} value={chosen.role ?? ''} onChange={(event) => giveRole(app, joint, event.currentTarget.value || undefined)}>
            <option value="">no role</option>
            {[...new Set([...offeredRoles, ...(chosen.role === undefined ? [] : [chosen.role])])].map((role) => <option key={role} value={role}>{roleWords(role)}{missing.includes(role) ? ' (missing)' : ''}</option>)}
          </select>
        </label>
      )}
      {chosen && path === undefined && <p class="hint">Add the clip to the project to give roles.</p>}
      {!chosen && <p class="hint">Click a joint of the figure, or below, to see and change its role.</p>}
      {shown && (
        <ul class="list roles" aria-label="Roles">
          {roles.map(({ name, role, index }) => (
            <li key={index} class={index === joint ? 'open' : ''}><button class="name" onClick={() => app.select(index)}>{roleWords(role!)}<span class="kind">{name}{byHand.has(name) ? '' : ', guessed'}</span></button></li>
          ))}
        </ul>
      )}
      {Object.keys(given).length > 0 && <div class="buttons"><button onClick={() => guessRoles(app)} title="Removes the body map beside the clip">As guessed</button></div>}
    </section>
  );
}
