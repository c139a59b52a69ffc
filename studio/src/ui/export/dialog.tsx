import { useRef, useState } from 'preact/hooks';
import type { FileKind } from 'shosa';
import { baseName, isClip, stem } from '../../model/files';
import type { Motion } from '../../model/motion';
import { download, exportMotion } from '../files';
import { Modal } from '../modal';
import { usePart, useStudio } from '../studio';
import { makeFilm } from './film';
import { makeStrip } from './strip';

const sizes = [[640, 360], [1280, 720], [1920, 1080]] as const;

/** Everything that a motion can leave the studio as. */
export function ExportDialog({ close }: { close(): void }) {
  const shown = usePart((state) => state.scene.figures[0]?.motion), problem = usePart((state) => state.scene.problem);
  return (
    <Modal label="Export" close={close}>
      <div class="row"><h2>Export{shown ? ` ${shown.name}` : ''}</h2><button class="small" aria-label="Close" onClick={close}>✕</button></div>
      {problem !== undefined ? <p class="failed">{problem}</p> : shown ? <><OneMotion /><Strip name={stem(shown.name)} /><Film name={stem(shown.name)} /></> : <p class="empty">Nothing is on the stage. Open a clip first, then it can be written as a file, a picture or a film.</p>}
      <SeveralClips />
    </Modal>
  );
}

const kinds: [kind: FileKind, label: string, words: string][] = [['bvh', 'BVH', 'for 3-D programs'], ['glb', 'GLB', 'glTF, with the skin where it has one'], ['csv', 'CSV', 'places of all joints, for tables']];

function OneMotion() {
  const studio = useStudio();
  return (
    <section>
      <h3>Motion</h3>
      <div class="cards">{kinds.map(([kind, label, words]) => <button key={kind} class="card" onClick={() => void exportMotion(studio, kind)}><strong>{label}</strong><span>{words}</span></button>)}</div>
    </section>
  );
}

function Strip({ name }: { name: string }) {
  const studio = useStudio();
  const [count, setCount] = useState(9);
  const make = () => void studio.app.attempt('The strip cannot be drawn', async () => download(await makeStrip(studio, count), `${name}_strip.png`));
  return (
    <section>
      <h3>Strip picture</h3>
      <div class="row"><label>Postures <input class="number" type="number" min="1" max="24" value={count} onInput={(event) => setCount(Math.max(1, Math.min(24, Math.round(event.currentTarget.valueAsNumber) || 1)))} /></label><span class="hint">along the motion, or the marked part, seen as the stage is</span><button onClick={make}>PNG</button></div>
    </section>
  );
}

function Film({ name }: { name: string }) {
  const studio = useStudio();
  const { app } = studio;
  const [size, setSize] = useState(1), [fps, setFps] = useState(30), [share, setShare] = useState<number | undefined>();
  const goOn = useRef(true);
  const toMp4 = app.project?.store.toMp4;
  const make = (kind: 'webm' | 'mp4') => app.attempt('The film cannot be made', async () => {
    goOn.current = true;
    setShare(0);
    try {
      const [width, height] = sizes[size]!;
      const film = await makeFilm(studio, { width, height, fps, progress: (done) => (setShare(done), goOn.current) });
      if (film) download(kind === 'mp4' ? await toMp4!(film) : film, `${name}.${kind}`);
    } finally {
      setShare(undefined);
    }
  });
  return (
    <section>
      <h3>Film</h3>
      <div class="row">
        <label>Size <select value={size} onChange={(event) => setSize(Number(event.currentTarget.value))}>{sizes.map(([width, height], i) => <option key={width} value={i}>{width} × {height}</option>)}</select></label>
        <label>Rate <select value={fps} onChange={(event) => setFps(Number(event.currentTarget.value))}>{[24, 25, 30, 50, 60].map((each) => <option key={each} value={each}>{each} fps</option>)}</select></label>
        <button disabled={share !== undefined} onClick={() => void make('webm')}>WebM</button>
        <button disabled={share !== undefined || !toMp4} onClick={() => void make('mp4')} title={toMp4 ? 'Through ffmpeg, which shosa studio runs' : 'Needs shosa studio, and ffmpeg on its machine'}>MP4</button>
      </div>
      {!toMp4 && <p class="hint">{app.project?.store.place === 'server' ? 'MP4 needs the program ffmpeg on this machine; install it and start shosa studio again.' : 'MP4 is made by shosa studio with ffmpeg; from a static page there is WebM.'}</p>}
      {share !== undefined && <div class="row"><progress value={share} aria-label="Film" /><button onClick={() => (goOn.current = false)}>Stop</button></div>}
    </section>
  );
}

/** Clips of the project as the animations of one GLB, on the body of the first. */
function SeveralClips() {
  const { app } = useStudio();
  const clips = [...usePart((state) => state.history.present).keys()].filter(isClip).sort();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (clips.length < 2) return null;
  const make = () => app.attempt('The clips cannot be written into one file', async () => {
    const motions: Record<string, Motion> = {};
    let first: Motion | undefined;
    for (const path of chosen) {
      const motion = await app.motions.of(path);
      const bones = (each: Motion) => each.track.joints.map(({ name, parent }) => `${name} ${parent}`).join();
      const fits = !first || bones(motion) === bones(first);
      let name = stem(path);
      for (let number = 2; name in motions; ++number) name = `${stem(path)} ${number}`;
      motions[name] = fits ? motion : await app.engine.change(motion, { kind: 'retarget', onto: first! });
      first ??= motion;
    }
    download(await app.engine.writeAll(motions), 'clips.glb');
  });
  return (
    <section>
      <h3>Several clips in one GLB</h3>
      <ul class="list checks" aria-label="Clips of the file">{clips.map((path) => <li key={path}><label class="check"><input type="checkbox" checked={chosen.includes(path)} onChange={(event) => setChosen(event.currentTarget.checked ? [...chosen, path] : chosen.filter((each) => each !== path))} /> {baseName(path)}</label></li>)}</ul>
      <div class="row"><span class="hint">The first one chosen gives the body.</span><button disabled={chosen.length === 0} onClick={() => void make()}>{chosen.length === 0 ? 'GLB of the chosen clips' : `GLB of ${chosen.length} ${chosen.length === 1 ? 'clip' : 'clips'}`}</button></div>
    </section>
  );
}
