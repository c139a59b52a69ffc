import { type Match, type Store, StoreError, type StoreEvent, type Stored, type StoredFile } from './store';

const relisten_ms = 5000;

/** The files of `shosa studio` (docs/server.md). */
export class ServerStore implements Store {
  readonly place = 'server';
  readonly toMp4: Store['toMp4'];

  private constructor(
    private readonly token: string,
    readonly name: string,
    readonly readOnly: boolean,
    mp4: boolean,
  ) {
    if (mp4) this.toMp4 = async (webm) => new Uint8Array(await (await ask(token, 'api/mp4', { method: 'POST', body: webm })).arrayBuffer());
  }

  /** Where the page came from `shosa studio`, which gives its token in the address. */
  static async open(token: string): Promise<ServerStore> {
    const { name, read_only, mp4 } = (await (await ask(token, 'api/project')).json()) as { name: string; read_only: boolean; mp4?: boolean };
    return new ServerStore(token, name, read_only, mp4 === true);
  }

  async list(): Promise<StoredFile[]> {
    const answer = await ask(this.token, 'api/project');
    return ((await answer.json()) as { files: StoredFile[] }).files.map(({ path, bytes }) => ({ path, bytes }));
  }

  async read(path: string): Promise<Stored> {
    const answer = await ask(this.token, address(path));
    return { bytes: new Uint8Array(await answer.arrayBuffer()), tag: tagOf(answer) };
  }

  async write(path: string, bytes: Uint8Array<ArrayBuffer>, seen: string | undefined): Promise<string> {
    const headers: Record<string, string> = seen === undefined ? { 'If-None-Match': '*' } : { 'If-Match': `"${seen}"` };
    return tagOf(await ask(this.token, address(path), { method: 'PUT', body: bytes, headers }));
  }

  async remove(path: string, seen: string): Promise<void> {
    await ask(this.token, address(path), { method: 'DELETE', headers: { 'If-Match': `"${seen}"` } });
  }

  async find(kind: 'like' | 'follows', path: string, time_s: number): Promise<Match[]> {
    // The index may be behind the files; only what has changed is read again.
    if (!this.readOnly) await ask(this.token, 'api/library/index', { method: 'POST' });
    const question = new URLSearchParams({ [kind]: kind === 'like' ? `${path}@${time_s.toFixed(4)}` : path, limit: '12' });
    return ((await (await ask(this.token, `api/library?${question}`)).json()) as { matches: Match[] }).matches;
  }

  watch(listener: (event: StoreEvent) => void): () => void {
    let source: EventSource | undefined, timer: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      source = new EventSource(`api/events?token=${encodeURIComponent(this.token)}`);
      source.addEventListener('change', (event) => {
        const { path, what } = JSON.parse((event as MessageEvent<string>).data) as { path: string; what: 'added' | 'changed' | 'removed' };
        listener({ kind: what, path });
      });
      source.onopen = () => listener({ kind: 'back' });
      source.onerror = () => {
        listener({ kind: 'away' });
        // The browser tries again where nobody answers, but not after an answer that is a refusal.
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(listen, relisten_ms);
      };
    };
    listen();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  }
}

function address(path: string): string {
  return `api/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

function tagOf(answer: Response): string {
  return (answer.headers.get('ETag') ?? '').replace(/^(W\/)?"|"$/g, '');
}

const codes: Record<number, StoreError['code']> = { 404: 'missing', 409: 'conflict', 429: 'away', 507: 'full' };

async function ask(token: string, path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers: { ...init.headers, 'X-Shosa-Token': token } });
  } catch {
    throw new StoreError('away', 'shosa studio does not answer; is the program still running?');
  }
  if (answer.ok) return answer;
  if (answer.status === 401) throw new StoreError('refused', 'shosa studio has another address now. Open the one that it printed; to take along what is not saved here, export the project (F3) and drop it there.');
  const text = await answer.json().then((json: { error?: string }) => json.error, () => undefined);
  throw new StoreError(codes[answer.status] ?? 'refused', text ?? `the server says ${answer.status}`);
}
