import { once } from 'node:events';
import { createServer } from 'node:net';
import { readCode } from '../contract/read-code.ts';

/** Below the ports that Linux gives to clients, so that no client takes a port before its server listens. */
const [LOWEST_PORT, HIGHEST_PORT] = [20_000, 32_000];
/** Browsers may use either for "localhost". */
export const LOOPBACKS = ['127.0.0.1', '::1'] as const;

/** Finds a free port of loopback for each wanted one. A port in use is replaced by another. */
export async function findFreePorts(wanted: readonly number[]): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const port of wanted) {
    found.add(!found.has(port) && (await isFree(port)) ? port : await drawFreePort(found));
  }
  return [...found];
}

/** Draws this many free ports of loopback. */
export async function drawFreePorts(count: number): Promise<readonly number[]> {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(await drawFreePort(drawn));
  return [...drawn];
}

async function drawFreePort(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    if (!taken.has(port) && (await isFree(port))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  for (const address of LOOPBACKS) {
    if (!(await canListen(port, address))) return false;
  }
  return true;
}

async function canListen(port: number, address: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, address);
    await once(server, 'listening');
    return true;
  } catch (error) {
    // On a machine without IPv6, nobody listens there.
    return isNoAddress(error);
  } finally {
    server.close();
  }
}

/** Whether a server could not listen because this machine has no such address, such as `::1` without IPv6. */
export function isNoAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(readCode(error));
}
