// Runs in the worker: carries out what the page asks of the engine, one call after the other.
import * as api from './index.js';
import { isKey, mapped, type Reply, type Request, type Start } from './remote.js';

interface Port {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
}

const objects = new Map<string, object>();
/** Their keys: what goes out again goes by the key that it has. */
const keys = new WeakMap<object, string>();

async function connect(): Promise<void> {
  const inNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
  if (inNode) {
    const { parentPort } = await import('node:worker_threads');
    parentPort!.on('message', (message: Request | Start) => void receive(parentPort as unknown as Port, message));
  } else {
    const scope = globalThis as unknown as Port & { onmessage: (event: MessageEvent<Request | Start>) => void };
    scope.onmessage = (event) => void receive(scope, event.data);
  }
}

async function receive(port: Port, message: Request | Start): Promise<void> {
  const send = (reply: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer);
  if ('module' in message) {
    const { lock } = message;
    if (lock) await new Promise<void>((held) => void navigator.locks.request(lock, () => (held(), new Promise(() => {}))));
    await api.load({
      module: message.module,
      ...(message.maxMemoryBytes === undefined ? {} : { maxMemoryBytes: message.maxMemoryBytes }),
      log: (level, text) => send({ kind: 'log', level, text }),
      progress: (done, total, part) => send({ kind: 'progress', done, total, part }),
    });
    return send({ kind: 'ready' });
  }
  for (const key of message.free) {
    const object = objects.get(key);
    objects.delete(key);
    if (object instanceof api.Handle) object.dispose();
  }
  try {
    const transfer: ArrayBuffer[] = [];
    const value = outgoing(carryOut(message), message.id, transfer);
    send({ kind: 'value', id: message.id, value }, transfer);
  } catch (thrown) {
    const { message: text } = thrown as Error;
    const error = thrown instanceof api.ShosaError ? { code: thrown.code, message: text, place: thrown.place } : { code: 'failed', message: text, place: '' };
    send({ kind: 'error', id: message.id, error, crashed: error.code === 'crashed' });
  }
}

function carryOut({ target, path, args }: Request): unknown {
  const object = target === undefined ? api : objects.get(target);
  if (object === undefined) throw new api.ShosaError('disposed', 'the object was lost when the worker started again', '');
  const names = path.split('.');
  const last = names.pop()!;
  let holder = object as Record<string, unknown>;
  for (const name of names) holder = Object(holder[name]) as Record<string, unknown>;
  const member = holder[last];
  // Reports lack keys now and then; objects of the engine lack no property.
  if (args === undefined && member === undefined && !(last in holder) && names.length === 0) throw new api.ShosaError('bad_argument', `${path}: no such property`, path);
  if (args === undefined) return member;
  if (typeof member !== 'function') throw new api.ShosaError('bad_argument', `${path}: no such method`, path);
  return member.apply(holder, mapped(args, (leaf) => (isKey(leaf) ? objects.get(leaf.$remote) : leaf)) as unknown[]);
}

/** Objects stay here and go by their keys; views into the module's memory go as copies. */
function outgoing(value: unknown, id: string, transfer: ArrayBuffer[]): unknown {
  let inside = 0;
  return mapped(value, (leaf) => {
    if (ArrayBuffer.isView(leaf)) {
      const copy = (leaf as Float32Array).slice();
      transfer.push(copy.buffer);
      return copy;
    }
    if (leaf instanceof api.Handle || leaf instanceof api.Command || leaf instanceof api.Goal || leaf instanceof api.Pose) {
      const before = keys.get(leaf);
      if (before !== undefined && objects.get(before) === leaf) return { $remote: before };
      const key = leaf === value ? id : `${id}.${inside++}`;
      objects.set(key, leaf);
      keys.set(leaf, key);
      return { $remote: key };
    }
    return leaf;
  });
}

void connect();
