import { useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly title: string;
  readonly value: number;
  /** Powers of ten. */
  readonly least: number;
  readonly most: number;
  change(value: number, gesture: string): void;
}

const step = 0.1;

/** A number from small to large, by slider, by keys, or by the wheel over it. One stay of the pointer is one gesture. */
export function LogSlider({ label, title, value, least, most, change }: Props) {
  const gesture = useRef('');
  const begin = () => (gesture.current = `${label} ${performance.now()}`);
  const set = (power: number) => change(Number((10 ** Math.min(most, Math.max(least, power))).toPrecision(3)), gesture.current || begin());
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    set(Math.round((Math.log10(value) - Math.sign(event.deltaY) * step) / step) * step);
  };
  return (
    <label class="row slider" title={title} onWheel={wheel} onPointerEnter={begin} onFocusIn={begin}>
      <span>{label}</span>
      <input type="range" min={least} max={most} step={step} value={Math.log10(value)} onInput={(event) => set(Number(event.currentTarget.value))} />
      <output>{Number(value.toPrecision(2))}</output>
    </label>
  );
}
