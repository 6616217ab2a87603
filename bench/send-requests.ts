import { type Socket, connect } from 'node:net';

export type Load = {
  readonly port: number;
  /** The requests to send, in turn and over again, each as it goes on the wire. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
};

export type LoadResult = {
  readonly answered: number;
  readonly seconds: number;
  /** Answers other than 2xx, and connections that were lost. */
  readonly failed: number;
  /** Of each answer, from when it was due to be sent, in ms. */
  readonly latencies: readonly number[];
};

/** No head of an answer is longer. */
const HEAD_BYTES = 4_096;

/** Sends requests as fast as they are answered, each connection one at a time, until the time is up. */
export async function sendFor(load: Load, seconds: number): Promise<LoadResult> {
  const endsAt = performance.now() + seconds * 1000;
  return send(load, () => (performance.now() < endsAt ? performance.now() : undefined));
}

/** Sends requests at a fixed pace, whether or not the server keeps up: what it keeps waiting counts as latency. */
export async function sendAtPace(load: Load, perSecond: number, count: number): Promise<LoadResult> {
  const startedAt = performance.now();
  let sent = 0;
  return send(load, () => {
    if (sent >= count) return undefined;
    sent += 1;
    return startedAt + (sent / perSecond) * 1000;
  });
}

/** `nextDue` tells when the next request is due to be sent; undefined means that there is none. */
async function send(load: Load, nextDue: () => number | undefined): Promise<LoadResult> {
  const startedAt = performance.now();
  const tally = { answered: 0, failed: 0, latencies: [] as number[] };
  let next = 0;
  const nextRequest = (): Buffer => load.requests[next++ % load.requests.length] ?? Buffer.alloc(0);
  await Promise.all(
    Array.from({ length: load.connections }, () => run(load.port, nextDue, nextRequest, tally)),
  );
  return { ...tally, seconds: (performance.now() - startedAt) / 1000 };
}

function run(
  port: number,
  nextDue: () => number | undefined,
  nextRequest: () => Buffer,
  tally: { answered: number; failed: number; latencies: number[] },
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let dueAt = 0;
    const sendNext = (): void => {
      const due = nextDue();
      if (due === undefined) {
        socket.destroy();
        return;
      }
      dueAt = due;
      const earlyMs = due - performance.now();
      // A timer may fire up to a millisecond early. This must not count for the server.
      if (earlyMs > 0) setTimeout(() => socket.write(nextRequest()), Math.ceil(earlyMs) + 1);
      else socket.write(nextRequest());
    };
    onAnswers(socket, (isGood) => {
      if (isGood) tally.answered += 1;
      else tally.failed += 1;
      tally.latencies.push(performance.now() - dueAt);
      sendNext();
    });
    socket.on('connect', sendNext);
    socket.on('error', () => {
      tally.failed += 1;
    });
    socket.on('close', () => resolve());
  });
}

/** Finds the end of each answer by its length. Reading more would make the sender slower than the server. */
function onAnswers(socket: Socket, onAnswer: (isGood: boolean) => void): void {
  let missing = 0;
  let isGood = false;
  socket.on('data', (chunk) => {
    if (missing === 0) {
      const head = chunk.toString('latin1', 0, HEAD_BYTES);
      const end = head.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0);
      isGood = head.startsWith('HTTP/1.1 2');
      missing = end + 4 + length;
    }
    missing -= chunk.length;
    if (missing === 0) onAnswer(isGood);
  });
}
