import type { ReactNode } from 'react';
import type { Closing } from '../../contract/api/closing.ts';
import type { PageMaintenance } from '../../contract/page/page-data.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import controls from '../kit/page/controls.module.css';
import { MaintenanceEnd } from '../kit/page/maintenance-note.tsx';
import type { PageContent } from '../kit/page/create-page-content.ts';
import { PageContext } from '../kit/page/page-context.ts';
import { ClosedNotice } from './closed-notice.tsx';

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
      <ClosedNotice closing={closing}>
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
      </ClosedNotice>
    </PageContext>
  );
}
