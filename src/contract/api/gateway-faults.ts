/** What a proxy answers if the server behind it does not. Every other status is the server's own. */
export const GATEWAY_FAULTS: ReadonlySet<number> = new Set([502, 503, 504]);
