import { createContext, useContext } from 'react';
import type { LinksConfig } from '../../../contract/site/links-config.ts';
import type { PageContent } from './page-content.ts';
import type { ConsentQuestion } from '../consent/create-consent.ts';

/** What most parts of the page need: its content, and the links as they are now. */
export type Page = Omit<PageContent, 'links'> & {
  readonly links: LinksConfig;
  /** Undefined where there is nothing to ask, and where the page is rendered. */
  readonly question?: ConsentQuestion | undefined;
};

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage must be called inside a PageContext');
  return page;
}
