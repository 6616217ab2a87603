/** What a line must say of itself, exactly, and in which header. */
export type LineIdentity = { readonly marker: string; readonly markerHeader: string };

/** As much of an answer as the rule needs. A page's `Response` is one. */
export type SeenAnswer = { readonly ok: boolean; readonly headers: Pick<Headers, 'get'> };

/**
 * The one rule that says "this is our line": a good status, and the marker to the letter. Pages, the server's watch and
 * the commands all ask here. Who asks from Node shows what a page would see of the answer, see `judge-reply.ts`.
 */
export function isOurLine({ ok, headers }: SeenAnswer, { marker, markerHeader }: LineIdentity): boolean {
  return ok && headers.get(markerHeader) === marker;
}
