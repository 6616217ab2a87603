/** One measured claim: what was measured, and the bound that it must keep, if there is one. */
export type Claim = {
  readonly what: string;
  /** With its unit. */
  readonly measured: string;
  readonly bound?: { readonly text: string; readonly isMet: boolean };
};

export type BenchOptions = {
  /** Another checkout, built, to measure in turn with this one. */
  readonly beside?: string | undefined;
  /** Measures only what has this word in its name. */
  readonly only?: string | undefined;
  /** How long segments are recorded. */
  readonly minutes?: number | undefined;
};

/** A measurement by name, with what it prints. */
export type Bench = {
  readonly title: string;
  readonly run: (options: BenchOptions) => Promise<readonly Claim[]>;
};
