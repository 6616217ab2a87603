/** How a line host can fail, each as a browser would meet it. */
export type LineFault =
  /** The connection ends at once, without a byte. */
  | 'refuse'
  /** The connection stays open, and nothing ever comes. */
  | 'hang'
  | 'wrong-marker'
  | 'no-marker'
  /** The marker is sent, but no page of another origin may read it. */
  | 'not-exposed'
  | 'redirect'
  /** The speed check answers as it must, but the page that visitors enter is not there. */
  | 'no-page'
  /** Status 500. */
  | 'error'
  /** A correct head, then a body without an end. */
  | 'huge-body'
  /** The connection is reset in the middle of the head. */
  | 'reset-head'
  /** The connection is reset in the middle of the body. */
  | 'reset-body';

/** How one line host behaves, on every path that it answers. */
export type LineBehaviour = {
  /** The wait before the first byte of the answer, or before the fault. */
  readonly delayMs?: number;
  readonly fault?: LineFault;
};
