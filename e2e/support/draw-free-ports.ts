import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux hands out by itself, so that no client's socket is in the way. */
const [LOWEST_PORT, HIGHEST_PORT] = [20_000, 32_000];

/** Draws ports of loopback on which nobody listens. */
export async function drawFreePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false; // In use: another is drawn.
  } finally {
    server.close();
  }
}
