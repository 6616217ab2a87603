import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';

/** One request for the page of a line. */
export type PageRequest = { readonly isPrefetch: boolean; readonly referrer: string | undefined };

export type WatchedLineKnobs = {
  /** The wait before the answer to a probe, so that a page can be fetched ahead meanwhile. */
  readonly probeMs?: number;
  readonly marker?: string;
  /** How it answers when its page is fetched ahead. */
  readonly ahead?: 'page' | 'refused' | 'reset' | 'hanging';
};

export type WatchedLine = {
  readonly address: string;
  /** The requests for its page so far. */
  readonly pages: readonly PageRequest[];
  readonly close: () => void;
};

/** Starts a line that remembers who asked for its page, and how. */
export async function startWatchedLine(
  name: string,
  { probeMs = 0, marker = 'waypost-test', ahead = 'page' }: WatchedLineKnobs = {},
): Promise<WatchedLine> {
  const pages: PageRequest[] = [];
  const server = createServer((request, response) => {
    response.setHeader('Server', marker);
    if (request.url === '/speed.php') answerProbe(response, probeMs);
    else answerPage(request, response);
  });

  function answerPage({ headers }: IncomingMessage, response: ServerResponse): void {
    const isPrefetch = headers['sec-purpose'] === 'prefetch';
    pages.push({ isPrefetch, referrer: headers.referer });
    if (isPrefetch && ahead === 'hanging') return;
    if (isPrefetch && ahead === 'reset') response.destroy();
    if (isPrefetch && ahead === 'refused') response.writeHead(503, { 'Retry-After': '60' });
    else response.setHeader('Content-Type', 'text/html');
    response.end('<link rel="icon" href="data:,"><title>line</title>');
  }

  const port = await listenOnLoopback(server);
  return {
    address: `http://${name}.localhost:${port}`,
    pages,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerProbe(response: ServerResponse, probeMs: number): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'Server');
  setTimeout(() => response.end('ok'), probeMs);
}
