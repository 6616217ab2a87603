import { createServer } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';

export type TagHost = {
  readonly url: string;
  /** The paths and queries that were asked for. */
  readonly asked: string[];
  readonly close: () => void;
};

/** A tag that does what Google's does with its queue: reads what is there, and takes over what is pushed later. */
const TAG = `
  window.tagSeen = [];
  const take = (entry) => window.tagSeen.push(Array.from(entry).slice(0, 2).map(String));
  const layer = window.dataLayer;
  if (layer.every((entry) => String(entry) === '[object Arguments]')) layer.forEach(take);
  layer.push = (...entries) => { entries.forEach(take); return Array.prototype.push.apply(layer, entries); };
`;

/** Starts a host that serves a page tag. */
export async function startTagHost(): Promise<TagHost> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('Content-Type', 'text/javascript');
    response.end(TAG);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://tag.localhost:${port}/gtag/js`,
    asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
