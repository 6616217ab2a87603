import type { ReactNode } from 'react';
import type { Closing } from '../../contract/api/closing.ts';
import type { PageMaintenance } from '../../contract/page/page-data.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import controls from '../kit/page/controls.module.css';
import { Footer } from '../kit/page/footer.tsx';
import { Header } from '../kit/page/header.tsx';
import { MaintenanceEnd } from '../kit/page/maintenance-note.tsx';
import type { PageContent } from '../kit/page/create-page-content.ts';
import { PageContext } from '../kit/page/page-context.ts';
import styles from './landing-page.module.css';

export type ClosedPageProps = {
  readonly content: PageContent;
  readonly texts: Texts;
  readonly closing: Closing;
  /** What goes on, if the site is closed for maintenance. */
  readonly maintenance: PageMaintenance | undefined;
};

/** The page of a visitor for whom the site is closed. It needs no script, and is rendered on the server only. */
export function ClosedPage({ content, texts, closing, maintenance }: ClosedPageProps): ReactNode {
  return (
    <PageContext value={content}>
      <Header hasPromo={false} />
      <main className={styles.notice}>
        <h1>{closing === 'restricted' ? texts.restrictedTitle : texts.maintenanceTitle}</h1>
        <p>{texts[closing]}</p>
        {closing === 'maintenance' && maintenance && (
          <>
            {maintenance.reason !== undefined && (
              <p>
                <bdi>{maintenance.reason}</bdi>
              </p>
            )}
            {maintenance.until !== undefined && (
              <p>
                <MaintenanceEnd
                  until={maintenance.until}
                  locale={content.locale}
                  text={texts.maintenanceEnd}
                />
              </p>
            )}
            <a className={controls.pill} href="">
              {texts.tryAgain}
            </a>
          </>
        )}
      </main>
      <Footer />
    </PageContext>
  );
}
