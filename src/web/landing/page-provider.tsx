import { type ReactNode, useMemo } from 'react';
import type { PageContent } from '../kit/page/page-content.ts';
import type { LinksStore } from './links-store.ts';
import { PageContext } from '../kit/page/page-context.ts';
import type { ConsentQuestion } from '../kit/consent/create-consent.ts';
import { useStore } from '../kit/page/use-store.ts';

type PageProviderProps = {
  readonly content: PageContent;
  readonly links: LinksStore;
  readonly question: ConsentQuestion | undefined;
  readonly children: ReactNode;
};

/**
 * Gives the parts of the page what they need. The links that arrive are nearly always those that the page was rendered
 * with, and then no part is rendered again for them: on a slow phone that would hold the page up just as its lines come in.
 */
export function PageProvider({ content, links: store, question, children }: PageProviderProps): ReactNode {
  const rendered = content.links;
  const { links: current } = useStore(store, { kind: 'loading', links: rendered });
  const isSame = useMemo(() => JSON.stringify(current) === JSON.stringify(rendered), [current, rendered]);
  const links = isSame ? rendered : current;
  const page = useMemo(() => ({ ...content, links, question }), [content, links, question]);
  return <PageContext value={page}>{children}</PageContext>;
}
