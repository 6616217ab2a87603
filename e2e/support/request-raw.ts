import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** Asks the portal for a path exactly as it is written, under any host name: `fetch` would normalize both. */
export async function requestRaw(
  portalUrl: string,
  path: string,
  host: string,
): Promise<{ readonly status: number | undefined; readonly headers: IncomingMessage['headers'] }> {
  const { port } = new URL(portalUrl);
  const asked = request({ host: '127.0.0.1', port, path, headers: { Host: host } }).end();
  // The event has this one value.
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode, headers: answer.headers };
}
