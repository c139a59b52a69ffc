import { useLayoutEffect, useState } from 'preact/hooks';
import { importFiles } from '../app/library_control';
import { ExportDialog } from './export/dialog';
import { droppedFiles } from './files';
import { Messages } from './messages';
import { Palette } from './palette';
import { Shortcuts } from './shortcuts';
import { StageView } from './stage_view';
import { StartPage } from './start_page';
import { type Dialog, usePart, useStudio } from './studio';
import { Timeline } from './timeline';
import { TopBar } from './top_bar';
import { Tour } from './tour';

export function Shell() {
  const studio = useStudio();
  const [dialog, setDialog] = useState<Dialog | undefined>();
  const [over, setOver] = useState(false);
  const id = usePart((state) => state.space);
  useLayoutEffect(() => void (studio.dialog = setDialog), [studio]);
  const space = studio.spaces.find((each) => each.id === id);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!event.dataTransfer) return;
    const files = droppedFiles(event.dataTransfer);
    void studio.app.attempt('What was dropped cannot be read', async () => {
      if (studio.app.state.value.space === 'start') studio.app.go('library');
      await importFiles(studio.app, await files);
    });
  };
  // Said at every element that comes under the pointer: what is let go of right then is refused otherwise.
  const dragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div class="shell" onDragEnter={dragOver} onDragOver={dragOver} onDragLeave={(event) => event.relatedTarget === null && setOver(false)} onDrop={drop}>
      <TopBar />
      <Tour />
      {space ? (
        <main class={`work ${space.id}`}>
          <h1 class="unseen">{space.title}</h1>
          <aside class="panel left" aria-label={`${space.title}, list`}><space.Left /></aside>
          <StageView />
          <aside class="panel right" aria-label={`${space.title}, properties`}><space.Right /></aside>
          <Timeline />
        </main>
      ) : <><StartPage /><Messages /></>}
      {over && <div class="drop-hint">Drop files or folders: BVH, GLB, VRMA, AMC with ASF</div>}
      {dialog === 'palette' && <Palette close={() => setDialog(undefined)} />}
      {dialog === 'export' && <ExportDialog close={() => setDialog(undefined)} />}
      {dialog === 'shortcuts' && <Shortcuts close={() => setDialog(undefined)} />}
    </div>
  );
}
