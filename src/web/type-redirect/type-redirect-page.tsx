import type { ReactNode } from 'react';
import type { Closing } from '../../contract/api/closing.ts';
import { LANDING_PATH } from '../../contract/paths.ts';
import { Footer } from '../kit/page/footer.tsx';
import { Header } from '../kit/page/header.tsx';
import { Icon } from '../kit/page/icon.tsx';
import type { PageContent } from '../kit/page/create-page-content.ts';
import { FallbackLines } from '../kit/page/fallback-lines.tsx';
import { PageContext } from '../kit/page/page-context.ts';
import '../kit/page/tokens.css';
import type { Texts } from '../../contract/site/text-keys.ts';
import {
  ADDRESS_ID,
  AGAIN_NAME,
  ANYWAY_ID,
  ENTER_ID,
  FINDING_ID,
  OTHER_ID,
  type ViewState,
} from './view-state.ts';
import styles from './type-redirect-page.module.css';

export type TypeRedirectPageProps = {
  readonly content: PageContent;
  readonly texts: Texts;
  /** Plain links, for visitors whose browser does not run the script. */
  readonly fallbackAddresses: readonly string[];
};

const CLOSINGS: readonly Closing[] = ['restricted', 'maintenance'];

/** `/t/{target}` with all of its states. The style shows the one that the script has set. */
export function TypeRedirectPage({ content, texts, fallbackAddresses }: TypeRedirectPageProps): ReactNode {
  const ways = (
    <div className={styles.ways}>
      <Again texts={texts} />
      <Home texts={texts} />
    </div>
  );
  return (
    <PageContext value={content}>
      <Header hasPromo={false} />
      <main className={styles.main}>
        <h1 className={styles.brand}>{content.brand.name}</h1>
        <When state="choosing">
          <span className={styles.sign} aria-hidden="true" />
          <p role="status">{texts.choosing}…</p>
        </When>
        <When state="found">
          <span className={styles.sign} aria-hidden="true">
            <Icon name="check" />
          </span>
          <div className={styles.none}>
            <div role="alert">
              <h2>{texts.noneReachable}</h2>
              <p>{texts.noneHelp}</p>
            </div>
            <Again texts={texts} describedBy={FINDING_ID} />
            <Home texts={texts} />
          </div>
          <button id={ENTER_ID} className={styles.enter} type="button" aria-describedby={FINDING_ID}>
            <span>{texts.enter}</span>
            <span>{texts.openAnyway}</span>
            <Icon name="arrow" />
          </button>
          <p
            id={FINDING_ID}
            data-fastest={texts.fastestOf}
            data-verified={texts.proven}
            data-unproven={texts.unprovenText}
          />
          <a id={ADDRESS_ID} className={styles.address} dir="ltr" />
        </When>
        <When state="wrong-server">
          <p role="alert">{texts.unprovenText}</p>
          <a id={OTHER_ID} className={styles.other} hidden>
            {texts.useOther}
            <small dir="ltr" />
          </a>
          {ways}
          <button id={ANYWAY_ID} className={styles.anyway} type="button">
            {texts.openAnyway}
          </button>
        </When>
        <When state="failed">
          <p role="alert">{texts.targetFailed}</p>
          {ways}
        </When>
        {CLOSINGS.map((closing) => (
          <When key={closing} state={closing}>
            <p role="alert">{texts[closing]}</p>
          </When>
        ))}
        <div className={styles.plain}>
          <FallbackLines addresses={fallbackAddresses} note={texts.notMeasured} />
        </div>
      </main>
      <Footer />
    </PageContext>
  );
}

function Again({ texts, describedBy }: { readonly texts: Texts; readonly describedBy?: string }): ReactNode {
  return (
    <button name={AGAIN_NAME} className={styles.again} type="button" aria-describedby={describedBy}>
      <Icon name="retest" />
      {texts.tryAgain}
    </button>
  );
}

function Home({ texts }: { readonly texts: Texts }): ReactNode {
  return (
    <a className={styles.home} href={LANDING_PATH}>
      {texts.home}
    </a>
  );
}

function When({ state, children }: { readonly state: ViewState; readonly children: ReactNode }): ReactNode {
  return (
    <div className={styles.view} data-when={state}>
      {children}
    </div>
  );
}
