import type { FileKind } from 'shosa';
import { type Dropped, importFiles, projectZip } from '../app/library_control';
import { stem } from '../model/files';
import type { Studio } from './studio';

/** Gives the user a file. */
export function download(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([bytes]));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has taken hold of it once this task is over.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** What is on the stage, as a file. */
export async function exportMotion(studio: Studio, kind: FileKind): Promise<void> {
  const { app } = studio, motion = app.shown, { problem } = app.state.value.scene;
  await app.attempt(`${motion?.name ?? 'The motion'} cannot be exported`, async () => {
    // What stands there is not what the document says now.
    if (problem !== undefined) throw new Error(problem);
    if (motion) download(await app.engine.write(motion, kind), `${stem(motion.name) || 'motion'}.${kind}`);
  });
}

/** All of the project in one file. */
export async function exportProject({ app }: Studio): Promise<void> {
  const name = app.state.value.project?.name ?? 'project';
  await app.attempt(`${name} cannot be packed`, async () => {
    const { bytes, left_out } = await projectZip(app);
    download(bytes, `${name}.shosa`);
    if (left_out.length > 0) app.say('warning', `${name}.shosa is without what could not be read: ${left_out.join(', ')}`);
  });
}

export function pickFiles(studio: Studio): void {
  const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, accept: '.bvh,.glb,.gltf,.vrma,.vrm,.amc,.asf,.json,.zip,.shosa' });
  input.onchange = () => void studio.app.attempt('The files cannot be read', () => importFiles(studio.app, [...(input.files ?? [])].map((file) => ({ path: file.name, file }))));
  input.click();
}

/** Files and folders that were dropped, with their paths. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }));
  return (await Promise.all(entries.map(filesBelow))).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<Dropped[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (path.split('/').some((part) => part.startsWith('.'))) return [];
  if (entry.isFile) return [{ path, file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) }];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Dropped[] = [];
  // A reader gives its entries in portions until one is empty.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return found;
    found.push(...(await Promise.all(portion.map(filesBelow))).flat());
  }
}
