import { useRef } from 'preact/hooks';
import { scriptOf } from '../../app/pose_control';
import { jointLabel, jointNumber, type Motion } from '../../model/motion';
import { pinKind, type PinKind, setDesired, setFade, setStiffness, usualDesired } from '../../model/pose_script';
import { jointPlace } from '../../model/track';
import { LogSlider } from '../log_slider';
import { usePart, useStudio } from '../studio';
import { RangeDisc } from './range_disc';

const pinButtons: [PinKind | undefined, string, string][] = [[undefined, 'None', 'Not held'], ['position', 'Place', 'Stays where it is'], ['turn', 'Turn', 'Stays as it is turned, wherever it goes'], ['both', 'Both', 'Stays where it is, as it is turned']];

/** The joint that is selected: how it is held, how firm it is, how far it turns. */
export function JointSection() {
  const { app, pose } = useStudio();
  const motion = usePart((state) => state.scene.figures[0]?.motion), joint = usePart((state) => state.joint), gizmo = usePart((state) => state.view.gizmo);
  const script = usePart(scriptOf);
  if (!motion || !script || joint === undefined) return <section><h2>Joint</h2>{motion && <JointChoice motion={motion} joint={undefined} />}<p class="empty">Click a joint to select it, drag it to lead it; a right click pins it where it is.</p></section>;
  const pin = pose.pinOf(joint), kind = pinKind(pin);
  const own = <T extends { readonly joint: string }>(list: readonly T[] | undefined) => list?.find((each) => jointNumber(motion, each.joint) === joint);
  const drag = own(script.drags), factor = own(script.stiffness)?.factor ?? 1, keeps = own(script.desired)?.weight ?? usualDesired;
  return (
    <section>
      <h2>Joint</h2>
      <JointChoice motion={motion} joint={joint} />
      <Place key={joint} joint={joint} />
      <div class="row"><span class="what">Pin</span>
        <div class="segments" role="radiogroup" aria-label="Pin">
          {pinButtons.map(([value, label, title]) => <button key={label} role="radio" aria-checked={kind === value} title={`${title} (P)`} onClick={() => pose.pin(joint, value)}>{label}</button>)}
        </div>
      </div>
      <div class="row"><span class="what">Handles</span>
        <div class="segments" role="radiogroup" aria-label="Handles">
          {([['none', 'None', ''], ['move', 'Lead', ' (G)'], ['turn', 'Turn', ' (R)']] as const).map(([value, label, key]) => <button key={value} role="radio" aria-checked={gizmo === value} title={`${label}${key}`} onClick={() => app.setView({ gizmo: value })}>{label}</button>)}
        </div>
      </div>
      {pin && <LogSlider label="Weight" title="Of the pin, against other pins" value={pin.weight ?? 1} least={-2} most={2} change={(value, gesture) => pose.setWeight(joint, value, gesture)} />}
      <LogSlider label="Stiffness" title="How many times less readily it turns" value={factor} least={-2} most={2} change={(value, gesture) => pose.editJoint('Stiffness', joint, (each, name) => setStiffness(each, name, value), gesture)} />
      <LogSlider label="Keeps posture" title="How firmly it keeps the turn that the clip gives it; others have 0.3" value={Math.max(keeps, 0.01)} least={-2} most={2} change={(value, gesture) => pose.editJoint('Posture', joint, (each, name) => setDesired(each, name, Math.abs(Math.log10(value / usualDesired)) < 0.03 ? usualDesired : value), gesture)} />
      {drag && script.at_s === undefined && <Fades joint={joint} fadeIn_s={drag.fade_in_s} fadeOut_s={drag.fade_out_s} />}
      <div class="buttons"><button onClick={() => pose.keyHere()} title="Key (I)">Key here</button><button onClick={() => pose.removeKeyHere()} title="Remove the key (Alt+I)">Remove key</button><button onClick={() => pose.free()} title="Take its drag away (Alt+G)">Take drag away</button></div>
      <RangeDisc />
    </section>
  );
}

/** Joints by name: those that lie under others, and all of them without a pointer. */
function JointChoice({ motion, joint }: { motion: Motion; joint: number | undefined }) {
  const { app } = useStudio();
  return (
    <select class="joint-name" aria-label="Joint" value={joint ?? ''} onChange={(event) => app.select(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))}>
      <option value="">choose …</option>
      {motion.track.joints.map((_, each) => <option key={each} value={each}>{jointLabel(motion, each).replaceAll('_', ' ')}</option>)}
    </select>
  );
}

const axes = ['x', 'y', 'z'] as const;

/** Where the joint is, by numbers. One stay in a field is one gesture. */
function Place({ joint }: { joint: number }) {
  const { pose } = useStudio();
  const gesture = useRef('');
  // As text, so that it is drawn again only where the joint has moved.
  const place = usePart(() => {
    const matrices = pose.matrices();
    return matrices && jointPlace(matrices, joint).map((value) => value.toFixed(3)).join(' ');
  });
  return (
    <div class="row place"><span class="what">Place</span>
      {axes.map((axis, i) => (
        <input key={axis} class="number" type="number" step="0.01" aria-label={`Place ${axis}, metres`} title={`${axis}, metres`} value={place?.split(' ')[i] ?? ''} onFocus={() => (gesture.current = `place ${performance.now()}`)}
          onChange={(event) => Number.isFinite(event.currentTarget.valueAsNumber) && pose.leadAlong(i, event.currentTarget.valueAsNumber, gesture.current)} />
      ))}
    </div>
  );
}

/** Of a drag over a clip that plays: how long it takes to come, and to go home. */
function Fades({ joint, fadeIn_s, fadeOut_s }: { joint: number; fadeIn_s: number | undefined; fadeOut_s: number | undefined }) {
  const { pose } = useStudio();
  const field = (label: string, which: 'fade_in_s' | 'fade_out_s', value: number | undefined) => (
    <label>{label} <input class="number" type="number" min="0" max="10" step="0.05" placeholder="auto" value={value ?? ''} onChange={(event) => {
      const text = event.currentTarget.value;
      pose.editJoint(label, joint, (script, name) => setFade(script, name, which, text === '' ? undefined : Math.max(0, Number(text))));
    }} /> s</label>
  );
  return <div class="row fades">{field('Fades in', 'fade_in_s', fadeIn_s)}{field('out', 'fade_out_s', fadeOut_s)}</div>;
}
