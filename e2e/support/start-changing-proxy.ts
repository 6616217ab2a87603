import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ChangingProxy = { readonly url: string; readonly close: () => void };

/**
 * Starts a server that passes everything on to a portal, and changes its pages on the way. Playwright's own way to change an
 * answer hides from Chromium that it came from loopback, and then Chromium lets the page ask no line on loopback.
 */
export async function startChangingProxy(
  portalUrl: string,
  change: (html: string) => string,
): Promise<ChangingProxy> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const passed = request(
      new URL(incoming.url ?? '', portalUrl),
      { method: incoming.method ?? 'GET', headers },
      (answer) => {
        const { 'content-length': _, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, kept);
        if (!kept['content-type']?.startsWith('text/html')) answer.pipe(outgoing);
        else void text(answer).then((html) => outgoing.end(change(html)));
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
