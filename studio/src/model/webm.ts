/** A film in the form of WebM (Matroska): a header, one track, clusters that each begin with a frame that stands alone, and where they are. */

export interface CodedFrame {
  readonly time_ms: number;
  /** Stands alone. */
  readonly key: boolean;
  readonly bytes: Uint8Array;
}

export interface Film {
  readonly codec: 'V_VP8' | 'V_VP9';
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number;
  readonly frames: readonly CodedFrame[];
}

type Part = Uint8Array | readonly Part[];

const sizeOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.reduce((sum, each) => sum + sizeOf(each), 0));

/** An element: its name, its length in eight bytes, what is in it. */
function element(id: number, ...content: Part[]): Part {
  const name: number[] = [];
  for (let rest = id; rest > 0; rest = Math.floor(rest / 256)) name.unshift(rest % 256);
  const head = new Uint8Array(name.length + 8);
  head.set(name);
  new DataView(head.buffer).setBigUint64(name.length, BigInt(sizeOf(content)) | (1n << 56n));
  return [head, ...content];
}

function whole(id: number, value: number): Part {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Math.round(value)));
  return element(id, bytes);
}

const text = (id: number, value: string) => element(id, new TextEncoder().encode(value));

function real(id: number, value: number): Part {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

function block({ time_ms, key, bytes }: CodedFrame, cluster_ms: number): Part {
  const head = new Uint8Array([0x81, 0, 0, key ? 0x80 : 0]); // Track 1, time from the cluster's, whether it stands alone.
  new DataView(head.buffer).setInt16(1, Math.round(time_ms) - cluster_ms);
  return element(0xa3, head, bytes);
}

export function writeWebm({ codec, width, height, duration_ms, frames }: Film): Uint8Array<ArrayBuffer> {
  const header = element(0x1a45dfa3, whole(0x4286, 1), whole(0x42f7, 1), whole(0x42f2, 4), whole(0x42f3, 8), text(0x4282, 'webm'), whole(0x4287, 2), whole(0x4285, 2));
  const info = element(0x1549a966, whole(0x2ad7b1, 1e6), real(0x4489, duration_ms), text(0x4d80, 'shosa'), text(0x5741, 'shosa'));
  const track = element(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x83, 1), whole(0x9c, 0), text(0x86, codec), element(0xe0, whole(0xb0, width), whole(0xba, height)));
  const tracks = element(0x1654ae6b, track);
  const groups: CodedFrame[][] = [];
  for (const frame of frames) {
    if (frame.key || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(frame);
  }
  let place = sizeOf(info) + sizeOf(tracks);
  const clusters: Part[] = [], cues: Part[] = [];
  for (const group of groups) {
    const begin_ms = Math.round(group[0]!.time_ms);
    cues.push(element(0xbb, whole(0xb3, begin_ms), element(0xb7, whole(0xf7, 1), whole(0xf1, place))));
    const cluster = element(0x1f43b675, whole(0xe7, begin_ms), ...group.map((frame) => block(frame, begin_ms)));
    clusters.push(cluster);
    place += sizeOf(cluster);
  }
  return joined([header, element(0x18538067, info, tracks, ...clusters, element(0x1c53bb6b, ...cues))]);
}

function joined(part: Part): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(sizeOf(part));
  let place = 0;
  const put = (each: Part): void => {
    if (!(each instanceof Uint8Array)) return each.forEach(put);
    all.set(each, place);
    place += each.length;
  };
  put(part);
  return all;
}
