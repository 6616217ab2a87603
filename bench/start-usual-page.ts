import { once } from 'node:events';
import { type RequestListener, createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { writeSpeculationRules } from '../src/web/kit/start/create-fetch-ahead.ts';

/** A usual redirect page: it takes one step after the other, waits for all probes, and then for a timer. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>usual</title><link rel="icon" href="data:,"><script>
async function main() {
  const askJson = async (url, init) => (await fetch(url, init)).json();
  await askJson('/json/link.json');
  const caller = await askJson('/api/get_ip');
  const headers = { RealUserAddr: caller.get_ip, RealUserID: caller.key_id };
  const hosts = await askJson('/api/hostnames', { headers });
  const results = await Promise.all(hosts.map(probe));
  const [fastest] = results.sort((a, b) => a.time - b.time);
  setTimeout(() => location.replace(fastest.host), 600);
}
async function probe(host) {
  const startedAt = Date.now();
  try {
    await fetch(host + '/speed.php', { signal: AbortSignal.timeout(5000) });
    return { host, time: Date.now() - startedAt };
  } catch {
    return { host, time: 99999 };
  }
}
main();
</script>`;

/** A page that knows its line already, and goes there at once. */
const BARE_PATH = '/bare';
const BARE_PAGE = `<!doctype html><meta charset="utf-8"><title>bare</title><link rel="icon" href="data:,"><script>
location.replace(decodeURIComponent(location.search.slice(1)));
</script>`;

/** A page with nothing but a link to its line, which it fetches ahead. For measure-entry.ts it looks like the landing page. */
const LINK_PATH = '/link';
const LINK_PAGE = `<!doctype html><meta charset="utf-8"><title>link</title><link rel="icon" href="data:,">
<script type="speculationrules">${writeSpeculationRules('a')}</script>
<body data-phase="ready"><p data-fastest><a data-line target="_blank" rel="noopener">line</a>
<script>document.querySelector('a').href = decodeURIComponent(location.search.slice(1));</script>`;

const PAGES = new Map([
  ['/', PAGE],
  [BARE_PATH, BARE_PAGE],
  [LINK_PATH, LINK_PAGE],
]);

/** The address of the bare page that goes to this line. */
export function bareUrlFor(usualUrl: string, line: string): string {
  return writeUrl(usualUrl, BARE_PATH, line);
}

/** The address of the page that links to this line. */
export function linkUrlFor(usualUrl: string, line: string): string {
  return writeUrl(usualUrl, LINK_PATH, line);
}

/** Both pages read their line from the query. */
function writeUrl(usualUrl: string, path: string, line: string): string {
  return new URL(`${path}?${encodeURIComponent(line)}`, usualUrl).href;
}

/** Serves the usual page at `/`, the two smaller ones, and everything else as the portal answers it. */
export async function startUsualPage(
  portalPort: number,
  tls: { readonly key: string; readonly cert: string } | undefined,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const answer: RequestListener = (incoming, outgoing) => {
    const { url = '/', headers } = incoming;
    const page = PAGES.get(url.replace(/\?.*/, ''));
    if (page !== undefined) {
      outgoing.setHeader('Content-Type', 'text/html').end(page);
      return;
    }
    request({ port: portalPort, host: '127.0.0.1', path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    }).end();
  };
  const server = tls ? createSecureServer(tls, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // It listens on a port, not on a pipe.
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
