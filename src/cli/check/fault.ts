/** Something that is wrong with a line. */
export type Fault = {
  /** Completes the sentence "it …". */
  readonly problem: string;
  /** What the operator does about it, as a sentence. */
  readonly mend: string;
};
