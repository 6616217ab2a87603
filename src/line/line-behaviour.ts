/** How a line host can fail, each as a browser would meet it. */
export type LineFault =
  /** The connection ends at once, without a byte. */
  | 'refuse'
  /** The connection stays open, and nothing ever comes. */
  | 'hang'
  | 'wrong-marker'
  | 'no-marker'
  | 'redirect'
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
