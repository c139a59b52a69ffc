import { useState } from 'preact/hooks';
import { scriptOf } from '../../app/pose_control';
import type { PoseScript } from '../../model/pose_script';
import { exportMotion } from '../files';
import { Said } from '../said';
import { usePart, useStudio } from '../studio';
import { JointSection } from './joint';

export function PoseProperties() {
  const script = usePart(scriptOf);
  if (!script) return <p class="empty">Open a pose on the left, or begin a new one with a clip. Then drag any joint: the body follows.</p>;
  return (
    <>
      <JointSection />
      <Options script={script} />
      <Result />
    </>
  );
}

function Options({ script }: { script: PoseScript }) {
  const { pose } = useStudio();
  const box = (label: string, on: boolean, title: string, change: (value: boolean) => (script: PoseScript) => PoseScript) => (
    <label class="check" title={title}><input type="checkbox" checked={on} onChange={(event) => pose.edit(`${label} ${event.currentTarget.checked ? 'on' : 'off'}`, change(event.currentTarget.checked))} /> {label}</label>
  );
  return (
    <section>
      <h2>Body</h2>
      {box('Joint ranges', script.ranges !== undefined && script.ranges !== false, 'Joints bend as far as people’s do', (on) => (value) => ({ ...value, ranges: on }))}
      {box('Balance', script.balance === true, 'The centre of mass stays over the feet that stand', (on) => (value) => ({ ...value, balance: on }))}
      {box('Bend as people do', script.prior !== false, 'Known postures show how a body bends for what limbs alone do not reach', (on) => ({ prior: _, ...value }) => (on ? value : { ...value, prior: false }) as PoseScript)}
      {box('Feet stay', script.keep_feet !== false, 'Feet that are neither pinned nor dragged stay as their contacts say', (on) => ({ keep_feet: _, ...value }) => (on ? value : { ...value, keep_feet: false }) as PoseScript)}
      <RecordButton />
      {script.at_s !== undefined && <label class="row">Lasts <input class="number" type="number" min="0.1" max="60" step="0.1" value={script.duration_s ?? 2} onChange={(event) => Number(event.currentTarget.value) > 0 && pose.edit('Length', (value) => ({ ...value, duration_s: Number(event.currentTarget.value) }))} /> s</label>}
    </section>
  );
}

function RecordButton() {
  const { pose } = useStudio();
  const [on, set] = useState(pose.recording);
  const toggle = () => set((pose.recording = !on));
  return <div class="buttons"><button onClick={() => pose.keyPosture()} title="Hips, head, hands and feet are keyed where they are (K)">Key the posture</button><button aria-pressed={on} onClick={toggle} title="While a joint is dragged, time runs, and the whole way is kept as keys">Record drags</button></div>;
}

function Result() {
  const studio = useStudio();
  const report = usePart((state) => state.scene.figures[0]?.motion.report), motion = usePart((state) => state.scene.figures[0]?.motion);
  const number = (key: string) => (typeof report?.[key] === 'number' ? Number(report[key]) : undefined);
  const mm = (key: string) => (number(key) === undefined ? '–' : `${(1000 * number(key)!).toFixed(1)} mm`);
  // The joint that is farthest off, and when.
  const worst = (what: string) => (report?.[`worst_${what}`] ? `${report[`worst_${what}`]} at ${number(`worst_${what}_s`)?.toFixed(2)} s` : undefined);
  return (
    <section>
      <h2>Result</h2>
      <dl class="facts">
        <div title={worst('drag')}><dt>drags off by</dt><dd>{mm('max_drag_error_m')}</dd></div>
        <div title={worst('pin')}><dt>pins off by</dt><dd>{mm('max_pin_error_m')}</dd></div>
        <div title={worst('range')}><dt>out of range</dt><dd>{number('max_range_violation_deg') === undefined ? '–' : `${number('max_range_violation_deg')!.toFixed(1)}°`}</dd></div>
      </dl>
      {motion && <Said motion={motion} />}
      <div class="buttons">Export <button onClick={() => void exportMotion(studio, 'bvh')}>BVH</button><button onClick={() => void exportMotion(studio, 'glb')}>GLB</button><button onClick={() => void exportMotion(studio, 'csv')}>CSV</button></div>
    </section>
  );
}
