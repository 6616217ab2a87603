import type { LineIdentity } from '../../contract/line/line-reply.ts';

/** The part of an answer that the rule needs. A page's `Response` fits. */
export type SeenAnswer = { readonly ok: boolean; readonly headers: Pick<Headers, 'get'> };

/**
 * The one rule that says "this is our line": a 2xx status and exactly the marker. Pages, the server's watch and the
 * commands all use it. In Node, `judge-reply.ts` first reduces an answer to what a page could read of it.
 */
export function isOurLine({ ok, headers }: SeenAnswer, { marker, markerHeader }: LineIdentity): boolean {
  return ok && headers.get(markerHeader) === marker;
}
