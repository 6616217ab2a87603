import { type ReactNode, useMemo } from 'react';
import type { Closing } from '../../contract/api/closing.ts';
import { type BoardSnapshot, isClosed } from '../../engine/board/create-line-board.ts';
import { ConsentPart } from '../kit/page/consent.tsx';
import { Banner } from './banner.tsx';
import { ClosedNotice } from './closed-notice.tsx';
import { Downloads } from './downloads/downloads.tsx';
import { Footer } from '../kit/page/footer.tsx';
import type { HandOver } from './create-idle-hand-over.ts';
import { Header } from '../kit/page/header.tsx';
import type { PageContent } from '../kit/page/create-page-content.ts';
import styles from './landing-page.module.css';
import { LINES_ID, LinePanel } from './lines/line-panel.tsx';
import { AnnouncementBar } from './notices/announcement-bar.tsx';
import { InAppHint } from './notices/in-app-hint.tsx';
import { PageContext } from '../kit/page/page-context.ts';
import { useStore, useStored } from '../kit/page/use-store.ts';
import type { LinksStore } from './create-links-store.ts';
import type { ConsentQuestion } from '../kit/consent/create-consent.ts';
import '../kit/page/tokens.css';

export type LandingPageProps = {
  readonly content: PageContent;
  readonly handOver: HandOver;
  /** The consent question. Undefined on the server, and if nothing is asked. */
  readonly question?: ConsentQuestion | undefined;
  /** Plain links for visitors without JavaScript. Rendered on the server only. */
  readonly plainLinks?: ReactNode;
};

/** The landing page, top to bottom. */
export function LandingPage(props: LandingPageProps): ReactNode {
  const { content, handOver, question, plainLinks } = props;
  const { board, links } = handOver;
  return (
    <PageProvider content={content} links={links} question={question}>
      <WhileOpen board={board}>
        <a className={styles.skip} href={`#${LINES_ID}`} data-silent="skip">
          {content.texts.linesTitle}
        </a>
        <Header />
        <main className={styles.main}>
          <InAppHint />
          <Banner>
            <ConsentPart part="bar" />
          </Banner>
          <Downloads />
          <AnnouncementBar />
          <LinePanel board={board} links={links} plainLinks={plainLinks} />
        </main>
        <Footer />
      </WhileOpen>
    </PageProvider>
  );
}

type WhileOpenProps = { readonly board: HandOver['board']; readonly children: ReactNode };

/** Shows the page until the portal says that the site is closed for this visitor, and then that notice only. */
function WhileOpen({ board, children }: WhileOpenProps): ReactNode {
  const closing = useStored(board, undefined, findClosing);
  return closing ? <ClosedNotice closing={closing} /> : children;
}

function findClosing({ phase }: BoardSnapshot): Closing | undefined {
  return isClosed(phase) ? phase : undefined;
}

type PageProviderProps = {
  readonly content: PageContent;
  readonly links: LinksStore;
  readonly question: ConsentQuestion | undefined;
  readonly children: ReactNode;
};

/**
 * Gives the parts of the page their content and links. The loaded links are nearly always those that the page was
 * rendered with. Then nothing is rendered again, because that would block a slow phone just when its results arrive.
 */
function PageProvider({ content, links: store, question, children }: PageProviderProps): ReactNode {
  const rendered = content.links;
  const { links: current } = useStore(store, { kind: 'loading', links: rendered });
  const isSame = useMemo(() => JSON.stringify(current) === JSON.stringify(rendered), [current, rendered]);
  const links = isSame ? rendered : current;
  const page = useMemo(() => ({ ...content, links, question }), [content, links, question]);
  return <PageContext value={page}>{children}</PageContext>;
}
