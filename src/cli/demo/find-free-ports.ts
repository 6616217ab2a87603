import { type Server, createServer } from 'node:http';
import { type Listening, listenOnPort } from '../../line/listen-on-port.ts';

/** Resolves with the wanted ports; each one that another program uses is replaced by a free one. */
export async function findFreePorts(wanted: readonly number[]): Promise<readonly number[]> {
  // All are held until the last is found, so that none is found twice.
  const held: Listening[] = [];
  try {
    for (const port of wanted) held.push(await hold(port).catch(() => hold(0)));
    return held.map(({ port }) => port);
  } finally {
    await Promise.all(held.flatMap(({ servers }) => servers.map(release)));
  }
}

/** On both loopbacks: a browser may take "localhost" for either. */
function hold(port: number): Promise<Listening> {
  return listenOnPort(() => createServer(), port, undefined);
}

function release(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
