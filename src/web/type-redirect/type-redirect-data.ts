import type { PageData } from '../kit/document/page-data.ts';

/** What travels inside `/t`. */
export type TypeRedirectData = PageData & {
  /** The host names that it serves. */
  readonly allowedHosts: readonly string[];
  /** Whether the visitor's query and hash go along. */
  readonly keepQuery: boolean;
};
