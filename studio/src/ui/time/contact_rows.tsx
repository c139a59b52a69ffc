import { contactsOf, editableContacts, editContacts } from '../../app/contacts_control';
import { addContact, between, feetOf, forget, removeContact, setContact, setCoreByHand } from '../../model/contacts';
import type { Interval, Motion } from '../../model/motion';
import type { State } from '../../model/state';
import { lastTime, snapped } from '../../model/transport';
import type { Command, Studio, TimeRow } from '../studio';
import { HandBar, seconds } from './hand_bar';

export const footWords = (foot: string) => `${foot.replaceAll('_', ' ')} foot`;

/** Bars of a longer clip are thinner than a hand can lead, and more than a page should hold. */
const mostBars = 400;

const paths = new WeakMap<readonly Interval[], string>();

function ManyBars({ bars, duration_s }: { bars: readonly Interval[]; duration_s: number }) {
  let path = paths.get(bars);
  if (path === undefined) paths.set(bars, (path = bars.map(([begin, end]) => `M${begin.toFixed(3)} 0H${end.toFixed(3)}V1H${begin.toFixed(3)}Z`).join('')));
  return <svg class="many-bars" viewBox={`0 0 ${Math.max(duration_s, 1e-6)} 1`} preserveAspectRatio="none"><title>{bars.length} contacts; trim the clip to edit them</title><path d={path} /></svg>;
}

/** When feet stand, and the core: bars that can be led by hand where the clip is a file of the project. */
export function contactRows(studio: Studio, state: State, motion: Motion, withCore: boolean): TimeRow[] {
  const editable = editableContacts(state) !== undefined, given = contactsOf(state);
  const rows = feetOf(motion).map((foot): TimeRow => {
    const bars = motion.contacts[foot] ?? [];
    if (bars.length > mostBars) return { label: footWords(foot), content: (scale) => <ManyBars bars={bars} duration_s={scale.duration_s} /> };
    return {
      label: footWords(foot),
      ...(editable ? { add: (time_s: number) => addHere(studio, foot, time_s) } : {}),
      content: (scale) => (
        <div class="contact-row" data-foot={foot} title={editable ? 'Double click where it stands to add a contact' : undefined}>
          {bars.map((bar, index) => (
            <HandBar key={index} {...{ studio, scale, editable }} look="contact" byHand={foot in given} bar={bar} name={`${footWords(foot)} stands from ${seconds(bar)}`} id={`${foot} ${index}`}
              fit={(wanted, frame_s, last_s, whole) => between(bars, index, wanted, last_s, frame_s, whole)}
              set={(next) => editContacts(studio.app, `Contact of the ${footWords(foot)}`, (contacts) => setContact(contacts, motion, foot, index, next))}
              remove={() => editContacts(studio.app, `Remove a contact of the ${footWords(foot)}`, (contacts) => removeContact(contacts, motion, foot, index))} />
          ))}
        </div>
      ),
    };
  });
  const { core } = motion;
  if (withCore && core)
    rows.push({
      label: 'core',
      content: (scale) => (
        <HandBar {...{ studio, scale, editable }} look="core" byHand={'core' in given} bar={core} name={`core from ${seconds(core)}`} id="core"
          set={(next) => editContacts(studio.app, 'Core', (contacts) => setCoreByHand(contacts, next))} remove={() => editContacts(studio.app, 'Core as found', (contacts) => forget(contacts, 'core'))} />
      ),
    });
  return rows;
}

function addHere({ app }: Studio, foot: string, time_s: number): void {
  const { transport } = app.state.value, motion = app.shown;
  if (motion) editContacts(app, `Add a contact of the ${footWords(foot)}`, (contacts) => addContact(contacts, motion, foot, snapped(transport, time_s), lastTime(transport), transport.frameTime_s));
}

/** For the keyboard: a foot stands from this moment on; what was said by hand is forgotten. */
export function contactCommands(studio: Studio): Command[] {
  const { app } = studio, motion = app.shown;
  if (!motion || editableContacts(app.state.value) === undefined) return [];
  const given = contactsOf(app.state.value);
  return [
    ...feetOf(motion).map((foot): Command => ({ id: `contact-${foot}`, title: `The ${footWords(foot)} stands from here on`, group: 'Contacts', run: () => addHere(studio, foot, app.state.value.transport.time_s) })),
    { id: 'contacts-found', title: 'Contacts and core as they are found', group: 'Contacts', enabled: () => Object.keys(given).length > 0, run: () => editContacts(app, 'Contacts as found', () => ({})) },
  ];
}
