/** One measured claim: what was measured, and the bound that it must keep, if there is one. */
export type Claim = {
  readonly what: string;
  /** With its unit. */
  readonly measured: string;
  readonly bound?: { readonly text: string; readonly isMet: boolean };
};

/** A measurement by name, with what it prints. */
export type Bench = {
  readonly title: string;
  readonly run: () => Promise<readonly Claim[]>;
};
