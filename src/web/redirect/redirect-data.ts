import type { PageData } from '../kit/document/page-data.ts';

/** What travels inside `/r`. */
export type RedirectData = PageData & {
  /** Whether the visitor's query and hash go along. */
  readonly keepQuery: boolean;
};
