/** The marker by which a line is known, and the header that carries it. */
export type LineIdentity = {
  readonly marker: string;
  /** `server`, unless a CDN in front overwrites that header. */
  readonly markerHeader: string;
};

/** What a line sent back to a request from Node. `judgeReply` decides what it means. */
export type LineReply =
  | LineAnswer
  | { readonly kind: 'timeout' }
  /** `code` is Node's own: `ECONNREFUSED`, `ENOTFOUND`, … */
  | { readonly kind: 'unreachable'; readonly code: string };

export type LineAnswer = {
  readonly kind: 'answer';
  readonly status: number;
  /** By name in lower case. Repeated headers are joined by commas, as a page reads them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Ms from the start of the connection to the end of the headers. */
  readonly timeMs: number;
  /** Undefined over http. */
  readonly certificate: LineCertificate | undefined;
  /** The IP address that answered, if it is known. */
  readonly remoteAddress?: string | undefined;
  /** The first part of the body, where it was asked for. */
  readonly body?: string;
};

/** Sends a request to a line, and keeps the first bytes of the body. */
export type AskForBody = (
  address: string,
  question: { readonly path: string; readonly timeoutMs: number; readonly maxBodyBytes: number },
) => Promise<LineReply>;

export type LineCertificate = {
  readonly validTo: Date;
  /** Node's code for the reason why a browser would not trust it: `CERT_HAS_EXPIRED`, … */
  readonly faultCode: string | undefined;
};
