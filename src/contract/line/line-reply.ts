/** What a line sent back to a request from Node, before anybody judges it. */
export type LineReply =
  | LineAnswer
  | { readonly kind: 'timeout' }
  /** `code` is Node's own: `ECONNREFUSED`, `ENOTFOUND`, … */
  | { readonly kind: 'unreachable'; readonly code: string };

export type LineAnswer = {
  readonly kind: 'answer';
  readonly status: number;
  /** By their names in lower case. One that was sent more than once is joined by commas, as a page would read it. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** From the start of the connection to the end of the head. */
  readonly timeMs: number;
  /** Undefined over http. */
  readonly certificate: LineCertificate | undefined;
};

export type LineCertificate = {
  readonly validTo: Date;
  /** Why a browser would not trust it, by Node's code: `CERT_HAS_EXPIRED`, … */
  readonly faultCode: string | undefined;
};
