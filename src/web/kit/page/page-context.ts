import { createContext, useContext } from 'react';
import type { PageContent } from './create-page-content.ts';
import type { ConsentQuestion } from '../consent/create-consent.ts';

/** What most parts of a page need: its content, with the links as they are now. */
export type Page = PageContent & {
  /** Undefined if there is nothing to ask, and on the server. */
  readonly question?: ConsentQuestion | undefined;
};

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage must be called inside a PageContext');
  return page;
}
