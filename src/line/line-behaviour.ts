/** How a line host can fail. */
export type LineMisbehaviour =
  /** It closes the connection at once. */
  | 'refuse'
  /** It keeps the connection open and never answers. */
  | 'hang'
  | 'wrong-marker'
  | 'no-marker'
  /** It sends the marker, but pages of other origins may not read it. */
  | 'not-exposed'
  | 'redirect'
  /** It answers the speed check, but the page at `/` is missing. */
  | 'no-page'
  /** It answers the speed check and its page, but its application is dead: `/health` answers 503. */
  | 'dead-application'
  /** The same, but `/health` never answers. */
  | 'hanging-application'
  /** Status 500. */
  | 'error'
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
};
