import type { ReactNode } from 'react';
import type { Closing } from '../../contract/api/closing.ts';
import { Footer } from '../kit/page/footer.tsx';
import { Header } from '../kit/page/header.tsx';
import { usePage } from '../kit/page/page-context.ts';
import styles from './landing-page.module.css';

type ClosedNoticeProps = {
  readonly closing: Closing;
  readonly children?: ReactNode;
};

/** What a visitor sees for whom the site is closed: no line, no download, no promo image. */
export function ClosedNotice({ closing, children }: ClosedNoticeProps): ReactNode {
  const { texts } = usePage();
  return (
    <>
      <Header hasPromo={false} />
      <main className={styles.notice}>
        <h1>{closing === 'restricted' ? texts.restrictedTitle : texts.maintenanceTitle}</h1>
        {/* It may take the place of a page that was shown already. */}
        <p role="alert">{texts[closing]}</p>
        {children}
      </main>
      <Footer />
    </>
  );
}
