import type { OutgoingHttpHeaders } from 'node:http';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../contract/paths.ts';
import type { LineIdentity } from './line-identity.ts';
import { renderLinePage } from './render-line-page.ts';

export type LineAnswer = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
};

/** What a line answers a request with, its own name being `hostname`. */
export function selectAnswer(
  { method, url }: { readonly method?: string | undefined; readonly url?: string | undefined },
  hostname: string,
  identity: LineIdentity,
): LineAnswer {
  const path = method === 'GET' || method === 'HEAD' ? url?.split('?', 1)[0] : undefined;
  if (path === SPEED_CHECK_PATH) return speedCheckAnswer(identity);
  if (path === LANDING_PATH) return landingAnswer(hostname, identity);
  return {
    status: 404,
    headers: { ...identityHeaders(identity), 'Content-Type': 'text/plain; charset=utf-8' },
    body: 'not found',
  };
}

/** The answer to a speed check: the headers alone let a page of any origin read the marker and the timing. */
export function speedCheckAnswer(identity: LineIdentity, status = 200): LineAnswer {
  return {
    status,
    headers: {
      ...identityHeaders(identity),
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': identity.markerHeader,
      'Timing-Allow-Origin': '*',
      'Cache-Control': 'no-store',
      'Content-Type': 'text/plain; charset=utf-8',
    },
    body: 'ok',
  };
}

/** The answer to a request for a host that is none of the lines here. */
export function misdirectedAnswer(hostname: string): LineAnswer {
  return {
    status: 421,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body: `"${hostname}" is not a line of this server`,
  };
}

function landingAnswer(hostname: string, identity: LineIdentity): LineAnswer {
  return {
    status: 200,
    headers: {
      ...identityHeaders(identity),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
      'X-Robots-Tag': 'noindex',
    },
    body: renderLinePage(hostname, identity.marker),
  };
}

function identityHeaders({ marker, markerHeader }: LineIdentity): OutgoingHttpHeaders {
  return { [markerHeader]: marker, 'X-Content-Type-Options': 'nosniff' };
}
