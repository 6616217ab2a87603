import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { startRelay } from '../src/server/testing/start-relay.ts';
import { median } from './statistics.ts';

const RUNS = 15;

/**
 * How long a round trip takes through a relay: the ms until the first answer on a new connection, and until the next one.
 */
export async function measureRelay(
  roundTripMs: number,
): Promise<{ readonly firstMs: number; readonly nextMs: number }> {
  const echo = createServer({ noDelay: true }, (socket) => socket.pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  // It listens on a port, not on a pipe.
  const relay = await startRelay((echo.address() as AddressInfo).port, roundTripMs);
  const first: number[] = [];
  const next: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    const socket = connect({ port: relay.port, host: '127.0.0.1', noDelay: true });
    await answerOf(socket);
    const answeredAt = performance.now();
    await answerOf(socket);
    first.push(answeredAt - startedAt);
    next.push(performance.now() - answeredAt);
    socket.destroy();
  }
  relay.close();
  echo.close();
  return { firstMs: median(first), nextMs: median(next) };
}

async function answerOf(socket: Socket): Promise<void> {
  const answered = once(socket, 'data');
  socket.write('?');
  await answered;
}
