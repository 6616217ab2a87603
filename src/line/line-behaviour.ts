/**
 * The servers of somebody who has taken a line's domain over, or sits between. None of them sends what lets a page read its
 * answer, so to a page's probe they look like a line that does not answer.
 */
export const FOREIGN_SERVERS = [
  /** A web server with its default settings. It has no `/speed.php`. */
  'no-cors',
  /** It sends every request to another site. */
  'redirect-elsewhere',
  /** The same, over http. */
  'redirect-to-http',
  /** It sends every request to a page of its own, to log in. */
  'redirect-to-login',
  /** Every page says that the domain is for sale. */
  'parking-page',
  /** It sends our marker, but no page of another origin may read anything of it. */
  'marker-without-cors',
  /** The network wants a login first: status 511. */
  'captive-portal',
] as const;

export type ForeignServer = (typeof FOREIGN_SERVERS)[number];

/** How a line host can fail. */
export type LineMisbehaviour =
  | ForeignServer
  /** It closes the connection at once. */
  | 'refuse'
  /** It keeps the connection open and never answers. */
  | 'hang'
  | 'wrong-marker'
  | 'no-marker'
  /** It sends the marker, but pages of other origins may not read it. */
  | 'not-exposed'
  /** It lets pages read its answer, which is a redirect to `/elsewhere` on the same host, again and again. */
  | 'redirect'
  /** It answers the speed check, but the page at `/` is missing. */
  | 'no-page'
  /** It answers the speed check and its page, but its application is dead: `/health` answers 503. */
  | 'dead-application'
  /** The same, but `/health` never answers. */
  | 'hanging-application'
  /** Status 500. */
  | 'error'
  /** Status 502, as a proxy says whose application is gone. */
  | 'bad-gateway'
  /** It sends correct headers and an endless body. */
  | 'huge-body'
  /** It resets the connection in the middle of the headers. */
  | 'reset-head'
  /** It resets the connection in the middle of the body. */
  | 'reset-body';

/** How one line host behaves, on every path that it answers. */
export type LineBehaviour = {
  /** The wait before the first byte of the answer, or before the fault. */
  readonly delayMs?: number;
  readonly fault?: LineMisbehaviour;
  /** The speed check answers well, at once. */
  readonly isOnPagesOnly?: boolean;
  /** It closes each connection after one answer. Browsers send a request again, on their own, if a connection that they reuse fails. */
  readonly closesConnections?: boolean;
};
