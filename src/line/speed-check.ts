import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DEFAULT_MARKER_HEADER } from '../contract/api/headers.ts';
import type { LineIdentity } from '../contract/line/line-reply.ts';

export type LineEnv = {
  Bindings: HttpBindings;
  Variables: {
    /** The line that is asked. */
    readonly hostname: string;
    /** The identity that it sends. A fault may have changed it. */
    readonly identity: LineIdentity;
  };
};
/** Where the application of a line says that it is alive, in the demo and in tests. */
export const HEALTH_PATH = '/health';

export type LineContext = Context<LineEnv>;

/**
 * What is counted: all speed checks, those whose client left before the first byte of the answer, the bytes of endless bodies
 * that were taken, the requests for the page that visitors enter, and the forms that were sent.
 */
export type LineCount = 'probes' | 'aborted' | 'bodyBytes' | 'pages' | 'posts';
export type CountRequest = (what: LineCount, by?: number) => void;

/** Creates the identity of a line, with `Server` as the default header. Throws if a header cannot carry the marker. */
export function createIdentity(marker: string, markerHeader = DEFAULT_MARKER_HEADER): LineIdentity {
  validateHeaderName(markerHeader);
  validateHeaderValue(markerHeader, marker);
  return { marker, markerHeader: markerHeader.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) };
}

/** Answers a speed check. Its headers let a page of any origin read the marker and the timing. */
export function answerSpeedCheck(c: LineContext, status: ContentfulStatusCode = 200): Response {
  return c.text('ok', status, speedCheckHeaders(c.get('identity')));
}

/** The headers of the answer to a speed check. */
export function speedCheckHeaders(identity: LineIdentity): Record<string, string> {
  return {
    ...identityHeaders(identity),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': identity.markerHeader,
    'Timing-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
  };
}

/** The headers of every answer of a line. */
export function identityHeaders({ marker, markerHeader }: LineIdentity): Record<string, string> {
  return { [markerHeader]: marker, 'X-Content-Type-Options': 'nosniff' };
}
